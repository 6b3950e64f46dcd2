// What is not there yet: the hand where it should go next, and whether it would pass over or under the strand beside it.

import {
  type BufferGeometry,
  CatmullRomCurve3,
  Group,
  Line,
  LineDashedMaterial,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  TubeGeometry,
  Vector3,
} from "three";
import { sideAt } from "../base/sides";
import { millimetres } from "../base/units";
import type { HandInfo, HandState } from "../base/protocol.generated";
import { Instrument } from "./instrument";
import { openingOf } from "./jaws";
import { disposeAll, lineGeometry, setLine } from "./lines";
import type { Quality } from "./quality";
import type { Palette } from "./theme";

/** what a ghost hides of what is behind it */
const OPACITY = 0.4;
/** mm: how far beyond the strand an arch ends at least, how high it is, and how thick */
const BEYOND = 5;
const RISE = 3.2;
const THICK = 0.55;

export interface Crossing {
  /** m: on the strand */
  point: readonly number[];
  /** mm: above it; negative: below */
  gap: number;
}

/** A hand as it should be. */
class GhostHand {
  readonly group = new Group();
  private readonly instrument: Instrument;
  private readonly ring: Mesh<RingGeometry, MeshBasicMaterial>;
  private readonly way: Line<BufferGeometry, LineDashedMaterial>;

  constructor(info: HandInfo, side: 0 | 1, palette: Palette, quality: Quality) {
    const color = palette.hands[side];
    this.instrument = new Instrument(info, color, palette.steel, quality);
    this.instrument.makeGhost(OPACITY);
    const look = { color, transparent: true, depthTest: false, depthWrite: false };
    this.ring = new Mesh(new RingGeometry(3.2, 4, 40), new MeshBasicMaterial({ ...look, opacity: 0.9 }));
    this.way = new Line(lineGeometry(), new LineDashedMaterial({ ...look, opacity: 0.9, dashSize: 3, gapSize: 2 }));
    this.group.add(this.instrument.group, this.ring, this.way);
    this.group.visible = false;
  }

  update(state: HandState | undefined, goal: Vector3 | undefined): void {
    this.group.visible = state !== undefined && goal !== undefined;
    if (!state || !goal) return;
    this.instrument.setTool(state.tool);
    this.instrument.setOpening(openingOf(state));
    this.instrument.group.position.copy(goal);
    this.instrument.group.quaternion.fromArray(state.rotation);
    this.ring.position.copy(goal);
    setLine(this.way, millimetres(state.position), goal);
    this.way.computeLineDistances();
  }

  dispose(): void {
    this.instrument.dispose();
    disposeAll([this.ring, this.way]);
  }
}

/** An arch from the tip across a strand: over it in front of everything, under it only where nothing hides it. */
class CrossingArch {
  readonly group = new Group();
  private readonly arches: Mesh<TubeGeometry, MeshBasicMaterial>[];

  constructor() {
    this.arches = [1, -1].map((way) => {
      const points = [-1, -0.5, 0, 0.5, 1].map((x) => new Vector3(x, 0, way * (1 - x * x)));
      const geometry = new TubeGeometry(new CatmullRomCurve3(points), 20, THICK / RISE, 8);
      const material = new MeshBasicMaterial({ transparent: true, opacity: way > 0 ? 0.75 : 0.55, depthTest: way < 0 });
      material.depthWrite = false;
      return new Mesh(geometry, material);
    });
    this.group.add(...this.arches);
    this.group.visible = false;
  }

  setColour(colour: number): void {
    for (const { material } of this.arches) material.color.set(colour);
  }

  update(tip: Vector3, crossing: Crossing | undefined): void {
    this.group.visible = crossing !== undefined;
    if (!crossing) return;
    const strand = millimetres(crossing.point);
    const half = new Vector3(strand.x - tip.x, strand.y - tip.y, 0);
    const length = half.length() + BEYOND;
    half.normalize();
    this.group.position.set(strand.x, strand.y, tip.z);
    this.group.rotation.z = Math.atan2(half.y, half.x);
    this.group.scale.set(length, RISE, RISE);
    this.arches[0].visible = crossing.gap >= 0;
    this.arches[1].visible = crossing.gap < 0;
  }

  dispose(): void {
    disposeAll(this.arches);
  }
}

export class Ghosts {
  readonly group = new Group();
  private hands: GhostHand[] = [];
  private arch = new CrossingArch();
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
    for (const each of [...this.hands, this.arch]) each.dispose();
    this.hands = hands.map((info, place) => new GhostHand(info, sideAt(hands, place), this.palette, this.quality));
    this.arch = new CrossingArch();
    this.group.clear();
    this.group.add(this.arch.group, ...this.hands.map(({ group }) => group));
  }

  /** `goals` in mm, by hand; the crossing is that of the chosen hand. */
  update(states: HandState[], goals: readonly (Vector3 | undefined)[], active: number, crossing: Crossing | undefined): void {
    this.hands.forEach((hand, place) => hand.update(states.find((state) => state.hand === place), goals[place]));
    const tip = states.find((state) => state.hand === active);
    this.arch.setColour(this.palette.hands[sideAt(this.infos, active)]);
    this.arch.update(tip ? millimetres(tip.position) : new Vector3(), tip && crossing);
  }
}
