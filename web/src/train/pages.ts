// The frame around pages of training: where one is, where one can go, and who trains. Shows the page of an address.

import { button, h, icon, setText } from "../ui/dom";
import type { Made, PageContext } from "./context";
import { people } from "./data";
import { home } from "./home";
import { now } from "./now";
import { addressOf, type Route } from "./route";
import { progress } from "./progress";
import { report } from "./report";
import { result } from "./result";
import { task } from "./task";
import { tasks } from "./tasks";
import { openTraineeDialog } from "./trainee";
import "./train.css";

export interface PagesHost {
  toggleTheme(): void;
}

/** Pages that stand inside the frame. */
export function isInFrame(route: Route): boolean {
  return route.page !== "lab" && route.page !== "try" && route.page !== "watch";
}

export class Pages {
  readonly element: HTMLElement;
  private readonly main = h("main", { id: "page-main", class: "page-main", tabIndex: -1 });
  private readonly who = h("span", {});
  private readonly notices = h("div", { class: "page-notices", role: "status" });
  private readonly lost = h("p", { class: "page-lost", role: "alert", hidden: true }, "The connection to catgut is lost. Trying again by itself.");
  private readonly links: HTMLAnchorElement[];
  private made: Made | undefined;
  private hasShown = false;
  /** the newest page that was asked for: an answer that comes later is out of date */
  private asked = 0;

  constructor(
    private readonly context: PageContext,
    host: PagesHost,
  ) {
    const to = (route: Route, text: string) => h("a", { href: addressOf(route) }, text);
    this.links = [to({ page: "tasks" }, "Tasks"), to({ page: "progress", trainee: "" }, "Progress"), to({ page: "lab" }, "Lab")];
    const person = h("button", { type: "button", class: "person", title: "Who is training", onClick: () => void this.choosePerson() }, icon("person"), this.who);
    this.element = h(
      "div",
      { id: "pages" },
      h("a", { class: "skip", href: "#page-main", onClick: (event: Event) => this.skip(event) }, "To the page"),
      h(
        "header",
        { class: "page-top" },
        h("a", { class: "brand", href: "#/" }, "catgut"),
        h("nav", { "aria-label": "Pages" }, ...this.links),
        h("span", { class: "spacer" }),
        person,
        button({ icon: "theme", label: "", title: "Light or dark", onClick: () => host.toggleTheme() }),
      ),
      this.lost,
      this.main,
      this.notices,
    );
    document.body.append(this.element);
    window.addEventListener("focus", () => this.made?.refresh?.());
  }

  async show(route: Route): Promise<void> {
    const mine = ++this.asked;
    this.leave();
    this.mark(route);
    const made = await this.make(route);
    if (mine !== this.asked) {
      made.leave?.();
      return;
    }
    this.made = made;
    document.title = made.title === "catgut" ? "catgut" : `${made.title} – catgut`;
    this.main.replaceChildren(made.element);
    this.main.dataset.page = route.page;
    this.element.scrollTop = 0;
    if (this.hasShown) this.announce();
    this.hasShown = true;
  }

  /** What stands above all on a new page is read aloud, and keys go on from there; the first one is told by the browser. */
  private announce(): void {
    const title = this.main.querySelector("h1") ?? this.main;
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }

  /** The page that was shown goes. */
  leave(): void {
    this.made?.leave?.();
    this.made = undefined;
  }

  setTrainee(name: string): void {
    setText(this.who, name || "Nobody yet");
  }

  setLost(isLost: boolean): void {
    this.lost.hidden = !isLost;
  }

  notice(text: string): void {
    const note = h("div", { class: "card toast warning" }, text);
    this.notices.replaceChildren(note);
    setTimeout(() => note.remove(), 8000);
  }

  private make(route: Route): Promise<Made> {
    const { context } = this;
    switch (route.page) {
      case "tasks":
        return tasks(context);
      case "task":
        return task(context, route.task);
      case "result":
        return result(context, route.attempt);
      case "progress":
        return progress(context, route.trainee);
      case "report":
        return report(context, route.trainee);
      case "now":
        return now(context);
      default:
        return home(context);
    }
  }

  private mark(route: Route): void {
    const section = { task: 0, tasks: 0, result: 0, progress: 1, report: 1, now: 1, lab: 2 }[route.page as string];
    this.links.forEach((each, i) => (i === section ? each.setAttribute("aria-current", "page") : each.removeAttribute("aria-current")));
  }

  private async choosePerson(): Promise<void> {
    const { trainees } = await this.context.training.tasks("").catch(() => ({ trainees: [] as string[] }));
    openTraineeDialog(people(trainees), (name) => this.context.setTrainee(name));
  }

  private skip(event: Event): void {
    event.preventDefault();
    this.main.focus();
  }
}
