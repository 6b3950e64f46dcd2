import { describe, expect, it } from "vitest";
import { Tube } from "../src/view/tube";

const NONE = new Float32Array();

function helix(count: number): Float32Array {
  const centres = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const a = (6 * Math.PI * i) / count;
    centres.set([Math.cos(a), Math.sin(a), 0.15 * a], 3 * i);
  }
  return centres;
}

/** Distance of a point from a chain, by trying all segments. */
function distance(x: number, y: number, z: number, chain: Float32Array): number {
  let best = Infinity;
  for (let at = 0; at + 5 < chain.length; at += 3) {
    const d = [0, 1, 2].map((k) => chain[at + 3 + k] - chain[at + k]);
    const p = [x - chain[at], y - chain[at + 1], z - chain[at + 2]];
    const s = Math.min(Math.max((p[0] * d[0] + p[1] * d[1] + p[2] * d[2]) / (d[0] ** 2 + d[1] ** 2 + d[2] ** 2), 0), 1);
    best = Math.min(best, Math.hypot(p[0] - s * d[0], p[1] - s * d[1], p[2] - s * d[2]));
  }
  return best;
}

describe("tube", () => {
  it("has its skin one radius from the axis, with unit normals, closed at the ends", () => {
    const centres = helix(400);
    const tube = new Tube(400, 8, 1);
    tube.update({ centres, count: 400, radius: 0.05, twist: NONE, director: [0, 0, 1] });
    for (let point = 0; point < tube.pointCount; point++) {
      const [x, y, z] = tube.positions.slice(3 * point, 3 * point + 3);
      expect(Math.abs(distance(x, y, z, centres) - 0.05)).toBeLessThan(2e-4);
      expect(Math.hypot(...tube.normals.slice(3 * point, 3 * point + 3))).toBeCloseTo(1, 5);
    }
    // the first ring is one point: the pole of the half sphere
    const pole = tube.positions.slice(0, 3);
    const start = centres.slice(0, 3);
    expect(Math.hypot(pole[0] - start[0], pole[1] - start[1], pole[2] - start[2])).toBeCloseTo(0.05, 5);
  });

  it("carries its frame without twist: around a plane curve the director keeps its angle to the plane", () => {
    const count = 200;
    const centres = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) centres.set([Math.cos(i / 20), Math.sin(i / 20), 0], 3 * i);
    const tube = new Tube(count, 4, 1);
    tube.update({ centres, count, radius: 0.1, twist: NONE, director: [0, 0, 1] });
    for (let ring = 4; ring < tube.ringCount - 4; ring++) {
      expect(tube.normals[3 * ring * 5 + 2]).toBeCloseTo(1, 5); // side 0 points along the director
    }
  });

  it("turns the skin by the twist of the segments, right-handed about the thread", () => {
    const count = 11;
    const centres = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) centres[3 * i + 2] = i; // along z
    const twist = Float32Array.from({ length: count - 1 }, (_, i) => 0.3 * i);
    const tube = new Tube(count, 8, 1);
    tube.update({ centres, count, radius: 1, twist, director: [1, 0, 0] });
    for (let vertex = 1; vertex < count - 1; vertex++) {
      const at = 3 * (vertex + 4) * 9;
      expect(Math.atan2(Math.sin(0.3 * (vertex - 0.5)), Math.cos(0.3 * (vertex - 0.5)))).toBeCloseTo(
        Math.atan2(tube.normals[at + 1], tube.normals[at]),
        5,
      );
    }
  });

  it("passes through all vertices when smooth, and takes another number of vertices without new arrays", () => {
    const tube = new Tube(100, 6, 4);
    const arrays = tube.positions;
    for (const count of [100, 37, 2]) {
      const centres = helix(100).slice(0, 3 * count);
      tube.update({ centres, count, radius: 0.01, twist: NONE, director: [0, 0, 1] });
      expect(tube.ringCount).toBe((count - 1) * 4 + 9);
      for (let vertex = 0; vertex < count; vertex++) {
        const ring = 4 + 4 * vertex;
        // opposite points of a ring of six have the centre between them
        const a = 3 * ring * 7,
          b = a + 9;
        for (let k = 0; k < 3; k++) {
          expect((tube.positions[a + k] + tube.positions[b + k]) / 2).toBeCloseTo(centres[3 * vertex + k], 5);
        }
      }
    }
    expect(tube.positions).toBe(arrays);
  });

  it("stays finite where vertices coincide", () => {
    const centres = new Float32Array([0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0]);
    const tube = new Tube(4, 5, 2);
    tube.update({ centres, count: 4, radius: 0.1, twist: NONE, director: [0, 0, 0] });
    expect(tube.positions.every(Number.isFinite)).toBe(true);
  });

  it("paints rings by the value of their segments", () => {
    const tube = new Tube(3, 3, 1);
    tube.update({
      centres: new Float32Array([0, 0, 0, 1, 0, 0, 2, 0, 0]),
      count: 3,
      radius: 0.1,
      twist: NONE,
      director: [0, 0, 1],
    });
    tube.paint(Float32Array.of(10, 30), (value, rgb) => rgb.fill(value));
    const red = (ring: number) => tube.colours[4 * 4 * ring];
    expect([red(0), red(4), red(5), red(6), red(tube.ringCount - 1)]).toEqual([10, 10, 20, 30, 30]);
  });
});
