import { describe, expect, it } from "vitest";
import { Box3, BufferAttribute } from "three";
import { ShapeKind, type ShapeInfo, type ShapeState } from "../src/base/protocol.generated";
import { findWires, makeWire } from "../src/view/wire";

const RADIUS = 0.008,
  PIECES = 16;
/** half a circle in the x-z plane, its first capsule at +x */
function needle(radiusAt: (place: number) => number) {
  const infos: ShapeInfo[] = [],
    states: ShapeState[] = [];
  for (let place = 0; place < PIECES; place++) {
    const angle = ((place + 0.5) * Math.PI) / PIECES;
    infos.push({ name: "needle", kind: ShapeKind.capsule, radius: radiusAt(place), half_length: 0.0008 } as ShapeInfo);
    states.push({
      shape: place,
      position: [RADIUS * Math.cos(angle), 0, RADIUS * Math.sin(angle)],
      rotation: [0, -Math.sin(angle / 2), 0, Math.cos(angle / 2)],
    } as unknown as ShapeState);
  }
  return { infos, states };
}

describe("a needle", () => {
  it("is found among shapes, and nothing else is", () => {
    const { infos } = needle(() => 0.0003);
    const post = { name: "post", kind: ShapeKind.capsule } as ShapeInfo;
    expect(findWires([post, ...infos, post])).toEqual([{ first: 1, count: PIECES }]);
    expect(findWires([post, post])).toEqual([]);
  });
  it("is one wire as long as its capsules, with a point where it is thin", () => {
    const { infos, states } = needle((place) => (place < 3 ? 0.0001 * (1 + place * 0.66) : 0.0003));
    const geometry = makeWire(infos, states);
    const size = new Box3().setFromBufferAttribute(geometry.attributes.position as BufferAttribute);
    expect(Math.max(size.max.x - size.min.x, size.max.z - size.min.z)).toBeGreaterThan(1.9 * RADIUS);
    expect(size.max.y - size.min.y).toBeCloseTo(0.0006, 4); // as thick as its thickest capsule
    const ring = (first: number) => {
      const at = geometry.attributes.position;
      return Math.hypot(at.getX(first) - at.getX(first + 6), at.getY(first) - at.getY(first + 6), at.getZ(first) - at.getZ(first + 6));
    };
    expect(ring(0)).toBeLessThan(0.00003);
    expect(ring(12 * 4 * (PIECES + 1))).toBeCloseTo(0.0006, 5);
  });
});
