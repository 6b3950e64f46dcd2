// What a laparoscope in a hand sees: it stands at the tip of the hand's tool, looks along its shaft turned aside by the
// angle of its optics, towards -y of the hand's frame, and rolls with it. As cg_hand_get_scope of the library.

import { Quaternion, Vector3 } from "three";
import { millimetres } from "../base/units";
import type { HandInfo, HandState } from "../base/protocol.generated";

/** mm before the tip: what one turns about when one leaves the scope */
const LOOKS_AT = 50;

export interface Eye {
  position: Vector3;
  target: Vector3;
  /** unit: what is up in the picture */
  up: Vector3;
}

export function throughScope(state: HandState, { scope_angle }: HandInfo): Eye {
  const [sine, cosine] = [Math.sin(scope_angle), Math.cos(scope_angle)];
  const turn = new Quaternion().fromArray(state.rotation);
  const position = millimetres(state.position);
  const ahead = new Vector3(0, -sine, -cosine).applyQuaternion(turn);
  return {
    position,
    target: position.clone().addScaledVector(ahead, LOOKS_AT),
    up: new Vector3(0, cosine, -sine).applyQuaternion(turn),
  };
}

/** The place of the first hand that holds a laparoscope. */
export function scopeOf(hands: readonly HandInfo[]): number | undefined {
  const place = hands.findIndex(({ has_scope }) => has_scope);
  return place < 0 ? undefined : place;
}
