// How much a picture may cost. "high" is for graphics cards, "low" for weak machines and for those that have none. Unless
// a person fixed it, the page begins with what the machine promises and goes down when the pictures take too long.

export type QualityName = "high" | "low";
export type QualityWish = QualityName | "auto";

export interface Quality {
  name: QualityName;
  /** most pixels of the picture for one of the screen */
  pixelRatio: number;
  antialias: boolean;
  shadows: boolean;
  simpleMaterials: boolean;
  /** the axis of a thread is drawn as a smooth curve, a coarse surface with more triangles */
  smooth: boolean;
  tubeSides: number;
  /** points around a rod of an instrument */
  rodSides: number;
  /** rings and sectors of the cloth on the table */
  cloth: [number, number];
}

export const qualities: Record<QualityName, Quality> = {
  high: {
    name: "high",
    pixelRatio: 2,
    antialias: true,
    shadows: true,
    simpleMaterials: false,
    smooth: true,
    tubeSides: 14,
    rodSides: 20,
    cloth: [56, 120],
  },
  low: {
    name: "low",
    pixelRatio: 0.66,
    antialias: false,
    shadows: false,
    simpleMaterials: true,
    smooth: false,
    tubeSides: 6,
    rodSides: 8,
    cloth: [22, 40],
  },
};

/** What one asked for, in words from outside. */
export function readWish(word: unknown): QualityWish {
  return word === "low" || word === "high" ? word : "auto";
}

export function chooseQuality(wish: QualityWish, isSoftware: boolean): Quality {
  return qualities[wish === "auto" ? (isSoftware ? "low" : "high") : wish];
}

/** Names under which the processor draws instead of a graphics card. */
export function isSoftwareName(renderer: string): boolean {
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
}

/** Whether pictures are drawn by the processor. Not every browser refuses to be slow: the name is asked for as well. */
export function drawsInSoftware(): boolean {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (!context) return true;
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return isSoftwareName(name);
}

/** ms between pictures: a hand that is steered with fewer than 30 a second lags behind the mouse */
const TOO_LONG = 34;
/** the first pictures of a scene are slow on any machine: programs are compiled and buffers filled */
const UNCOUNTED = 3;
const LEAST_PICTURES = 12;
const LEAST_TIME = 800; // ms
/** ms: the page was hidden, or the machine slept */
const NOT_A_PICTURE = 2500;

/** Looks at the time between pictures that follow each other at once, and says when they take too long. */
export class FrameJudge {
  private readonly times: number[] = [];
  private uncounted = UNCOUNTED;
  private total = 0;

  /** ms from one picture to the next turn of the page. True when the setting is too costly for this machine. */
  isTooSlow(time: number): boolean {
    if (!(time >= 0 && time < NOT_A_PICTURE)) return false;
    if (this.uncounted > 0) {
      this.uncounted--;
      return false;
    }
    this.times.push(time);
    this.total += time;
    if (this.times.length < LEAST_PICTURES || this.total < LEAST_TIME) return false;
    const sorted = this.times.slice().sort((a, b) => a - b);
    this.reset(0);
    return sorted[sorted.length >> 1] > TOO_LONG;
  }

  /** Begins anew, as after another scene. */
  reset(uncounted = UNCOUNTED): void {
    this.uncounted = uncounted;
    this.times.length = this.total = 0;
  }
}
