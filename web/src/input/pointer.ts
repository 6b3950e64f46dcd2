// Mouse and touch on the picture.
//
// Mouse: drag moves the chosen hand in the view plane; with Shift it turns it; another button orbits, a third pans; the
// wheel moves in depth. A press near the other hand chooses that one. A click on the chosen hand, or a double click
// anywhere, closes or opens it.
// Touch: a finger that lands near a hand carries it, one for each hand; a finger elsewhere orbits, two of them zoom.

import { Vector3 } from "three";
import type { CameraRig } from "../view/rig";
import type { Bindings } from "./bindings";
import { inWorld, type HandDriver } from "./drivers";

/** pixels */
const NEAR_MOUSE = 44;
const NEAR_FINGER = 72;
const CLICK_MOVE = 5;
const TURN_PER_PIXEL = 0.008;
const ORBIT_PER_PIXEL = 0.006;
/** mm of depth for one notch of the wheel (100), at a millimetre a pixel and a half */
const DEPTH_PER_WHEEL = 0.12;

export interface PointerHost {
  rig: CameraRig;
  bindings(): Bindings;
  viewHeight(): number;
  activeHand(): HandDriver | undefined;
  /** the hand that is drawn nearest to a place of the picture, and how far away in pixels */
  nearestHand(x: number, y: number): { driver: HandDriver; distance: number } | undefined;
  choose(driver: HandDriver): void;
  /** before a hand is moved: it begins where it is */
  begin(driver: HandDriver): void;
  toggleClosed(driver: HandDriver): void;
}

type Gesture =
  | {
      kind: "hand";
      driver: HandDriver;
      from: Vector3;
      depth: number;
      startX: number;
      startY: number;
      moved: number;
      near: boolean;
      chosen: boolean;
    }
  | { kind: "orbit" | "pan" };

interface Finger {
  x: number;
  y: number;
  gesture: Gesture;
}

export class PointerInput {
  private readonly fingers = new Map<number, Finger>();

  constructor(
    private readonly element: HTMLElement,
    private readonly host: PointerHost,
  ) {
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", (event) => this.fingers.delete(event.pointerId));
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("dblclick", () => {
      const driver = this.host.activeHand();
      if (driver) this.host.toggleClosed(driver);
    });
  }

  /** Hands that a pointer holds now want to go where it is, even when they could not follow at once. */
  insist(): void {
    for (const { gesture } of this.fingers.values()) {
      if (gesture.kind === "hand") gesture.driver.insist();
    }
  }

  private down(event: PointerEvent): void {
    event.preventDefault();
    this.element.focus({ preventScroll: true });
    this.element.setPointerCapture(event.pointerId);
    const [x, y] = this.placeOf(event);
    this.fingers.set(event.pointerId, { x, y, gesture: this.gestureOf(event, x, y) });
  }

  private gestureOf(event: PointerEvent, x: number, y: number): Gesture {
    const { mouse } = this.host.bindings();
    const isTouch = event.pointerType === "touch";
    if (!isTouch && event.button === mouse.orbit) return { kind: event.shiftKey ? "pan" : "orbit" };
    if (!isTouch && event.button === mouse.pan) return { kind: "pan" };
    const nearest = this.host.nearestHand(x, y);
    const near = nearest !== undefined && nearest.distance < (isTouch ? NEAR_FINGER : NEAR_MOUSE);
    if (isTouch && !near) return { kind: "orbit" };
    const before = this.host.activeHand();
    const driver = near && !this.isCarried(nearest.driver) ? nearest.driver : before;
    if (!driver) return { kind: "orbit" };
    this.host.choose(driver);
    this.host.begin(driver);
    return {
      kind: "hand",
      driver,
      from: driver.command.clone(),
      depth: 0,
      startX: x,
      startY: y,
      moved: 0,
      near,
      chosen: driver !== before,
    };
  }

  private isCarried(driver: HandDriver): boolean {
    return [...this.fingers.values()].some(({ gesture }) => gesture.kind === "hand" && gesture.driver === driver);
  }

  private move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [x, y] = this.placeOf(event);
    const dx = x - finger.x,
      dy = y - finger.y;
    const free = [...this.fingers.values()].filter((other) => other.gesture.kind !== "hand");
    if (finger.gesture.kind === "hand") this.moveHand(finger.gesture, event, x, y, dx, dy);
    else if (free.length >= 2) this.pinch(free, finger, x, y, dx, dy);
    else if (finger.gesture.kind === "orbit") this.host.rig.orbit(-ORBIT_PER_PIXEL * dx, ORBIT_PER_PIXEL * dy);
    else this.pan(dx, dy);
    finger.x = x;
    finger.y = y;
  }

  private moveHand(
    gesture: Gesture & { kind: "hand" },
    event: PointerEvent,
    x: number,
    y: number,
    dx: number,
    dy: number,
  ): void {
    gesture.moved = Math.max(gesture.moved, Math.hypot(x - gesture.startX, y - gesture.startY));
    if (gesture.moved < CLICK_MOVE) return;
    const { rig } = this.host;
    const axes = rig.axes();
    if (event.shiftKey) {
      gesture.driver.turn(axes.up, TURN_PER_PIXEL * dx);
      gesture.driver.turn(axes.right, TURN_PER_PIXEL * dy);
      // what the pointer did while turning is no motion
      gesture.startX += dx;
      gesture.startY += dy;
      return;
    }
    const scale = rig.millimetresPerPixel(gesture.from, this.host.viewHeight()) * this.host.bindings().speed;
    const offset = inWorld(axes, scale * (x - gesture.startX), -scale * (y - gesture.startY), gesture.depth);
    gesture.driver.moveTo(offset.add(gesture.from));
  }

  private pinch(free: Finger[], finger: Finger, x: number, y: number, dx: number, dy: number): void {
    const other = free.find((candidate) => candidate !== finger)!;
    const before = Math.hypot(finger.x - other.x, finger.y - other.y);
    const after = Math.hypot(x - other.x, y - other.y);
    if (before > 10 && after > 10) this.host.rig.zoom(before / after);
    this.pan(dx / 2, dy / 2);
  }

  private pan(dx: number, dy: number): void {
    const { rig } = this.host;
    const scale = rig.millimetresPerPixel(rig.target, this.host.viewHeight());
    rig.pan(-scale * dx, scale * dy);
  }

  private up(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    this.fingers.delete(event.pointerId);
    if (finger?.gesture.kind !== "hand") return;
    const { driver, moved, near, chosen } = finger.gesture;
    if (moved < CLICK_MOVE && near && !chosen && event.detail < 2) this.host.toggleClosed(driver);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { rig } = this.host;
    const bindings = this.host.bindings();
    const amount = Math.min(Math.max(event.deltaY || event.deltaX, -300), 300) * (event.deltaMode === 1 ? 30 : 1);
    const isZoom = (bindings.wheel === "zoom") !== (event.ctrlKey || event.metaKey);
    const driver = this.host.activeHand();
    if (isZoom || !driver) {
      rig.zoom(Math.exp(0.0012 * amount));
      return;
    }
    this.host.begin(driver);
    const axes = rig.axes();
    if (event.shiftKey) {
      driver.turn(axes.forward, 0.002 * amount);
      return;
    }
    // turning the wheel towards oneself brings the hand nearer
    const scale = rig.millimetresPerPixel(driver.command, this.host.viewHeight()) * bindings.speed;
    const depth = -DEPTH_PER_WHEEL * amount * scale;
    const carried = [...this.fingers.values()]
      .map((finger) => finger.gesture)
      .find((g) => g.kind === "hand" && g.driver === driver);
    if (carried?.kind === "hand") carried.depth += depth;
    driver.moveTo(driver.wish.clone().addScaledVector(axes.forward, depth));
  }

  private placeOf(event: PointerEvent): [number, number] {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}
