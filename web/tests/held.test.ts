// What is held down moves hands in the time of the world, not in that of the person's clock.

import { Quaternion, Vector3 } from "three";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WorldClock } from "../src/base/worldClock";
import { InputController } from "../src/control/input";
import type { SessionController } from "../src/control/session";
import type { ViewController } from "../src/control/view";
import type { WristHelp } from "../src/control/wrist";
import { defaultBindings } from "../src/input/bindings";
import { HandDrivers } from "../src/input/drivers";
import type { Simulation } from "../src/net/simulation";
import { CameraRig } from "../src/view/rig";
import { frameOf, handAt } from "./frames";

type Listener = (event: object) => void;

/** Two hands with jaws before a front view, a keyboard and a gamepad. */
function makeDesk() {
  const listeners: Record<string, Listener> = {};
  const pad = {
    connected: true,
    axes: [0, 0, 0, 0],
    buttons: Array.from({ length: 17 }, () => ({ pressed: false, value: 0 })),
  };
  vi.stubGlobal("window", { addEventListener: (name: string, listener: Listener) => (listeners[name] = listener) });
  vi.stubGlobal("navigator", { getGamepads: () => [pad] });
  const rig = new CameraRig();
  rig.resize(1280, 720);
  rig.show("front");
  const hands = [0, 1].map((hand) => handAt([0.02 * hand, 0, 0.03], { hand, has_jaws: 1, opening: 0.5 }));
  const frame = { ...frameOf(0), hands };
  const canvas = { addEventListener: vi.fn() };
  const view = { stage: { rig, viewHeight: 720 }, shell: { canvas }, changed: vi.fn() };
  const drivers = new HandDrivers();
  drivers.build([{ name: "left" }, { name: "right" }], false);
  const wrist = { drive: vi.fn() };
  const input = new InputController(
    { frame } as unknown as Simulation,
    drivers,
    view as unknown as ViewController,
    {} as SessionController,
    wrist as unknown as WristHelp,
    defaultBindings,
  );
  const key = (name: "keydown" | "keyup", code: string, more: object = {}) =>
    listeners[name]({ code, key: code, target: null, preventDefault: vi.fn(), ...more });
  /** What is sent for a hand after one turn of the page. */
  const turn = (seconds: number, worldSeconds: number, place: number) => {
    input.move(seconds, worldSeconds, 0);
    const space = { centre: new Vector3(), floor: -50 };
    return drivers.hands[place].collect(hands[place], space, 0.02);
  };
  return { pad, rig, key, turn, wrist, input };
}

/** mm/s of a hand by keys: 0.3 heights of the picture */
const speedIn = (rig: CameraRig) => 0.3 * 720 * rig.millimetresPerPixel(rig.target, 720);

/** A motion that is sent, mm from x = 20. */
function motionIn(operations: object[]) {
  const sent = operations.find((each) => "position" in each) as
    | { position: number[]; rotation: number[]; time: number }
    | undefined;
  return sent && { x: 1000 * sent.position[0] - 20, turned: new Quaternion().fromArray(sent.rotation), time: sent.time };
}

afterEach(() => vi.unstubAllGlobals());

describe("a held key", () => {
  it("moves a hand as far as the world went on, and no farther on a slow machine", () => {
    const { key, turn, rig } = makeDesk();
    key("keydown", "KeyL");
    // pictures take a second, the world made 10 ms in it; then 200 ms
    const slow = motionIn(turn(1, 0.01, 1))!;
    expect(slow.x).toBeCloseTo(0.01 * speedIn(rig), 9);
    const more = motionIn(turn(1, 0.2, 1))!;
    expect(more.x - slow.x).toBeCloseTo(0.2 * speedIn(rig), 9);
  });

  it("moves it evenly: a motion of a long gap takes as long, one of a short gap as long as any command", () => {
    const { key, turn } = makeDesk();
    key("keydown", "KeyL");
    expect(motionIn(turn(0.02, 0.2, 1))!.time).toBe(0.2);
    expect(motionIn(turn(0.02, 0.004, 1))!.time).toBe(0.02);
  });

  it("moves nothing while the world stands still", () => {
    const { key, turn, pad } = makeDesk();
    key("keydown", "KeyL");
    pad.axes = [0, 0, 1, 0];
    expect(turn(0.5, 0, 1)).toEqual([]);
    key("keydown", "BracketRight", { shiftKey: true });
    expect(turn(0.5, 0, 1).filter((each) => "position" in each)).toEqual([]);
  });

  it("turns a hand, opens jaws and drives a needle in the time of the world", () => {
    const { key, turn, wrist } = makeDesk();
    key("keydown", "KeyL", { shiftKey: true });
    const { turned, time } = motionIn(turn(1, 0.1, 1))!;
    expect(turned.angleTo(new Quaternion())).toBeCloseTo(1.6 * 0.1, 6);
    expect(time).toBe(0.1);
    key("keyup", "KeyL");
    key("keydown", "BracketRight");
    const opened = turn(1, 0.1, 1).find((each) => each.type === "set_jaws");
    expect(opened).toMatchObject({ opening: 0.5 + 0.8 * 0.1 });
    key("keyup", "BracketRight");
    key("keydown", "Quote");
    turn(1, 0.1, 1);
    expect(wrist.drive).toHaveBeenLastCalledWith(expect.anything(), 8 * 0.1, 0.1);
  });

  it("looks around by the person's clock, also while the world stands still", () => {
    const { key, turn, rig } = makeDesk();
    const { azimuth } = rig;
    key("keydown", "ArrowRight");
    turn(0.05, 0, 1);
    expect(Math.abs(rig.azimuth - azimuth)).toBeCloseTo(1.4 * 0.05, 9);
  });
});

describe("a stick and a button that are held", () => {
  it("move a hand as far as the world went on", () => {
    const { pad, turn, rig } = makeDesk();
    pad.axes = [0, 0, 1, 0];
    const { x, time } = motionIn(turn(1, 0.1, 1))!;
    expect(x).toBeCloseTo(0.1 * speedIn(rig), 9);
    expect(time).toBe(0.1);
  });

  it("lower it as far as the world went on", () => {
    const { input, turn, rig } = makeDesk();
    vi.stubGlobal("performance", { now: () => -1000 });
    input.holdDepth(1, 1);
    turn(1, 0, 1); // the press itself
    const before = input["drivers"].hands[1].command.clone();
    turn(1, 0, 1);
    expect(input["drivers"].hands[1].command.distanceTo(before)).toBe(0);
    turn(1, 0.1, 1);
    expect(input["drivers"].hands[1].command.distanceTo(before)).toBeCloseTo(0.5 * 0.1 * speedIn(rig), 9);
  });
});

describe("the time of the world", () => {
  it("goes on with frames, never back, and not from one world into another", () => {
    const clock = new WorldClock();
    const look = (time: number, generation = 1) => clock.look({ time, generation });
    expect(look(5)).toBe(0);
    expect(look(5.25)).toBe(0.25);
    expect(look(5.25)).toBe(0); // the same frame again
    expect(look(2)).toBe(0); // undone
    expect(look(2.5)).toBe(0.5);
    expect(look(9, 2)).toBe(0);
    expect(clock.look(undefined)).toBe(0);
    expect(look(10, 2)).toBe(0);
  });
});
