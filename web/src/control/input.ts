// Keys, gamepad, mouse and fingers: what they do to hands, camera and simulation.

import type { Vector3 } from "three";
import { stopOver, whatIsBelow } from "../input/below";
import { isOverTable, type ActionId, type Bindings } from "../input/bindings";
import { HandDrivers, stateOf, type HandDriver, type ToolName } from "../input/drivers";
import { PadFeel, PadReader, rumble, type PadMotion } from "../input/gamepad";
import { isStill, Keyboard } from "../input/keyboard";
import { PointerInput } from "../input/pointer";
import type { Simulation } from "../net/simulation";
import { forceShare } from "../ui/format";
import { forceOf } from "../ui/hands";
import { placeNow } from "../ui/place";
import type { PresetName } from "../view/rig";
import type { ViewAxes } from "../view/rig";
import type { SessionController } from "./session";
import type { ViewController } from "./view";
import type { WristHelp } from "./wrist";

/** heights of the picture that a hand crosses in a second by keys or stick */
const HAND_SPEED = 0.3;
const SLOW_SHARE = 0.25;
const TURN_SPEED = 1.6; // rad/s
const JAW_SPEED = 0.8; // openings/s
const DRIVE_SPEED = 8; // mm/s of a needle along its arc
const ORBIT_SPEED = 1.4; // rad/s
const ZOOM_SPEED = 1.2;
const RUMBLE_PAUSE = 100; // ms
/** share of a second's way that one press of the buttons near and far makes; ms after which one that is held goes on, and
    how fast */
const NUDGE = 0.08;
const HOLD_PAUSE = 250;
const HOLD_SHARE = 0.5;

const viewOrder: PresetName[] = ["front", "top", "side", "corner"];

export class InputController {
  readonly keyboard: Keyboard;
  readonly pointer: PointerInput;
  /** takes the next button of the gamepad instead of acting on it: for changing the bindings */
  captureButton: ((button: number) => void) | undefined;
  private readonly pad = new PadReader();
  private readonly padFeel = new PadFeel();
  private lastRumble = 0;
  /** hands that keys or sticks moved in the last turn */
  private moving = new Set<number>();
  private begun = new Set<number>();
  /** hands whose button for lifting or lowering is held, and since when, ms */
  private readonly heldDepth = new Map<number, { way: number; since: number }>();
  private shownPreset = 0;

  constructor(
    private readonly simulation: Simulation,
    private readonly drivers: HandDrivers,
    private readonly view: ViewController,
    private readonly session: SessionController,
    private readonly wrist: WristHelp,
    private readonly bindings: () => Bindings,
  ) {
    this.keyboard = new Keyboard(
      bindings,
      (action) => this.press(action),
      (isRedo) => void (placeNow() === "lab" && (isRedo ? session.redo() : session.undo())),
    );
    this.pointer = new PointerInput(view.shell.canvas, this.pointerHost());
  }

  /** What is held moves on: the camera by seconds of the person's clock, hands by those of the world. */
  move(seconds: number, worldSeconds: number, now: number): void {
    const before = this.moving;
    this.moving = new Set();
    this.begun = before;
    this.moveByKeys(seconds, worldSeconds);
    this.moveByButtons(worldSeconds, now);
    this.moveByPad(seconds, worldSeconds, now);
    this.pointer.insist();
  }

  toggleClosed(place: number): void {
    this.drivers.hands[place]?.toggleClosed(stateOf(this.simulation.frame, place));
  }

  /** The wrist lines up with the needle, or the needle with the wound. */
  lineUp(place: number): void {
    this.drivers.choose(place);
    const trouble = this.wrist.lineUp(place);
    if (trouble) this.simulation.notice({ kind: "info", text: trouble });
  }

  takeTool(place: number, tool: ToolName): void {
    this.drivers.choose(place);
    this.drivers.hands[place]?.takeTool(tool);
    this.view.changed();
  }

  toggleLock(place: number): void {
    const driver = this.drivers.hands[place];
    if (driver) driver.isLocked = !driver.isLocked;
    this.view.changed();
  }

  /** A button of a card is pressed: the hand goes a little at once, and on while it is held. */
  holdDepth(place: number, way: -1 | 0 | 1): void {
    this.drivers.choose(place);
    if (way === 0) this.heldDepth.delete(place);
    else this.heldDepth.set(place, { way, since: performance.now() });
    if (way !== 0) this.moveHand(place, [0, 0, way], NUDGE);
  }

  private moveByButtons(worldSeconds: number, now: number): void {
    for (const [place, { way, since }] of this.heldDepth) {
      this.moving.add(place); // one motion, from the press on
      if (now - since > HOLD_PAUSE) this.moveHand(place, [0, 0, way * HOLD_SHARE], worldSeconds);
    }
  }

  /** Hands go along these axes. */
  private handAxes(): ViewAxes {
    const { rig } = this.view.stage;
    return rig.handAxes(isOverTable(this.bindings(), rig.elevation));
  }

  /** Moves a hand right, up and forward, at these shares of its speed, for s of the world; a motion that begins does so
      where the hand is. */
  private moveHand(place: number, shares: readonly number[], worldSeconds: number): void {
    const { frame } = this.simulation;
    if (!this.begun.has(place)) this.drivers.hands[place]?.grab(stateOf(frame, place));
    this.moving.add(place);
    const way = scaled(shares, worldSeconds * this.handSpeed());
    if (worldSeconds > 0) this.drivers.move(place, this.handAxes(), ...way, frame, worldSeconds);
  }

  private press(action: ActionId): void {
    const { drivers, view } = this;
    const [group, name] = action.split(".");
    // a task is begun and ended by its own buttons
    if (placeNow() !== "lab" && group === "run" && name !== "pause") return;
    const place = group === "left" ? drivers.sides[0] : group === "right" ? drivers.sides[1] : drivers.active;
    if (name === "close") return this.toggleClosed(place);
    if (name === "lock") return this.toggleLock(place);
    if (group === "tool") return this.takeTool(place, name as ToolName);
    if (group === "camera" && viewOrder.includes(name as PresetName)) return view.stage.rig.show(name as PresetName);
    const orders: Record<string, () => void> = {
      "active.left": () => drivers.choose(drivers.sides[0]),
      "active.right": () => drivers.choose(drivers.sides[1]),
      "active.swap": () => drivers.choose((drivers.active + 1) % Math.max(drivers.hands.length, 1)),
      "active.lineUp": () => this.lineUp(drivers.active),
      "camera.scope": () => view.lookThroughScope(),
      "view.stereo": () => view.toggle("stereo"),
      "view.tension": () => view.toggle("tension"),
      "view.charts": () => view.toggle("charts"),
      "view.wire": () => view.toggle("wire"),
      "view.help": () => view.panels.help.toggle(),
      "run.pause": () => void view.transport.togglePause(),
      "run.step": () => void view.transport.oneStep(),
      "run.slow": () => void view.transport.toggleSlow(),
      "run.undo": () => void this.session.undo(),
      "run.reset": () => void this.session.reset(),
      "run.record": () => void view.transport.toggleRecord(),
      "run.keep": () => void view.transport.keepPast(),
    };
    orders[action]?.();
    view.changed();
  }

  /** mm/s of a hand at full speed: by what the picture shows, so that it is the same on screen at every zoom. */
  private handSpeed(): number {
    const { rig, viewHeight } = this.view.stage;
    return HAND_SPEED * viewHeight * rig.millimetresPerPixel(rig.target, viewHeight) * this.bindings().speed;
  }

  private orbit(seconds: number, azimuth: number, elevation: number): void {
    const angle = ORBIT_SPEED * seconds;
    if (azimuth || elevation) this.view.stage.rig.orbit(angle * azimuth, angle * elevation);
  }

  private moveByKeys(seconds: number, worldSeconds: number): void {
    const motion = this.keyboard.motion();
    if (isStill(motion)) return;
    const { rig } = this.view.stage;
    const share = motion.slow ? SLOW_SHARE : 1;
    const axes = rig.axes();
    const { frame } = this.simulation;
    motion.hands.forEach((move, side) => {
      const place = this.drivers.sides[side];
      if (move.every((value) => value === 0)) return;
      const [x, y, z] = scaled(move, share);
      const turn = scaled([x, -y, z], TURN_SPEED * worldSeconds);
      if (motion.turns) this.drivers.turn(place, axes, ...turn, frame, worldSeconds);
      else this.moveHand(place, [x, y, z], worldSeconds);
    });
    const { active, hands } = this.drivers;
    const span = share * worldSeconds;
    if (motion.jaws) hands[active]?.openBy(JAW_SPEED * span * motion.jaws, stateOf(frame, active));
    if (motion.drive && hands[active]) this.wrist.drive(hands[active], DRIVE_SPEED * span * motion.drive, worldSeconds);
    const [azimuth, elevation, zoom] = motion.camera;
    this.orbit(seconds, azimuth, elevation);
    if (zoom) rig.zoom(Math.exp(ZOOM_SPEED * seconds * zoom));
  }

  private moveByPad(seconds: number, worldSeconds: number, now: number): void {
    const pad = navigator.getGamepads?.().find((candidate) => candidate?.connected);
    if (!pad) return;
    if (this.captureButton) {
      const pressed = pad.buttons.findIndex((candidate) => candidate.pressed);
      if (pressed < 0) return;
      const take = this.captureButton;
      this.captureButton = undefined;
      return take(pressed);
    }
    const motion = this.pad.read(pad, this.bindings());
    for (const side of [0, 1]) this.moveHandByPad(motion, side, worldSeconds);
    this.orbit(seconds, ...motion.camera);
    for (const role of motion.pressed) {
      if (role === "pause") void this.view.transport.togglePause();
      else if (role === "view") this.view.stage.rig.show(viewOrder[++this.shownPreset % viewOrder.length]);
      else this.toggleLock(this.drivers.sides[role === "lockLeft" ? 0 : 1]);
    }
    this.rumbleBy(pad, now);
  }

  private moveHandByPad(motion: PadMotion, side: number, worldSeconds: number): void {
    const axes = this.view.stage.rig.axes();
    const { frame } = this.simulation;
    const place = this.drivers.sides[side];
    const move = motion.hands[side],
      turn = motion.turns[side],
      close = motion.close[side],
      pull = motion.pull[side];
    const angles = scaled(turn, TURN_SPEED * worldSeconds);
    if (move.some((value) => value !== 0)) this.moveHand(place, move, worldSeconds);
    if (turn.some((value) => value !== 0)) this.drivers.turn(place, axes, ...angles, frame, worldSeconds);
    const hasJaws = Boolean(stateOf(frame, place)?.has_jaws);
    if (hasJaws && pull !== undefined) this.drivers.hands[place]?.setOpening(1 - pull);
    if (!hasJaws && close !== undefined) this.drivers.hands[place]?.setClosed(close);
  }

  private rumbleBy(pad: Gamepad, now: number): void {
    const { frame, scene } = this.simulation;
    if (!this.bindings().rumble || !frame || !scene || now - this.lastRumble < RUMBLE_PAUSE) return;
    this.lastRumble = now;
    const share = (place: number) => {
      const state = stateOf(frame, place);
      return state?.known ? forceShare(forceOf(state), scene.hands[place].force_cap) : 0;
    };
    const [left, right] = this.drivers.sides;
    const felt = this.padFeel.feel([share(left), share(right)]);
    if (felt) rumble(pad, felt);
  }

  private pointerHost() {
    const { drivers, view } = this;
    return {
      rig: view.stage.rig,
      bindings: this.bindings,
      viewHeight: () => view.stage.viewHeight,
      activeHand: () => drivers.hands[drivers.active],
      nearestHand: (x: number, y: number) => this.nearestHand(x, y),
      choose: (driver: HandDriver) => drivers.choose(driver.place),
      grab: (driver: HandDriver) => driver.grab(stateOf(this.simulation.frame, driver.place)),
      onPlane: (x: number, y: number, height: number) => view.stage.onPlane(x, y, height),
      toScreen: (point: Vector3) => view.stage.toScreen(point),
      stopAt: (driver: HandDriver, height: number) => this.stopAt(driver, height),
      toggleClosed: (driver: HandDriver) => this.toggleClosed(driver.place),
      drive: (driver: HandDriver, along: number) => this.wrist.drive(driver, along),
    };
  }

  /** A hand that is lowered stops over a strand below it, once, and jaws at the skin; a blade goes on into tissue. */
  private stopAt(driver: HandDriver, height: number): number {
    const { frame, scene } = this.simulation;
    const state = stateOf(frame, driver.place);
    if (!state || !frame || !scene) return height;
    const reach = this.wrist.reachDown(driver.place);
    const below = whatIsBelow(state, frame, scene, this.view.stage.floorHeight, reach);
    const stops = below.what === "thread" || (below.what === "tissue" && state.has_jaws !== 0);
    return stops ? stopOver(below, driver.wish.z, height, reach) : height;
  }

  private nearestHand(x: number, y: number): { driver: HandDriver; distance: number } | undefined {
    let nearest: { driver: HandDriver; distance: number } | undefined;
    for (const driver of this.drivers.hands) {
      const state = stateOf(this.simulation.frame, driver.place);
      if (!state) continue;
      const at = this.view.screenOf(state);
      const distance = Math.hypot(at.x - x, at.y - y);
      if (!nearest || distance < nearest.distance) nearest = { driver, distance };
    }
    return nearest;
  }
}

function scaled(values: readonly number[], factor: number): [number, number, number] {
  return [values[0] * factor, values[1] * factor, values[2] * factor];
}
