// Hands: the instrument where it is, its shadow on what is below it and a line down to there, a mark where it was told to
// be, an arrow of the force.

import {
  ArrowHelper,
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  Group,
  Line,
  LineBasicMaterial,
  LineDashedMaterial,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  SphereGeometry,
  Vector3,
  type Camera,
} from "three";
import { sideAt } from "../base/sides";
import { MILLI, millimetres } from "../base/units";
import { Tool, type HandInfo, type HandState, type ToolPart } from "../base/protocol.generated";
import { Instrument } from "./instrument";
import { jawsOf, openingOf } from "./jaws";
import { disposeAll, lineGeometry, setLine } from "./lines";
import type { Quality } from "./quality";
import type { Palette } from "./theme";

/** m: from here on the target is shown apart from the hand */
const VISIBLE_LAG = 0.0005;
/** marks are as large as a jaw is drawn, so many times longer than it is: mm */
const MARK_FACTOR = 4;
/** mm of arrow for one newton, and the longest arrow */
const ARROW_PER_NEWTON = 8;
const LONGEST_ARROW = 40;
/** mm: lower than this the line down and the ring below it only get in the way */
const LOW = 1.5;
/** mm above the ground at which a shadow is half as dark, and how dark it is at 0 */
const SHADOW_HEIGHT = 9;
const SHADOW_STRENGTH = 0.62;

/** What is below a hand: mm. */
export interface Ground {
  height: number;
}

export class HandViews {
  readonly group = new Group();
  private views: HandView[] = [];
  private infos: HandInfo[] = [];

  constructor(
    private quality: Quality,
    private palette: Palette,
  ) {}

  restyle(quality: Quality, palette: Palette): void {
    this.quality = quality;
    this.palette = palette;
    this.build(this.infos);
  }

  build(hands: HandInfo[]): void {
    this.infos = hands;
    for (const view of this.views) view.dispose();
    this.group.clear();
    this.views = hands.map((info, place) => new HandView(info, sideAt(hands, place), this.palette, this.quality));
    for (const view of this.views) this.group.add(view.group);
  }

  /** `floor` in mm; `active` is the place of the hand that is moved now; `inReach` says which could take hold; `grounds`
      what is below each; `tools` has the parts of those with jaws that touch. */
  update(
    states: HandState[],
    floor: number,
    active: number,
    inReach: boolean[],
    grounds: (Ground | undefined)[] = [],
    tools: readonly ToolPart[] = [],
  ): void {
    for (const state of states) {
      const { height } = grounds[state.hand] ?? { height: floor };
      this.views[state.hand]?.update(state, tools, height, state.hand === active, inReach[state.hand] ?? false);
    }
  }

  /** The hand whose tool is not drawn, since one looks through it; undefined: none. */
  hide(place: number | undefined): void {
    this.views.forEach((view, each) => (view.group.visible = each !== place));
  }

  /** What hides a tip is faded: for a picture of so many pixels, which begins so many from the left. */
  setCamera(camera: Camera, width: number, height: number, left = 0): void {
    for (const view of this.views) view.setCamera(camera, width, height, left);
  }
}

class HandView {
  readonly group = new Group();
  private readonly instrument: Instrument;
  private readonly target: Mesh;
  private readonly lag: Line;
  private readonly drop: Line;
  private readonly foot: Mesh;
  private readonly shadow: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly reach: Mesh;
  private readonly arrow: ArrowHelper;

  constructor(info: HandInfo, side: 0 | 1, palette: Palette, quality: Quality) {
    const colour = palette.hands[side];
    const length = Math.min(Math.max(info.jaw * MILLI * MARK_FACTOR, 4), 14);
    this.instrument = new Instrument(info, colour, palette.steel, quality);
    const faint = { color: colour, transparent: true, depthWrite: false };
    this.target = new Mesh(
      new SphereGeometry(length * 0.09, 16, 12),
      new MeshBasicMaterial({ ...faint, opacity: 0.6 }),
    );
    this.lag = new Line(lineGeometry(), new LineDashedMaterial({ ...faint, opacity: 0.8, dashSize: 1.5, gapSize: 1 }));
    this.drop = new Line(lineGeometry(), new LineBasicMaterial({ ...faint, opacity: 0.55 }));
    this.foot = new Mesh(
      new RingGeometry(length * 0.13, length * 0.17, 32),
      new MeshBasicMaterial({ ...faint, opacity: 0.75 }),
    );
    this.shadow = new Mesh(shadowGeometry(), shadowMaterial());
    const reach = info.jaw * MILLI;
    this.reach = new Mesh(new SphereGeometry(reach, 24, 16), new MeshBasicMaterial({ ...faint, opacity: 0.16 }));
    this.arrow = new ArrowHelper(new Vector3(0, 0, 1), new Vector3(), 1, colour, 2, 1.2);
    const marks = [this.shadow, this.target, this.lag, this.drop, this.foot, this.reach, this.arrow];
    this.group.add(this.instrument.group, ...marks);
  }

  dispose(): void {
    this.instrument.dispose();
    this.arrow.dispose();
    disposeAll([this.target, this.lag, this.drop, this.foot, this.shadow, this.reach]);
  }

  update(state: HandState, tools: readonly ToolPart[], ground: number, isActive: boolean, isInReach: boolean): void {
    const position = millimetres(state.position);
    const target = millimetres(state.target);
    this.instrument.group.position.copy(position);
    this.instrument.group.quaternion.fromArray(state.rotation);
    this.showTool(state, tools);
    this.instrument.setActive(isActive);

    const isKnown = state.known !== 0;
    const isLagging = isKnown && position.distanceTo(target) > MILLI * VISIBLE_LAG;
    this.target.visible = this.lag.visible = isLagging;
    if (isLagging) {
      this.target.position.copy(target);
      setLine(this.lag, position, target);
      this.lag.computeLineDistances();
    }
    this.showHeight(position, ground);
    this.reach.position.copy(position);
    this.reach.visible = isInReach && state.closed === 0 && state.tool === Tool.grasper && !state.has_jaws;
    this.showForce(position, isKnown ? new Vector3().fromArray(state.force) : new Vector3());
  }

  private showTool(state: HandState, tools: readonly ToolPart[]): void {
    const jaws = jawsOf(state, tools);
    if (jaws) return this.instrument.setJaws(state.tool, jaws);
    this.instrument.setTool(state.tool);
    this.instrument.setOpening(openingOf(state));
  }

  setCamera(camera: Camera, width: number, height: number, left: number): void {
    const { position } = this.instrument.group;
    const at = position.clone().project(camera),
      far = -position.clone().applyMatrix4(camera.matrixWorldInverse).z;
    this.instrument.setTip(left + (0.5 + at.x / 2) * width, (0.5 + at.y / 2) * height, 0.5 + at.z / 2, height, far);
  }

  /** A shadow right below, wider and fainter the higher the tip is. */
  private showHeight(position: Vector3, ground: number): void {
    const height = Math.max(position.z - ground, 0);
    const foot = new Vector3(position.x, position.y, ground + 0.05);
    this.drop.visible = this.foot.visible = height > LOW;
    if (this.drop.visible) setLine(this.drop, position, foot);
    this.foot.position.copy(foot);
    this.shadow.position.copy(foot);
    this.shadow.scale.setScalar(1.3 + 0.16 * height);
    this.shadow.material.opacity = SHADOW_STRENGTH / (1 + height / SHADOW_HEIGHT);
  }

  private showForce(position: Vector3, force: Vector3): void {
    const strength = force.length();
    this.arrow.visible = strength > 0.02;
    if (!this.arrow.visible) return;
    this.arrow.position.copy(position);
    this.arrow.setDirection(force.normalize());
    this.arrow.setLength(Math.min(2 + ARROW_PER_NEWTON * strength, LONGEST_ARROW), 2, 1.2);
  }
}

/** A disc of radius 1, dark in the middle. */
function shadowGeometry(): BufferGeometry {
  const geometry = new CircleGeometry(1, 24);
  const points = geometry.attributes.position.count;
  const colours = new Float32Array(4 * points);
  colours[3] = 1; // the middle comes first
  return geometry.setAttribute("color", new BufferAttribute(colours, 4));
}

function shadowMaterial(): MeshBasicMaterial {
  return new MeshBasicMaterial({
    vertexColors: true,
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -8,
  });
}
