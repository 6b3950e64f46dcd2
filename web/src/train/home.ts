// The first page: who trains, what comes next, and where everything else is.

import { button, h, licencesLink } from "../ui/dom";
import type { Made, PageContext } from "./context";
import { nextTask, people, type TaskList } from "./data";
import { link, percent, ring, taskPicture, trouble } from "./parts";
import { traineeForm } from "./trainee";

export async function home(context: PageContext): Promise<Made> {
  const element = h("div", { class: "home" });
  try {
    const list = await context.training.tasks(context.trainee);
    element.append(...(context.trainee ? welcome(context, list) : arrival(context, list)));
  } catch (error) {
    element.append(trouble(error));
  }
  element.append(doors());
  return { title: "catgut", element };
}

/** Nobody said a name yet. */
function arrival(context: PageContext, list: TaskList): HTMLElement[] {
  return [
    h(
      "section",
      { class: "hero" },
      h(
        "div",
        { class: "hero-text" },
        h("h1", {}, "Practise suturing, and see how well you do."),
        h(
          "p",
          { class: "lead" },
          `${list.tasks.length} tasks, from the first movements to knots. Each is scored by what your hands did, and tells the one thing to do better.`,
        ),
        traineeForm(people(list.trainees), (name) => context.setTrainee(name)),
      ),
      taskPicture("square-knot", "cord"),
    ),
  ];
}

function welcome(context: PageContext, list: TaskList): HTMLElement[] {
  const next = nextTask(list.tasks);
  const passed = list.tasks.filter((task) => task.passed > 0).length;
  const isNew = list.tasks.every(({ attempts }) => attempts === 0);
  return [
    h(
      "section",
      { class: "hero" },
      h(
        "div",
        { class: "hero-text" },
        h("p", { class: "eyebrow" }, isNew ? "Welcome" : "Welcome back"),
        h("h1", {}, context.trainee),
        h("p", { class: "lead" }, sentence(passed, list.tasks.length)),
        h(
          "div",
          { class: "actions" },
          next && link({ page: "task", task: next.name }, "button strong large", next.attempts > 0 ? "Go on: " : "Begin: ", next.title),
          button({ label: "Somebody else?", className: "quiet", onClick: () => context.setTrainee("") }),
        ),
      ),
      h("div", { class: "hero-side" }, ring(passed / Math.max(list.tasks.length, 1), `${passed} of ${list.tasks.length}`, "tasks passed")),
    ),
    next
      ? h(
          "section",
          { class: "next" },
          link(
            { page: "task", task: next.name },
            "card next-card",
            taskPicture(next.name, next.scene),
            h(
              "div",
              { class: "next-text" },
              h("p", { class: "eyebrow" }, "Next"),
              h("h2", {}, next.title),
              h("p", { class: "faint" }, next.attempts > 0 ? `Best so far: ${percent(next.best)}` : "Not tried yet"),
            ),
          ),
        )
      : h("div", {}),
  ];
}

function sentence(passed: number, all: number): string {
  if (passed === 0) return "Begin with the first movements; knots come later, stitches last.";
  return passed < all ? "Each task that you pass leads to the next." : "You have passed them all. Now make them smoother.";
}

function doors(): HTMLElement {
  const door = (page: "tasks" | "lab", title: string, text: string) =>
    link({ page }, "card door", h("h2", {}, title), h("p", { class: "faint" }, text));
  return h(
    "section",
    { class: "doors" },
    door("tasks", "All tasks", "Choose what to practise, and see where you stand."),
    link(
      { page: "progress", trainee: "" },
      "card door",
      h("h2", {}, "Progress"),
      h("p", { class: "faint" }, "Learning curves beside the expert's line, and a report to print."),
    ),
    door("lab", "Lab", "Scenes without a task: play, look at forces, record, and see what a step costs."),
    h("p", { class: "faint" }, "Free software under Apache-2.0. ", licencesLink()),
  );
}
