// A report to print: what a trainee did, task by task.

import { MILLI } from "../base/milli";
import { button, h } from "../ui/dom";
import type { Made, PageContext } from "./context";
import { drawCurve } from "./curve";
import type { Curve, Progress } from "./data";
import { link, moment, percent, shortSeconds, trouble } from "./parts";

export async function report(context: PageContext, asked: string): Promise<Made> {
  const trainee = asked || context.trainee;
  const element = h("div", { class: "report" });
  try {
    element.append(...sheet(await context.training.progress(trainee)));
  } catch (error) {
    element.append(trouble(error));
  }
  return { title: `Report: ${trainee}`, element };
}

function sheet(told: Progress): HTMLElement[] {
  const all = told.tasks.flatMap(({ attempts }) => attempts);
  const passed = told.tasks.filter(({ attempts }) => attempts.some(([, , , , isPassed]) => isPassed)).length;
  return [
    h(
      "div",
      { class: "actions no-print" },
      button({ label: "Print", className: "strong", onClick: () => window.print() }),
      link({ page: "progress", trainee: told.trainee }, "button outline", "Back"),
    ),
    h("p", { class: "eyebrow" }, "Training report"),
    h("h1", {}, told.trainee || "Nobody"),
    h("p", { class: "faint" }, `${all.length} attempts at ${told.tasks.length} tasks, ${passed} of them passed · printed ${moment(Date.now() / MILLI)}`),
    table(told.tasks),
    ...told.tasks.map((curve) => h("section", { class: "report-task" }, h("h2", {}, curve.title), drawCurve(curve))),
    h("p", { class: "faint small" }, "Points are shares of all points of a task. The line across is what is needed to pass, the second one the expert's script. Made by catgut from recordings on this machine."),
  ];
}

function table(tasks: Curve[]): HTMLElement {
  const head = ["Task", "Attempts", "Passed", "First", "Best", "Last", "Time, last", "Expert"];
  const table = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...tasks.map(row)),
  );
  return h("div", { class: "wide", tabIndex: 0, role: "region", "aria-label": "All tasks" }, table);
}

function row(curve: Curve): HTMLElement {
  const shares = curve.attempts.map(([, , share]) => share);
  const last = curve.attempts.at(-1)!;
  const cells = [
    String(shares.length),
    String(curve.attempts.filter(([, , , , isPassed]) => isPassed).length),
    percent(shares[0]),
    percent(Math.max(...shares)),
    percent(last[2]),
    shortSeconds(last[3]),
    curve.expert ? `${percent(curve.expert.share)}, ${shortSeconds(curve.expert.seconds)}` : "not shown yet",
  ];
  return h("tr", {}, h("th", { scope: "row" }, curve.title), ...cells.map((text) => h("td", {}, text)));
}
