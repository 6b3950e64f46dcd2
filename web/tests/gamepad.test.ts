import { describe, expect, it } from "vitest";
import { defaultBindings } from "../src/input/bindings";
import { PadFeel, PadReader, shapeStick, type PadSnapshot } from "../src/input/gamepad";

function pad(axes: number[], pressed: Record<number, number> = {}): PadSnapshot {
  return {
    axes,
    buttons: Array.from({ length: 17 }, (_, i) => ({ pressed: (pressed[i] ?? 0) > 0.5, value: pressed[i] ?? 0 })),
  };
}

describe("gamepad", () => {
  it("rests in the dead zone and reaches one at the rim, in every direction", () => {
    expect(shapeStick(0.1, -0.05)).toEqual([0, 0]);
    for (let a = 0; a < 6.3; a += 0.3) {
      const [x, y] = shapeStick(Math.cos(a), Math.sin(a));
      expect(x).toBeCloseTo(Math.cos(a), 9);
      expect(y).toBeCloseTo(Math.sin(a), 9);
    }
    expect(Math.hypot(...shapeStick(0.5, 0))).toBeLessThan(0.25);
  });

  it("moves each hand by its own stick, up being up", () => {
    const motion = new PadReader().read(pad([1, 0, 0, -1]), defaultBindings());
    expect(motion.hands[0][0]).toBeCloseTo(1);
    expect(motion.hands[0][1]).toBeCloseTo(0);
    expect(motion.hands[1][1]).toBeCloseTo(1);
  });

  it("moves in depth with the shoulder, turns with the turn button", () => {
    const reader = new PadReader();
    expect(reader.read(pad([0, -1, 0, 0], { 4: 1 }), defaultBindings()).hands[0]).toEqual([0, 0, 1]);
    const motion = reader.read(pad([1, 0, 0, 0], { 1: 1 }), defaultBindings());
    expect(motion.turns[0][0]).toBe(1);
    expect(motion.hands[0]).toEqual([0, 0, 0]);
  });

  it("closes once when a trigger is pulled and opens once when it is let go", () => {
    const reader = new PadReader();
    const closes = [0, 0.3, 0.6, 1, 0.5, 0.3, 0].map(
      (value) => reader.read(pad([0, 0, 0, 0], { 6: value }), defaultBindings()).close[0],
    );
    expect(closes).toEqual([undefined, undefined, true, undefined, undefined, false, undefined]);
  });

  it("says how far a trigger is pulled, once, from end to end", () => {
    const reader = new PadReader();
    const pulls = [0.02, 0.02, 0.5, 0.5, 0.502, 0.98, 1, 0.03].map(
      (value) => reader.read(pad([0, 0, 0, 0], { 7: value }), defaultBindings()).pull[1],
    );
    expect(pulls).toEqual([undefined, undefined, 0.5, undefined, undefined, 1, undefined, 0]);
  });

  it("tells a button once", () => {
    const reader = new PadReader();
    const told = [1, 1, 0, 1].map(
      (value) => reader.read(pad([0, 0, 0, 0], { 9: value }), defaultBindings()).pressed.length,
    );
    expect(told).toEqual([1, 0, 0, 1]);
    expect(reader.read(pad([0, 0, 0, 0]), defaultBindings()).pressed).toEqual([]);
  });

  it("does not mind a gamepad with fewer axes and buttons", () => {
    expect(new PadReader().read({ axes: [], buttons: [] }, defaultBindings()).hands).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it("rumbles softly for a force that lasts, and once for a blow", () => {
    const feel = new PadFeel();
    expect(feel.feel([0, 0])).toBeUndefined();
    const hit = feel.feel([0.6, 0])!;
    const rest = [1, 2, 3, 4, 5, 6, 7, 8].map(() => feel.feel([0.6, 0])!);
    expect(hit[0]).toBeCloseTo(0.9);
    expect(hit[1]).toBe(0);
    expect(rest[0][0]).toBeLessThan(hit[0]);
    expect(rest[7][0]).toBeCloseTo(0.3, 2);
    const lost = feel.feel([0, 0])!; // what was held slipped out
    expect(lost[0]).toBeCloseTo(0.6, 1);
  });

  it("rumbles for no slow change of a small force", () => {
    const feel = new PadFeel();
    const felt = Array.from({ length: 10 }, (_, i) => feel.feel([0, 0.009 * i]));
    expect(felt.every((each) => each === undefined)).toBe(true);
  });
});
