// Solid parts of instruments as plain arrays, all of one instrument in one. A part is a cross-section that is carried
// along a path in the x-z plane: a superellipse |u / a|^p + |y / b|^p = 1, with u across the path in that plane.

export type Paint = "steel" | "ground" | "dark" | "gold" | "hand" | "hot";

export interface Section {
  /** mm: where its middle is */
  x: number;
  z: number;
  /** mm: half of its size in the plane, and across it */
  a: number;
  b: number;
  /** a crease: the surface does not run smoothly through it */
  isHard?: boolean | undefined;
}

export class Solid {
  readonly positions: number[] = [];
  readonly normals: number[] = [];
  readonly paints: Paint[] = [];
  readonly indices: number[] = [];

  constructor(private readonly sides: number) {}

  get pointCount(): number {
    return this.paints.length;
  }

  /** Carries a cross-section along; `power` 2 is round, above it boxes. The ends are closed. */
  sweep(paint: Paint, path: Section[], power = 2): this {
    const first = this.pointCount;
    const rings = path.flatMap((section, place) => {
      const isCrease = section.isHard && place > 0 && place < path.length - 1; // ends are creases anyway
      const ways = isCrease ? [wayInto(path, place), wayOut(path, place)] : [wayThrough(path, place)];
      return ways.map((way) => ({ section, way }));
    });
    for (const { section, way } of rings) this.ring(paint, section, way, power);
    for (let ring = 0; ring + 1 < rings.length; ring++) {
      if (rings[ring].section !== rings[ring + 1].section) this.joinRings(first + ring * this.sides);
    }
    this.smoothNormals(first);
    this.closeEnd(paint, path[0], wayOut(path, 0), power, true);
    this.closeEnd(paint, path[path.length - 1], wayInto(path, path.length - 1), power, false);
    return this;
  }

  /** A straight one along z. */
  rod(paint: Paint, from: number, to: number, atFrom: number, atTo: number): this {
    return this.sweep(paint, [
      { x: 0, z: from, a: atFrom, b: atFrom },
      { x: 0, z: to, a: atTo, b: atTo },
    ]);
  }

  /** A round end: half a ball about (x, z), towards +z or -z. */
  dome(paint: Paint, x: number, z: number, radius: number, up: boolean): this {
    const steps = 5;
    const path = Array.from({ length: steps + 1 }, (_, k) => {
      const angle = (Math.PI / 2) * (k / steps);
      const wide = Math.max(radius * Math.cos(angle), 0.02 * radius);
      return { x, z: z + (up ? 1 : -1) * radius * Math.sin(angle), a: wide, b: wide };
    });
    return this.sweep(paint, up ? path : path.reverse());
  }

  private ring(paint: Paint, section: Section, [wx, wz]: [number, number], power: number): void {
    for (let side = 0; side < this.sides; side++) {
      const angle = (2 * Math.PI * (side + 0.5)) / this.sides;
      const u = section.a * rounded(Math.cos(angle), power),
        y = section.b * rounded(Math.sin(angle), power);
      // across the path, in the plane: the way turned by a right angle
      this.positions.push(section.x + u * wz, y, section.z - u * wx);
      this.normals.push(0, 0, 0);
      this.paints.push(paint);
    }
  }

  private joinRings(first: number): void {
    for (let side = 0; side < this.sides; side++) {
      const next = (side + 1) % this.sides;
      const a = first + side,
        b = first + next,
        c = a + this.sides,
        d = b + this.sides;
      this.indices.push(a, b, d, a, d, c);
    }
  }

  private closeEnd(paint: Paint, section: Section, way: [number, number], power: number, isFirst: boolean): void {
    const first = this.pointCount;
    this.ring(paint, section, way, power);
    const sign = isFirst ? -1 : 1;
    for (let point = first; point < this.pointCount; point++) {
      this.normals.splice(3 * point, 3, sign * way[0], 0, sign * way[1]);
    }
    for (let side = 1; side + 1 < this.sides; side++) {
      this.indices.push(first, ...(isFirst ? [first + side + 1, first + side] : [first + side, first + side + 1]));
    }
  }

  /** The normal of a point is the sum over its triangles: larger ones count more. */
  private smoothNormals(first: number): void {
    const { positions: p, normals: n, indices } = this;
    for (let at = 0; at < indices.length; at += 3) {
      if (indices[at] < first) continue;
      const [a, b, c] = [3 * indices[at], 3 * indices[at + 1], 3 * indices[at + 2]];
      const u = [0, 1, 2].map((k) => p[b + k] - p[a + k]),
        v = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
      for (const corner of [a, b, c]) {
        n[corner] += u[1] * v[2] - u[2] * v[1];
        n[corner + 1] += u[2] * v[0] - u[0] * v[2];
        n[corner + 2] += u[0] * v[1] - u[1] * v[0];
      }
    }
    for (let at = 3 * first; at < n.length; at += 3) {
      const length = Math.hypot(n[at], n[at + 1], n[at + 2]) || 1;
      for (let k = 0; k < 3; k++) n[at + k] /= length;
    }
  }
}

function rounded(value: number, power: number): number {
  return power === 2 ? value : Math.sign(value) * Math.pow(Math.abs(value), 2 / power);
}

function unit(x: number, z: number): [number, number] {
  const length = Math.hypot(x, z);
  return length > 0 ? [x / length, z / length] : [0, 1];
}

function wayInto(path: Section[], place: number): [number, number] {
  if (place === 0) return wayOut(path, place);
  return unit(path[place].x - path[place - 1].x, path[place].z - path[place - 1].z);
}

function wayOut(path: Section[], place: number): [number, number] {
  if (place === path.length - 1) return wayInto(path, place);
  return unit(path[place + 1].x - path[place].x, path[place + 1].z - path[place].z);
}

function wayThrough(path: Section[], place: number): [number, number] {
  const [ax, az] = wayInto(path, place),
    [bx, bz] = wayOut(path, place);
  return unit(ax + bx, az + bz);
}
