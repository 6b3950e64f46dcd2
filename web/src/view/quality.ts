// How much a picture may cost. "low" is for weak machines and for tests without a graphics card.

export interface Quality {
  name: "high" | "low";
  /** most pixels of the picture for one of the screen */
  pixelRatio: number;
  antialias: boolean;
  shadows: boolean;
  simpleMaterials: boolean;
  /** the axis of a thread is drawn as a smooth curve */
  smooth: boolean;
  tubeSides: number;
}

export const qualities: Record<Quality["name"], Quality> = {
  high: {
    name: "high",
    pixelRatio: 2,
    antialias: true,
    shadows: true,
    simpleMaterials: false,
    smooth: true,
    tubeSides: 14,
  },
  low: {
    name: "low",
    pixelRatio: 0.5,
    antialias: false,
    shadows: false,
    simpleMaterials: true,
    smooth: false,
    tubeSides: 6,
  },
};

export function chooseQuality(wish: string | null): Quality {
  return wish === "low" ? qualities.low : qualities.high;
}
