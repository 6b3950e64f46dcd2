// Whether a hand could take hold: the distance from its tip to the surface of the nearest thread, or to the nearest node
// of a tissue.

import { Tool, type FrameMessage, type HandInfo, type SceneMessage, type Vec3 } from "../base/protocol.generated";

/** Distance [m] from a point to a chain of vertices; stops early once it is below `enough`. */
export function distanceToChain(point: Vec3, chain: Float32Array, enough: number): number {
  let best = Infinity;
  for (let at = 0; at + 5 < chain.length; at += 3) {
    const ax = chain[at] - point[0],
      ay = chain[at + 1] - point[1],
      az = chain[at + 2] - point[2];
    const dx = chain[at + 3] - chain[at],
      dy = chain[at + 4] - chain[at + 1],
      dz = chain[at + 5] - chain[at + 2];
    const length = dx * dx + dy * dy + dz * dz;
    const along = length > 0 ? Math.min(Math.max(-(ax * dx + ay * dy + az * dz) / length, 0), 1) : 0;
    const square = (ax + along * dx) ** 2 + (ay + along * dy) ** 2 + (az + along * dz) ** 2;
    if (square < best) best = square;
    if (best < enough * enough) break;
  }
  return Math.sqrt(best);
}

/** Distance [m] from a point to the nearest of many; stops early once it is below `enough`. */
export function distanceToPoints(point: Vec3, points: Float32Array, enough: number): number {
  let best = Infinity;
  for (let at = 0; at + 2 < points.length && best >= enough * enough; at += 3) {
    const square =
      (points[at] - point[0]) ** 2 + (points[at + 1] - point[1]) ** 2 + (points[at + 2] - point[2]) ** 2;
    if (square < best) best = square;
  }
  return Math.sqrt(best);
}

/** Per hand: true when it would grasp something. Jaws that touch have no reach: what is between them is held. */
export function handsInReach(frame: FrameMessage, scene: SceneMessage): boolean[] {
  const inReach: boolean[] = [];
  for (const hand of frame.hands) {
    const info: HandInfo | undefined = scene.hands[hand.hand];
    if (!info || hand.closed || hand.tool !== Tool.grasper || hand.has_jaws) continue;
    inReach[hand.hand] =
      frame.threads.some((thread) => {
        const reach = info.jaw + (scene.threads[thread.thread]?.radius ?? 0);
        return distanceToChain(hand.position, thread.positions, reach) < reach;
      }) ||
      frame.tissues.some((tissue) => distanceToPoints(hand.position, tissue.positions, info.reach) < info.reach);
  }
  return inReach;
}
