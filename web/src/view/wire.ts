// A needle: capsules of one body that follow each other, drawn as the one bent wire that they stand for. Its thickness is
// that of the capsules; a needle ends in a point where it is thinnest. Metres, in the axes of its first capsule.

import { BufferGeometry, CatmullRomCurve3, Float32BufferAttribute, Quaternion, Vector3 } from "three";
import { ShapeKind, type ShapeInfo, type ShapeState } from "../base/protocol.generated";

/** fewer capsules than this are no wire */
const LEAST_PIECES = 4;
/** rings of the wire between two capsules, and points of a ring */
const RINGS = 4;
const SIDES = 12;
/** a wire of even thickness that is called a needle is ground to a point over this share of its length */
const POINT_SHARE = 0.16;
/** of the thickness: what is left at the very point */
const SHARP = 0.06;

/** Runs of capsules that belong to one body: first place and number. */
export function findWires(infos: readonly ShapeInfo[]): { first: number; count: number }[] {
  const runs: { first: number; count: number }[] = [];
  for (let first = 0; first < infos.length; ) {
    let end = first + 1;
    const isPart = (place: number) => infos[place].kind === ShapeKind.capsule && infos[place].name === infos[first].name;
    while (end < infos.length && isPart(end)) end++;
    if (end - first >= LEAST_PIECES && isPart(first)) runs.push({ first, count: end - first });
    first = end;
  }
  return runs;
}

/** The wire through its capsules, as they stand to each other in a frame. */
export function makeWire(infos: readonly ShapeInfo[], states: readonly ShapeState[]): BufferGeometry {
  const back = new Quaternion().fromArray(states[0].rotation).invert();
  const origin = new Vector3().fromArray(states[0].position);
  const inPart = (state: ShapeState, along: number) =>
    new Vector3(0, 0, along)
      .applyQuaternion(new Quaternion().fromArray(state.rotation))
      .add(new Vector3().fromArray(state.position))
      .sub(origin)
      .applyQuaternion(back);
  const last = states.length - 1;
  const points = states.map((state) => inPart(state, 0));
  const ends = [0, last].map((place) => {
    const neighbour = points[place === 0 ? 1 : last - 1];
    const both = [1, -1].map((side) => inPart(states[place], side * infos[place].half_length));
    return both.sort((a, b) => b.distanceTo(neighbour) - a.distanceTo(neighbour))[0];
  });
  const curve = new CatmullRomCurve3([ends[0], ...points, ends[1]], false, "centripetal");
  return sweep(curve, RINGS * (states.length + 1), (share) => thickness(infos, share));
}

/** Thickness along the wire, 0 to 1. */
function thickness(infos: readonly ShapeInfo[], share: number): number {
  const radii = infos.map(({ radius }) => radius);
  const at = Math.min(Math.max(share * radii.length - 0.5, 0), radii.length - 1);
  const place = Math.min(Math.floor(at), radii.length - 2);
  const radius = radii[place] + (at - place) * (radii[place + 1] - radii[place]);
  const most = Math.max(...radii);
  const isEven = Math.min(...radii) > 0.95 * most;
  const fromTip = radii[0] <= radii[radii.length - 1] ? share : 1 - share;
  if (isEven && !/needle/i.test(infos[0].name)) return radius;
  // what tapers already goes on to its point over the first capsule
  const reach = isEven ? POINT_SHARE : 1 / radii.length;
  return radius * Math.min(SHARP + (1 - SHARP) * (fromTip / reach), 1);
}

/** A tube along a curve, closed at its ends, whose thickness changes. */
function sweep(curve: CatmullRomCurve3, rings: number, radiusAt: (share: number) => number): BufferGeometry {
  const frames = curve.computeFrenetFrames(rings, false);
  const positions: number[] = [],
    normals: number[] = [],
    indices: number[] = [];
  for (let ring = 0; ring <= rings; ring++) {
    const middle = curve.getPointAt(ring / rings);
    const radius = radiusAt(ring / rings);
    for (let side = 0; side < SIDES; side++) {
      const angle = (2 * Math.PI * side) / SIDES;
      const out = frames.normals[ring].clone().multiplyScalar(Math.cos(angle));
      out.addScaledVector(frames.binormals[ring], Math.sin(angle));
      positions.push(...middle.clone().addScaledVector(out, radius).toArray());
      normals.push(...out.toArray());
      const next = (side + 1) % SIDES;
      if (ring < rings) {
        const [a, b] = [ring * SIDES + side, ring * SIDES + next];
        indices.push(a, b, b + SIDES, a, b + SIDES, a + SIDES);
      }
    }
  }
  for (const [ring, sign] of [[0, -1], [rings, 1]]) {
    const tangent = frames.tangents[ring];
    const centre = positions.length / 3;
    positions.push(...curve.getPointAt(ring / rings).toArray());
    normals.push(...tangent.clone().multiplyScalar(sign).toArray());
    for (let side = 0; side < SIDES; side++) {
      const pair = [ring * SIDES + side, ring * SIDES + ((side + 1) % SIDES)];
      indices.push(centre, ...(sign > 0 ? pair : pair.reverse()));
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
  geometry.setIndex(indices);
  return geometry;
}
