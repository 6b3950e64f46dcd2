// Tools with jaws that touch, as the parts of a frame have them: how long they are, where their hinge is and how far each
// jaw is turned. What is drawn is where things meet it, so nothing of it is guessed here.

import { Quaternion, Vector3 } from "three";
import { MILLI } from "../base/units";
import type { HandState, ToolPart } from "../base/protocol.generated";

/** mm, in the frame of the hand: the middle of the jaws is the origin, the shaft is along +z, jaws open along y */
export interface JawSizes {
  /** from the middle of the jaws to their tips, and to the hinge */
  tip: number;
  hinge: number;
  shaftRadius: number;
  shaftLength: number;
}

export interface Jaws {
  sizes: JawSizes;
  /** rad that each jaw is turned outwards: that towards -y, and that towards +y */
  angles: [number, number];
}

/** What the frame has of a hand's jaws; undefined: it has none, or their parts are not there. */
export function jawsOf(state: HandState, parts: readonly ToolPart[]): Jaws | undefined {
  if (!state.has_jaws) return undefined;
  const own = parts.filter(({ hand }) => hand === state.hand);
  const shaft = own.find(({ jaw }) => jaw === 0),
    first = own.find(({ jaw }) => jaw === 1), // a rail of it, from the tip of the jaw
    second = own.find(({ jaw }) => jaw === 2);
  if (!shaft || !first || !second) return undefined;
  const toHand = new Quaternion().fromArray(state.rotation).conjugate();
  const middle = new Vector3().fromArray(shaft.position).sub(new Vector3().fromArray(state.position)).applyQuaternion(toHand);
  const half = halfLength(shaft);
  const hinge = MILLI * middle.z - half;
  return {
    sizes: {
      tip: tipBefore(hinge, state, toHand, first) - hinge,
      hinge,
      shaftRadius: MILLI * shaft.radius,
      shaftLength: 2 * half,
    },
    angles: [-turnAboutX(toHand, first), turnAboutX(toHand, second)],
  };
}

/** mm from the hinge to the tip of a jaw, along its rail: however far it is open, and however far back the rail goes. */
function tipBefore(hinge: number, state: HandState, toHand: Quaternion, rail: ToolPart): number {
  const turn = toHand.clone().multiply(new Quaternion().fromArray(rail.rotation));
  const way = new Vector3(0, 0, 1).applyQuaternion(turn);
  const middle = new Vector3().fromArray(rail.position).sub(new Vector3().fromArray(state.position)).applyQuaternion(toHand);
  return halfLength(rail) + new Vector3(0, 0, hinge).addScaledVector(middle, -MILLI).dot(way);
}

/** mm from the middle of a rod to its round end */
function halfLength(part: ToolPart): number {
  return MILLI * (part.half_length + part.radius);
}

/** rad: positive turns what is below the hinge to +y */
function turnAboutX(toHand: Quaternion, part: ToolPart): number {
  const turn = toHand.clone().multiply(new Quaternion().fromArray(part.rotation));
  return 2 * Math.atan2(turn.x * Math.sign(turn.w || 1), Math.abs(turn.w));
}

/** Whether two tools look alike: those of one kind do, but for the rounding of their places. */
export function areAlike(a: JawSizes | undefined, b: JawSizes | undefined): boolean {
  if (!a || !b) return a === b;
  const near = (x: number, y: number) => Math.abs(x - y) < 0.05;
  return near(a.tip, b.tip) && near(a.hinge, b.hinge) && near(a.shaftRadius, b.shaftRadius) && near(a.shaftLength, b.shaftLength);
}

/** 0 closed to 1 open: as far as jaws are, or all the way. */
export function openingOf(state: HandState): number {
  return state.has_jaws ? Math.min(Math.max(state.opening, 0), 1) : state.closed ? 0 : 1;
}
