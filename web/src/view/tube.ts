// The skin of a thread: rings of points around its axis, as plain arrays.
//
// Axis. Between vertices the axis is drawn as a Catmull-Rom curve with `detail` pieces a segment, so that a coarse
// thread looks round. At a vertex the tangent is (next - previous) / |next - previous|.
//
// Frame. A unit vector u across the thread is carried from ring to ring by the least rotation that takes one tangent to
// the next (double reflection: first in the plane between the two centres, then in the plane that maps the mirrored
// tangent on the new one). The twist of the segments then turns u about the tangent: the stripe of the texture follows
// the material of the thread, which is what makes twist visible.
//
// Ends are closed by half spheres of CAP_RINGS rings. There is room for `capacity` vertices; a thread may have fewer and
// may change their number from update to update.

const CAP_RINGS = 4;

export interface TubeShape {
  /** x y z of each vertex */
  centres: Float32Array;
  count: number;
  radius: number;
  /** per segment: turn of the material about the tangent against the carried frame, rad; empty: none */
  twist: Float32Array;
  /** where the carried frame points at the first vertex; any across will do */
  director: readonly [number, number, number];
}

export class Tube {
  /** rings in use */
  ringCount = 0;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** RGBA of each point, 0 to 255 */
  readonly colours: Uint8Array;
  /** u around, v along */
  readonly uvs: Float32Array;
  readonly indices: Uint32Array;
  private vertexCount = 0;
  private readonly axis: Float32Array;
  private readonly turn: Float32Array;
  private readonly cosines: Float32Array;
  private readonly sines: Float32Array;

  constructor(
    readonly capacity: number,
    readonly sides: number,
    readonly detail: number,
  ) {
    const axisCount = (capacity - 1) * detail + 1;
    const rings = axisCount + 2 * CAP_RINGS;
    const around = sides + 1; // the seam has two points, for the texture
    const points = rings * around;
    this.positions = new Float32Array(3 * points);
    this.normals = new Float32Array(3 * points);
    this.colours = new Uint8Array(4 * points).fill(255);
    this.uvs = new Float32Array(2 * points);
    this.indices = new Uint32Array(6 * sides * (rings - 1));
    this.axis = new Float32Array(3 * axisCount);
    this.turn = new Float32Array(axisCount);
    this.cosines = new Float32Array(around);
    this.sines = new Float32Array(around);
    this.fillFixedParts(rings, around);
  }

  private fillFixedParts(rings: number, around: number): void {
    for (let side = 0; side < around; side++) {
      this.cosines[side] = Math.cos((2 * Math.PI * side) / this.sides);
      this.sines[side] = Math.sin((2 * Math.PI * side) / this.sides);
    }
    let at = 0;
    for (let ring = 0; ring < rings; ring++) {
      for (let side = 0; side < around; side++) {
        this.uvs[at++] = side / this.sides;
        this.uvs[at++] = ring;
      }
    }
    at = 0;
    for (let ring = 0; ring + 1 < rings; ring++) {
      for (let side = 0; side < this.sides; side++) {
        const a = ring * around + side;
        const b = a + around;
        this.indices.set([a, a + 1, b, b, a + 1, b + 1], at);
        at += 6;
      }
    }
  }

  /** Puts the skin around the axis. */
  update(shape: TubeShape): void {
    this.vertexCount = Math.min(shape.count, this.capacity);
    this.ringCount = (this.vertexCount - 1) * this.detail + 1 + 2 * CAP_RINGS;
    this.smoothAxis(shape);
    this.wrap(shape.radius, shape.director);
  }

  /** Points of `positions` that are in use. */
  get pointCount(): number {
    return this.ringCount * (this.sides + 1);
  }

  /** Entries of `indices` that are in use. */
  get indexCount(): number {
    return 6 * this.sides * (this.ringCount - 1);
  }

  /** Colours ring by ring: `colourOf` writes red, green and blue for a value that `values` has per segment. */
  paint(values: Float32Array, colourOf: (value: number, rgb: Uint8Array) => void): void {
    const around = this.sides + 1;
    const last = this.ringCount - 2 * CAP_RINGS - 1;
    const colours = this.colours;
    const rgb = new Uint8Array(3);
    let at = 0;
    for (let ring = 0; ring < this.ringCount; ring++) {
      const along = Math.min(Math.max(ring - CAP_RINGS, 0), last) / this.detail;
      colourOf(this.mixed(values, along), rgb);
      for (let side = 0; side < around; side++, at += 4) {
        colours[at] = rgb[0];
        colours[at + 1] = rgb[1];
        colours[at + 2] = rgb[2];
      }
    }
  }

  /** What segments have, at a place along the thread counted in vertices: mixed between the middles of segments. */
  private mixed(values: Float32Array, along: number): number {
    const last = this.vertexCount - 2;
    const place = Math.min(Math.max(along - 0.5, 0), last);
    const low = Math.floor(place);
    const high = Math.min(low + 1, last);
    return values[low] + (place - low) * (values[high] - values[low]);
  }

  private smoothAxis({ centres, twist }: TubeShape): void {
    const { axis, turn, detail, vertexCount } = this;
    const isTwisted = twist.length === vertexCount - 1;
    let at = 0;
    for (let vertex = 0; vertex + 1 < vertexCount; vertex++) {
      const before = 3 * Math.max(vertex - 1, 0);
      const here = 3 * vertex;
      const next = here + 3;
      const after = 3 * Math.min(vertex + 2, vertexCount - 1);
      for (let piece = 0; piece < detail; piece++, at++) {
        const s = piece / detail;
        const w0 = s * (-0.5 + s * (1 - 0.5 * s));
        const w1 = 1 + s * s * (-2.5 + 1.5 * s);
        const w2 = s * (0.5 + s * (2 - 1.5 * s));
        const w3 = s * s * (-0.5 + 0.5 * s);
        for (let k = 0; k < 3; k++) {
          axis[3 * at + k] =
            w0 * centres[before + k] + w1 * centres[here + k] + w2 * centres[next + k] + w3 * centres[after + k];
        }
        turn[at] = isTwisted ? this.mixed(twist, vertex + s) : 0;
      }
    }
    for (let k = 0; k < 3; k++) {
      axis[3 * at + k] = centres[3 * (vertexCount - 1) + k];
    }
    turn[at] = isTwisted ? twist[vertexCount - 2] : 0;
  }

  private wrap(radius: number, director: readonly [number, number, number]): void {
    const { axis, turn } = this;
    const count = (this.vertexCount - 1) * this.detail + 1;
    let cx = axis[0],
      cy = axis[1],
      cz = axis[2];
    let tx = 0,
      ty = 0,
      tz = 0;
    let ux = 0,
      uy = 0,
      uz = 0;
    for (let i = 0; i < count; i++) {
      const low = 3 * Math.max(i - 1, 0);
      const high = 3 * Math.min(i + 1, count - 1);
      let nx = axis[high] - axis[low],
        ny = axis[high + 1] - axis[low + 1],
        nz = axis[high + 2] - axis[low + 2];
      const length = Math.hypot(nx, ny, nz);
      if (length > 0) {
        nx /= length;
        ny /= length;
        nz /= length;
      } else {
        nx = tx;
        ny = ty;
        nz = tz;
      }
      const px = axis[3 * i],
        py = axis[3 * i + 1],
        pz = axis[3 * i + 2];
      if (i === 0) {
        [ux, uy, uz] = acrossOf(nx, ny, nz, director);
      } else {
        // first reflection: in the plane between the two centres
        let vx = px - cx,
          vy = py - cy,
          vz = pz - cz;
        let c = vx * vx + vy * vy + vz * vz;
        if (c > 0) {
          const du = (2 * (vx * ux + vy * uy + vz * uz)) / c;
          const dt = (2 * (vx * tx + vy * ty + vz * tz)) / c;
          ux -= du * vx;
          uy -= du * vy;
          uz -= du * vz;
          tx -= dt * vx;
          ty -= dt * vy;
          tz -= dt * vz;
        }
        // second: maps the mirrored tangent on the new one
        vx = nx - tx;
        vy = ny - ty;
        vz = nz - tz;
        c = vx * vx + vy * vy + vz * vz;
        if (c > 1e-12) {
          const du = (2 * (vx * ux + vy * uy + vz * uz)) / c;
          ux -= du * vx;
          uy -= du * vy;
          uz -= du * vz;
        }
      }
      tx = nx;
      ty = ny;
      tz = nz;
      cx = px;
      cy = py;
      cz = pz;
      // rounding must not add up: u stays across and of unit length
      const along = ux * tx + uy * ty + uz * tz;
      ux -= along * tx;
      uy -= along * ty;
      uz -= along * tz;
      const norm = 1 / Math.hypot(ux, uy, uz);
      ux *= norm;
      uy *= norm;
      uz *= norm;
      const wx = ty * uz - tz * uy,
        wy = tz * ux - tx * uz,
        wz = tx * uy - ty * ux;
      const cosine = Math.cos(turn[i]),
        sine = Math.sin(turn[i]);
      const ax = cosine * ux + sine * wx,
        ay = cosine * uy + sine * wy,
        az = cosine * uz + sine * wz;
      const bx = cosine * wx - sine * ux,
        by = cosine * wy - sine * uy,
        bz = cosine * wz - sine * uz;
      if (i === 0) {
        for (let cap = 0; cap < CAP_RINGS; cap++) {
          const angle = (Math.PI / 2) * (1 - cap / CAP_RINGS);
          this.ring(cap, px, py, pz, ax, ay, az, bx, by, bz, -tx, -ty, -tz, radius, angle);
        }
      }
      this.ring(i + CAP_RINGS, px, py, pz, ax, ay, az, bx, by, bz, tx, ty, tz, radius, 0);
      if (i === count - 1) {
        for (let cap = 1; cap <= CAP_RINGS; cap++) {
          const angle = (Math.PI / 2) * (cap / CAP_RINGS);
          this.ring(i + CAP_RINGS + cap, px, py, pz, ax, ay, az, bx, by, bz, tx, ty, tz, radius, angle);
        }
      }
    }
  }

  /** One ring about p with the axes a and b; `angle` up to pi/2 leans it towards t, as on a half sphere. */
  private ring(
    ring: number,
    px: number,
    py: number,
    pz: number,
    ax: number,
    ay: number,
    az: number,
    bx: number,
    by: number,
    bz: number,
    tx: number,
    ty: number,
    tz: number,
    radius: number,
    angle: number,
  ): void {
    const { positions, normals, cosines, sines, sides } = this;
    const wide = angle === 0 ? 1 : Math.cos(angle);
    const high = angle === 0 ? 0 : Math.sin(angle);
    let at = 3 * ring * (sides + 1);
    for (let side = 0; side <= sides; side++, at += 3) {
      const c = wide * cosines[side],
        s = wide * sines[side];
      const x = c * ax + s * bx + high * tx,
        y = c * ay + s * by + high * ty,
        z = c * az + s * bz + high * tz;
      normals[at] = x;
      normals[at + 1] = y;
      normals[at + 2] = z;
      positions[at] = px + radius * x;
      positions[at + 1] = py + radius * y;
      positions[at + 2] = pz + radius * z;
    }
  }
}

/** A unit vector across t: the part of `wish` across it, or any. */
function acrossOf(
  tx: number,
  ty: number,
  tz: number,
  wish: readonly [number, number, number],
): [number, number, number] {
  let [x, y, z] = wish;
  let along = x * tx + y * ty + z * tz;
  let length = Math.hypot(x - along * tx, y - along * ty, z - along * tz);
  if (!(length > 1e-6)) {
    [x, y, z] = Math.abs(tz) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    along = x * tx + y * ty + z * tz;
    length = Math.hypot(x - along * tx, y - along * ty, z - along * tz);
  }
  return [(x - along * tx) / length, (y - along * ty) / length, (z - along * tz) / length];
}
