// Keys that are held move hands and camera; keys that are pressed give orders.

import { actionOf, actions, type ActionId, type Bindings } from "./bindings";

export interface KeyMotion {
  /** per hand: right, up, forward; each -1, 0 or 1 */
  hands: [Axes, Axes];
  /** azimuth, elevation, zoom; each -1, 0 or 1 */
  camera: Axes;
  /** of the chosen hand: -1 closes them, 1 opens them, 0 */
  jaws: number;
  /** of its needle: 1 point first, -1 back, 0 */
  drive: number;
  turns: boolean;
  slow: boolean;
}

type Axes = [number, number, number];

/** What the held keys mean. */
export function motionOf(held: ReadonlySet<string>, bindings: Bindings, turns: boolean, slow: boolean): KeyMotion {
  const on = (action: ActionId) => (held.has(bindings.keys[action]) ? 1 : 0);
  const pair = (more: ActionId, less: ActionId) => on(more) - on(less);
  const hand = (side: string): Axes => [
    pair(`${side}.moveRight`, `${side}.moveLeft`),
    pair(`${side}.moveUp`, `${side}.moveDown`),
    pair(`${side}.farther`, `${side}.nearer`),
  ];
  return {
    hands: [hand("left"), hand("right")],
    camera: [pair("camera.right", "camera.left"), pair("camera.up", "camera.down"), pair("camera.out", "camera.in")],
    jaws: pair("active.wider", "active.narrower"),
    drive: pair("active.drive", "active.driveBack"),
    turns,
    slow,
  };
}

export function isStill(motion: KeyMotion): boolean {
  return motion.jaws === 0 && motion.drive === 0 && [...motion.hands, motion.camera].every((axes) => axes.every((value) => value === 0));
}

/** Listens to the window. Keys that are typed into a field, or that work a button, are left to it. */
export class Keyboard {
  private readonly held = new Set<string>();
  private shift = false;
  private alt = false;
  /** takes the next key instead of acting on it: for changing the bindings */
  capture: ((code: string) => void) | undefined;
  /** false: keys belong to another page */
  isOn = true;

  constructor(
    private readonly bindings: () => Bindings,
    private readonly onPress: (action: ActionId) => void,
    private readonly onUndo: (isRedo: boolean) => void,
  ) {
    window.addEventListener("keydown", (event) => this.down(event));
    window.addEventListener("keyup", (event) => this.up(event));
    window.addEventListener("blur", () => this.held.clear());
  }

  setOn(isOn: boolean): void {
    this.isOn = isOn;
    this.held.clear();
  }

  motion(): KeyMotion {
    return motionOf(this.held, this.bindings(), this.shift, this.alt);
  }

  private down(event: KeyboardEvent): void {
    if (!this.isOn) return;
    this.shift = event.shiftKey;
    this.alt = event.altKey;
    if (this.capture) {
      event.preventDefault();
      const capture = this.capture;
      this.capture = undefined;
      capture(event.code);
      return;
    }
    if (event.ctrlKey || event.metaKey) return this.withControl(event);
    if (belongsToPage(event)) return;
    const action = actionOf(this.bindings(), event.code);
    if (!action) return;
    event.preventDefault();
    if (actions[action].kind === "hold") {
      this.held.add(event.code);
    } else if (!event.repeat) {
      this.onPress(action);
    }
  }

  /** Undo and redo as everywhere else; by what the keys say, not by where they are. */
  private withControl(event: KeyboardEvent): void {
    const key = event.key.toLowerCase();
    if (isTyping(event) || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    this.onUndo(key === "y" || event.shiftKey);
  }

  private up(event: KeyboardEvent): void {
    this.shift = event.shiftKey;
    this.alt = event.altKey;
    this.held.delete(event.code);
  }
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLInputElement | null;
  const tag = target?.tagName;
  return tag === "TEXTAREA" || (tag === "INPUT" && (target!.type === "text" || target!.type === "search"));
}

/** Keys that work what has the focus. */
const WORKS_LIST = /^(Arrow|Page|Home|End|Space|Enter|Escape|Tab)/;
const WORKS_BUTTON = /^(Space|Enter|Escape|Tab)/;

/** A text field wants all keys, a list and a slider their arrows, a button Space and Enter, and all of them Tab. The
    others are for the hands, wherever the focus is; but an open dialog keeps all. */
function belongsToPage(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  const tag = target?.tagName ?? "";
  if (isTyping(event) || (target?.closest("dialog") && event.code !== "F1")) return true;
  if (tag === "INPUT" || tag === "SELECT") return WORKS_LIST.test(event.code);
  return (tag === "BUTTON" || tag === "A" || tag === "SUMMARY") && WORKS_BUTTON.test(event.code);
}
