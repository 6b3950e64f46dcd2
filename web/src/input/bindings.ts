// Which key, button and wheel does what. The list is shown on the page, can be changed there, and is kept in the browser.

import { TOOLS } from "../base/protocol.generated";

export type ActionKind = "hold" | "press";

interface ActionSpec {
  group: string;
  label: string;
  kind: ActionKind;
  key: string;
}

const hand = (side: "Left" | "Right", keys: readonly string[]) => {
  const labels = ["move left", "move right", "move up", "move down", "lift, nearer", "lower, farther", "close or open", "lock"];
  const names = ["moveLeft", "moveRight", "moveUp", "moveDown", "nearer", "farther", "close", "lock"];
  return Object.fromEntries(
    names.map((name, place): [string, ActionSpec] => [
      `${side.toLowerCase()}.${name}`,
      { group: `${side} hand`, label: labels[place], kind: place < 6 ? "hold" : "press", key: keys[place] },
    ]),
  );
};

const press = (group: string, label: string, key: string): ActionSpec => ({ group, label, kind: "press", key });
const hold = (group: string, label: string, key: string): ActionSpec => ({ group, label, kind: "hold", key });

/** A tool as people call it. */
export const spokenTool = (name: string): string => name.replaceAll("_", " ");

/** Every action, in the order in which the page shows them. Keys are named by their place (KeyboardEvent.code). */
export const actions: Record<string, ActionSpec> = {
  ...hand("Left", ["KeyA", "KeyD", "KeyW", "KeyS", "KeyQ", "KeyE", "KeyF", "KeyZ"]),
  ...hand("Right", ["KeyJ", "KeyL", "KeyI", "KeyK", "KeyU", "KeyO", "KeyH", "KeyM"]),
  "active.close": press("Chosen hand", "close or open", "Space"),
  "active.lock": press("Chosen hand", "lock", "KeyB"),
  "active.left": press("Chosen hand", "choose left", "Digit1"),
  "active.right": press("Chosen hand", "choose right", "Digit2"),
  "active.swap": press("Chosen hand", "choose the other", "KeyX"),
  ...Object.fromEntries(TOOLS.map(({ name, key }) => [`tool.${name}`, press("Chosen hand", `take the ${spokenTool(name)}`, key)])),
  "active.narrower": hold("Chosen hand", "close jaws slowly", "BracketLeft"),
  "active.wider": hold("Chosen hand", "open jaws slowly", "BracketRight"),
  "active.lineUp": press("Chosen hand", "line up with the needle, or the needle with the wound", "Backslash"),
  "active.drive": hold("Chosen hand", "drive the needle along its arc", "Quote"),
  "active.driveBack": hold("Chosen hand", "drive it back", "Semicolon"),
  "camera.left": hold("Camera", "orbit left", "ArrowLeft"),
  "camera.right": hold("Camera", "orbit right", "ArrowRight"),
  "camera.up": hold("Camera", "orbit up", "ArrowUp"),
  "camera.down": hold("Camera", "orbit down", "ArrowDown"),
  "camera.in": hold("Camera", "zoom in", "Equal"),
  "camera.out": hold("Camera", "zoom out", "Minus"),
  "camera.front": press("Camera", "front", "Digit3"),
  "camera.top": press("Camera", "top", "Digit4"),
  "camera.side": press("Camera", "side", "Digit5"),
  "camera.corner": press("Camera", "corner", "Digit6"),
  "camera.scope": press("Camera", "through the laparoscope", "Backquote"),
  "view.stereo": press("View", "stereo", "KeyV"),
  "view.tension": press("View", "colours of tension", "KeyT"),
  "view.charts": press("View", "charts", "KeyC"),
  "view.wire": press("View", "wireframe of tissue", "KeyY"),
  "view.help": press("View", "help", "F1"),
  "run.pause": press("Simulation", "pause or go on", "KeyP"),
  "run.step": press("Simulation", "one step", "KeyN"),
  "run.slow": press("Simulation", "slow motion", "KeyG"),
  "run.undo": press("Simulation", "undo", "Backspace"),
  "run.reset": press("Simulation", "start anew (can be undone)", "Delete"),
  "run.record": press("Simulation", "record", "KeyR"),
  "run.keep": press("Simulation", "keep what just happened", "F2"),
};

export type ActionId = string;

export const padRoles = {
  closeLeft: { label: "close left hand", button: 6 },
  closeRight: { label: "close right hand", button: 7 },
  depthLeft: { label: "left stick moves in depth", button: 4 },
  depthRight: { label: "right stick moves in depth", button: 5 },
  turn: { label: "sticks turn the hands", button: 1 },
  lockLeft: { label: "lock left hand", button: 10 },
  lockRight: { label: "lock right hand", button: 11 },
  pause: { label: "pause or go on", button: 9 },
  view: { label: "next view", button: 3 },
  orbitUp: { label: "orbit up", button: 12 },
  orbitDown: { label: "orbit down", button: 13 },
  orbitLeft: { label: "orbit left", button: 14 },
  orbitRight: { label: "orbit right", button: 15 },
} as const;

export type PadRole = keyof typeof padRoles;

export interface Bindings {
  keys: Record<ActionId, string>;
  pad: Record<PadRole, number>;
  /** mouse buttons: 0 left, 1 middle, 2 right */
  mouse: { move: number; orbit: number; pan: number };
  /** what the wheel does by itself; with Ctrl it does the other */
  wheel: "depth" | "zoom";
  /** seen from above, hands move along the table and are lifted and lowered; otherwise always in the picture */
  overTable: boolean;
  /** the mouse begins with the left hand, and buttons for touch change sides */
  leftHanded: boolean;
  /** 0.2 to 3: how far hands go for the same motion */
  speed: number;
  rumble: boolean;
}

export function defaultBindings(): Bindings {
  return {
    keys: Object.fromEntries(Object.entries(actions).map(([id, spec]) => [id, spec.key])),
    pad: Object.fromEntries(Object.entries(padRoles).map(([role, spec]) => [role, spec.button])) as Bindings["pad"],
    mouse: { move: 0, orbit: 2, pan: 1 },
    wheel: "depth",
    overTable: true,
    leftHanded: false,
    speed: 1,
    rumble: true,
  };
}

/** rad: from here on one looks from above */
const FROM_ABOVE = 0.35;

/** Whether hands move along the table, seen at this elevation of the camera, rad. */
export function isOverTable(bindings: Bindings, elevation: number): boolean {
  return bindings.overTable && elevation >= FROM_ABOVE;
}

/** Gives a key to an action. Another action that had it gets the old key of this one, so that none is without. */
export function bindKey(bindings: Bindings, action: ActionId, key: string): void {
  const old = bindings.keys[action];
  for (const [other, itsKey] of Object.entries(bindings.keys)) {
    if (itsKey === key && other !== action) bindings.keys[other] = old;
  }
  bindings.keys[action] = key;
}

/** Gives a button of the gamepad to a role, as bindKey does. */
export function bindPad(bindings: Bindings, role: PadRole, button: number): void {
  const old = bindings.pad[role];
  for (const other of Object.keys(bindings.pad) as PadRole[]) {
    if (bindings.pad[other] === button && other !== role) bindings.pad[other] = old;
  }
  bindings.pad[role] = button;
}

/** The action of a key, if it has one. */
export function actionOf(bindings: Bindings, key: string): ActionId | undefined {
  return Object.keys(bindings.keys).find((action) => bindings.keys[action] === key);
}

/** Reads what was kept; whatever is not right there is left as it is by default. */
export function readBindings(text: string | null): Bindings {
  const bindings = defaultBindings();
  let kept: Partial<Record<keyof Bindings, unknown>>;
  try {
    kept = JSON.parse(text ?? "{}") as typeof kept;
  } catch {
    return bindings;
  }
  if (typeof kept !== "object" || kept === null) return bindings;
  const keys = (kept.keys ?? {}) as Record<string, unknown>;
  for (const action of Object.keys(actions)) {
    const key = isFromBeforeUndo(keys, action) ? undefined : keys[action];
    if (typeof key === "string" && key.length > 0 && key.length < 32) bindKey(bindings, action, key);
  }
  const pad = (kept.pad ?? {}) as Record<string, unknown>;
  for (const role of Object.keys(padRoles) as PadRole[]) {
    if (isWithin(pad[role], 0, 31)) bindPad(bindings, role, Math.floor(pad[role] as number));
  }
  const mouse = (kept.mouse ?? {}) as Record<string, unknown>;
  const buttons = [mouse.move, mouse.orbit, mouse.pan];
  if ([0, 1, 2].every((button) => buttons.includes(button))) bindings.mouse = mouse as Bindings["mouse"];
  if (kept.wheel === "depth" || kept.wheel === "zoom") bindings.wheel = kept.wheel;
  if (typeof kept.overTable === "boolean") bindings.overTable = kept.overTable;
  if (typeof kept.leftHanded === "boolean") bindings.leftHanded = kept.leftHanded;
  if (typeof kept.rumble === "boolean") bindings.rumble = kept.rumble;
  if (isWithin(kept.speed, 0.2, 3)) bindings.speed = kept.speed as number;
  return bindings;
}

/** Before there was undo its key started the scene anew, and pages kept that though nobody had chosen it. */
function isFromBeforeUndo(keys: Record<string, unknown>, action: ActionId): boolean {
  return action === "run.reset" && keys["run.reset"] === "Backspace" && keys["run.undo"] === undefined;
}

function isWithin(value: unknown, low: number, high: number): boolean {
  return typeof value === "number" && value >= low && value <= high;
}

/** What a button says of itself, with the key that does the same. */
export function titleWithKey(title: string, bindings: Bindings, action: ActionId): string {
  return `${title} (${keyLabel(bindings.keys[action])})`;
}

/** A key as people call it. */
export function keyLabel(code: string): string {
  const special: Record<string, string> = {
    Space: "Space",
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
    Equal: "+",
    Minus: "−",
    Backspace: "⌫",
    Delete: "Del",
    Semicolon: ";",
    Quote: "'",
    Comma: ",",
    Period: ".",
    Slash: "/",
    BracketLeft: "[",
    BracketRight: "]",
    Backslash: "\\",
    Backquote: "`",
  };
  return special[code] ?? code.replace(/^(Key|Digit|Numpad)/, "");
}
