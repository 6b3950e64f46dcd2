// What a person chose on this page. Kept in the browser.

import { readBindings, type Bindings } from "../input/bindings";
import { readWish, type QualityWish } from "../view/quality";
import type { Theme } from "../view/theme";

export interface Settings {
  /** "" follows the system */
  theme: Theme | "";
  stereo: boolean;
  tension: boolean;
  charts: boolean;
  wire: boolean;
  sound: boolean;
  /** how fine pictures are; "auto": as the machine can */
  quality: QualityWish;
  /** worlds in which the page still says how hands are moved */
  hints: number;
  bindings: Bindings;
}

const KEY = "catgut.settings";
const HINTS = 6;
export const switches = ["stereo", "tension", "charts", "wire", "sound"] as const;

export type Switch = (typeof switches)[number];

/** Reads what was kept, and trusts none of it. */
export function readSettings(text: string | null): Settings {
  const settings: Settings = {
    theme: "",
    stereo: false,
    tension: true,
    charts: false,
    wire: false,
    sound: false,
    quality: "auto",
    hints: HINTS,
    bindings: readBindings(null),
  };
  try {
    const kept = JSON.parse(text ?? "{}") as Record<string, unknown>;
    for (const name of switches) {
      if (typeof kept[name] === "boolean") settings[name] = kept[name];
    }
    if (kept.theme === "light" || kept.theme === "dark") settings.theme = kept.theme;
    settings.quality = readWish(kept.quality);
    if (Number.isInteger(kept.hints)) settings.hints = Math.min(Math.max(kept.hints as number, 0), HINTS);
    settings.bindings = readBindings(JSON.stringify(kept.bindings ?? {}));
  } catch {
    // what cannot be read is as good as nothing
  }
  return settings;
}

/** What a person chose, or what the system has. */
export function themeOf({ theme }: Settings): Theme {
  return theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

export function loadSettings(): Settings {
  return readSettings(storage()?.getItem(KEY) ?? null);
}

export function saveSettings(settings: Settings): void {
  storage()?.setItem(KEY, JSON.stringify(settings));
}

/** Absent where the browser forbids it. */
export function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
