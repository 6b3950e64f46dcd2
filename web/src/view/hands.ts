// Hands: the instrument where it is, a mark where it was told to be, a line down to the floor, an arrow of the force.

import {
  ArrowHelper,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  LineDashedMaterial,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  RingGeometry,
  SphereGeometry,
  Vector3,
  type Material,
} from "three";
import { MILLI, millimetres } from "../base/units";
import { Tool, type HandInfo, type HandState } from "../protocol.generated";
import { Instrument } from "./instrument";
import type { Quality } from "./quality";
import type { Palette } from "./theme";

/** m: from here on the target is shown apart from the hand */
const VISIBLE_LAG = 0.0005;
/** marks are as large as a jaw is drawn, so many times longer than it is: mm */
const MARK_FACTOR = 4;
/** mm of arrow for one newton, and the longest arrow */
const ARROW_PER_NEWTON = 8;
const LONGEST_ARROW = 40;

/** What is below a hand: mm. */
export interface Ground {
  height: number;
}

export class HandViews {
  readonly group = new Group();
  private views: HandView[] = [];

  constructor(private readonly quality: Quality) {}

  build(hands: HandInfo[], palette: Palette): void {
    for (const view of this.views) view.dispose();
    this.group.clear();
    this.views = hands.map((info, place) => new HandView(info, palette.hands[place % 2], palette.steel, this.quality));
    for (const view of this.views) this.group.add(view.group);
  }

  /** `floor` in mm; `active` is the place of the hand that is moved now; `inReach` says which could take hold; `grounds`
      what is below each. */
  update(
    states: HandState[],
    floor: number,
    active: number,
    inReach: boolean[],
    grounds: (Ground | undefined)[] = [],
  ): void {
    for (const state of states) {
      const ground = grounds[state.hand] ?? { height: floor };
      this.views[state.hand]?.update(state, ground, state.hand === active, inReach[state.hand] ?? false);
    }
  }
}

class HandView {
  readonly group = new Group();
  private readonly instrument: Instrument;
  private readonly target: Mesh;
  private readonly lag: Line;
  private readonly drop: Line;
  private readonly foot: Mesh;
  private readonly reach: Mesh;
  private readonly arrow: ArrowHelper;

  constructor(info: HandInfo, colour: number, steel: number, quality: Quality) {
    const length = Math.min(Math.max(info.jaw * MILLI * MARK_FACTOR, 4), 14);
    this.instrument = new Instrument(info, colour, steel, quality);
    const faint = { color: colour, transparent: true, depthWrite: false };
    this.target = new Mesh(
      new SphereGeometry(length * 0.09, 16, 12),
      new MeshBasicMaterial({ ...faint, opacity: 0.6 }),
    );
    this.lag = new Line(lineGeometry(), new LineDashedMaterial({ ...faint, opacity: 0.8, dashSize: 1.5, gapSize: 1 }));
    this.drop = new Line(lineGeometry(), new LineBasicMaterial({ ...faint, opacity: 0.45 }));
    this.foot = new Mesh(
      new RingGeometry(length * 0.16, length * 0.24, 40),
      new MeshBasicMaterial({ ...faint, opacity: 0.7 }),
    );
    const reach = info.jaw * MILLI;
    this.reach = new Mesh(new SphereGeometry(reach, 24, 16), new MeshBasicMaterial({ ...faint, opacity: 0.16 }));
    this.arrow = new ArrowHelper(new Vector3(0, 0, 1), new Vector3(), 1, colour, 2, 1.2);
    this.group.add(this.instrument.group, this.target, this.lag, this.drop, this.foot, this.reach, this.arrow);
  }

  dispose(): void {
    this.instrument.dispose();
    this.arrow.dispose();
    for (const each of [this.target, this.lag, this.drop, this.foot, this.reach]) {
      each.geometry.dispose();
      (each.material as Material).dispose();
    }
  }

  update(state: HandState, ground: Ground, isActive: boolean, isInReach: boolean): void {
    const position = millimetres(state.position);
    const target = millimetres(state.target);
    this.instrument.group.position.copy(position);
    this.instrument.group.quaternion.copy(new Quaternion().fromArray(state.rotation));
    this.instrument.setTool(state.tool);
    this.instrument.setClosed(state.closed !== 0);
    this.instrument.setActive(isActive);

    const isKnown = state.known !== 0;
    const isLagging = isKnown && position.distanceTo(target) > MILLI * VISIBLE_LAG;
    this.target.visible = this.lag.visible = isLagging;
    this.target.position.copy(target);
    setLine(this.lag, position, target);
    this.lag.computeLineDistances();

    const foot = new Vector3(position.x, position.y, ground.height + 0.05);
    setLine(this.drop, position, foot);
    this.foot.position.copy(foot);
    this.reach.position.copy(position);
    this.reach.visible = isInReach && state.closed === 0 && state.tool === Tool.grasper;

    const force = new Vector3().fromArray(state.force);
    const strength = force.length();
    this.arrow.visible = isKnown && strength > 0.02;
    if (this.arrow.visible) {
      const length = Math.min(2 + ARROW_PER_NEWTON * strength, LONGEST_ARROW);
      this.arrow.position.copy(position);
      this.arrow.setDirection(force.normalize());
      this.arrow.setLength(length, 2, 1.2);
    }
  }
}

function lineGeometry(): BufferGeometry {
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(new Float32Array(6), 3));
}

function setLine(line: Line, from: Vector3, to: Vector3): void {
  const points = line.geometry.attributes.position;
  points.setXYZ(0, from.x, from.y, from.z);
  points.setXYZ(1, to.x, to.y, to.z);
  points.needsUpdate = true;
  line.frustumCulled = false;
}
