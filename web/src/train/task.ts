// The briefing of a task: what is to be done, how it is scored, what helps, and the way in.

import { button, h } from "../ui/dom";
import type { Guidance, Made, PageContext } from "./context";
import { measureLabel, wishOf, type Task } from "./data";
import { heading, link, percent, points, shortSeconds, taskPicture, trouble } from "./parts";
import { filler } from "./refresh";

export async function task(context: PageContext, name: string): Promise<Made> {
  const element = h("div", { class: "briefing" });
  const made: Made = { title: name, element };
  const fill = filler(
    element,
    () => context.training.task(name, context.trainee),
    (told) => {
      made.title = told.title;
      return briefing(context, told);
    },
    (error) => [heading(name), trouble(error), h("p", {}, link({ page: "tasks" }, "", "All tasks"))],
  );
  await fill();
  made.refresh = () => void fill();
  return made;
}

function briefing(context: PageContext, told: Task): HTMLElement[] {
  return [
    h("p", { class: "crumbs" }, link({ page: "tasks" }, "", "Tasks"), " / ", told.name),
    heading(told.title),
    h(
      "div",
      { class: "briefing-grid" },
      h(
        "div",
        {},
        taskPicture(told.name, told.scene),
        h("section", { class: "card panel" }, h("h2", {}, "What to do"), h("ol", { class: "steps" }, ...told.instructions.map((text) => h("li", {}, text)))),
      ),
      h("div", { class: "side" }, begin(context, told), scoring(told), demonstrations(context, told)),
    ),
  ];
}

function begin(context: PageContext, told: Task): HTMLElement {
  const record =
    told.attempts > 0
      ? `${told.attempts === 1 ? "1 attempt" : `${told.attempts} attempts`}, best ${percent(told.best)}`
      : "You have not tried it yet.";
  const hasMarks = told.marks.targets.length > 0 || told.marks.line.length > 0 || told.marks.dish !== undefined;
  return h(
    "section",
    { class: "card panel begin" },
    h(
      "button",
      { type: "button", class: "strong large", onClick: () => context.begin(told.name, "") },
      told.attempts > 0 ? "Try again" : "Begin",
    ),
    h("p", { class: "faint" }, record),
    h(
      "fieldset",
      {},
      h("legend", {}, "Guidance"),
      toggle(context, "ghost", "Ghost", told.has_way ? "the expert's tools go ahead of you" : "after the expert has shown it once", !told.has_way),
      toggle(context, "marks", "Marks", hasMarks ? "targets and lines are drawn" : "this task has none", !hasMarks),
      toggle(context, "steps", "Next step", told.has_way ? "in words" : "after the expert has shown it once", !told.has_way),
    ),
  );
}

function toggle(context: PageContext, name: keyof Guidance, label: string, note: string, isOff: boolean): HTMLElement {
  return h(
    "label",
    { class: "switch" },
    h("input", {
      type: "checkbox",
      checked: context.guidance[name] && !isOff,
      disabled: isOff,
      onChange: (event: Event) => {
        context.guidance[name] = (event.target as HTMLInputElement).checked;
        context.saveGuidance();
      },
    }),
    h("span", {}, h("b", {}, label), h("span", { class: "faint" }, ` ${note}`)),
  );
}

function scoring(told: Task): HTMLElement {
  return h(
    "section",
    { class: "card panel" },
    h("h2", {}, "How it is scored"),
    h(
      "ul",
      { class: "rubric" },
      ...told.rubric.map((line) =>
        h(
          "li",
          { title: line.text },
          h("span", {}, wishOf(line.measure), line.must && h("span", { class: "must" }, "needed")),
          h("b", {}, points(line.most)),
        ),
      ),
    ),
    h("p", { class: "faint" }, `${points(told.needed)} points pass, without those for being quick: they come on top. Time limit ${shortSeconds(told.time_limit)}.`),
  );
}

function demonstrations(context: PageContext, told: Task): HTMLElement {
  const { expert } = told;
  return h(
    "section",
    { class: "card panel" },
    h("h2", {}, "See it done"),
    h(
      "div",
      { class: "demos" },
      expert !== null && button({ icon: "play", label: "Watch the expert", className: "outline", onClick: () => context.begin(told.name, expert) }),
      told.mistakes.length > 0 &&
        h(
          "details",
          {},
          h("summary", {}, "What goes wrong"),
          ...told.mistakes.map(({ script, measure }) =>
            button({
              label: `${measureLabel(measure)}: ${script}`,
              title: `Watch a script that fails: ${script}`,
              className: "chip",
              onClick: () => context.begin(told.name, script),
            }),
          ),
        ),
    ),
    h("p", { class: "faint small file" }, "Task file: ", h("code", {}, told.file)),
  );
}
