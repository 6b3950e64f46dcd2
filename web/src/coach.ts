// The way between pages: shows the one that the address asks for, brings the picture of the simulation to where it is
// needed, and leads an attempt from its briefing to its result.

import type { App } from "./app";
import type { AttemptController, AttemptHost } from "./control/attempt";
import { openReplay, type ReplayStage } from "./control/replay";
import type { Simulation } from "./net/simulation";
import { readGuidance, type PageContext, type Replay } from "./train/context";
import { people, Training, type Result, type Task } from "./train/data";
import { isInFrame, Pages, type PagesHost } from "./train/pages";
import { addressOf, readRoute, sessionOf, type Route } from "./train/route";
import { openTraineeDialog, readName } from "./train/trainee";
import type { Way } from "./teach/way";

export interface Stage {
  app: App;
  attempt(host: AttemptHost): AttemptController;
}

const TRAINEE = "catgut.trainee";
const GUIDANCE = "catgut.guidance";
/** what one finds in the lab after training */
const LAB_SCENE = "practice";

export class Coach {
  private readonly context: PageContext;
  private readonly training: Training;
  private readonly pages: Pages;
  private stage: Promise<Stage> | undefined;
  private loaded: Stage | undefined;
  /** counts addresses that were shown: what comes late for one of them is out of date */
  private turn = 0;
  private attempt: AttemptController | undefined;
  /** what was asked for on a page and begins when its address is shown */
  private wish: { task: string; script: string } | undefined;
  /** the session that is watched; 0: none but one's own */
  private watched = 0;
  /** the world is one of a task or a recording: the lab begins with another */
  private hasTrained = false;

  constructor(
    private readonly simulation: Simulation,
    private readonly loadStage: () => Promise<Stage>,
    private readonly storage: Storage | undefined,
    private readonly isLockstep: boolean,
    host: PagesHost,
  ) {
    this.training = new Training(simulation);
    this.context = {
      training: this.training,
      trainee: readName(storage?.getItem(TRAINEE) ?? "") ?? "",
      guidance: readGuidance(storage?.getItem(GUIDANCE) ?? null),
      setTrainee: (name) => this.setTrainee(name),
      saveGuidance: () => storage?.setItem(GUIDANCE, JSON.stringify(this.context.guidance)),
      go: (route) => this.go(route),
      begin: (task, script) => void this.ask(task, script),
      replay: (place, told, onTime) => this.replay(place, told, onTime),
    };
    this.pages = new Pages(this.context, host);
    this.pages.setTrainee(this.context.trainee);
    simulation.listen({
      onNotice: ({ kind, text }) => kind === "warning" && this.pages.notice(text),
      onConnection: (state) => {
        this.pages.setLost(state === "lost");
        if (state === "open") this.stopFrames();
      },
    });
  }

  get trainee(): string {
    return this.context.trainee;
  }

  start(): void {
    this.watched = sessionOf(readRoute(location.hash));
    window.addEventListener("hashchange", () => void this.show(readRoute(location.hash)));
    void this.show(readRoute(location.hash));
  }

  /** A page of words has no use for frames until there is a picture, which asks for them itself. */
  private stopFrames(): void {
    if (this.loaded || !isInFrame(readRoute(location.hash))) return;
    void this.simulation.connection.order({ type: "watch", rate: 0 }).catch(() => undefined);
  }

  private go(route: Route): void {
    const address = addressOf(route);
    if (location.hash === address) void this.show(route);
    else location.hash = address;
  }

  /** As `go`, but one does not come back to the page that was left. */
  private goInstead(route: Route): void {
    location.replace(addressOf(route));
  }

  private setTrainee(name: string): void {
    this.context.trainee = name;
    if (name) this.storage?.setItem(TRAINEE, name);
    else this.storage?.removeItem(TRAINEE);
    this.pages.setTrainee(name);
    const route = readRoute(location.hash);
    void this.show(route.page === "progress" || route.page === "report" ? { page: "progress", trainee: "" } : route);
  }

  private async show(route: Route): Promise<void> {
    if (this.attempt?.isUnderWay && route.page !== "try") {
      this.attempt.end();
      void this.simulation.order({ type: "end_attempt", keep: 0 });
    }
    if (sessionOf(route) !== this.watched) {
      this.watched = sessionOf(route);
      this.simulation.renew();
    }
    this.turn++;
    this.pages.element.hidden = !isInFrame(route);
    if (isInFrame(route)) {
      this.loaded?.app.setPlace("none");
      await this.pages.show(route);
    } else if (route.page === "try") {
      await this.showAttempt(route.task);
    } else {
      await this.showLab();
    }
  }

  private getStage(): Promise<Stage> {
    this.stage ??= this.loadStage().then(
      (stage) => this.takeStage(stage),
      () => {
        this.stage = undefined; // the next who needs it tries again
        throw new Error("The picture of the simulation could not be loaded. Is catgut still running? Try again, or reload the page.");
      },
    );
    return this.stage;
  }

  private takeStage(stage: Stage): Stage {
    this.attempt = stage.attempt({
      guidance: this.context.guidance,
      saveGuidance: () => this.context.saveGuidance(),
      finished: (attempt) => this.goInstead({ page: "result", attempt }),
      left: (task) => this.goInstead({ page: "task", task }),
    });
    this.loaded = stage;
    return stage;
  }

  // The lab

  private async showLab(): Promise<void> {
    this.pages.leave();
    const { turn } = this;
    const stage = await this.getStage().catch((error: Error) => error);
    if (turn !== this.turn) return;
    if (stage instanceof Error) {
      this.goInstead({ page: "home" });
      this.pages.notice(stage.message);
      return;
    }
    stage.app.setPlace("lab");
    if (!this.hasTrained || this.watched > 0) return;
    this.hasTrained = false;
    const { scenes } = this.simulation;
    const { name } = scenes.find((scene) => scene.name === LAB_SCENE) ?? scenes[0];
    if ((await this.simulation.order({ type: "choose_scene", name })) && !this.isLockstep) await this.simulation.order({ type: "go" });
  }

  // Attempts

  /** A person wants to begin, or to see a script. */
  private async ask(task: string, script: string): Promise<void> {
    if (!this.context.trainee && !script) {
      const { trainees } = await this.training.tasks("").catch(() => ({ trainees: [] as string[] }));
      openTraineeDialog(people(trainees), (name) => {
        this.setTrainee(name);
        void this.ask(task, script);
      });
      return;
    }
    this.wish = { task, script };
    this.go({ page: "try", task });
  }

  private async showAttempt(name: string): Promise<void> {
    const { wish, turn } = this;
    this.wish = undefined;
    if (wish?.task !== name) return this.goInstead({ page: "task", task: name }); // by its address alone nothing begins
    this.pages.leave();
    try {
      const { app } = await this.getStage();
      const { task, way, seed } = await this.prepare(name, wish.script);
      await this.simulation.whenOpen();
      if (turn !== this.turn) return;
      app.setPlace("attempt");
      document.title = `${task.title} – catgut`;
      this.hasTrained = true;
      await this.attempt!.begin({ task, way, seed, script: wish.script, trainee: this.context.trainee });
    } catch (error) {
      this.attempt?.end();
      this.goInstead({ page: "task", task: name });
      this.pages.notice((error as Error).message);
    }
  }

  /** Targets are at the expert's places when its way is followed; else at new ones each time. */
  private async prepare(name: string, script: string): Promise<{ task: Task; way: Way | undefined; seed: number }> {
    const { trainee, guidance } = this.context;
    const first = await this.training.task(name, trainee);
    const wantsWay = !script && first.has_way && (guidance.ghost || guidance.steps);
    const way = wantsWay ? await this.training.way(name).catch(() => undefined) : undefined;
    const seed = way?.seed ?? (script ? 1 : first.attempts + 2);
    return { task: await this.training.task(name, trainee, seed), way, seed };
  }

  // Replays

  private async replay(place: HTMLElement, told: Result, onTime: (time: number, isPlaying: boolean) => void): Promise<Replay> {
    const { turn } = this;
    const isWanted = () => turn === this.turn;
    const { app } = await this.getStage();
    const stage: ReplayStage = {
      enter: () => {
        app.setPlace("replay", place);
        this.hasTrained = true;
      },
      isHere: () => app.isIn(place),
      leave: () => app.setPlace("none"),
      setTaskMarks: (marks) => app.stage.setTaskMarks(marks),
    };
    return openReplay(this.simulation, stage, told, isWanted, onTime);
  }
}
