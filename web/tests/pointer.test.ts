import { Vector3 } from "three";
import { describe, expect, it, vi } from "vitest";
import { defaultBindings } from "../src/input/bindings";
import type { HandDriver } from "../src/input/drivers";
import { PointerInput, type PointerHost } from "../src/input/pointer";
import { CameraRig } from "../src/view/rig";
import { Stage } from "../src/view/stage";

const [width, height] = [1280, 720];

/** A picture from a corner, and a hand in it that a mouse carries. */
function makePicture(hand: Vector3) {
  const rig = new CameraRig();
  rig.resize(width, height);
  rig.show("corner");
  const stage = Object.assign(Object.create(Stage.prototype), { rig, width, height }) as Stage;
  const driver = { command: hand.clone(), moveTo: vi.fn((wish: Vector3) => driver.command.copy(wish)) };
  const listeners: Record<string, (event: object) => void> = {};
  const element = {
    addEventListener: (name: string, listener: (event: object) => void) => (listeners[name] = listener),
    focus: vi.fn(),
    setPointerCapture: vi.fn(),
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
  };
  const bindings = defaultBindings();
  const host = {
    rig,
    bindings: () => bindings,
    viewHeight: () => height,
    activeHand: () => driver as unknown as HandDriver,
    nearestHand: () => undefined,
    choose: vi.fn(),
    grab: vi.fn(),
    onPlane: (x: number, y: number, z: number) => stage.onPlane(x, y, z),
    toScreen: (point: Vector3) => stage.toScreen(point),
  };
  new PointerInput(element as unknown as HTMLElement, host as unknown as PointerHost);
  const say = (name: string, x: number, y: number) =>
    listeners[name]({ pointerId: 1, pointerType: "mouse", button: 0, clientX: x, clientY: y, preventDefault: vi.fn() });
  const drag = (x: number, y: number, dx: number, dy: number) => {
    say("pointerdown", x, y);
    say("pointermove", x + dx, y + dy);
    say("pointerup", x + dx, y + dy);
  };
  return { stage, driver, drag, say, rig };
}

describe("a hand that the mouse carries along the table", () => {
  // at the hand itself, and at other places where a pixel covers less or more of the table
  for (const pressed of ["hand", [640, 360], [300, 600], [900, 200]] as const) {
    it(`goes in the picture as far as the pointer that was pressed at ${String(pressed)}`, () => {
      const { stage, driver, drag } = makePicture(new Vector3(-30, 6, 45));
      const before = stage.toScreen(driver.command);
      const [x, y] = pressed === "hand" ? [before.x, before.y] : pressed;
      drag(x, y, 180, 60);
      const after = stage.toScreen(driver.command);
      expect(after.x - before.x).toBeCloseTo(180, 6);
      expect(after.y - before.y).toBeCloseTo(60, 6);
      expect(driver.command.z).toBeCloseTo(45, 9);
    });
  }

  it("goes as what is under the pointer when it is not in the picture itself", () => {
    const { driver, drag } = makePicture(new Vector3(0, -4000, 45)); // behind the camera
    drag(640, 360, 50, 0);
    expect(driver.command.distanceTo(new Vector3(0, -4000, 45))).toBeGreaterThan(1);
  });

  it("never jumps on a way that leads over the horizon and back", () => {
    const { driver, say, rig } = makePicture(new Vector3(0, 60, 10));
    rig.orbit(0, 0.36 - rig.elevation); // low over the table: the horizon is in the picture
    say("pointerdown", 640, 600); // far below the hand, where the table goes on for long
    const places = [];
    for (let up = 10; up <= 560; up += 10) {
      say("pointermove", 640, 600 - up);
      places.push(driver.command.clone());
    }
    for (const [k, place] of places.entries()) {
      if (k > 0) expect(place.y, `after ${10 * (k + 1)} px`).toBeGreaterThanOrEqual(places[k - 1].y - 1e-9);
    }
    expect(places.at(-1)!.distanceTo(places.at(-2)!)).toBe(0); // it waits at the horizon
    say("pointermove", 640, 590);
    expect(driver.command.distanceTo(places[0])).toBeLessThan(1e-9);
  });
});
