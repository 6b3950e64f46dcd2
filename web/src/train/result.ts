// The result of an attempt: the score, what cost points and when, the one advice, and a replay that goes there.

import { button, h, icon, setText } from "../ui/dom";
import type { Made, PageContext, Replay } from "./context";
import { EXAMPLES, EXPERT, lostLines, measureLabel, wishOf, type Result, type ScoredLine } from "./data";
import { bar, heading, link, moment, points, ring, shortSeconds, trouble } from "./parts";
import { flagsOf, ReplayPlot } from "./plot";

/** s before what went wrong: one wants to see how it came about */
const RUN_UP = 1.2;

export async function result(context: PageContext, attempt: number): Promise<Made> {
  const element = h("div", { class: "result" });
  let told: Result;
  try {
    told = await context.training.result(attempt);
  } catch (error) {
    element.append(heading("Result"), trouble(error));
    return { title: "Result", element };
  }
  const player = new Player(context, told);
  element.append(
    h("p", { class: "crumbs" }, link({ page: "tasks" }, "", "Tasks"), " / ", link({ page: "task", task: told.task }, "", told.task)),
    verdict(context, told, player),
    h("div", { class: "result-grid" }, player.element, costs(told, player)),
    measures(told),
  );
  void player.begin();
  return { title: `${told.title}: result`, element, leave: () => player.end() };
}

function who({ trainee }: Result): string {
  if (trainee === EXPERT) return "The expert's script";
  return trainee === EXAMPLES ? "A script that shows a mistake" : trainee;
}

function verdict(context: PageContext, told: Result, player: Player): HTMLElement {
  const worst = told.rubric[told.worst] as ScoredLine | undefined;
  const hasMoment = worst !== undefined && worst.at >= 0 && told.has_recording;
  const isEdited = told.edited && (told.points !== told.noted_points || told.passed !== told.noted_passed);
  return h(
    "section",
    { class: "card verdict" },
    ring(told.points / Math.max(told.most, 1e-9), points(told.points), `of ${points(told.most)}`, told.passed ? "good" : "bad"),
    h(
      "div",
      { class: "verdict-text" },
      h("p", { class: `badge ${told.passed ? "good" : "bad"}` }, told.passed ? "Passed" : "Not passed"),
      h("h1", {}, told.title),
      h("p", { class: "faint" }, `${who(told)} · ${moment(told.started)} · ${shortSeconds(told.seconds)}`, told.knot && ` · the knot: ${told.knot}`),
      h(
        "p",
        { class: "advice" },
        told.advice,
        hasMoment && button({ icon: "play", label: "Show me", title: `Show the replay from ${worst.at.toFixed(1)} s`, className: "outline", onClick: () => player.show(worst.at) }),
      ),
      isEdited &&
        h(
          "p",
          { class: "note", role: "note" },
          `The task was edited since. Noted were ${points(told.noted_points)} of ${points(told.noted_most)} points (${told.noted_passed ? "passed" : "not passed"}); what you see is by its present rules.`,
        ),
      h(
        "div",
        { class: "actions" },
        h("button", { type: "button", class: "strong", onClick: () => context.begin(told.task, "") }, told.trainee === context.trainee ? "Try again" : "Try it yourself"),
        link({ page: "progress", trainee: told.trainee === context.trainee ? "" : told.trainee }, "button outline", "Progress"),
        button({ label: "Print", className: "outline", onClick: () => window.print() }),
      ),
    ),
  );
}

/** Each line of the rubric; those that cost points first. */
function costs(told: Result, player: Player): HTMLElement {
  const lost = lostLines(told);
  const kept = told.rubric.filter((line) => !lost.includes(line));
  return h(
    "section",
    { class: "card panel costs" },
    h("h2", {}, lost.length > 0 ? "What cost points" : "All points"),
    ...lost.map((line) => cost(line, told, player)),
    lost.length > 0 && kept.length > 0 && h("h2", { class: "kept" }, "Full points"),
    ...kept.map((line) => cost(line, told, player)),
  );
}

function cost(line: ScoredLine, told: Result, player: Player): HTMLElement {
  const isLost = line.points < line.most;
  const hasMoment = isLost && line.at >= 0 && told.has_recording;
  return h(
    "div",
    { class: `cost ${isLost ? "is-lost" : ""}`, "data-measure": line.measure },
    h(
      "div",
      { class: "cost-head" },
      h("b", {}, wishOf(line.measure), line.must && h("span", { class: "must" }, "needed")),
      h("span", { class: "cost-points" }, `${points(line.points)} of ${points(line.most)}`),
    ),
    bar(line.points / Math.max(line.most, 1e-9), isLost ? "bad" : "good"),
    h(
      "p",
      { class: "faint" },
      line.said,
      line.points < line.worth && (told.passed || line.measure !== "time" ? " (in the share that was done)" : " (counts once it is passed)"),
      hasMoment &&
        h(
          "button",
          { type: "button", class: "at", title: "Show this moment in the replay", onClick: () => player.show(line.at) },
          icon("play"),
          `at ${line.at.toFixed(1)} s`,
        ),
    ),
    isLost && h("p", { class: "cost-advice" }, line.advice),
  );
}

function measures(told: Result): HTMLElement {
  return h(
    "details",
    { class: "card panel measures" },
    h("summary", {}, "All measures"),
    h(
      "table",
      {},
      h("tbody", {}, ...told.measures.map(({ measure, said, text }) => h("tr", {}, h("th", { scope: "row" }, measureLabel(measure)), h("td", {}, said), h("td", { class: "faint" }, text)))),
    ),
  );
}

/** The replay: the picture, a button, the plot. */
class Player {
  readonly element: HTMLElement;
  private readonly place = h("div", { class: "replay-place" });
  private readonly play = button({ icon: "play", label: "", title: "Play", onClick: () => this.replay?.toggle() });
  private readonly clock = h("span", { class: "clock" });
  private readonly plot: ReplayPlot | undefined;
  private readonly duration: number;
  private replay: Replay | undefined;
  private hasEnded = false;

  constructor(
    private readonly context: PageContext,
    private readonly told: Result,
  ) {
    this.duration = (told.steps ?? 0) * (told.time_step ?? 0);
    const flags = flagsOf(told);
    this.plot = told.plot && new ReplayPlot(told.plot, this.duration, flags, (time) => this.replay?.seek(time));
    this.element = h(
      "section",
      { class: "card panel player" },
      h("h2", {}, "Replay"),
      this.place,
      told.has_recording
        ? h("div", { class: "player-bar" }, this.play, this.clock, ...flags.map(({ at, label }) => button({ label: `${label} ${at.toFixed(1)} s`, title: `Go to where it went wrong: ${label}`, className: "chip bad", onClick: () => this.show(at) })))
        : h("p", { class: "faint" }, "Its recording is not there any more."),
      this.plot?.element,
    );
  }

  async begin(): Promise<void> {
    if (!this.told.has_recording) return;
    try {
      const replay = await this.context.replay(this.place, this.told, (time, isPlaying) => this.follow(time, isPlaying));
      this.replay = replay;
      if (this.hasEnded) replay.end();
    } catch (error) {
      this.place.replaceChildren(trouble(error));
    }
  }

  /** Plays from a moment shortly before what went wrong. */
  show(at: number): void {
    this.replay?.playFrom(Math.max(at - RUN_UP, 0));
    this.place.scrollIntoView({ block: "center", behavior: "smooth" });
  }

  end(): void {
    this.hasEnded = true;
    this.replay?.end();
  }

  private follow(time: number, isPlaying: boolean): void {
    this.plot?.setTime(time);
    setText(this.clock, `${time.toFixed(1)} of ${this.duration.toFixed(1)} s`);
    const title = isPlaying ? "Pause" : "Play";
    if (this.play.title === title) return;
    this.play.title = title;
    this.play.setAttribute("aria-label", title);
    this.play.replaceChildren(icon(isPlaying ? "pause" : "play"));
  }
}
