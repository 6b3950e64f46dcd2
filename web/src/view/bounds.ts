// What of a scene the camera should see: threads, tissues, hands and shapes of finite size. Millimetres.

import { Box3, Vector3 } from "three";
import { MILLI, millimetres } from "../base/units";
import { ShapeKind, type FrameMessage, type SceneMessage } from "../protocol.generated";

/** mm: scenes smaller than this are not blown up to fill the picture */
const SMALLEST = 12;

export interface Bounds {
  centre: Vector3;
  radius: number;
  lowest: number;
}

export function boundsOf(frame: FrameMessage, info: SceneMessage): Bounds {
  const box = new Box3();
  const point = new Vector3();
  for (const { positions } of [...frame.threads, ...frame.tissues]) {
    for (let at = 0; at < positions.length; at += 3) {
      box.expandByPoint(point.fromArray(positions, at).multiplyScalar(MILLI));
    }
  }
  for (const state of frame.shapes) {
    const shape = info.shapes[state.shape];
    if (!shape || shape.kind === ShapeKind.half_space) continue;
    const reach = MILLI * Math.max(shape.radius + shape.half_length, ...shape.half_extents);
    point.fromArray(state.position).multiplyScalar(MILLI);
    box.expandByPoint(point.clone().addScalar(reach)).expandByPoint(point.clone().addScalar(-reach));
  }
  for (const hand of frame.hands) box.expandByPoint(millimetres(hand.position));
  if (box.isEmpty()) box.setFromCenterAndSize(new Vector3(), new Vector3(100, 100, 100));
  const size = box.getSize(new Vector3());
  return {
    centre: box.getCenter(new Vector3()),
    radius: Math.max(0.5 * size.length(), SMALLEST),
    lowest: box.min.z,
  };
}
