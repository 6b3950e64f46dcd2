// What pages of training are given: the server's word, the person, and ways to go elsewhere.

import type { Result, Training } from "./data";
import type { Route } from "./route";

/** What is shown while a task is done; each can be switched off. */
export interface Guidance {
  /** the expert's tools go ahead and wait */
  ghost: boolean;
  /** targets, lines and dishes are drawn */
  marks: boolean;
  /** the next step is said in words */
  steps: boolean;
}

export interface PageContext {
  training: Training;
  trainee: string;
  guidance: Guidance;
  setTrainee(name: string): void;
  saveGuidance(): void;
  go(route: Route): void;
  /** starts an attempt; `script` empty: the person does it */
  begin(task: string, script: string): void;
  /** shows the recording of an attempt in a place of the page; `onTime` is told where it stands, s */
  replay(place: HTMLElement, result: Result, onTime: (time: number, isPlaying: boolean) => void): Promise<Replay>;
}

export interface Replay {
  seek(time: number): void;
  /** plays on from a moment, wherever it stands now */
  playFrom(time: number): void;
  toggle(): void;
  end(): void;
}

/** A page that was made: its element, and what is to be done when it goes. */
export interface Made {
  title: string;
  element: HTMLElement;
  leave?(): void;
  /** looks again at what may have changed on the server, such as an edited task file */
  refresh?(): void;
}

/** Reads what was kept, and trusts none of it. */
export function readGuidance(text: string | null): Guidance {
  const guidance: Guidance = { ghost: false, marks: true, steps: true };
  try {
    const kept = JSON.parse(text ?? "{}") as Record<string, unknown>;
    for (const name of ["ghost", "marks", "steps"] as const) {
      if (typeof kept[name] === "boolean") guidance[name] = kept[name];
    }
  } catch {
    // what cannot be read is as good as nothing
  }
  return guidance;
}
