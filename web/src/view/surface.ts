// The surface of a tissue as plain arrays: what the graphics card needs, from what the server tells.
//
// Points. A node is one point for each side of the surface that it belongs to, so that sides meet in a crease and are
// smooth in themselves. The normal of a point is the sum of (b - a) x (c - a) over its triangles: larger ones count more.
//
// Refinement. A coarse surface is drawn with every triangle cut into four. The new point between p and q with normals m
// and n is that of a curved (PN) edge at its middle,
//
//     (p + q) / 2 - (((q - p) . m) m + ((p - q) . n) n) / 8,
//
// but halfway on a straight line where sides meet, so that no gap opens there.

import { Side, type SurfaceNode, type Triangle } from "../protocol.generated";

/** surfaces with more triangles are fine enough */
const MOST_REFINED = 12000;
/** m: how far from a wound its edge still matters */
const FAR = 0.02;

export class SurfaceMesh {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** m, in the frame of the tissue's shape: where a point was made */
  readonly homes: Float32Array;
  /** the side of each point */
  readonly sides: Float32Array;
  /** m, at home: from each point to the nearest lip of a wound, FAR at most */
  readonly toWound: Float32Array;
  readonly indices: Uint32Array;
  /** ends of the edges between nodes, for the wireframe: places in `positions` */
  readonly edges: Uint32Array;
  /** the node of each point that is not new */
  private readonly nodes: Uint32Array;
  /** the triangles between points that are not new */
  private readonly corners: Uint32Array;
  /** new points: the two between which they lie, and whether on a straight line */
  private readonly parents: Uint32Array;
  private readonly isStraight: Uint8Array;

  constructor(
    readonly nodeCount: number,
    nodes: readonly SurfaceNode[],
    triangles: readonly Triangle[],
    isRefined: boolean,
  ) {
    const split = splitBySide(triangles);
    this.nodes = Uint32Array.from(split.nodes);
    this.corners = split.corners;
    const refined = isRefined && triangles.length <= MOST_REFINED ? refine(split, triangles) : undefined;
    this.parents = refined?.parents ?? new Uint32Array(0);
    this.isStraight = refined?.isStraight ?? new Uint8Array(0);
    this.indices = refined?.indices ?? this.corners;
    this.edges = edgesOf(triangles, split);
    const points = this.nodes.length + this.parents.length / 2;
    this.positions = new Float32Array(3 * points);
    this.normals = new Float32Array(3 * points);
    this.homes = new Float32Array(3 * points);
    this.sides = new Float32Array(points);
    this.toWound = new Float32Array(points).fill(FAR);
    this.fillFixed(nodes, split.sides);
  }

  get pointCount(): number {
    return this.sides.length;
  }

  /** Moves the points. False when there are not as many nodes as the surface has. */
  update(nodes: Float32Array): boolean {
    if (nodes.length !== 3 * this.nodeCount) return false;
    const { positions } = this;
    for (let point = 0; point < this.nodes.length; point++) {
      const from = 3 * this.nodes[point];
      positions[3 * point] = nodes[from];
      positions[3 * point + 1] = nodes[from + 1];
      positions[3 * point + 2] = nodes[from + 2];
    }
    this.turnNormals();
    this.placeNewPoints();
    return true;
  }

  private turnNormals(): void {
    const { positions: p, normals: n, corners } = this;
    const old = 3 * this.nodes.length;
    n.fill(0, 0, old);
    for (let at = 0; at < corners.length; at += 3) {
      const a = 3 * corners[at],
        b = 3 * corners[at + 1],
        c = 3 * corners[at + 2];
      const ux = p[b] - p[a],
        uy = p[b + 1] - p[a + 1],
        uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a],
        vy = p[c + 1] - p[a + 1],
        vz = p[c + 2] - p[a + 2];
      const x = uy * vz - uz * vy,
        y = uz * vx - ux * vz,
        z = ux * vy - uy * vx;
      for (const corner of [a, b, c]) {
        n[corner] += x;
        n[corner + 1] += y;
        n[corner + 2] += z;
      }
    }
    for (let at = 0; at < old; at += 3) normalise(n, at);
  }

  private placeNewPoints(): void {
    const { positions: x, normals: n, parents } = this;
    for (let fresh = 0; fresh < this.isStraight.length; fresh++) {
      const p = 3 * parents[2 * fresh],
        q = 3 * parents[2 * fresh + 1],
        to = 3 * (this.nodes.length + fresh);
      let m = 0,
        k = 0;
      if (!this.isStraight[fresh]) {
        for (let axis = 0; axis < 3; axis++) {
          const way = x[q + axis] - x[p + axis];
          m += way * n[p + axis];
          k -= way * n[q + axis];
        }
      }
      for (let axis = 0; axis < 3; axis++) {
        x[to + axis] = (x[p + axis] + x[q + axis]) / 2 - (m * n[p + axis] + k * n[q + axis]) / 8;
        n[to + axis] = n[p + axis] + n[q + axis];
      }
      normalise(n, to);
    }
  }

  private fillFixed(nodes: readonly SurfaceNode[], sides: readonly number[]): void {
    const { homes, toWound } = this;
    const lips: number[] = [];
    this.nodes.forEach((node, point) => {
      homes.set(nodes[node].home, 3 * point);
      this.sides[point] = sides[point];
      if (sides[point] === Side.groove) lips.push(3 * point);
    });
    for (let point = 0; point < this.nodes.length && lips.length > 0; point++) {
      let least = FAR * FAR;
      for (const lip of lips) {
        const dx = homes[3 * point] - homes[lip],
          dy = homes[3 * point + 1] - homes[lip + 1],
          dz = homes[3 * point + 2] - homes[lip + 2];
        least = Math.min(least, dx * dx + dy * dy + dz * dz);
      }
      toWound[point] = Math.sqrt(least);
    }
    for (let fresh = 0; fresh < this.isStraight.length; fresh++) {
      const [p, q] = [this.parents[2 * fresh], this.parents[2 * fresh + 1]];
      const to = this.nodes.length + fresh;
      for (let axis = 0; axis < 3; axis++) homes[3 * to + axis] = (homes[3 * p + axis] + homes[3 * q + axis]) / 2;
      toWound[to] = (toWound[p] + toWound[q]) / 2;
      this.sides[to] = this.sides[p];
    }
  }
}

interface Split {
  /** per point: its node and its side */
  nodes: number[];
  sides: number[];
  /** three points a triangle */
  corners: Uint32Array;
}

function splitBySide(triangles: readonly Triangle[]): Split {
  const split: Split = { nodes: [], sides: [], corners: new Uint32Array(3 * triangles.length) };
  const known = new Map<number, number>();
  triangles.forEach((triangle, place) => {
    [triangle.a, triangle.b, triangle.c].forEach((node, corner) => {
      const key = 8 * node + triangle.side;
      let point = known.get(key);
      if (point === undefined) {
        point = split.nodes.push(node) - 1;
        split.sides.push(triangle.side);
        known.set(key, point);
      }
      split.corners[3 * place + corner] = point;
    });
  });
  return split;
}

const SPAN = 2 ** 26; // above any number of nodes: two of them make one key

function edgeKey(a: number, b: number): number {
  return a < b ? a * SPAN + b : b * SPAN + a;
}

/** Each edge between two nodes once. */
function edgesOf(triangles: readonly Triangle[], split: Split): Uint32Array {
  const known = new Set<number>();
  const edges: number[] = [];
  triangles.forEach((_, place) => {
    for (let corner = 0; corner < 3; corner++) {
      const p = split.corners[3 * place + corner],
        q = split.corners[3 * place + ((corner + 1) % 3)];
      const key = edgeKey(split.nodes[p], split.nodes[q]);
      if (known.has(key)) continue;
      known.add(key);
      edges.push(p, q);
    }
  });
  return Uint32Array.from(edges);
}

/** Every triangle in four. An edge is straight when two sides meet in it, or when it is a border. */
function refine(split: Split, triangles: readonly Triangle[]) {
  const sidesOf = new Map<number, number>(); // per edge: 10 times the triangles at it, plus 1 when their sides differ
  const firstSide = new Map<number, number>();
  const eachEdge = (visit: (place: number, corner: number, p: number, q: number, key: number) => void) => {
    for (let place = 0; place < triangles.length; place++) {
      for (let corner = 0; corner < 3; corner++) {
        const p = split.corners[3 * place + corner],
          q = split.corners[3 * place + ((corner + 1) % 3)];
        visit(place, corner, p, q, edgeKey(split.nodes[p], split.nodes[q]));
      }
    }
  };
  eachEdge((place, _, __, ___, key) => {
    const side = triangles[place].side;
    const differs = (firstSide.get(key) ?? side) !== side ? 1 : 0;
    if (!firstSide.has(key)) firstSide.set(key, side);
    const before = sidesOf.get(key) ?? 0;
    sidesOf.set(key, (Math.floor(before / 10) + 1) * 10 + (before % 10 | differs));
  });
  const middles = new Map<number, number>();
  const parents: number[] = [];
  const isStraight: number[] = [];
  const middle = new Uint32Array(3 * triangles.length);
  eachEdge((place, corner, p, q, key) => {
    const own = edgeKey(p, q);
    let point = middles.get(own);
    if (point === undefined) {
      point = split.nodes.length + isStraight.length;
      middles.set(own, point);
      parents.push(Math.min(p, q), Math.max(p, q));
      isStraight.push(sidesOf.get(key) === 20 ? 0 : 1);
    }
    middle[3 * place + corner] = point;
  });
  const indices = new Uint32Array(12 * triangles.length);
  for (let place = 0; place < triangles.length; place++) {
    const [a, b, c] = split.corners.subarray(3 * place, 3 * place + 3);
    const [ab, bc, ca] = middle.subarray(3 * place, 3 * place + 3);
    indices.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], 12 * place);
  }
  return { parents: Uint32Array.from(parents), isStraight: Uint8Array.from(isStraight), indices };
}

function normalise(v: Float32Array, at: number): void {
  const length = Math.hypot(v[at], v[at + 1], v[at + 2]);
  if (!(length > 0)) {
    v[at + 2] = 1;
    return;
  }
  v[at] /= length;
  v[at + 1] /= length;
  v[at + 2] /= length;
}
