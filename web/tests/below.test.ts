import { describe, expect, it } from "vitest";
import { describeBelow, heightInPlan, stopOver, whatIsAhead, whatIsBelow } from "../src/input/below";
import { TissueShape, type HandState, type SceneMessage } from "../src/base/protocol.generated";
import { frameOf } from "./frames";

const sceneWith = (shape: number) => ({ threads: [{ radius: 0.0006 }], tissues: [{ shape }] }) as unknown as SceneMessage;
const scene = sceneWith(TissueShape.pad);
/** a strand along x at a height of 10 mm */
const strand = Float32Array.from({ length: 63 }, (_, i) => [(i / 3 - 10) * 0.005, 0, 0.01][i % 3]);
const hand = (x: number, y: number, z: number): HandState =>
  ({ hand: 0, position: [x, y, z], thread: -1, first_vertex: 0, vertex_count: 0 }) as unknown as HandState;
const frame = {
  ...frameOf(1),
  threads: [{ thread: 0, positions: strand }],
  tissues: [{ tissue: 0, topology_version: 1, positions: Float32Array.of(0.2, 0, 0.004) }],
} as never;
const below = (x: number, y: number, z: number) => whatIsBelow(hand(x, y, z), frame, scene, 0);

describe("what is below a hand", () => {
  it("is the table, a strand, or the skin", () => {
    expect(describeBelow(below(0, 0.05, 0.02))).toBe("20 mm over the table");
    expect(describeBelow(below(0.001, 0.001, 0.02))).toBe("9.4 mm over a strand");
    expect(describeBelow(below(0.2, 0.001, 0.009))).toBe("5.0 mm over the skin");
  });
  it("says when the hand is under a strand, or in the skin", () => {
    expect(describeBelow(below(0, 0, 0.004))).toBe("under a strand · 4.0 mm");
    expect(describeBelow(below(0.2, 0, 0.001))).toBe("3.0 mm below the skin");
  });
  it("is called what it is: a vessel has no skin", () => {
    const over = (shape: number, z: number) => describeBelow(whatIsBelow(hand(0.2, 0, z), frame, sceneWith(shape), 0));
    expect(over(TissueShape.vessel, 0.009)).toBe("5.0 mm over the vessel");
    expect(over(TissueShape.vessel, 0.004)).toBe("at the vessel");
    expect(over(TissueShape.grid, 0.001)).toBe("3.0 mm below the sheet");
  });
  it("does not count the thread that hangs from the hand itself", () => {
    const holding = { ...hand(0, 0, 0.02), thread: 0, first_vertex: 9, vertex_count: 3 };
    expect(whatIsBelow(holding, frame, scene, 0).what).toBe("table");
  });
  it("stops a hand that is lowered, once", () => {
    const over = below(0, 0, 0.02);
    expect(stopOver(over, 20, 8)).toBeCloseTo(over.height + 0.8, 9);
    expect(stopOver(over, over.height + 0.8, 8)).toBe(8);
    expect(stopOver(over, 20, 15)).toBe(15);
  });
  it("finds the height between two vertices", () => {
    expect(heightInPlan([0.0025, 0, 0], Float32Array.of(0, 0, 0, 0.005, 0, 0.01), 0.001)).toBeCloseTo(0.005, 6);
    expect(heightInPlan([0.0025, 0.002, 0], Float32Array.of(0, 0, 0, 0.005, 0, 0.01), 0.001)).toBeUndefined();
  });
});

describe("the strand that comes next", () => {
  const holding = (y: number, z: number) => ({ ...hand(0, y, z), thread: 1 });
  it("is passed over or under, and how closely", () => {
    const over = whatIsAhead(holding(0.008, 0.015), frame, scene);
    expect(over?.distance).toBeCloseTo(8, 3);
    expect(over?.gap).toBeCloseTo(4.4, 3);
    expect(describeBelow(below(0, 0.008, 0.015), over)).toBe("would pass over a strand · 4.4 mm");
    const under = whatIsAhead(holding(0.008, 0.005), frame, scene);
    expect(describeBelow(below(0, 0.008, 0.005), under)).toBe("would pass under a strand · 4.4 mm");
  });
  it("is none far away, or for a hand without a thread", () => {
    expect(whatIsAhead(holding(0.03, 0.015), frame, scene)).toBeUndefined();
    expect(whatIsAhead(hand(0, 0.008, 0.015), frame, scene)).toBeUndefined();
  });
});
