// The bar in the middle below: run and pause, speed, time, recording; while a recording is shown, its player.

import { titleWithKey, type Bindings } from "../input/bindings";
import { Mode, type FrameMessage, type SceneMessage } from "../base/protocol.generated";
import type { Simulation } from "../net/simulation";
import { button, h, icon, setPressed, setText } from "./dom";
import { seconds } from "./format";

const SPEEDS = [1, 0.5, 0.25, 0.1, 0.02];
const PLAY_SPEEDS = [-1, 0.1, 0.25, 0.5, 1, 2, 4, 10];

export interface TransportHost {
  openRecordings(): void;
  openLessons(): void;
  reset(): void;
  undo(): void;
  redo(): void;
  /** before the scene starts anew for a recording */
  mayLose(): boolean | Promise<boolean>;
  bindings(): Bindings;
}

export class Transport {
  readonly element: HTMLElement;
  private readonly pause = button({ icon: "pause", label: "", title: "Pause", onClick: () => void this.togglePause() });
  private readonly step = button({ icon: "step", label: "", title: "One step", onClick: () => void this.oneStep() });
  private readonly speed = speedList("Speed of the simulation", SPEEDS, (factor) => void this.setSpeed(factor));
  private readonly clock = h("span", { class: "clock" });
  private readonly factor = h("span", { class: "speed" });
  private readonly record = button({
    icon: "record",
    label: "Record",
    title: "Start anew and record",
    className: "record",
    pressed: false,
    onClick: () => void this.toggleRecord(),
  });
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly anew: HTMLButtonElement;
  private readonly keep: HTMLButtonElement;
  private readonly lessons: HTMLButtonElement;
  private readonly open: HTMLButtonElement;
  private readonly live: HTMLElement;

  private readonly play = button({ icon: "play", label: "", title: "Play", onClick: () => void this.togglePlay() });
  private readonly playSpeed = speedList(
    "Speed of the recording",
    PLAY_SPEEDS,
    (factor) => void this.setPlaySpeed(factor),
  );
  private readonly scrub = h("input", {
    type: "range",
    min: "0",
    max: "1",
    value: "0",
    "aria-label": "Moment of the recording",
    onInput: () => void this.seek(),
  });
  private readonly playClock = h("span", { class: "clock" });
  private readonly player: HTMLElement;
  private isScrubbing = false;

  constructor(
    private readonly simulation: Simulation,
    private readonly host: TransportHost,
  ) {
    this.undo = button({ icon: "undo", label: "", title: "Undo", onClick: () => host.undo() });
    this.redo = button({ icon: "redo", label: "", title: "Redo (Ctrl and Y)", onClick: () => host.redo() });
    this.anew = button({ icon: "reset", label: "", title: "Start anew", onClick: () => host.reset() });
    this.keep = button({
      icon: "keep",
      label: "",
      title: "Keep what just happened as a recording",
      onClick: () => void this.keepPast(),
    });
    this.open = button({
      icon: "open",
      label: "Open",
      canShrink: true,
      title: "Open a recording",
      onClick: () => host.openRecordings(),
    });
    this.lessons = button({
      icon: "lesson",
      label: "Lessons",
      canShrink: true,
      title: "Watch a script with explanations",
      onClick: () => host.openLessons(),
    });
    this.speed.value = "1";
    this.playSpeed.value = "1";
    for (const each of [this.step, this.undo, this.redo, this.anew, this.speed, this.record, this.keep, this.open, this.lessons]) {
      each.classList.add("of-lab"); // a task is begun and ended elsewhere
    }
    this.live = h(
      "div",
      { class: "row" },
      this.pause,
      this.step,
      this.undo,
      this.redo,
      this.anew,
      this.speed,
      this.clock,
      this.factor,
      h("span", { class: "divider of-lab" }),
      this.record,
      this.keep,
      this.open,
      this.lessons,
    );
    this.player = h(
      "div",
      { class: "row" },
      this.play,
      this.playSpeed,
      this.scrub,
      this.playClock,
      button({
        label: "Take over",
        title: "Go on from this moment by yourself",
        className: "strong",
        onClick: () => void this.takeOver(),
      }),
      button({
        icon: "close",
        label: "",
        title: "Close the recording",
        onClick: () => void simulation.order({ type: "close_recording" }),
      }),
    );
    this.element = h(
      "div",
      { class: "transport card", role: "toolbar", "aria-label": "Simulation" },
      this.live,
      this.player,
    );
    this.player.hidden = true;
    for (const type of ["pointerdown", "pointerup"]) {
      this.scrub.addEventListener(type, () => (this.isScrubbing = type === "pointerdown"));
    }
  }

  build(scene: SceneMessage): void {
    this.scrub.min = String(scene.first_step);
    this.scrub.max = String(Math.max(scene.last_step, scene.first_step + 1));
  }

  update(frame: FrameMessage, canUndo: boolean, canRedo: boolean): void {
    const isWatching = frame.mode === Mode.watching;
    const { isViewer } = this.simulation;
    setTitle(this.undo, titleWithKey("Undo", this.host.bindings(), "run.undo"));
    this.undo.disabled = !canUndo;
    this.redo.disabled = !canRedo;
    for (const each of [this.step, this.anew, this.record, this.open, this.lessons]) each.disabled = isViewer;
    this.keep.disabled = isViewer || frame.recording !== 0;
    this.player.hidden = !isWatching;
    this.live.hidden = isWatching;
    if (isWatching) this.updatePlayer(frame);
    else this.updateLive(frame);
  }

  async togglePause(): Promise<void> {
    if (this.simulation.isWatching) return this.togglePlay();
    await this.simulation.order({ type: this.simulation.isPaused ? "go" : "pause" });
  }

  async oneStep(): Promise<void> {
    if (this.simulation.isViewer) return;
    if (!this.simulation.isPaused) await this.simulation.order({ type: "pause" });
    await this.simulation.order({ type: "advance", steps: 1 });
  }

  async toggleSlow(): Promise<void> {
    const isSlow = (this.simulation.frame?.factor ?? 1) < 0.9;
    this.speed.value = isSlow ? "1" : "0.25";
    await this.setSpeed(isSlow ? 1 : 0.25);
  }

  async toggleRecord(): Promise<void> {
    if (this.simulation.isViewer) return;
    if (this.simulation.frame?.recording) await this.simulation.order({ type: "end_recording" });
    else if (await this.host.mayLose()) await this.simulation.order({ type: "start_recording", name: "" });
  }

  /** The server keeps the last minutes: they become a recording. */
  async keepPast(): Promise<void> {
    if (!this.simulation.isViewer) await this.simulation.order({ type: "save_past" });
  }

  private updateLive(frame: FrameMessage): void {
    const isStopped = frame.mode === Mode.paused;
    setIcon(this.pause, isStopped);
    setText(this.clock, seconds(frame.time));
    const isSlow = frame.mode === Mode.running && frame.real_time > 0 && frame.real_time < 0.95 * frame.factor;
    this.factor.dataset.slow = String(isSlow);
    const words = ["", "paused", "lockstep", ""][frame.mode] || `${frame.real_time.toFixed(2)}× real time`;
    setText(this.factor, words);
    setPressed(this.record, frame.recording !== 0);
    setText(this.record.querySelector("span")!, frame.recording ? "Stop" : "Record");
    if (document.activeElement !== this.speed) selectNearest(this.speed, frame.factor);
  }

  private updatePlayer(frame: FrameMessage): void {
    setIcon(this.play, frame.factor === 0);
    setText(this.playClock, seconds(frame.time));
    if (!this.isScrubbing) this.scrub.value = String(frame.step);
  }

  private async setSpeed(factor: number): Promise<void> {
    await this.simulation.order({ type: "slow_motion", factor });
  }

  private async togglePlay(): Promise<void> {
    const isStanding = (this.simulation.frame?.factor ?? 0) === 0;
    await this.simulation.order({ type: "play", speed: isStanding ? Number(this.playSpeed.value) : 0 });
  }

  private async setPlaySpeed(speed: number): Promise<void> {
    if ((this.simulation.frame?.factor ?? 0) !== 0) await this.simulation.order({ type: "play", speed });
  }

  private async seek(): Promise<void> {
    await this.simulation.order({ type: "seek", step: Number(this.scrub.value) });
  }

  private async takeOver(): Promise<void> {
    if (await this.simulation.order({ type: "branch" })) {
      this.simulation.notice({ kind: "info", text: "The hands are yours. Press play to go on from here." });
    }
  }
}

function speedList(label: string, speeds: number[], onChoose: (factor: number) => void): HTMLSelectElement {
  const list: HTMLSelectElement = h(
    "select",
    { "aria-label": label, title: label, onChange: () => onChoose(Number(list.value)) },
    ...speeds.map((speed) => h("option", { value: String(speed) }, speed < 0 ? "backwards" : `${speed}×`)),
  );
  return list;
}

function selectNearest(list: HTMLSelectElement, factor: number): void {
  const option = [...list.options].find((candidate) => Math.abs(Number(candidate.value) - factor) < 1e-4);
  if (option && list.value !== option.value) list.value = option.value;
}

function setIcon(element: HTMLButtonElement, isStopped: boolean): void {
  const name = isStopped ? "play" : "pause";
  if (element.dataset.icon === name) return;
  element.dataset.icon = name;
  setTitle(element, isStopped ? "Go on" : "Pause");
  element.replaceChildren(icon(name));
}

function setTitle(element: HTMLElement, title: string): void {
  if (element.title === title) return;
  element.title = title;
  element.setAttribute("aria-label", title);
}
