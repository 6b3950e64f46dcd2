// Colours of the scene, light and dark. Those of the page itself are in style.css.

export type Theme = "light" | "dark";

export interface Palette {
  sky: number;
  ground: number;
  floor: number;
  grid: string;
  shape: number;
  steel: number;
  keyLight: number;
  skyLight: number;
  environment: number;
  hands: [number, number];
}

export const palettes: Record<Theme, Palette> = {
  light: {
    sky: 0xffffff,
    ground: 0xb9c4c4,
    floor: 0xdfe4e6,
    grid: "#8fa3a8",
    shape: 0xe9e3d8,
    steel: 0xb9c0c6,
    keyLight: 2.1,
    skyLight: 1.15,
    environment: 0.45,
    hands: [0x0f7f8c, 0xd0662a],
  },
  dark: {
    sky: 0xb8ccd8,
    ground: 0x22303a,
    floor: 0x2a333b,
    grid: "#53666f",
    shape: 0xb9b2a6,
    steel: 0x9aa4ac,
    keyLight: 2.0,
    skyLight: 0.7,
    environment: 0.35,
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
