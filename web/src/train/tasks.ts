// The curriculum: all tasks in their order, with what was reached.

import { h } from "../ui/dom";
import type { Made, PageContext } from "./context";
import type { TaskEntry, TaskList } from "./data";
import { bar, heading, link, percent, taskPicture, trouble } from "./parts";
import { filler } from "./refresh";

export async function tasks(context: PageContext): Promise<Made> {
  const element = h("div", { class: "tasks" });
  const fill = filler(
    element,
    () => context.training.tasks(context.trainee),
    curriculum,
    (error) => [heading("Tasks"), trouble(error)],
  );
  await fill();
  return { title: "Tasks", element, refresh: () => void fill() };
}

function curriculum(list: TaskList): HTMLElement[] {
  const groups = new Map<string, TaskEntry[]>();
  for (const task of list.tasks) groups.set(task.group, [...(groups.get(task.group) ?? []), task]);
  const passed = list.tasks.filter((task) => task.passed > 0).length;
  return [
    heading("Tasks", h("p", { class: "faint" }, `${passed} of ${list.tasks.length} passed`)),
    ...[...groups].map(([name, entries]) => group(name, entries)),
  ];
}

function group(name: string, entries: TaskEntry[]): HTMLElement {
  return h("section", {}, h("h2", { class: "group-name" }, name), h("div", { class: "task-grid" }, ...entries.map(card)));
}

function card(task: TaskEntry): HTMLElement {
  if (task.error !== null) {
    return h(
      "div",
      { class: "card task-card broken", "data-task": task.name },
      h("div", { class: "task-text" }, h("h3", {}, task.name), h("p", { class: "error" }, task.error)),
    );
  }
  const state = task.passed > 0 ? "Passed" : task.attempts > 0 ? "Not yet" : "New";
  const element = link(
    { page: "task", task: task.name },
    "card task-card",
    taskPicture(task.name, task.scene),
    h(
      "div",
      { class: "task-text" },
      h("h3", {}, task.title),
      h(
        "div",
        { class: "task-state" },
        h("span", { class: `badge ${task.passed > 0 ? "good" : ""}` }, state),
        h("span", { class: "faint" }, task.attempts > 0 ? `best ${percent(task.best)} · ${count(task.attempts)}` : "not tried yet"),
      ),
      bar(task.best, task.passed > 0 ? "good" : "plain"),
    ),
  );
  element.dataset.task = task.name;
  return element;
}

function count(attempts: number): string {
  return attempts === 1 ? "1 attempt" : `${attempts} attempts`;
}
