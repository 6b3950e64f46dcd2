// Where the loop is, looked at from the top: what a person sees at a glance. Millimetres.

import { MILLI } from "../base/units";

type Point = [number, number];

/** mm: a place where a thread goes through easily; no need to look farther from the crossing */
const WIDE_ENOUGH = 14;
/** mm that the middle of a loop keeps from a post */
const BESIDE_POST = 4;

/** Where two segments a-b and c-d cross: their shares, or undefined. */
function crossing(a: Point, b: Point, c: Point, d: Point): Point | undefined {
  const [rx, ry, sx, sy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const across = rx * sy - ry * sx;
  if (across === 0) return undefined;
  const t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / across;
  const u = ((c[0] - a[0]) * ry - (c[1] - a[1]) * rx) / across;
  return t >= 0 && t <= 1 && u >= 0 && u <= 1 ? [t, u] : undefined;
}

/** The first crossing of a strand with the rest of the thread, counted from its end: two places along the thread. */
function firstCrossing(points: Point[]): Point | undefined {
  for (let i = 0; i + 1 < points.length; i++) {
    for (let j = i + 3; j + 1 < points.length; j++) {
      const found = crossing(points[i], points[i + 1], points[j], points[j + 1]);
      if (found) return [i + found[0], j + found[1]];
    }
  }
  return undefined;
}

function pointAt(points: Point[], place: number): Point {
  const i = Math.min(Math.max(Math.floor(place), 0), points.length - 2);
  const share = place - i;
  return [0, 1].map((k) => points[i][k] + share * (points[i + 1][k] - points[i][k])) as Point;
}

/**
 * The middle of the loop that the end of a thread makes by crossing it: where its two strands are farthest apart before
 * they meet again or reach the post (at the origin). `positions` in metres; `fromStart` says which end is meant.
 */
export function middleOfLoop(positions: ArrayLike<number>, fromStart: boolean, postRadius = 5): Point | undefined {
  const points: Point[] = [];
  for (let at = 0; at < positions.length; at += 3) points.push([MILLI * positions[at], MILLI * positions[at + 1]]);
  if (!fromStart) points.reverse();
  const places = firstCrossing(points);
  if (!places) return undefined;
  let best: { middle: Point; apart: number } | undefined;
  for (let step = 1; step < (places[1] - places[0]) / 2; step++) {
    const a = pointAt(points, places[0] + step);
    const b = pointAt(points, places[1] - step);
    const middle: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    if (Math.hypot(...middle) < postRadius + BESIDE_POST) break;
    const apart = Math.hypot(a[0] - b[0], a[1] - b[1]);
    if (best && apart < 0.5 * best.apart) break; // the loop ends where its strands meet again
    if (!best || apart > best.apart) best = { middle, apart };
    if (apart > WIDE_ENOUGH) break;
  }
  return best?.middle;
}
