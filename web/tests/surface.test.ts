import { describe, expect, it } from "vitest";
import {
  decodeMessage,
  encodeMessage,
  Side,
  TissueShape,
  type SurfaceChangeMessage,
  type SurfaceMessage,
} from "../src/base/protocol.generated";
import { distanceToPoints } from "../src/input/reach";
import { depthsOf } from "../src/view/flesh";
import { SurfaceMesh } from "../src/view/surface";
import { SurfaceData } from "../src/view/surfaceData";

/** A cube of 1 cm, its lid being another side than the rest. */
function cube(): SurfaceMessage {
  const corner = (i: number): [number, number, number] => [i & 1 ? 0.01 : 0, i & 2 ? 0.01 : 0, i & 4 ? 0.01 : 0];
  const quads = [
    [0, 2, 3, 1, Side.bottom],
    [4, 5, 7, 6, Side.top],
    [0, 1, 5, 4, Side.rim],
    [1, 3, 7, 5, Side.rim],
    [3, 2, 6, 7, Side.rim],
    [2, 0, 4, 6, Side.groove],
  ];
  return {
    type: "surface",
    request: 0,
    generation: 1,
    tissue: 0,
    topology_version: 1,
    nodes: Array.from({ length: 8 }, (_, i) => ({ node: 10 + i, home: corner(i) })),
    triangles: quads.flatMap(([a, b, c, d, side]) => [
      { a, b, c, side },
      { a, b: c, c: d, side },
    ]),
  };
}

function dataOf(message: SurfaceMessage): SurfaceData {
  const data = new SurfaceData();
  expect(data.take(message)).toBe(true);
  return data;
}

function positionsOf(message: SurfaceMessage, scale = 1): Float32Array {
  return Float32Array.from(message.nodes.flatMap(({ home }) => home.map((x) => scale * x)));
}

/** Volume inside a closed surface, by the divergence theorem. */
function volume(mesh: SurfaceMesh): number {
  let sum = 0;
  const p = mesh.positions;
  for (let at = 0; at < mesh.indices.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * mesh.indices[at + k]);
    sum +=
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum / 6;
}

describe("surface", () => {
  it("comes through the line as it was sent", () => {
    const message = cube();
    const decoded = decodeMessage(encodeMessage(message)) as SurfaceMessage;
    expect(decoded.triangles).toEqual(message.triangles);
    expect(decoded.nodes.map(({ node }) => node)).toEqual(message.nodes.map(({ node }) => node));
    expect(decoded.nodes[7].home[2]).toBeCloseTo(0.01, 8);
  });

  it("has creases between sides and unit normals that point outwards", () => {
    const message = cube();
    const mesh = new SurfaceMesh(dataOf(message), false);
    expect(mesh.pointCount).toBe(4 + 4 + 8 + 4); // the rim goes around three corners and is smooth there
    expect(mesh.update(positionsOf(message))).toBe(true);
    for (let point = 0; point < mesh.pointCount; point++) {
      const n = mesh.normals.subarray(3 * point, 3 * point + 3);
      const x = mesh.positions.subarray(3 * point, 3 * point + 3);
      expect(Math.hypot(...n)).toBeCloseTo(1, 5);
      expect(n[0] * (x[0] - 0.005) + n[1] * (x[1] - 0.005) + n[2] * (x[2] - 0.005)).toBeGreaterThan(0);
      if (mesh.sides[point] === Side.top) expect(n[2]).toBeCloseTo(1, 5);
    }
    expect(mesh.edges.length).toBe(2 * 18);
    expect(volume(mesh)).toBeCloseTo(1e-6, 12);
  });

  it("refined, stays closed and flat where it is flat, and follows its nodes", () => {
    const message = cube();
    const coarse = new SurfaceMesh(dataOf(message), false);
    const mesh = new SurfaceMesh(dataOf(message), true);
    expect(mesh.indices.length).toBe(4 * coarse.indices.length);
    mesh.update(positionsOf(message, 2));
    for (let point = 0; point < mesh.pointCount; point++) {
      if (mesh.sides[point] === Side.top) expect(mesh.positions[3 * point + 2]).toBeCloseTo(0.02, 6);
    }
    // every edge of the drawn surface is shared by two triangles, at the same two places
    const seen = new Map<string, number>();
    const place = (i: number) => [0, 1, 2].map((k) => Math.round(1e7 * mesh.positions[3 * i + k])).join();
    for (let at = 0; at < mesh.indices.length; at += 3) {
      for (let k = 0; k < 3; k++) {
        const ends = [place(mesh.indices[at + k]), place(mesh.indices[at + ((k + 1) % 3)])].sort().join("|");
        seen.set(ends, (seen.get(ends) ?? 0) + 1);
      }
    }
    expect([...seen.values()].every((count) => count === 2)).toBe(true);
  });

  it("knows how far the wound is, and refuses nodes that do not belong to it", () => {
    const message = cube();
    const mesh = new SurfaceMesh(dataOf(message), false);
    for (let point = 0; point < mesh.pointCount; point++) {
      expect(mesh.toWound[point]).toBeCloseTo(mesh.homes[3 * point], 6); // the groove is at x = 0
    }
    expect(mesh.update(new Float32Array(21))).toBe(false);
  });
});

describe("a surface that changes", () => {
  /** The lid opened: one of its triangles gone, the other on a node of its own. */
  const change: SurfaceChangeMessage = {
    type: "surface_change",
    request: 0,
    generation: 1,
    tissue: 0,
    topology_version: 2,
    node_count: 9,
    triangle_count: 11,
    nodes: [{ place: 8, node: 40, home: [0, 0, 0.01] }],
    triangles: [
      { place: 2, a: 8, b: 5, c: 7, side: Side.top },
      { place: 3, a: 2, b: 0, c: 4, side: Side.groove }, // the last but one filled the gap
    ],
  };

  it("is what the whole would have been", () => {
    const data = dataOf(cube());
    expect(data.take(decodeMessage(encodeMessage(change)) as SurfaceChangeMessage)).toBe(true);
    expect([data.version, data.nodeCount, data.triangleCount]).toEqual([2, 9, 11]);
    const whole = cube();
    whole.nodes.push({ node: 40, home: [0, 0, 0.01] });
    whole.triangles[2].a = 8;
    whole.triangles[3] = { a: 2, b: 0, c: 4, side: Side.groove };
    whole.triangles.length = 11;
    const [a, b] = [data, dataOf(whole)].map((each) => new SurfaceMesh(each, true));
    expect(a.indices).toEqual(b.indices);
    expect(a.homes).toEqual(b.homes);
    expect(a.edges).toEqual(b.edges);
  });

  it("refuses a change of another one", () => {
    const data = dataOf(cube());
    expect(data.take({ ...change, topology_version: 5 })).toBe(false);
    expect(data.triangleCount).toBe(12);
  });

  it("refuses what does not make a surface, and is as it was then", () => {
    const triangle = { place: 2, a: 8, b: 5, c: 7, side: Side.top };
    const bad: Partial<SurfaceChangeMessage>[] = [
      { node_count: 0xffffffff },
      { triangle_count: 0xffffffff },
      { node_count: 10 }, // place 9 is not listed
      { triangle_count: 13 },
      { nodes: [{ place: 9, node: 40, home: [0, 0, 0] }] },
      { nodes: [8, 8].map((place) => ({ place, node: 40, home: [0, 0, 0] })), node_count: 10 },
      { triangles: [{ ...triangle, place: 11 }] },
      { triangles: [{ ...triangle, b: 9 }] },
      { node_count: 7, nodes: [], triangles: [] }, // triangles that stay have node 7
    ];
    for (const part of bad) {
      const data = dataOf(cube());
      expect(data.take({ ...change, ...part })).toBe(false);
      expect([data.version, data.nodeCount, data.triangleCount]).toEqual([1, 8, 12]);
      expect(data.corners.length).toBeLessThan(60);
    }
    const whole = cube();
    whole.triangles[3].c = 8;
    expect(new SurfaceData().take(whole)).toBe(false);
  });

  it("may lose nodes that no triangle has any more", () => {
    const data = dataOf(cube());
    const lost = cube().triangles.flatMap(({ a, b, c }, place) => ([a, b, c].includes(7) ? [place] : []));
    const triangles = lost.map((place) => ({ place, a: 0, b: 1, c: 2, side: Side.top }));
    expect(data.take({ ...change, node_count: 7, triangle_count: 12, nodes: [], triangles })).toBe(true);
    expect(data.nodeCount).toBe(7);
  });
});

describe("flesh", () => {
  it("finds skin in any pad", () => {
    const info = { name: "pad", shape: TissueShape.pad, radius: 0, colour: 0xd9a78c };
    expect(depthsOf({ ...info, layers: Float32Array.of(0.002, 0.006) })[1]).toBeCloseTo(2, 5);
    const one = depthsOf({ ...info, layers: Float32Array.of(0.005) });
    expect(one[0]).toBeLessThan(one[1]);
    expect(one[1]).toBeLessThan(one[2]);
  });
});

describe("reach", () => {
  it("measures to the nearest of many points", () => {
    const points = Float32Array.of(0, 0, 0, 0.01, 0, 0, 0, 0.02, 0);
    expect(distanceToPoints([0.01, 0.001, 0], points, 0)).toBeCloseTo(0.001, 8);
    expect(distanceToPoints([0, 0, 0], new Float32Array(), 1)).toBe(Infinity);
  });
});

describe("stretch", () => {
  it("is that of the surface, also when it has the lips of a slit that was closed at home", () => {
    const message = cube();
    message.nodes.push({ node: 18, home: [0, 0.005, 0] });
    message.triangles.push({ a: 0, b: 2, c: 8, side: Side.groove });
    const mesh = new SurfaceMesh(dataOf(message), false);
    const places = Float32Array.from(message.nodes.flatMap((node) => node.home));
    places[3 * 8] = -0.001; // it opens
    mesh.update(places);
    const lid = Array.from(mesh.stretch).filter((_, point) => mesh.sides[point] === Side.top);
    expect(lid.length).toBe(4);
    for (const stretch of lid) expect(stretch).toBeCloseTo(1, 1);
    const known = Array.from(mesh.stretch);
    expect(Math.max(...known)).toBeLessThan(1.5);
  });
});
