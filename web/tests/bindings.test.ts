import { describe, expect, it } from "vitest";
import { actionOf, actions, bindKey, bindPad, defaultBindings, keyLabel, readBindings, titleWithKey } from "../src/input/bindings";
import { isStill, motionOf } from "../src/input/keyboard";

describe("bindings", () => {
  it("gives every action a key of its own", () => {
    const keys = Object.values(actions).map((spec) => spec.key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const [id, spec] of Object.entries(actions)) expect(actionOf(defaultBindings(), spec.key)).toBe(id);
  });

  it("swaps keys, so that none is lost and none does two things", () => {
    const bindings = defaultBindings();
    bindKey(bindings, "left.moveUp", "Space");
    expect(actionOf(bindings, "Space")).toBe("left.moveUp");
    expect(actionOf(bindings, "KeyW")).toBe("active.close");
    bindPad(bindings, "turn", 6);
    expect(bindings.pad.turn).toBe(6);
    expect(bindings.pad.closeLeft).toBe(1);
  });

  it("reads back what it kept", () => {
    const bindings = defaultBindings();
    bindKey(bindings, "run.pause", "F9");
    bindings.leftHanded = true;
    bindings.speed = 2;
    expect(readBindings(JSON.stringify(bindings))).toEqual(bindings);
  });

  it("takes undo's key from starting anew, which had it before there was undo", () => {
    const { "run.undo": _none, ...others } = defaultBindings().keys;
    const old = { ...defaultBindings(), keys: { ...others, "run.reset": "Backspace", "left.moveUp": "F9" } };
    const bindings = readBindings(JSON.stringify(old));
    expect(["Backspace", "Delete", "F9"].map((key) => actionOf(bindings, key))).toEqual(["run.undo", "run.reset", "left.moveUp"]);
    expect(titleWithKey("Undo", bindings, "run.undo")).toBe("Undo (⌫)");
  });

  it("leaves starting anew where a person put it", () => {
    const bindings = defaultBindings();
    bindKey(bindings, "run.reset", "Backspace");
    expect(readBindings(JSON.stringify(bindings))).toEqual(bindings);
    expect(titleWithKey("Undo", bindings, "run.undo")).toBe("Undo (Del)");
  });

  it.each([
    null,
    "",
    "no json",
    "[]",
    "null",
    '{"keys":5,"pad":{"turn":-1},"speed":1e9,"mouse":{"move":0,"orbit":0}}',
    '{"keys":{"left.close":7}}',
  ])("takes nothing from what is not right: %s", (text) => {
    expect(readBindings(text)).toEqual(defaultBindings());
  });

  it("names keys as people do", () => {
    expect(["KeyW", "Digit4", "ArrowLeft", "F1"].map(keyLabel)).toEqual(["W", "4", "←", "F1"]);
  });
});

describe("held keys", () => {
  it("move both hands at once; opposite keys cancel", () => {
    const motion = motionOf(new Set(["KeyD", "KeyW", "KeyQ", "KeyJ", "KeyI", "KeyK"]), defaultBindings(), false, false);
    expect(motion.hands).toEqual([
      [1, 1, -1],
      [-1, 0, 0],
    ]);
    expect(isStill(motion)).toBe(false);
    expect(motionOf(new Set(["BracketLeft"]), defaultBindings(), false, false).jaws).toBe(-1);
    expect(isStill(motionOf(new Set(["BracketRight"]), defaultBindings(), false, false))).toBe(false);
    expect(isStill(motionOf(new Set(["KeyA", "KeyD"]), defaultBindings(), false, false))).toBe(true);
  });
});
