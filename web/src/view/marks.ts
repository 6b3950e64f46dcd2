// Where hands press or hold tissue, and where a thread pulls nearly hard enough to tear it: it turns pale there, and redder
// around. Kept as uniforms that all tissues share.

import { Vector4 } from "three";
import { MILLI } from "../base/units";
import { Tool, type BiteState, type HandState, type Vec3 } from "../base/protocol.generated";

/** hands and bites that are shown at most */
export const MOST_MARKS = 8;
/** mm: how wide a mark is, and how much wider with force */
const WIDTH = 1.6;
const WIDTH_PER_NEWTON = 0.9;
const WIDEST = 4;
/** N that make skin as pale as it gets */
const FULL_FORCE = 1.2;
/** mm around a bite; and the share of what it bears from which on it turns pale */
const BITE_WIDTH = 1.8;
const PALE_FROM = 0.3;

export class PressMarks {
  /** mm: where, and how wide; 0 wide: none */
  readonly places = { value: Array.from({ length: MOST_MARKS }, () => new Vector4()) };
  /** 0 to 1: how pale */
  readonly strengths = { value: new Float32Array(MOST_MARKS) };

  private count = 0;

  set(hands: readonly HandState[], bites: readonly BiteState[]): void {
    this.strengths.value.fill(0);
    this.count = 0;
    for (const hand of hands) {
      const width = Math.min(WIDTH + WIDTH_PER_NEWTON * Math.hypot(...hand.force), WIDEST);
      this.add(hand.position, width, paleness(hand));
    }
    for (const bite of bites) this.add(bite.position, BITE_WIDTH, bitePaleness(bite));
  }

  /** Where there are too many, the palest stay: what is about to tear is among them. */
  private add(position: Vec3, width: number, strength: number): void {
    const at = this.count < MOST_MARKS ? this.count : this.faintest();
    if (strength <= this.strengths.value[at]) return;
    this.places.value[at].set(...position, 0).multiplyScalar(MILLI);
    this.places.value[at].w = width;
    this.strengths.value[at] = strength;
    this.count = Math.max(this.count, at + 1);
  }

  private faintest(): number {
    return this.strengths.value.indexOf(Math.min(...this.strengths.value));
  }
}

/** How pale tissue is around a bite: all of it where the thread pulls with what the tissue bears. */
export function bitePaleness(bite: BiteState): number {
  if (!(bite.bears > 0)) return 0;
  const share = Math.hypot(...bite.pull) / bite.bears;
  return Math.min(Math.max((share - PALE_FROM) / (1 - PALE_FROM), 0), 1);
}

/** How pale tissue is under a hand: by the force of a probe, or of jaws that hold it. */
export function paleness(hand: HandState): number {
  const force = Math.min(Math.hypot(...hand.force) / FULL_FORCE, 1);
  if (hand.tool === Tool.probe) return force;
  // jaws squeeze what they hold, whether or not they pull
  if (hand.tool === Tool.grasper && hand.tissue >= 0) return Math.max(force, 0.55);
  return 0;
}
