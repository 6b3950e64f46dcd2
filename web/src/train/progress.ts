// How a trainee gets on: a learning curve for each task, with the expert's line.

import { h } from "../ui/dom";
import type { Made, PageContext } from "./context";
import { drawCurve } from "./curve";
import { EXAMPLES, measureLabel, type Curve, type CurvePoint, type Progress } from "./data";
import { heading, link, moment, percent, shortSeconds, trouble } from "./parts";

/** attempts that are listed; the curve has them all */
const LISTED = 8;

export async function progress(context: PageContext, asked: string): Promise<Made> {
  const trainee = asked || context.trainee;
  const element = h("div", { class: "progress" });
  try {
    const told = await context.training.progress(trainee);
    element.append(head(context, told), ...body(told));
  } catch (error) {
    element.append(heading("Progress"), trouble(error));
  }
  return { title: "Progress", element };
}

function head(context: PageContext, told: Progress): HTMLElement {
  const names = told.trainees.filter((name) => name !== EXAMPLES);
  if (told.trainee && !names.includes(told.trainee)) names.unshift(told.trainee);
  return heading(
    "Progress",
    h(
      "div",
      { class: "actions no-print" },
      chooser(context, names, told.trainee),
      link({ page: "report", trainee: told.trainee }, "button outline", "Printable report"),
      link({ page: "now" }, "button outline", "Who works now"),
    ),
  );
}

/** A button goes on, not the choice itself: by keys one passes many names before the right one. */
function chooser(context: PageContext, names: string[], chosen: string): HTMLElement {
  const select = h("select", {}, ...names.map((name) => h("option", { value: name, selected: name === chosen }, name)));
  return h(
    "form",
    {
      class: "choose",
      onSubmit: (event: Event) => {
        event.preventDefault();
        context.go({ page: "progress", trainee: select.value });
      },
    },
    h("label", {}, h("span", {}, "Trainee"), select),
    h("button", { type: "submit", class: "outline" }, "Show"),
  );
}

function body(told: Progress): HTMLElement[] {
  if (told.tasks.length === 0) {
    return [h("p", { class: "empty" }, told.trainee ? `${told.trainee} has finished no task yet.` : "Nobody has been chosen yet.", " ", link({ page: "tasks" }, "", "Choose a task"))];
  }
  return [h("div", { class: "curves" }, ...told.tasks.map(card)), legend()];
}

function card(curve: Curve): HTMLElement {
  const best = Math.max(...curve.attempts.map(([, , share]) => share));
  const passed = curve.attempts.filter(([, , , , isPassed]) => isPassed).length;
  return h(
    "section",
    { class: "card panel curve-card", "data-task": curve.name },
    h("h2", {}, link({ page: "task", task: curve.name }, "", curve.title)),
    h(
      "p",
      { class: "faint" },
      `${curve.attempts.length === 1 ? "1 attempt" : `${curve.attempts.length} attempts`}, ${passed} passed, best ${percent(best)}`,
      curve.expert && ` · expert ${percent(curve.expert.share)} in ${shortSeconds(curve.expert.seconds)}`,
    ),
    drawCurve(curve),
    h("ul", { class: "attempts" }, ...curve.attempts.slice(-LISTED).reverse().map(attempt)),
  );
}

function attempt([number, started, share, seconds, isPassed, worst]: CurvePoint): HTMLElement {
  return h(
    "li",
    {},
    link({ page: "result", attempt: number }, "", moment(started)),
    h("span", { class: `badge ${isPassed ? "good" : "bad"}` }, percent(share)),
    h("span", { class: "faint" }, shortSeconds(seconds)),
    h("span", { class: "faint mind" }, worst ? `mind: ${measureLabel(worst).toLowerCase()}` : ""),
  );
}

function legend(): HTMLElement {
  return h(
    "p",
    { class: "keys" },
    h("span", { style: "--key: var(--accent)" }, "share of all points"),
    h("span", { style: "--key: var(--right)" }, "the expert's script"),
    h("span", { style: "--key: var(--line)" }, "what is needed to pass"),
  );
}
