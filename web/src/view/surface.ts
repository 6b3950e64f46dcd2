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
//
// Stretch. How much larger the triangles around a point are than at home, against the whole surface: 1 where the tissue is
// drawn as it is everywhere. From the lengths of the same sums, before they become normals.

import { Side } from "../base/protocol.generated";
import type { SurfaceData } from "./surfaceData";

/** surfaces with more triangles are fine enough */
const MOST_REFINED = 12000;
/** m: how far from a wound its edge still matters */
const FAR = 0.02;

/** points of less area at home, in parts of the mean, are lips of slits that were closed there: nothing is known of them */
const LEAST_HOME = 0.01;

export class SurfaceMesh {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** m, in the frame of the tissue's shape: where a point was made */
  readonly homes: Float32Array;
  /** the side of each point */
  readonly sides: Float32Array;
  /** m, at home: from each point to the nearest lip of a wound, FAR at most */
  readonly toWound: Float32Array;
  /** per point: how much it is stretched, 1 as everywhere else */
  readonly stretch: Float32Array;
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
  /** m2, per point that is not new: the length of the sum at home */
  private readonly homeAreas: Float32Array;

  readonly nodeCount: number;

  constructor(data: SurfaceData, isRefined: boolean) {
    this.nodeCount = data.nodeCount;
    const split = splitBySide(data);
    const edges = new EdgeTable(data, split);
    this.nodes = split.nodes;
    this.corners = split.corners;
    const refined = isRefined && data.triangleCount <= MOST_REFINED ? refine(data, split, edges) : undefined;
    this.parents = refined?.parents ?? new Uint32Array(0);
    this.isStraight = refined?.isStraight ?? new Uint8Array(0);
    this.indices = refined?.indices ?? this.corners;
    this.edges = edges.ends;
    const points = this.nodes.length + this.parents.length / 2;
    this.positions = new Float32Array(3 * points);
    this.normals = new Float32Array(3 * points);
    this.homes = new Float32Array(3 * points);
    this.sides = new Float32Array(points);
    this.toWound = new Float32Array(points).fill(FAR);
    this.stretch = new Float32Array(points).fill(1);
    this.homeAreas = new Float32Array(this.nodes.length);
    this.fillFixed(data, split);
    this.sumTriangles(this.homes);
    for (let point = 0; point < this.nodes.length; point++) this.homeAreas[point] = lengthAt(this.normals, 3 * point);
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
    this.sumTriangles(positions);
    this.measureStretch();
    for (let at = 0; at < 3 * this.nodes.length; at += 3) normalise(this.normals, at);
    this.placeNewPoints();
    return true;
  }

  /** Into `normals`: of each point the sum over its triangles, at the places `p`. */
  private sumTriangles(p: Float32Array): void {
    const { normals: n, corners } = this;
    n.fill(0, 0, 3 * this.nodes.length);
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
  }

  private measureStretch(): void {
    const { stretch, homeAreas } = this;
    let now = 0,
      home = 0;
    for (let point = 0; point < homeAreas.length; point++) {
      stretch[point] = lengthAt(this.normals, 3 * point);
      now += stretch[point];
      home += homeAreas[point];
    }
    const least = (LEAST_HOME * home) / homeAreas.length;
    const scale = now > 0 ? home / now : 0;
    for (let point = 0; point < homeAreas.length; point++)
      stretch[point] = homeAreas[point] > least ? (scale * stretch[point]) / homeAreas[point] : 1;
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
      this.stretch[to / 3] = (this.stretch[p / 3] + this.stretch[q / 3]) / 2;
      normalise(n, to);
    }
  }

  private fillFixed(data: SurfaceData, split: Split): void {
    const { homes, toWound, nodes } = this;
    for (let point = 0; point < nodes.length; point++) {
      for (let axis = 0; axis < 3; axis++) homes[3 * point + axis] = data.homes[3 * nodes[point] + axis];
      this.sides[point] = split.sides[point];
    }
    measureWound(homes, split, toWound);
    for (let fresh = 0; fresh < this.isStraight.length; fresh++) {
      const p = this.parents[2 * fresh],
        q = this.parents[2 * fresh + 1];
      const to = nodes.length + fresh;
      for (let axis = 0; axis < 3; axis++) homes[3 * to + axis] = (homes[3 * p + axis] + homes[3 * q + axis]) / 2;
      toWound[to] = (toWound[p] + toWound[q]) / 2;
      this.sides[to] = this.sides[p];
    }
  }
}

interface Split {
  /** per point: its node and its side */
  nodes: Uint32Array;
  sides: Uint8Array;
  /** three points a triangle */
  corners: Uint32Array;
}

const SIDES = 8; // above any number of sides

function splitBySide(data: SurfaceData): Split {
  const known = new Int32Array(SIDES * data.nodeCount).fill(-1); // of each node and side: its point
  const nodes: number[] = [],
    sides: number[] = [];
  const corners = new Uint32Array(3 * data.triangleCount);
  for (let at = 0; at < corners.length; at++) {
    const node = data.corners[at],
      side = data.sides[(at / 3) | 0];
    const key = SIDES * node + side;
    if (known[key] < 0) {
      known[key] = nodes.push(node) - 1;
      sides.push(side);
    }
    corners[at] = known[key];
  }
  return { nodes: Uint32Array.from(nodes), sides: Uint8Array.from(sides), corners };
}

/** How far each point is from the edge of a wound, where its lips meet another side; all of one if they meet none. */
function measureWound(homes: Float32Array, split: Split, toWound: Float32Array): void {
  const elsewhere = new Set<number>();
  split.nodes.forEach((node, point) => split.sides[point] !== Side.groove && elsewhere.add(node));
  const lips: number[] = [];
  split.nodes.forEach((node, point) => {
    if (split.sides[point] === Side.groove && elsewhere.has(node)) lips.push(3 * point);
  });
  for (let point = 0; point < split.nodes.length && lips.length > 0; point++) {
    if (split.sides[point] === Side.groove) {
      toWound[point] = 0;
      continue;
    }
    let least = FAR * FAR;
    for (const lip of lips) {
      const dx = homes[3 * point] - homes[lip],
        dy = homes[3 * point + 1] - homes[lip + 1],
        dz = homes[3 * point + 2] - homes[lip + 2];
      least = Math.min(least, dx * dx + dy * dy + dz * dz);
    }
    toWound[point] = Math.sqrt(least);
  }
}

const SPAN = 2 ** 26; // above any number of nodes: two of them make one key

/** Numbers pairs of numbers in the order in which they come. A surface is made anew with every cut: a Map is too slow. */
class PairTable {
  private readonly keys: Float64Array;
  private readonly values: Int32Array;
  private readonly mask: number;
  count = 0;

  constructor(most: number) {
    let size = 16;
    while (size < 2 * most) size *= 2;
    this.mask = size - 1;
    this.keys = new Float64Array(size).fill(-1);
    this.values = new Int32Array(size);
  }

  /** The number of a pair; it is this.count - 1 and new when it was not there. */
  find(a: number, b: number): number {
    const low = Math.min(a, b),
      high = Math.max(a, b);
    const key = low * SPAN + high;
    let at = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 0;
    at = (at ^ (at >>> 15)) & this.mask;
    while (this.keys[at] !== key) {
      if (this.keys[at] < 0) {
        this.keys[at] = key;
        this.values[at] = this.count++;
        break;
      }
      at = (at + 1) & this.mask;
    }
    return this.values[at];
  }
}

/** The edges between nodes: their ends, each edge once, and which of them are smooth. */
class EdgeTable {
  readonly ends: Uint32Array;
  /** per corner of a triangle: the edge from it to the next */
  readonly of: Uint32Array;
  /** per edge: two triangles meet in it, of one side */
  readonly isSmooth: Uint8Array;

  constructor(data: SurfaceData, split: Split) {
    const corners = 3 * data.triangleCount;
    const table = new PairTable(corners);
    const ends = new Uint32Array(2 * corners),
      uses = new Uint8Array(corners),
      sides = new Uint8Array(corners),
      differs = new Uint8Array(corners);
    this.of = new Uint32Array(corners);
    for (let at = 0; at < corners; at++) {
      const next = at % 3 === 2 ? at - 2 : at + 1;
      const before = table.count,
        edge = table.find(data.corners[at], data.corners[next]),
        side = data.sides[(at / 3) | 0];
      this.of[at] = edge;
      if (edge === before) {
        ends[2 * edge] = split.corners[at];
        ends[2 * edge + 1] = split.corners[next];
        sides[edge] = side;
      }
      uses[edge] = Math.min(uses[edge] + 1, 3);
      if (sides[edge] !== side) differs[edge] = 1;
    }
    this.ends = ends.slice(0, 2 * table.count);
    this.isSmooth = new Uint8Array(table.count);
    for (let edge = 0; edge < table.count; edge++) this.isSmooth[edge] = uses[edge] === 2 && !differs[edge] ? 1 : 0;
  }
}

/** Every triangle in four. An edge is straight when two sides meet in it, or when it is a border. */
function refine(data: SurfaceData, split: Split, edges: EdgeTable) {
  const corners = 3 * data.triangleCount;
  const table = new PairTable(corners);
  const parents = new Uint32Array(2 * corners),
    isStraight = new Uint8Array(corners),
    middle = new Uint32Array(corners);
  for (let at = 0; at < corners; at++) {
    const p = split.corners[at],
      q = split.corners[at % 3 === 2 ? at - 2 : at + 1];
    const before = table.count,
      fresh = table.find(p, q);
    if (fresh === before) {
      parents[2 * fresh] = Math.min(p, q);
      parents[2 * fresh + 1] = Math.max(p, q);
      isStraight[fresh] = edges.isSmooth[edges.of[at]] ? 0 : 1;
    }
    middle[at] = split.nodes.length + fresh;
  }
  const indices = new Uint32Array(4 * corners);
  for (let at = 0, to = 0; at < corners; at += 3, to += 12) {
    const a = split.corners[at],
      b = split.corners[at + 1],
      c = split.corners[at + 2];
    const ab = middle[at],
      bc = middle[at + 1],
      ca = middle[at + 2];
    indices[to] = a;
    indices[to + 1] = indices[to + 3] = indices[to + 9] = ab;
    indices[to + 2] = indices[to + 6] = indices[to + 11] = ca;
    indices[to + 4] = b;
    indices[to + 5] = indices[to + 7] = indices[to + 10] = bc;
    indices[to + 8] = c;
  }
  return { parents: parents.slice(0, 2 * table.count), isStraight: isStraight.slice(0, table.count), indices };
}

function lengthAt(v: Float32Array, at: number): number {
  return Math.hypot(v[at], v[at + 1], v[at + 2]);
}

function normalise(v: Float32Array, at: number): void {
  const length = lengthAt(v, at);
  if (!(length > 0)) {
    v[at + 2] = 1;
    return;
  }
  v[at] /= length;
  v[at + 1] /= length;
  v[at + 2] /= length;
}
