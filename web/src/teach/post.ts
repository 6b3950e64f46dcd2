// Whether a thread still goes round its post.

import { Quaternion, Vector3 } from "three";
import { ShapeKind, type FrameMessage, type SceneMessage, type ShapeState } from "../base/protocol.generated";

/** rad that a thread must wind about a post to be on it, and below which it has left */
const ON = Math.PI;
const OFF = 0.83 * Math.PI;

/** The post of a scene, if it has one. */
export function postOf(frame: FrameMessage, scene: SceneMessage): ShapeState | undefined {
  return frame.shapes.find(({ shape }) => {
    const info = scene.shapes[shape];
    return info?.kind === ShapeKind.capsule && info.name === "post";
  });
}

/** rad by which a thread winds about the axis of a post, whichever way. */
export function windingAbout(post: ShapeState, positions: ArrayLike<number>): number {
  const back = new Quaternion().fromArray(post.rotation).invert();
  const middle = new Vector3().fromArray(post.position);
  const point = new Vector3();
  let winding = 0,
    last: number | undefined;
  for (let at = 0; at + 2 < positions.length; at += 3) {
    point.set(positions[at], positions[at + 1], positions[at + 2]).sub(middle).applyQuaternion(back);
    const angle = Math.atan2(point.y, point.x);
    if (last !== undefined) winding += Math.atan2(Math.sin(angle - last), Math.cos(angle - last));
    last = angle;
  }
  return Math.abs(winding);
}

/** Sees when the thread that went round a post does so no more. */
export class PostWatch {
  private wasOn = false;

  forget(): void {
    this.wasOn = false;
  }

  /** True once when the thread has left. */
  hasLeft(frame: FrameMessage, scene: SceneMessage): boolean {
    const post = postOf(frame, scene);
    const [thread] = frame.threads;
    if (!post || !thread) return false;
    const winding = windingAbout(post, thread.positions);
    const left = this.wasOn && winding < OFF;
    this.wasOn = left ? false : this.wasOn || winding > ON;
    return left;
  }
}
