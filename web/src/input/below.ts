// What is below the tip of a hand, and how far: a strand, tissue, or the table. Millimetres.

import { MILLI } from "../base/units";
import {
  TissueShape,
  type FrameMessage,
  type HandState,
  type SceneMessage,
  type Vec3,
} from "../base/protocol.generated";

/** mm to the side within which a strand or a node of tissue counts as below */
const STRAND_REACH = 3;
const TISSUE_REACH = 2;
/** mm to the side within which a strand is what the hand comes to next */
const AHEAD_REACH = 14;
/** mm that a hand keeps from what it is lowered to */
const CLEARANCE = 0.8;
const AT_SKIN = 0.1;
/** what people call tissue of a shape */
const called: Record<number, string> = {
  [TissueShape.pad]: "skin",
  [TissueShape.vessel]: "vessel",
  [TissueShape.box]: "block",
  [TissueShape.grid]: "sheet",
  [TissueShape.mesh]: "tissue",
};

export interface Below {
  what: "table" | "thread" | "tissue";
  /** what the tissue is called that is below, or that the tip is in */
  tissue: string;
  /** mm: of its top */
  height: number;
  /** mm: from there up to the tip */
  gap: number;
  /** mm that the tip is below the surface of tissue */
  depth: number;
  /** a strand that is above the tip instead, within reach: the hand is under it */
  isUnder: boolean;
}

/** The point of a chain of vertices nearest to a place in the plan, if it passes within reach; as it is, m. */
export function nearestInPlan(point: Vec3, chain: Float32Array, reach: number): Vec3 | undefined {
  let best = reach * reach;
  let nearest: Vec3 | undefined;
  for (let at = 0; at + 5 < chain.length; at += 3) {
    const ax = point[0] - chain[at],
      ay = point[1] - chain[at + 1];
    const dx = chain[at + 3] - chain[at],
      dy = chain[at + 4] - chain[at + 1];
    const length = dx * dx + dy * dy;
    const along = length > 0 ? Math.min(Math.max((ax * dx + ay * dy) / length, 0), 1) : 0;
    const square = (ax - along * dx) ** 2 + (ay - along * dy) ** 2;
    if (square >= best) continue;
    best = square;
    nearest = [0, 1, 2].map((k) => chain[at + k] + along * (chain[at + 3 + k] - chain[at + k])) as Vec3;
  }
  return nearest;
}

/** Its height alone. */
export function heightInPlan(point: Vec3, chain: Float32Array, reach: number): number | undefined {
  return nearestInPlan(point, chain, reach)?.[2];
}

/** A chain without the stretch that a hand holds, and what is so near to it that it only hangs from it. */
function freeParts(state: HandState, thread: number, positions: Float32Array, spacing: number): Float32Array[] {
  if (state.thread !== thread) return [positions];
  const near = Math.ceil(HANGS / Math.max(spacing, 1e-6));
  const first = Math.max(state.first_vertex - near, 0),
    last = state.first_vertex + state.vertex_count + near;
  return [positions.subarray(0, 3 * first), positions.subarray(Math.min(3 * last, positions.length))];
}

/** m of thread beside a hand that does not count as another strand */
const HANGS = 0.02;

function spacingOf(positions: Float32Array): number {
  return Math.hypot(positions[3] - positions[0], positions[4] - positions[1], positions[5] - positions[2]);
}

/** A strand that a hand comes to next. */
export interface Ahead {
  /** m: the point of the strand that is nearest in the plan */
  point: Vec3;
  /** mm: how far away in the plan, and how much the tip is above the surface of the strand; negative: below */
  distance: number;
  gap: number;
}

/** The strand beside a hand that it would pass over or under, with the thread that it holds; undefined: none is near. */
export function whatIsAhead(state: HandState, frame: FrameMessage, scene: SceneMessage): Ahead | undefined {
  let ahead: Ahead | undefined;
  if (state.thread < 0) return undefined;
  for (const { thread, positions } of frame.threads) {
    const radius = MILLI * (scene.threads[thread]?.radius ?? 0);
    for (const part of freeParts(state, thread, positions, spacingOf(positions))) {
      const point = nearestInPlan(state.position, part, AHEAD_REACH / MILLI);
      if (!point) continue;
      const distance = MILLI * Math.hypot(point[0] - state.position[0], point[1] - state.position[1]);
      if (ahead && ahead.distance <= distance) continue;
      const higher = MILLI * (state.position[2] - point[2]);
      ahead = { point, distance, gap: higher >= 0 ? higher - radius : higher + radius };
    }
  }
  return ahead;
}

/** `floor`: height of the table, mm; `reach`: mm that jaws and what they hold reach below the middle of the hand. */
export function whatIsBelow(state: HandState, frame: FrameMessage, scene: SceneMessage, floor: number, reach = 0): Below {
  const tip = MILLI * state.position[2] - reach;
  let below: Below = { what: "table", tissue: "", height: floor, gap: tip - floor, depth: 0, isUnder: false };
  const take = (what: Below["what"], height: number) => {
    if (height <= tip && height > below.height) below = { ...below, what, height, gap: tip - height };
  };
  for (const { thread, positions } of frame.threads) {
    const radius = MILLI * (scene.threads[thread]?.radius ?? 0);
    for (const part of freeParts(state, thread, positions, spacingOf(positions))) {
      const height = heightInPlan(state.position, part, STRAND_REACH / MILLI);
      if (height === undefined) continue;
      if (MILLI * height > tip) below.isUnder = true;
      else take("thread", MILLI * height + radius);
    }
  }
  for (const { tissue, positions } of frame.tissues) {
    const height = topInPlan(state.position, positions, TISSUE_REACH / MILLI);
    if (height === undefined) continue;
    below.tissue = called[scene.tissues[tissue]?.shape] ?? "tissue";
    take("tissue", Math.min(MILLI * height, tip));
    below.depth = Math.max(below.depth, MILLI * height - tip);
  }
  return below;
}

/** The highest of many points within reach of a place in the plan; as it is, m. */
function topInPlan(point: Vec3, points: Float32Array, reach: number): number | undefined {
  let top: number | undefined;
  for (let at = 0; at + 2 < points.length; at += 3) {
    const square = (points[at] - point[0]) ** 2 + (points[at + 1] - point[1]) ** 2;
    if (square < reach * reach && (top === undefined || points[at + 2] > top)) top = points[at + 2];
  }
  return top;
}

/** In words, for people: what is below, or the strand that comes next. */
export function describeBelow(below: Below, ahead?: Ahead): string {
  if (ahead && ahead.distance > STRAND_REACH) {
    const way = ahead.gap >= 0 ? "over" : "under";
    return `would pass ${way} a strand · ${Math.abs(ahead.gap).toFixed(1)} mm`;
  }
  const gap = `${below.gap < 9.95 ? below.gap.toFixed(1) : below.gap.toFixed(0)} mm`;
  if (below.isUnder) return `under a strand · ${gap}`;
  if (below.depth > 0.05) return `${below.depth.toFixed(1)} mm below the ${below.tissue}`;
  if (below.what === "tissue" && below.gap < 0.05) return `at the ${below.tissue}`;
  if (below.what === "thread") return `${gap} over a strand`;
  return `${gap} over the ${below.what === "table" ? "table" : below.tissue}`;
}

/** A hand that is lowered stops above what is below it, once: mm. What it carries reaches down so far. */
export function stopOver(below: Below, from: number, to: number, reach = 0): number {
  const stop = below.height + reach + (below.what === "tissue" ? AT_SKIN : CLEARANCE);
  return from > stop + 0.05 && to < stop ? stop : to;
}
