// Where the wrist goes when it lines up by itself: an empty tool with the needle before it, so that its jaws close across
// the wire; a held needle with the wound, so that it stands upright across it, its point over the skin. Millimetres.

import { Matrix4, Quaternion, Vector3 } from "three";
import { spotBefore, type Needle } from "./needle";

export interface Pose {
  position: Vector3;
  rotation: Quaternion;
}

export interface Wound {
  centre: Vector3;
  /** unit, along the wound, level */
  along: Vector3;
  /** mm from the centre to its ends */
  halfLength: number;
}

/** mm between the middle of the jaws and the needle before they go in */
const STANDS_OFF = 15;
/** mm that the tips of the jaws go beyond the wire, at most */
const BEYOND = 2.5;
/** what counts as lined up: rad and mm */
const SAME_TURN = 0.09;
const SAME_PLACE = 1;
/** of the radius of the needle: how high its centre is over the skin. So it enters and leaves at 46 degrees and goes a
    third of its radius deep */
const CENTRE_HEIGHT = 0.69;
/** mm over the skin at which the point waits */
const WAITS = 3;
/** mm: lower nodes are not at the edge of the skin */
const SKIN = 2;
/** of the half length of a wound: a stitch is not nearer to its corners */
const INNER = 0.7;

/** A tool turns the shortest way until its jaws close across the needle before it, and stands off along its shaft. Lined
    up already it goes in, with its tips no lower than `lowest`. `tip`: from the middle of the jaws to their tips. */
export function towardsNeedle(hand: Pose, needle: Needle, tip: number, lowest: number): Pose {
  const shaft = new Vector3(0, 0, 1).applyQuaternion(hand.rotation);
  const { point, tangent } = spotBefore(needle, hand.position, shaft);
  const z = shaft.clone().addScaledVector(tangent, -shaft.dot(tangent));
  if (z.length() < 0.4) z.copy(needle.axis).multiplyScalar(Math.sign(needle.axis.dot(shaft)) || 1);
  z.normalize();
  const x = tangent.clone();
  if (x.dot(new Vector3(1, 0, 0).applyQuaternion(hand.rotation)) < 0) x.negate();
  const rotation = new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, z.clone().cross(x), z));
  const away = hand.position.clone().sub(point);
  const along = away.dot(z);
  const aside = away.addScaledVector(z, -along).length();
  const isLinedUp = rotation.angleTo(hand.rotation) < SAME_TURN && aside < SAME_PLACE && along > 0 && along < 1.2 * STANDS_OFF;
  // tips on the table go less far beyond the wire
  const deepest = z.z > 0.5 ? (lowest - point.z) / z.z : -Infinity;
  const distance = isLinedUp ? tip + Math.max(-BEYOND, deepest) : STANDS_OFF;
  return { position: point.addScaledVector(z, distance), rotation };
}

/** Both ways in which a held needle can stand upright across a wound, that with the smaller turn first. */
export function acrossWound(hand: Pose, needle: Needle, wound: Wound): Pose[] {
  const tipWay = needle.points[0].clone().sub(needle.centre).normalize();
  const from = basis(needle.axis, tipWay);
  const offset = needle.centre.clone().sub(wound.centre).dot(wound.along);
  const most = INNER * wound.halfLength;
  const centre = wound.centre.clone().addScaledVector(wound.along, Math.min(Math.max(offset, -most), most));
  centre.z += CENTRE_HEIGHT * needle.radius + WAITS;
  const poses = [1, -1].map((sign) => {
    const axis = wound.along.clone().multiplyScalar(sign);
    const across = new Vector3(0, 0, 1).cross(axis);
    const tip = across.multiplyScalar(-Math.sqrt(1 - CENTRE_HEIGHT ** 2)).add(new Vector3(0, 0, -CENTRE_HEIGHT));
    const turn = basis(axis, tip).multiply(from.clone().invert());
    const position = hand.position.clone().sub(needle.centre).applyQuaternion(turn).add(centre);
    return { position, rotation: turn.clone().multiply(hand.rotation), angle: turn.angleTo(new Quaternion()) };
  });
  return poses.sort((a, b) => a.angle - b.angle);
}

/** The turn that takes the axes to `x` and what of `y` is across it. */
function basis(x: Vector3, y: Vector3): Quaternion {
  const z = x.clone().cross(y).normalize();
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, z.clone().cross(x), z));
}

/** Where the wound is and which way it goes, by the nodes of its edge. Undefined: there is none. */
export function woundOf(nodes: readonly Vector3[]): Wound | undefined {
  const top = Math.max(...nodes.map(({ z }) => z));
  const edge = nodes.filter(({ z }) => z > top - SKIN);
  if (edge.length < 4) return undefined;
  const centre = edge.reduce((sum, point) => sum.add(point), new Vector3()).divideScalar(edge.length);
  let xx = 0,
    xy = 0,
    yy = 0;
  for (const { x, y } of edge) {
    xx += (x - centre.x) ** 2;
    xy += (x - centre.x) * (y - centre.y);
    yy += (y - centre.y) ** 2;
  }
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  const along = new Vector3(Math.cos(angle), Math.sin(angle), 0);
  const halfLength = Math.max(...edge.map((point) => Math.abs(point.clone().sub(centre).dot(along))));
  return { centre, along, halfLength };
}
