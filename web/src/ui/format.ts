// Numbers and names as people read them.

import { MILLI } from "../base/milli";

export function seconds(value: number): string {
  if (value < 60) return `${value.toFixed(2)} s`;
  const minutes = Math.floor(value / 60);
  return `${minutes}:${(value - 60 * minutes).toFixed(1).padStart(4, "0")} min`;
}

export function newtons(value: number): string {
  if (value < 0.0005) return "0 N";
  if (value < 0.1) return `${(MILLI * value).toFixed(value < 0.01 ? 1 : 0)} mN`;
  return `${value.toFixed(value < 10 ? 2 : 1)} N`;
}

/** Labels of an axis: as many digits as tell neighbours apart, whatever their size. */
export function tickLabels(ticks: readonly number[]): string[] {
  const span = Math.max(...ticks) - Math.min(...ticks);
  if (span > 0 && span < 1e-3) return ticks.map((tick) => (tick === 0 ? "0" : tick.toExponential(0)));
  const step = ticks.length > 1 ? span / (ticks.length - 1) : 1;
  let digits = 0;
  while (digits < 4 && ticks.some((tick) => Math.abs(Number(tick.toFixed(digits)) - tick) > 0.01 * step)) digits++;
  return ticks.map((tick) => tick.toFixed(digits));
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  return value < 1e6 ? `${(value / 1000).toFixed(0)} kB` : `${(value / 1e6).toFixed(1)} MB`;
}

/** "scenes/two-threads.json" to "two-threads". */
export function sceneId(name: string): string {
  return name.replace(/^.*\//, "").replace(/\.json$/, "");
}

/** "scenes/two-threads.json" to "Two threads". */
export function sceneLabel(name: string): string {
  const label = sceneId(name).replace(/[-_]/g, " ");
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The force on a hand as a share of a meter: the square root, so that small forces can be seen. */
export function forceShare(force: number, cap: number): number {
  return Math.min(Math.sqrt(Math.max(force, 0) / Math.max(cap, 1e-9)), 1);
}

export interface Throw {
  /** how it lies to the one before: "" for the first, "=" opposite, "x" same */
  link: string;
  wraps: string;
}

/** "2=1xS" into its throws (S: around a straight strand). Anything else gives none. */
export function parseThrows(text: string): Throw[] {
  const throws: Throw[] = [];
  const pattern = /([=x]?)(\d+S?|S)/y;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (!match) return [];
    throws.push({ link: match[1], wraps: match[2] });
  }
  return throws;
}
