// Mouse and touch on the picture.
//
// Mouse: drag moves the chosen hand, seen from above along the table under the pointer, otherwise in the view plane; with
// Shift it turns it, with Ctrl it drives the needle that it holds along its arc; another button orbits, a third pans;
// the wheel lifts and lowers, or moves in depth. A press near the other hand chooses that one. A double click on a hand
// closes or opens it: a press that moves or turns the wheel, and a single click, never do.
// Touch: a finger that lands near a hand carries it, one for each hand. While it does, another finger anywhere lifts and
// lowers that hand by sliding up and down. Without a hand one finger orbits, and two of them zoom.

import { Vector3 } from "three";
import type { CameraRig } from "../view/rig";
import { isOverTable, type Bindings } from "./bindings";
import { inWorld, type HandDriver } from "./drivers";

/** pixels */
const NEAR_MOUSE = 44;
const NEAR_FINGER = 72;
const CLICK_MOVE = 5;
/** ms: turns of the wheel that follow sooner belong together */
const WHEEL_PAUSE = 400;
/** ms between two taps that close or open a hand */
const TAP_PAUSE = 350;
const TURN_PER_PIXEL = 0.008;
const ORBIT_PER_PIXEL = 0.006;
/** pixels that a finger slides on before a hand that stopped over a strand goes below it */
const STRAND_PIXELS = 24;
/** mm of depth for one notch of the wheel (100), at a millimetre a pixel and a half */
const DEPTH_PER_WHEEL = 0.12;

/** pixels from the top left corner of the picture */
interface Place {
  x: number;
  y: number;
}

export interface PointerHost {
  rig: CameraRig;
  bindings(): Bindings;
  viewHeight(): number;
  activeHand(): HandDriver | undefined;
  /** the hand that is drawn nearest to a place of the picture, and how far away in pixels */
  nearestHand(x: number, y: number): { driver: HandDriver; distance: number } | undefined;
  choose(driver: HandDriver): void;
  /** before a hand is moved: it begins where it is */
  grab(driver: HandDriver): void;
  /** the point at a height, mm, that is drawn at a place of the picture; undefined when it is nowhere near */
  onPlane(x: number, y: number, height: number): Vector3 | undefined;
  /** where a point, mm, is drawn in the picture */
  toScreen(point: Vector3): Place;
  /** a height that a hand is lowered to, after what it stops at on its way there: mm */
  stopAt(driver: HandDriver, height: number): number;
  toggleClosed(driver: HandDriver): void;
  /** drives the needle that a hand holds by mm along its arc */
  drive(driver: HandDriver, along: number): void;
}

interface CarryGesture {
  kind: "hand";
  driver: HandDriver;
  from: Vector3;
  depth: number;
  startX: number;
  startY: number;
  /** what the pointer's pixels are measured at for the whole of this motion; undefined: not yet decided */
  anchor: Anchor | undefined;
  moved: number;
  near: boolean;
}

type Anchor = "hand" | "pointer";

type Gesture =
  | CarryGesture
  | { kind: "lift"; driver: HandDriver; /** pixels that are left until it goes below a strand */ held: number }
  | { kind: "orbit" | "pan" };

interface Finger {
  x: number;
  y: number;
  gesture: Gesture;
}

export class PointerInput {
  private readonly fingers = new Map<number, Finger>();
  private lastWheel = 0;
  private lastTap = 0;

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
    element.addEventListener("dblclick", (event) => this.doubleClick(event));
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
    const before = this.host.activeHand();
    const lifted = isTouch && before && this.isCarried(before) ? before : undefined;
    if (lifted && (!near || this.isCarried(nearest.driver))) return { kind: "lift", driver: lifted, held: 0 };
    if (isTouch && !near) return { kind: "orbit" };
    const driver = near && !this.isCarried(nearest.driver) ? nearest.driver : before;
    if (!driver) return { kind: "orbit" };
    this.host.choose(driver);
    this.host.grab(driver);
    return {
      kind: "hand",
      driver,
      from: driver.command.clone(),
      depth: 0,
      startX: x,
      startY: y,
      anchor: undefined,
      moved: 0,
      near,
    };
  }

  private isCarried(driver: HandDriver): boolean {
    return this.carrying(driver) !== undefined;
  }

  /** The gesture that carries a hand now. */
  private carrying(driver: HandDriver): CarryGesture | undefined {
    const gestures = [...this.fingers.values()].map(({ gesture }) => gesture);
    return gestures.find((each): each is CarryGesture => each.kind === "hand" && each.driver === driver);
  }

  /** A second finger slides by so many pixels down. A hand that comes to a strand stays over it for a while. */
  private slide(gesture: Gesture & { kind: "lift" }, dy: number): void {
    const { driver } = gesture;
    if (dy > 0 && gesture.held > 0) {
      gesture.held -= dy;
      return;
    }
    gesture.held = 0;
    const scale = this.host.rig.millimetresPerPixel(driver.command, this.host.viewHeight());
    const wanted = dy * scale * this.host.bindings().speed;
    const depth = this.depthOf(driver, wanted);
    if (this.isOverTable() && depth < wanted) gesture.held = STRAND_PIXELS;
    this.deepen(driver, depth);
  }

  private move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [x, y] = this.placeOf(event);
    const dx = x - finger.x,
      dy = y - finger.y;
    const free = [...this.fingers.values()].filter(({ gesture }) => gesture.kind === "orbit" || gesture.kind === "pan");
    if (finger.gesture.kind === "hand") this.moveHand(finger.gesture, event, x, y, dx, dy);
    else if (finger.gesture.kind === "lift") this.slide(finger.gesture, dy);
    else if (free.length >= 2) this.pinch(free, finger, x, y, dx, dy);
    else if (finger.gesture.kind === "orbit") this.host.rig.orbit(-ORBIT_PER_PIXEL * dx, ORBIT_PER_PIXEL * dy);
    else this.pan(dx, dy);
    finger.x = x;
    finger.y = y;
  }

  private moveHand(
    gesture: CarryGesture,
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
    const drives = event.ctrlKey || event.metaKey;
    if (drives) {
      const scale = rig.millimetresPerPixel(gesture.driver.command, this.host.viewHeight());
      this.host.drive(gesture.driver, dx * scale * this.host.bindings().speed);
    } else if (event.shiftKey) {
      gesture.driver.turn(axes.up, TURN_PER_PIXEL * dx);
      gesture.driver.turn(axes.right, TURN_PER_PIXEL * dy);
    }
    if (drives || event.shiftKey) {
      // what the pointer did while turning is no motion, and one that follows begins where the hand is then
      gesture.startX = x;
      gesture.startY = y;
      gesture.anchor = undefined;
      gesture.depth = 0;
      gesture.from.copy(gesture.driver.command);
      return;
    }
    const wish = this.carriedTo(gesture, x, y);
    if (wish) gesture.driver.moveTo(wish);
  }

  /** Where a hand goes that is carried to a place of the picture. */
  private carriedTo(gesture: CarryGesture, x: number, y: number): Vector3 | undefined {
    const { rig } = this.host;
    const bindings = this.host.bindings();
    const { from, startX, startY, depth } = gesture;
    if (isOverTable(bindings, rig.elevation) && !rig.isInScope) {
      const way = this.alongTable(gesture, x - startX, y - startY);
      const wish = way?.multiplyScalar(bindings.speed).add(from);
      return wish?.setZ(wish.z - depth);
    }
    const scale = rig.millimetresPerPixel(from, this.host.viewHeight()) * bindings.speed;
    return inWorld(rig.axes(), scale * (x - startX), -scale * (y - startY), depth).add(from);
  }

  /** How far a hand goes along the table for pixels of the pointer: as many in the picture, since where the pointer is a
      pixel may cover another way. A hand that is not in the picture goes as what is under the pointer. One of the two
      for the whole motion: changed on the way the hand would jump. Undefined: beyond the horizon, where it waits. */
  private alongTable(gesture: CarryGesture, dx: number, dy: number): Vector3 | undefined {
    const { host } = this;
    const { from, startX, startY } = gesture;
    const placeOf = (anchor: Anchor) => (anchor === "hand" ? host.toScreen(from) : { x: startX, y: startY });
    const onTable = ({ x, y }: Place) => host.onPlane(x, y, from.z);
    gesture.anchor ??= (["hand", "pointer"] as const).find((each) => onTable(placeOf(each)));
    if (!gesture.anchor) return undefined;
    const { x, y } = placeOf(gesture.anchor);
    const start = onTable({ x, y }),
      end = onTable({ x: x + dx, y: y + dy });
    return start && end?.sub(start);
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
    const { driver, moved, near } = finger.gesture;
    if (event.pointerType !== "touch" || moved >= CLICK_MOVE || !near) return;
    // a finger has no double click of its own here
    if (event.timeStamp - this.lastTap < TAP_PAUSE) this.host.toggleClosed(driver);
    this.lastTap = event.timeStamp;
  }

  private doubleClick(event: MouseEvent): void {
    const box = this.element.getBoundingClientRect();
    const nearest = this.host.nearestHand(event.clientX - box.left, event.clientY - box.top);
    if (event.button === 0 && nearest && nearest.distance < NEAR_MOUSE) this.host.toggleClosed(nearest.driver);
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
    if (!this.isCarried(driver) && event.timeStamp - this.lastWheel > WHEEL_PAUSE) this.host.grab(driver);
    this.lastWheel = event.timeStamp;
    if (event.shiftKey) {
      driver.turn(rig.handAxes(this.isOverTable()).forward, 0.002 * amount);
      return;
    }
    const scale = rig.millimetresPerPixel(driver.command, this.host.viewHeight());
    this.deepen(driver, this.depthOf(driver, DEPTH_PER_WHEEL * amount * scale * bindings.speed));
  }

  /** Moves a hand forward, mm, also one that a pointer carries. */
  private deepen(driver: HandDriver, depth: number): void {
    const carried = this.carrying(driver);
    if (carried) {
      carried.depth += depth;
      carried.moved = Infinity; // a press that lifts is no click
    }
    const { forward } = this.host.rig.handAxes(this.isOverTable());
    driver.moveTo(driver.wish.clone().addScaledVector(forward, depth));
  }

  private isOverTable(): boolean {
    return isOverTable(this.host.bindings(), this.host.rig.elevation);
  }

  /** mm forward for so many mm of a wheel or a finger towards oneself. Over the table forward is down, up to a strand;
      elsewhere what goes up pushes the hand away. */
  private depthOf(driver: HandDriver, towards: number): number {
    if (!this.isOverTable()) return -towards;
    return towards < 0 ? towards : driver.wish.z - this.host.stopAt(driver, driver.wish.z - towards);
  }

  private placeOf(event: PointerEvent): [number, number] {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}
