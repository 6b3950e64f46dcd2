// Where the camera should look: at the part of the screen that no panel covers, and at what one works on.

import { Box3, Vector3 } from "three";
import { MILLI, millimetres } from "../base/units";
import { ShapeKind, type FrameMessage, type SceneMessage, type TissueState } from "../base/protocol.generated";

/** pixels from the top left corner */
export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** a free part that is smaller than this share of the screen in one direction is no use: then panels are forgotten */
const LEAST_FREE = 0.25;

/** The largest part of a screen that no panel covers. */
export function freeRectangle(width: number, height: number, panels: readonly Rectangle[]): Rectangle {
  const whole = { left: 0, top: 0, right: width, bottom: height };
  const shown = panels.filter(
    ({ left, top, right, bottom }) =>
      right > left && bottom > top && right > 0 && bottom > 0 && left < width && top < height,
  );
  const lefts = [0, ...shown.map(({ right }) => right)],
    rights = [width, ...shown.map(({ left }) => left)];
  const tops = [0, ...shown.map(({ bottom }) => bottom)],
    bottoms = [height, ...shown.map(({ top }) => top)];
  let best = whole;
  let most = 0;
  for (const left of lefts)
    for (const right of rights)
      for (const top of tops)
        for (const bottom of bottoms) {
          if (right - left < LEAST_FREE * width || bottom - top < LEAST_FREE * height) continue;
          const area = (right - left) * (bottom - top);
          const isFree = !shown.some((p) => p.left < right && p.right > left && p.top < bottom && p.bottom > top);
          if (area > most && isFree) {
            most = area;
            best = { left, top, right, bottom };
          }
        }
  return best;
}

/** The distance from which a camera sees points (about its target, in its own axes) within tangents to the sides. */
export function fitDistance(points: readonly Vector3[], tangentX: number, tangentY: number): number {
  return Math.max(
    0,
    // z of a point is towards the camera
    ...points.map(({ x, y, z }) => z + Math.max(Math.abs(x) / tangentX, Math.abs(y) / tangentY)),
  );
}

/** mm: scenes smaller than this are not blown up to fill the picture */
const SMALLEST = 12;
/** mm: what is seen around a wound */
const AROUND_WOUND = 11;
/** hands are about something when they are this near, in lengths of its diagonal */
const NEAR_HANDS = 0.3;
/** mm: tools with jaws are large beside a needle, and seen from farther */
const NEAR_JAWS = 45;

export interface Bounds {
  /** mm: everything but tables */
  all: Box3;
  /** mm: what one works on: the wound and the hands near it, or everything */
  work: Box3;
}

/** `lips`: the places of nodes at a wound in the frame's tissue of the same place. */
export function boundsOf(frame: FrameMessage, info: SceneMessage, lips: readonly (readonly number[])[]): Bounds {
  const all = new Box3();
  for (const { positions } of [...frame.threads, ...frame.tissues]) expandByAll(all, positions);
  for (const state of frame.shapes) {
    const shape = info.shapes[state.shape];
    if (!shape || shape.kind === ShapeKind.half_space) continue;
    const reach = MILLI * Math.max(shape.radius + shape.half_length, ...shape.half_extents);
    all.union(boxAt(state.position, reach));
  }
  const things = all.clone();
  for (const hand of frame.hands) all.union(boxAt(hand.position, 0));
  if (all.isEmpty()) all.setFromCenterAndSize(new Vector3(), new Vector3(100, 100, 100));
  const wound = woundBox(frame.tissues, lips);
  const work = wound ? aroundWound(wound) : things.isEmpty() ? all : things;
  return { all: atLeast(all.clone(), SMALLEST), work: atLeast(withHands(work, frame).intersect(all), SMALLEST) };
}

function boxAt(point: readonly number[], reach: number): Box3 {
  const middle = millimetres(point);
  return new Box3(middle.clone().subScalar(reach), middle.addScalar(reach));
}

function expandByAll(box: Box3, positions: Float32Array): void {
  for (let at = 0; at < positions.length; at += 3) box.expandByPoint(millimetres(positions, at));
}

function woundBox(tissues: readonly TissueState[], lips: readonly (readonly number[])[]): Box3 | undefined {
  const box = new Box3();
  for (const { tissue, positions } of tissues) {
    for (const node of lips[tissue] ?? []) {
      if (3 * node + 2 < positions.length) box.expandByPoint(millimetres(positions, 3 * node));
    }
  }
  return box.isEmpty() ? undefined : box;
}

function aroundWound(wound: Box3): Box3 {
  const work = wound.clone();
  work.min.x -= AROUND_WOUND;
  work.min.y -= AROUND_WOUND;
  work.max.x += AROUND_WOUND;
  work.max.y += AROUND_WOUND;
  work.max.z += 2;
  return work;
}

/** With the hands that hold something or are about it: one far away would make all of them small. */
function withHands(work: Box3, frame: FrameMessage): Box3 {
  const near = work.clone().expandByScalar(NEAR_HANDS * work.getSize(new Vector3()).length());
  const box = work.clone();
  for (const hand of frame.hands) {
    const at = boxAt(hand.position, 0);
    const isAbout = near.containsBox(at) || (hand.has_jaws && work.distanceToPoint(at.min) < NEAR_JAWS);
    if (hand.thread >= 0 || hand.tissue >= 0 || isAbout) box.union(at);
  }
  return box;
}

/** Grown about its middle until its diagonal is long enough. */
function atLeast(box: Box3, radius: number): Box3 {
  const short = 2 * radius - box.getSize(new Vector3()).length();
  return short > 0 ? box.expandByScalar(short / (2 * Math.sqrt(3))) : box;
}

export function cornersOf({ min, max }: Box3): Vector3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (k) => new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z),
  );
}
