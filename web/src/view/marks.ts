// Where hands press or hold tissue: it turns pale there, and redder around. Kept as uniforms that all tissues share.

import { Vector4 } from "three";
import { MILLI } from "../base/units";
import { Tool, type HandState } from "../base/protocol.generated";

/** hands that are shown at most */
export const MOST_MARKS = 4;
/** mm: how wide a mark is, and how much wider with force */
const WIDTH = 1.6;
const WIDTH_PER_NEWTON = 0.9;
const WIDEST = 4;
/** N that make skin as pale as it gets */
const FULL_FORCE = 1.2;

export class PressMarks {
  /** mm: where, and how wide; 0 wide: none */
  readonly places = { value: Array.from({ length: MOST_MARKS }, () => new Vector4()) };
  /** 0 to 1: how pale */
  readonly strengths = { value: new Float32Array(MOST_MARKS) };

  set(hands: readonly HandState[]): void {
    for (let mark = 0; mark < MOST_MARKS; mark++) this.strengths.value[mark] = 0;
    let mark = 0;
    for (const hand of hands) {
      const strength = paleness(hand);
      if (strength <= 0 || mark === MOST_MARKS) continue;
      const width = Math.min(WIDTH + WIDTH_PER_NEWTON * Math.hypot(...hand.force), WIDEST);
      this.places.value[mark].set(...hand.position, 0).multiplyScalar(MILLI);
      this.places.value[mark].w = width;
      this.strengths.value[mark++] = strength;
    }
  }
}

/** How pale tissue is under a hand: by the force of a probe, or of jaws that hold it. */
export function paleness(hand: HandState): number {
  const force = Math.min(Math.hypot(...hand.force) / FULL_FORCE, 1);
  if (hand.tool === Tool.probe) return force;
  // jaws squeeze what they hold, whether or not they pull
  if (hand.tool === Tool.grasper && hand.tissue >= 0) return Math.max(force, 0.55);
  return 0;
}
