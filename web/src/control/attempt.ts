// A task while it is done: what it is and how it fares stands in the toolbar, marks and ghosts show the way, and its end
// leads to the result.

import type { FrameMessage } from "../base/protocol.generated";
import type { AttemptNews, Simulation } from "../net/simulation";
import type { Way } from "../teach/way";
import type { Guidance } from "../train/context";
import { EXAMPLES, EXPERT, type Task } from "../train/data";
import { shortSeconds } from "../train/parts";
import { button, h, setPressed, setText } from "../ui/dom";
import type { ViewController } from "./view";

export interface AttemptPlan {
  task: Task;
  trainee: string;
  seed: number;
  /** empty: a person does it */
  script: string;
  way: Way | undefined;
}

export interface AttemptHost {
  guidance: Guidance;
  saveGuidance(): void;
  /** it was scored */
  finished(attempt: number): void;
  /** it was left, or came to nothing */
  left(task: string): void;
}

export class AttemptController {
  private readonly clock = h("output", { class: "clock", "aria-label": "Time" });
  private readonly count = h("output", { class: "count" });
  private plan: AttemptPlan | undefined;
  private number = 0;
  /** it is over, and its score is on the way */
  private isBeingScored = false;
  private wasRecorded = false;
  /** targets that are gone */
  private reached: readonly number[] = [];

  constructor(
    private readonly simulation: Simulation,
    private readonly view: ViewController,
    private readonly host: AttemptHost,
  ) {
    simulation.listen({
      onAttempt: (news) => this.take(news),
      onFrame: (frame) => this.follow(frame),
      onConnection: (state) => state === "lost" && this.lose(),
    });
  }

  get isUnderWay(): boolean {
    return this.plan !== undefined;
  }

  /** False when the server refused it; it said why. */
  async begin(plan: AttemptPlan): Promise<boolean> {
    const { task, seed, script } = plan;
    const trainee = script === "" ? plan.trainee : script === task.expert ? EXPERT : EXAMPLES;
    this.plan = plan;
    this.number = 0;
    this.isBeingScored = this.wasRecorded = false;
    this.reached = [];
    this.fill(plan);
    this.view.teacher.followWay(script === "" ? plan.way : undefined);
    this.applyGuidance();
    await this.simulation.connection.order({ type: "begin_attempt", task: task.name, trainee, seed, script });
    return true;
  }

  /** The page goes elsewhere: what was not ended is given up. */
  end(): void {
    if (!this.plan) return;
    this.plan = undefined;
    this.view.teacher.followWay(undefined);
    this.view.stage.setTaskMarks(undefined);
    this.view.shell.trial.replaceChildren();
    this.view.shell.trialActions.replaceChildren();
  }

  /** Gives it up and goes back to the briefing. */
  async leave(): Promise<void> {
    const name = this.plan?.task.name;
    if (name === undefined || this.isBeingScored) return;
    this.end();
    await this.simulation.order({ type: "end_attempt", keep: 0 });
    this.host.left(name);
  }

  /** Without its page the server gives an attempt up. */
  private lose(): void {
    const name = this.plan?.task.name;
    if (name === undefined) return;
    const text = this.isBeingScored
      ? "The connection was lost while the attempt was being scored. Its result is under Progress when that is done."
      : "The connection was lost, and the attempt with it: it is not scored. Begin anew.";
    this.end();
    this.simulation.notice({ kind: "warning", text });
    this.host.left(name);
  }

  private fill({ task, script }: AttemptPlan): void {
    const { shell } = this.view;
    shell.trial.replaceChildren(
      h("strong", { title: task.title }, task.title),
      ...(script ? [h("span", { class: "badge" }, script === task.expert ? "expert" : "a mistake")] : []),
      this.clock,
      this.count,
    );
    setText(this.count, "");
    shell.trialActions.replaceChildren(
      ...(script ? [] : this.guidanceButtons()),
      ...(script
        ? []
        : [button({ label: "Finish", title: "End here, and score what was done", className: "strong", onClick: () => void this.finish() })]),
      button({ icon: "close", label: script ? "Stop" : "Give up", canShrink: true, title: "Leave without a score", onClick: () => void this.leave() }),
    );
  }

  private guidanceButtons(): HTMLElement[] {
    const { guidance } = this.host;
    const hasWay = this.plan?.way !== undefined;
    const marks = this.plan!.task.marks;
    const hasMarks = marks.targets.length > 0 || marks.line.length > 0 || marks.dish !== undefined;
    const make = (name: keyof Guidance, label: string, title: string) => {
      const element: HTMLButtonElement = button({
        label,
        title,
        className: "guidance",
        pressed: guidance[name],
        onClick: () => {
          guidance[name] = !guidance[name];
          setPressed(element, guidance[name]);
          this.host.saveGuidance();
          this.applyGuidance();
        },
      });
      return element;
    };
    return [
      ...(hasWay ? [make("ghost", "Ghost", "The expert's tools go ahead of you")] : []),
      ...(hasMarks ? [make("marks", "Marks", "Targets and lines of the task")] : []),
      ...(hasWay ? [make("steps", "Steps", "The next step in words")] : []),
    ];
  }

  private applyGuidance(): void {
    if (!this.plan) return;
    const { guidance } = this.host;
    const { teacher, stage } = this.view;
    teacher.showsGhost = guidance.ghost;
    teacher.showsSteps = guidance.steps;
    // a script is looked at with its marks: one sees what it does with them
    stage.setTaskMarks(guidance.marks || this.plan.script ? this.plan.task.marks : undefined, this.reached);
  }

  private async finish(): Promise<void> {
    if (await this.simulation.order({ type: "end_attempt", keep: 1 })) this.awaitScore();
  }

  /** The server measures beside the world: there is nothing left to finish or to give up until it tells. */
  private awaitScore(): void {
    if (!this.plan || this.isBeingScored) return;
    this.isBeingScored = true;
    this.view.shell.trialActions.replaceChildren(h("span", { class: "faint", role: "status" }, "Being scored …"));
  }

  private take(news: AttemptNews): void {
    const { plan } = this;
    if (!plan) return;
    if (news.state === "running") {
      this.number = news.attempt;
      this.reached = news.reached;
      this.view.stage.setReached(news.reached);
      setText(this.count, news.targets > 0 ? `${news.reached.length} of ${news.targets}` : "");
      return;
    }
    if (news.attempt !== this.number) return; // of one before
    this.end();
    if (news.state === "finished") this.host.finished(news.attempt);
    else {
      const text = news.state === "failed" ? `It could not be scored: ${news.why}` : "The attempt was interrupted.";
      this.simulation.notice({ kind: "warning", text });
      this.host.left(plan.task.name);
    }
  }

  private follow(frame: FrameMessage): void {
    if (!this.plan) return;
    setText(this.clock, `${shortSeconds(frame.time)} of ${shortSeconds(this.plan.task.time_limit)}`);
    // the recording of an attempt ends with it, also when the server ends it
    if (this.number > 0 && this.wasRecorded && frame.recording === 0) this.awaitScore();
    this.wasRecorded = this.number > 0 && frame.recording !== 0;
  }
}
