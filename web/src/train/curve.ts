// A learning curve: points over attempts, with the share that passes and the expert's line.

import { h } from "../ui/dom";
import type { Curve } from "./data";
import { percent, svg } from "./parts";

const WIDTH = 560;
const HEIGHT = 170;
const LEFT = 48;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 24;
/** attempts that have a dot of their own */
const MOST_DOTS = 60;

/** Places of attempts in the drawing. One alone stands in the middle. */
export function places(shares: number[]): { x: number; y: number }[] {
  const last = Math.max(shares.length - 1, 1);
  const span = WIDTH - LEFT - RIGHT;
  return shares.map((share, i) => ({
    x: shares.length === 1 ? LEFT + span / 2 : LEFT + (i / last) * span,
    y: heightOf(share),
  }));
}

function heightOf(share: number): number {
  return TOP + (1 - Math.min(Math.max(share, 0), 1)) * (HEIGHT - TOP - BOTTOM);
}

export function drawCurve(curve: Curve): HTMLElement {
  const shares = curve.attempts.map(([, , share]) => share);
  const at = places(shares);
  const level = (share: number, name: string) =>
    svg("line", { class: name, x1: LEFT, x2: WIDTH - RIGHT, y1: heightOf(share), y2: heightOf(share) });
  const label = (share: number) =>
    svg("text", { class: "axis", x: LEFT - 8, y: heightOf(share) + 4, "text-anchor": "end" }, percent(share));
  const passes = curve.attempts.map(([, , , , passed]) => passed);
  const dots = at.length <= MOST_DOTS ? at : at.slice(-1);
  const shown = passes.slice(passes.length - dots.length);
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": describeCurve(curve) },
    level(0, "grid"),
    level(0.5, "grid"),
    level(1, "grid"),
    label(0),
    label(0.5),
    label(1),
    level(curve.pass, "needed"),
    ...(curve.expert ? [level(curve.expert.share, "expert")] : []),
    svg("polyline", { class: "curve", points: at.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ") }),
    ...dots.map(({ x, y }, i) => svg("circle", { class: shown[i] ? "dot passed" : "dot", cx: x.toFixed(1), cy: y.toFixed(1), r: 4 })),
    svg("text", { class: "axis", x: LEFT, y: HEIGHT - 6 }, "1st attempt"),
    svg("text", { class: "axis", x: WIDTH - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, `${shares.length} in all`),
  );
  return h("div", { class: "learning" }, drawing);
}

export function describeCurve(curve: Curve): string {
  const shares = curve.attempts.map(([, , share]) => share);
  const passed = curve.attempts.filter(([, , , , isPassed]) => isPassed).length;
  const expert = curve.expert ? `; expert ${percent(curve.expert.share)}` : "";
  return `${curve.title}: ${shares.length} attempts, ${passed} passed, first ${percent(shares[0] ?? 0)}, best ${percent(Math.max(0, ...shares))}, last ${percent(shares.at(-1) ?? 0)}${expert}`;
}
