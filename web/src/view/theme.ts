// Colours of the scene, light and dark. Those of the page itself are in style.css.

export type Theme = "light" | "dark";

export interface Palette {
  /** behind and beyond everything */
  backdrop: number;
  /** the drape, and how bright it is far from the lamp */
  cloth: number;
  dim: number;
  /** what lies in the opening of the drape, and the band around it */
  board: number;
  hem: number;
  /** under a vessel: a sheet that it stands out from, as microsurgeons use */
  sheet: number;
  sky: number;
  ground: number;
  steel: number;
  keyLight: number;
  fillLight: number;
  skyLight: number;
  environment: number;
  /** a line around threads, which shows what passes over what; and how strong it is */
  halo: number;
  haloStrength: number;
  hands: [number, number];
}

export const palettes: Record<Theme, Palette> = {
  light: {
    backdrop: 0xcbd8da,
    cloth: 0x5f8189,
    dim: 0.74,
    board: 0xa49c93,
    hem: 0x76989f,
    sheet: 0xa3a596,
    sky: 0xffffff,
    ground: 0x9fb0ae,
    steel: 0xc3c9ce,
    keyLight: 2.1,
    fillLight: 0.5,
    skyLight: 0.75,
    environment: 0.6,
    halo: 0x10262c,
    haloStrength: 0.62,
    hands: [0x0f7f8c, 0xd0662a],
  },
  dark: {
    backdrop: 0x0b1418,
    cloth: 0x2b535b,
    dim: 0.2,
    board: 0x6b6259,
    hem: 0x38676f,
    sheet: 0x5d6058,
    sky: 0xc4d4dc,
    ground: 0x1c2a30,
    steel: 0xaab2b8,
    keyLight: 2.2,
    fillLight: 0.6,
    skyLight: 0.35,
    environment: 0.42,
    halo: 0x02080a,
    haloStrength: 0.75,
    hands: [0x35b7c4, 0xf08a4b],
  },
};

/** The colours of tension run from that of the thread over amber to red, by the logarithm of the pull. */
export const TENSION_LOW = 0.02; // N
export const TENSION_HIGH = 10; // N
const AMBER = linearColour(0xf2a91c);
const RED = linearColour(0xd92222);

/** 0xRRGGBB as light counts: 0 to 255, linear, as the colours of points are. */
export function linearColour(colour: number): number[] {
  return [16, 8, 0].map((shift) => {
    const c = ((colour >> shift) & 255) / 255;
    return 255 * (c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
  });
}

/** 0 for a slack thread, 1 for one about to hurt. */
export function tensionShare(tension: number): number {
  if (!(tension > TENSION_LOW)) return 0;
  return Math.min(Math.log(tension / TENSION_LOW) / Math.log(TENSION_HIGH / TENSION_LOW), 1);
}

/** Writes the colour of a pull into `rgb`, for a thread of the given colour; all linear. */
export function tensionColour(tension: number, base: readonly number[], rgb: Uint8Array): void {
  const share = tensionShare(tension);
  const low = share < 0.5 ? base : AMBER;
  const high = share < 0.5 ? AMBER : RED;
  const mix = share < 0.5 ? 2 * share : 2 * share - 1;
  for (let k = 0; k < 3; k++) rgb[k] = low[k] + mix * (high[k] - low[k]);
}
