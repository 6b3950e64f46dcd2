// Live charts: force on the hands, what a step costs stage by stage, and how fast the simulation runs.

import type uPlot from "uplot";
import { sidesOf } from "../base/sides";
import { MILLI } from "../base/units";
import type { FrameMessage } from "../base/protocol.generated";
import { h, setText } from "./dom";
import { newtons, tickLabels } from "./format";
import { forceOf } from "./hands";
import { Series } from "./series";

const SPAN = 12; // s
const HEIGHT = 118;
/** ms between two drawings */
const PAUSE = 120;

/** As in docs/architecture.md. */
const stages = [
  "begin",
  "predict",
  "find",
  "assemble",
  "factor",
  "solve",
  "limit",
  "move",
  "tissue",
  "finish",
  "follow",
];
const stageColours = [
  "#94a3b8",
  "#c08a6b",
  "#3b82f6",
  "#22c1a4",
  "#84b816",
  "#eab308",
  "#f97316",
  "#e5484d",
  "#8c5a3c",
  "#a855f7",
  "#ec4899",
];

interface Chart {
  element: HTMLElement;
  value: HTMLElement;
  series: Series;
  plot: uPlot | undefined;
  options: (style: CSSStyleDeclaration) => Partial<uPlot.Options> & { series: uPlot.Series[] };
  isStacked: boolean;
}

export class Charts {
  readonly element: HTMLElement;
  private readonly force: Chart;
  private readonly cost: Chart;
  private readonly speed: Chart;
  private lastDrawn = 0;
  private library: typeof uPlot | undefined;
  private isLoading = false;

  constructor() {
    this.force = makeChart(
      "Force on the hands",
      2,
      false,
      (style) => ({
        series: [{}, line(style.getPropertyValue("--left")), line(style.getPropertyValue("--right"))],
      }),
      keys(["left", "right"], ["var(--left)", "var(--right)"]),
    );
    this.cost = makeChart(
      "Step, by stage",
      stages.length,
      true,
      () => ({
        // drawn from the highest sum down, so that each area shows its own part
        series: [{}, ...stages.map((_, k) => area(stageColours[stages.length - 1 - k]))],
      }),
      keys(stages, stageColours),
    );
    this.speed = makeChart("Real-time factor", 1, false, (style) => ({
      series: [{}, line(style.getPropertyValue("--accent"))],
      scales: { x: { time: false }, y: { range: (_, __, high) => [0, Math.max(1.2, high * 1.1)] } },
    }));
    this.element = h(
      "aside",
      { class: "charts card", "aria-label": "Charts", tabIndex: 0 },
      this.force.element,
      this.cost.element,
      this.speed.element,
    );
  }

  get all(): Chart[] {
    return [this.force, this.cost, this.speed];
  }

  clear(): void {
    for (const chart of this.all) chart.series.clear();
  }

  /** Colours come from the page, so a new theme needs new plots. */
  restyle(): void {
    for (const chart of this.all) {
      chart.plot?.destroy();
      chart.plot = undefined;
    }
    this.lastDrawn = 0;
  }

  /** `infos`: the hands of the scene. */
  add(frame: FrameMessage, infos: readonly { name: string }[]): void {
    const forces = sidesOf(infos).map((place) => {
      const state = frame.hands.find(({ hand }) => hand === place);
      return state?.known ? forceOf(state) : 0;
    });
    this.force.series.add(frame.time, forces);
    this.cost.series.add(
      frame.time,
      Array.from(frame.stage_seconds, (value) => MILLI * value),
    );
    this.speed.series.add(frame.time, [frame.real_time]);
    setText(this.force.value, newtons(Math.max(...forces)));
    setText(this.cost.value, `${(MILLI * frame.step_seconds).toFixed(2)} ms`);
    setText(this.speed.value, `${frame.real_time.toFixed(2)}×`);
  }

  draw(now: number): void {
    if (this.element.hidden || now - this.lastDrawn < PAUSE) return;
    this.lastDrawn = now;
    if (!this.library) return void this.load();
    for (const chart of this.all) drawChart(chart, this.library);
  }

  /** The first picture of the page does not wait for what most people never look at. */
  private async load(): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    this.library = await import("./plots").then(
      ({ uPlot: library }) => library,
      () => undefined, // a server that went away: tried again with the next drawing
    );
    this.isLoading = false;
  }
}

function makeChart(
  title: string,
  columns: number,
  isStacked: boolean,
  options: Chart["options"],
  legend?: HTMLElement,
): Chart {
  const value = h("output");
  const element = h("div", { class: "chart" }, h("h3", {}, title, value), legend);
  return { element, value, series: new Series(columns, SPAN), plot: undefined, options, isStacked };
}

function drawChart(chart: Chart, library: typeof uPlot): void {
  const style = getComputedStyle(document.documentElement);
  const data = chart.isStacked ? chart.series.stacked() : chart.series.data();
  const ordered = (chart.isStacked ? [data[0], ...data.slice(1).reverse()] : data) as uPlot.AlignedData;
  const width = chart.element.clientWidth;
  if (!chart.plot) {
    const axis = {
      stroke: style.getPropertyValue("--faint"),
      font: "11px system-ui, sans-serif",
      size: 34,
      grid: { stroke: style.getPropertyValue("--line"), width: 0.5 },
      ticks: { show: false },
    };
    chart.plot = new library(
      {
        width,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        padding: [8, 6, 0, 0],
        scales: { x: { time: false }, y: { range: (_, __, high) => [0, high > 0 ? high * 1.1 : 1] } },
        axes: [{ ...axis, size: 22, values: (_, ticks) => ticks.map((t) => `${t} s`) }, { ...axis, size: 40, values: (_, ticks) => tickLabels(ticks) }],
        ...chart.options(style),
      },
      ordered,
      chart.element,
    );
    chart.element.insertBefore(chart.plot.root, chart.element.children[1] ?? null);
    return;
  }
  if (chart.plot.width !== width) chart.plot.setSize({ width, height: HEIGHT });
  chart.plot.setData(ordered);
}

function line(colour: string): uPlot.Series {
  return { stroke: colour.trim(), width: 1.6, points: { show: false } };
}

function area(colour: string): uPlot.Series {
  return { stroke: colour, fill: colour, width: 0, points: { show: false } };
}

function keys(names: string[], colours: string[]): HTMLElement {
  return h("div", { class: "keys" }, ...names.map((name, k) => h("span", { style: `--key: ${colours[k]}` }, name)));
}
