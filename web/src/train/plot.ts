// The plot under a replay: force on the hands and speed of the tips over time, with a flag where points were lost. It is
// the slider of the replay too.

import { h } from "../ui/dom";
import type { Plot, Result } from "./data";
import { lostLines, measureLabel } from "./data";
import { svg } from "./parts";

const WIDTH = 1000;
const HEIGHT = 120;

export interface Flag {
  /** s */
  at: number;
  label: string;
}

/** Where points were lost, at moments that are known. */
export function flagsOf(result: Result): Flag[] {
  return lostLines(result)
    .filter(({ at }) => at >= 0)
    .map(({ at, measure }) => ({ at, label: measureLabel(measure) }));
}

/** Corners of a line over time; `high` is drawn at the top. */
export function corners(times: number[], values: number[], duration: number, high: number): string {
  const x = (time: number) => (duration > 0 ? (time / duration) * WIDTH : 0);
  const y = (value: number) => HEIGHT - 6 - (high > 0 ? value / high : 0) * (HEIGHT - 14);
  return times.map((time, i) => `${x(time).toFixed(1)},${y(values[i]).toFixed(1)}`).join(" ");
}

export class ReplayPlot {
  readonly element: HTMLElement;
  private readonly cursor: SVGElement;
  private readonly slider: HTMLInputElement;
  private isDragging = false;

  constructor(
    plot: Plot,
    private readonly duration: number,
    flags: Flag[],
    onSeek: (time: number) => void,
  ) {
    const high = Math.max(0, ...plot.force);
    const fast = Math.max(0, ...plot.speed);
    const x = (time: number) => (duration > 0 ? (time / duration) * WIDTH : 0);
    this.cursor = svg("line", { class: "cursor", x1: 0, x2: 0, y1: 0, y2: HEIGHT });
    const drawing = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("polygon", { class: "speed", points: `0,${HEIGHT} ${corners(plot.time, plot.speed, duration, fast)} ${WIDTH},${HEIGHT}` }),
      svg("polyline", { class: "force", points: corners(plot.time, plot.force, duration, high) }),
      ...flags.map(({ at }) => svg("line", { class: "flag", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT })),
      this.cursor,
    );
    this.slider = h("input", {
      type: "range",
      min: "0",
      max: String(duration),
      step: "0.016",
      value: "0",
      "aria-label": "Moment of the attempt",
      onInput: () => {
        const time = Number(this.slider.value);
        this.isDragging = true;
        this.place(time);
        onSeek(time);
      },
      onChange: () => (this.isDragging = false),
    });
    this.element = h(
      "div",
      { class: "replay-plot" },
      h("div", { class: "plot-area" }, drawing, this.slider),
      h(
        "p",
        { class: "keys" },
        h("span", { style: "--key: var(--right)" }, `force on a hand, up to ${high.toFixed(2)} N`),
        h("span", { style: "--key: var(--speed)" }, `speed of the tips, up to ${(100 * fast).toFixed(0)} cm/s`),
        flags.length > 0 && h("span", { style: "--key: var(--bad)" }, "points lost"),
      ),
    );
  }

  setTime(time: number): void {
    if (this.isDragging) return;
    this.slider.value = String(time);
    this.place(time);
  }

  private place(time: number): void {
    const x = this.duration > 0 ? (Math.min(time, this.duration) / this.duration) * WIDTH : 0;
    this.cursor.setAttribute("x1", String(x));
    this.cursor.setAttribute("x2", String(x));
  }
}
