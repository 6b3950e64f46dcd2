// Curved needles as a frame has them: the circle that each lies on, which way its point goes, and which one a driver
// holds. Millimetres.

import { Quaternion, Vector3 } from "three";
import { MILLI, millimetres } from "../base/units";
import type { FrameMessage, HandState, SceneMessage, ShapeState } from "../base/protocol.generated";
import { findWires } from "../view/wire";

/** a wire that is straighter than this is no needle: mm */
const LARGEST_RADIUS = 100;
/** N that each jaw presses with when it holds something */
const HOLDS = 0.02;
/** mm from the middle of the jaws to a needle between them, at most */
const BETWEEN = 6;

export interface Needle {
  centre: Vector3;
  /** unit: turned about it by a positive angle, the needle goes point first */
  axis: Vector3;
  radius: number;
  /** from the point to the end */
  points: Vector3[];
  /** half its thickness */
  thickness: number;
}

export interface Spot {
  point: Vector3;
  /** unit, towards the end */
  tangent: Vector3;
  /** 0 at the point, 1 at the end */
  share: number;
}

/** All needles of a frame. */
export function needlesOf(frame: FrameMessage, scene: SceneMessage): Needle[] {
  const needles: Needle[] = [];
  for (const { first, count } of findWires(scene.shapes)) {
    const infos = scene.shapes.slice(first, first + count);
    const parts = frame.shapes.filter(({ shape }) => shape >= first && shape < first + count);
    if (parts.length !== count) continue;
    const points = alongParts(parts, infos.map(({ half_length }) => MILLI * half_length));
    if (infos[0].radius > infos[count - 1].radius) points.reverse();
    const needle = onCircle(points, MILLI * Math.max(...infos.map(({ radius }) => radius)));
    if (needle.radius < LARGEST_RADIUS) needles.push(needle);
  }
  return needles;
}

/** The middles of rods that follow each other, and the two ends. */
function alongParts(parts: readonly ShapeState[], halves: readonly number[]): Vector3[] {
  const middles = parts.map(({ position }) => millimetres(position));
  const last = parts.length - 1;
  const endOf = (place: number, inner: number) => {
    const along = new Vector3(0, 0, halves[place]).applyQuaternion(new Quaternion().fromArray(parts[place].rotation));
    if (along.dot(middles[place].clone().sub(middles[inner])) < 0) along.negate();
    return along.add(middles[place]);
  };
  return [endOf(0, 1), ...middles, endOf(last, last - 1)];
}

/** The circle through three of the points. */
function onCircle(points: Vector3[], thickness: number): Needle {
  const [a, b, c] = [points[1], points[points.length >> 1], points[points.length - 2]];
  const u = b.clone().sub(a),
    v = c.clone().sub(a);
  const w = u.clone().cross(v);
  const centre = v
    .clone()
    .multiplyScalar(u.lengthSq())
    .sub(u.clone().multiplyScalar(v.lengthSq()))
    .cross(w)
    .divideScalar(2 * Math.max(w.lengthSq(), 1e-12))
    .add(a);
  return { centre, axis: w.normalize().negate(), radius: centre.distanceTo(a), points, thickness };
}

/** The spot of a needle that lies before a tool: nearest to the line of its shaft, and rather near to the tool. */
export function spotBefore(needle: Needle, at: Vector3, shaft: Vector3): Spot {
  const cost = (point: Vector3) => {
    const away = point.clone().sub(at);
    const along = away.dot(shaft);
    return away.addScaledVector(shaft, -along).length() + 0.02 * Math.abs(along);
  };
  return bestSpot(needle, cost);
}

/** The spot of a needle that is nearest to a place. */
export function nearestSpot(needle: Needle, at: Vector3): Spot {
  return bestSpot(needle, (point) => point.distanceTo(at));
}

function bestSpot({ points, centre, axis }: Needle, cost: (point: Vector3) => number): Spot {
  const pieces = points.length - 1;
  const parts = 8;
  const lengths = lengthsAlong(points);
  let best: Spot | undefined;
  let least = Infinity;
  for (let k = 0; k <= parts * pieces; k++) {
    const piece = Math.min(Math.floor(k / parts), pieces - 1);
    const point = points[piece].clone().lerp(points[piece + 1], k / parts - piece);
    const value = cost(point);
    if (value >= least) continue;
    least = value;
    const tangent = point.clone().sub(centre).cross(axis).normalize();
    const along = lengths[piece] + point.distanceTo(points[piece]);
    best = { point, tangent, share: along / lengths[pieces] };
  }
  return best!;
}

/** mm from the first point to each, along them: the pieces at both ends are half as long as the others. */
function lengthsAlong(points: readonly Vector3[]): number[] {
  const lengths = [0];
  for (let k = 1; k < points.length; k++) lengths.push(lengths[k - 1] + points[k].distanceTo(points[k - 1]));
  return lengths;
}

/** The place at a share of the length of a needle, 0 at its point. */
export function placeAlong({ points }: Needle, share: number): Vector3 {
  const lengths = lengthsAlong(points);
  const wanted = share * lengths[points.length - 1];
  const piece = Math.max(lengths.findIndex((length) => length >= wanted), 1);
  const part = (wanted - lengths[piece - 1]) / (lengths[piece] - lengths[piece - 1]);
  return points[piece - 1].clone().lerp(points[piece], part);
}

/** The needle between the jaws of a hand that press on it from both sides. */
export function heldNeedle(state: HandState | undefined, needles: readonly Needle[]): Needle | undefined {
  if (!state?.has_jaws || Math.min(state.jaw_force, state.other_jaw_force) < HOLDS) return undefined;
  return nearestNeedle(millimetres(state.position), needles, BETWEEN);
}

/** The needle that comes nearest to a place. */
export function nearestNeedle(at: Vector3, needles: readonly Needle[], reach = Infinity): Needle | undefined {
  let best: Needle | undefined;
  for (const needle of needles) {
    const distance = nearestSpot(needle, at).point.distanceTo(at);
    if (distance >= reach) continue;
    reach = distance;
    best = needle;
  }
  return best;
}

/** mm from the middle of a hand down to the lowest place of its jaws and of a needle that they hold. */
export function reachDown(state: HandState, frame: FrameMessage, needles: readonly Needle[]): number {
  if (!state.has_jaws) return 0;
  const heights = frame.tools
    .filter(({ hand, jaw }) => hand === state.hand && jaw > 0)
    .map(({ position, rotation, half_length, radius }) => {
      const rise = new Vector3(0, 0, 1).applyQuaternion(new Quaternion().fromArray(rotation)).z;
      return MILLI * (position[2] - Math.abs(rise) * half_length - radius);
    });
  const held = heldNeedle(state, needles);
  if (held) heights.push(...held.points.map(({ z }) => z - held.thickness));
  return Math.max(MILLI * state.position[2] - Math.min(...heights), 0);
}
