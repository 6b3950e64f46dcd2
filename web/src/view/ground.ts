// What is below a point: the table, or the tissue on it. Metres.

import type { TissueState, Vec3 } from "../protocol.generated";

/** m: nodes this near in the plane are below a point; farther ones only when there are none so near */
const NEAR = 0.0015;
const FARTHEST = 0.004;
/** m: a tip may be this far below the node nearest to it, as when it presses */
const DIP = 0.002;

/** Height of what is below a point: the highest node of a tissue near it in the plane, or the table. */
export function groundBelow(point: Readonly<Vec3>, tissues: readonly TissueState[], table: number): number {
  let highest = -Infinity;
  let nearest = FARTHEST * FARTHEST;
  let atNearest = -Infinity;
  for (const { positions } of tissues) {
    for (let at = 0; at + 2 < positions.length; at += 3) {
      const dx = positions[at] - point[0],
        dy = positions[at + 1] - point[1];
      const square = dx * dx + dy * dy;
      const height = positions[at + 2];
      if (square >= FARTHEST * FARTHEST || height > point[2] + DIP) continue;
      if (square < NEAR * NEAR) highest = Math.max(highest, height);
      if (square < nearest || (square === nearest && height > atNearest)) {
        nearest = square;
        atNearest = height;
      }
    }
  }
  if (highest > -Infinity) return Math.max(highest, table);
  return Math.max(atNearest, table);
}
