// What is to be seen: the stage and the parts of the page around it, and the settings that change how they look.

import { millimetres } from "../base/units";
import { describeBelow, whatIsAhead, whatIsBelow, type Ahead, type Below } from "../input/below";
import { isOverTable } from "../input/bindings";
import { stateOf, type HandDrivers } from "../input/drivers";
import { needlesOf } from "../input/needle";
import { handsInReach } from "../input/reach";
import type { Simulation } from "../net/simulation";
import {
  EventKind,
  Mode,
  Tool,
  type DeviceState,
  type EventMessage,
  type FrameMessage,
  type HandState,
  type SceneMessage,
} from "../base/protocol.generated";
import { Charts } from "../ui/charts";
import { DevicesCard } from "../ui/devices";
import { forceShare, sceneLabel } from "../ui/format";
import { describe, forceOf, HandCards, type HandCardHost, type HandView } from "../ui/hands";
import { HintLine, hintFor } from "../ui/hint";
import { KnotCard } from "../ui/knot";
import { placeNow } from "../ui/place";
import { saveSettings, switches, themeOf, type Settings, type Switch } from "../ui/settings";
import { addressOf } from "../train/route";
import { RoleChip, type RoleHost } from "../ui/role";
import { Shell } from "../ui/shell";
import { Sounds } from "../ui/sound";
import { Transport, type TransportHost } from "../ui/transport";
import { placeTags, type TagWish } from "../ui/tags";
import { freeRectangle, type Rectangle } from "../view/framing";
import type { Quality } from "../view/quality";
import { scopeOf } from "../view/scope";
import { Stage } from "../view/stage";
import type { Theme } from "../view/theme";
import { Panels, type PanelHost } from "./panels";
import { Stepwise } from "./stepwise";
import { Teacher } from "./teacher";

export interface ViewHost
  extends HandCardHost,
    Omit<PanelHost, "qualityChanged">,
    RoleHost,
    Pick<TransportHost, "reset" | "undo" | "redo"> {
  canUndo(): boolean;
  canRedo(): boolean;
  /** starting anew would lose something */
  hasWork(): boolean;
  /** mm that what a hand carries reaches below its middle */
  reachDown(place: number): number;
}

export class ViewController {
  readonly shell: Shell;
  readonly stage: Stage;
  readonly transport: Transport;
  readonly panels: Panels;
  readonly teacher: Teacher;
  /** pictures drawn so far */
  pictures = 0;
  /** tests without a graphics card switch this off between the pictures they look at */
  isDrawing = true;
  private readonly cards: HandCards;
  private readonly knot = new KnotCard();
  private readonly hint = new HintLine();
  private readonly stepwise: Stepwise;
  private readonly devices = new DevicesCard();
  private readonly charts = new Charts();
  private readonly sound = new Sounds();
  private readonly role: RoleChip;
  private inReach: boolean[] = [];
  private below: Below[] = [];
  /** the strand that the chosen hand comes to next */
  private ahead: Ahead | undefined;
  private said: string[] = [];
  private picture: Rectangle = { left: 0, top: 0, right: 1, bottom: 1 };
  /** what covers the picture, and the largest part that nothing does */
  private covers: Rectangle[] = [];
  private free = this.picture;
  private shownVersion = -1;
  private hasShownFrame = false;
  private shownTheme: Theme | undefined;

  constructor(
    private readonly simulation: Simulation,
    private readonly settings: Settings,
    private readonly drivers: HandDrivers,
    quality: Quality,
    private readonly host: ViewHost,
  ) {
    const qualityChanged = () => this.stage.setWish(settings.quality);
    this.panels = new Panels(simulation, settings, { ...host, qualityChanged });
    this.shell = new Shell({
      openScenes: () => this.panels.scenes.open(),
      openControls: () => this.panels.controls.open(),
      openHelp: () => this.panels.help.toggle(),
      toggle: (name) => this.toggle(name),
      toggleTheme: () => this.toggleTheme(),
      showView: (name) => this.stage.rig.show(name),
      lookThroughScope: () => this.lookThroughScope(),
      share: () => this.share(),
      toggleStepwise: () => this.stepwise.toggle(),
      nextStep: () => this.stepwise.next(),
      stopScript: () => (this.teacher.isGuiding ? this.teacher.stop() : void simulation.order({ type: "stop_script" })),
    });
    this.stepwise = new Stepwise(simulation);
    this.teacher = new Teacher(this.shell, (name, text) => this.showLesson(name, text));
    this.stage = new Stage(this.shell.canvas, quality);
    this.transport = new Transport(simulation, {
      ...host,
      mayLose: () => !host.hasWork() || this.panels.ask("Record", "Recording starts the scene anew: what you did in it is gone then."),
      openRecordings: () => this.panels.openRecordings(),
      openLessons: () => this.panels.lessons.open(),
      bindings: () => settings.bindings,
    });
    this.role = new RoleChip(host);
    this.shell.roles.append(this.role.element);
    this.cards = new HandCards(this.shell.leftHand, this.shell.rightHand, this.shell.tags, host);
    this.shell.middle.append(this.hint.element, this.knot.element, this.devices.element, this.charts.element);
    this.shell.bottom.append(this.shell.leftHand, this.transport.element, this.shell.rightHand);
    this.applySettings();
    const observer = new ResizeObserver(() => this.resize());
    for (const part of [this.shell.canvas, this.shell.bottom]) observer.observe(part);
    this.resize();
  }

  /** The next turn draws a picture. */
  changed(): void {
    this.stage.rig.version++;
  }

  /** Draws a picture if anything changed. */
  show(now: number): void {
    this.charts.draw(now);
    this.stage.turn(now);
    if (this.stage.rig.version === this.shownVersion) return;
    this.shownVersion = this.stage.rig.version;
    const { frame, scene } = this.simulation;
    if (frame && scene) {
      const place = (wishes: TagWish[]) => placeTags(wishes, this.picture, this.free, this.covers);
      this.cards.update(frame, scene, (state) => this.viewOf(state), place);
    }
    if (!this.isDrawing) return;
    this.stage.draw(this.settings.stereo, now);
    this.pictures++;
    if (frame && !this.hasShownFrame) performance.mark("catgut: first picture");
    this.hasShownFrame ||= frame !== undefined;
  }

  takeScene(scene: SceneMessage, isSame: boolean): void {
    this.said = [];
    this.teacher.takeScene(isSame);
    this.stage.build(scene, isSame);
    this.cards.build(scene);
    this.transport.build(scene);
    this.charts.clear();
    this.knot.clear();
    this.knot.element.hidden = scene.threads.length === 0;
    this.shell.setContents(scene.threads.length > 0, scene.tissues.length > 0, scopeOf(scene.hands) !== undefined);
    this.showLesson(undefined);
    this.shell.setScene(sceneLabel(scene.name), scene.title);
    this.resize(); // cards came or went
  }

  takeFrame(frame: FrameMessage): void {
    const scene = this.simulation.scene!;
    const { tension, stereo, wire } = this.settings;
    this.inReach = handsInReach(frame, scene);
    this.below = [];
    for (const hand of frame.hands) {
      const reach = this.host.reachDown(hand.hand);
      this.below[hand.hand] = whatIsBelow(hand, frame, scene, this.stage.floorHeight, reach);
    }
    const chosen = frame.mode === Mode.watching || frame.script ? undefined : stateOf(frame, this.drivers.active);
    this.ahead = chosen && whatIsAhead(chosen, frame, scene);
    const goals = this.teacher.follow(frame, scene);
    const look = { showTension: tension, showTwist: true, stereo, showWire: wire };
    this.stage.update(frame, look, this.drivers.active, this.inReach, this.below);
    this.stage.ghosts.update(frame.hands, goals, this.drivers.active, this.ahead);
    this.sayChanges(frame, scene);
    this.transport.update(frame, this.host.canUndo(), this.host.canRedo());
    this.role.update(this.simulation);
    this.shell.setHasTension(frame.threads.some(({ tensions }) => tensions.length > 0));
    this.knot.update(frame);
    this.updateHint(frame, scene);
    this.charts.add(frame, scene.hands);
    if (!frame.script && !this.teacher.isGuiding) this.showLesson(undefined);
    this.shell.lesson.setWaits(this.stepwise.canWait, this.stepwise.isOn, this.stepwise.waits);
    const known = frame.hands.filter((hand) => hand.known);
    const shares = known.map((hand) => forceShare(forceOf(hand), scene.hands[hand.hand].force_cap));
    this.sound.update(Math.max(0, ...shares));
  }

  /** How hands are moved is said until one was, in the first worlds that a person comes to. */
  private updateHint(frame: FrameMessage, scene: SceneMessage): void {
    const { settings, hint } = this;
    const chosen = stateOf(frame, this.drivers.active);
    const hasMoved = this.host.hasWork();
    if (hasMoved && !hint.element.hidden) {
      settings.hints--;
      saveSettings(settings);
    }
    const isDue = settings.hints > 0 && !hasMoved && !frame.script && frame.mode !== Mode.watching && this.simulation.hasHands;
    if (!isDue || !chosen || placeNow() === "replay") return hint.show(undefined);
    const sight = {
      hand: sceneLabel(scene.hands[chosen.hand].name).toLowerCase(),
      isTouch: matchMedia("(pointer: coarse)").matches,
      isOverTable: isOverTable(settings.bindings, this.stage.rig.elevation),
      hasNeedle: chosen.has_jaws !== 0 && needlesOf(frame, scene).length > 0,
      canClose: chosen.tool !== Tool.probe,
    };
    hint.show(hintFor(sight, settings.bindings));
  }

  /** Tells those who hear the page what a hand does now: when it took or lost something, or changed its instrument. */
  private sayChanges(frame: FrameMessage, scene: SceneMessage): void {
    for (const state of frame.hands) {
      const does = [state.closed, state.thread, state.tissue, state.tool, state.slip, state.known].join();
      if (this.said[state.hand] === does) continue;
      const isFirst = this.said[state.hand] === undefined;
      this.said[state.hand] = does;
      const name = sceneLabel(scene.hands[state.hand].name);
      if (!isFirst) this.shell.say(`${name} hand: ${describe(state, this.viewOf(state), scene.threads)}`);
    }
  }

  takeDevices(devices: DeviceState[]): void {
    this.devices.update(devices, this.simulation.scene?.hands ?? []);
  }

  takeEvent(event: EventMessage): void {
    if (event.kind === EventKind.tear) this.sound.play("tear");
    if (event.kind === EventKind.broke) this.sound.play("snap");
    if (event.kind === EventKind.script_step) this.showStep(event.message);
    if (event.kind === EventKind.script_end) this.shell.notice("info", event.message || "The script has ended.");
  }

  /** A step of a script: its name and, after a colon, what it explains. */
  private showStep(text: string): void {
    const [, name, explanation] = /^([^:]*):?\s*([\s\S]*)$/.exec(text) ?? ["", text, text];
    this.showLesson(name, explanation);
    this.stepwise.takeStep();
  }

  /** The camera makes room for the card of a lesson when it comes, and takes it again. */
  private showLesson(name: string | undefined, explanation = ""): void {
    if (this.shell.lesson.show(name, explanation)) this.resize();
  }

  /** The address by which others watch stands on the clipboard, where there is one. */
  private share(): void {
    const address = `${location.href.replace(/#.*$/, "")}${addressOf({ page: "watch", session: this.simulation.session ?? 1 })}`;
    void navigator.clipboard?.writeText(address).catch(() => undefined);
    this.shell.notice("info", `Whoever opens this address watches, and may ask for your hands: ${address}`);
  }

  lookThroughScope(): void {
    const { frame } = this.simulation;
    if (frame) this.stage.lookThroughScope(frame);
  }

  screenOf(state: HandState): { x: number; y: number } {
    return this.stage.toScreen(millimetres(state.position));
  }

  toggle(name: Switch): void {
    this.settings[name] = !this.settings[name];
    this.applySettings();
  }

  private viewOf(state: HandState): HandView {
    return {
      isActive: state.hand === this.drivers.active,
      isLocked: this.drivers.hands[state.hand]?.isLocked ?? false,
      isInReach: this.inReach[state.hand] ?? false,
      isOthers: state.driver !== 0 && state.driver !== this.simulation.client,
      isFree: state.driver === 0 && this.simulation.frame?.mode !== Mode.watching && !this.simulation.frame?.script,
      below: this.below[state.hand] ? this.describeBelow(state) : "",
      at: this.screenOf(state),
    };
  }

  private describeBelow(state: HandState): string {
    return describeBelow(this.below[state.hand], state.hand === this.drivers.active ? this.ahead : undefined);
  }

  toggleTheme(): void {
    this.settings.theme = themeOf(this.settings) === "dark" ? "light" : "dark";
    this.applySettings();
  }

  /** The picture came to another place. */
  placeChanged(): void {
    this.applySettings();
    this.shell.setScene(sceneLabel(this.simulation.scene?.name ?? ""), this.simulation.scene?.title ?? "");
    this.resize();
  }

  private applySettings(): void {
    const { settings, shell } = this;
    const theme = themeOf(settings);
    document.documentElement.dataset.theme = theme;
    if (this.shownTheme !== theme) {
      this.shownTheme = theme;
      this.stage.setTheme(theme);
      this.charts.restyle();
    }
    for (const name of switches) shell.setSwitch(name, settings[name]);
    const hidesCharts = !settings.charts || placeNow() !== "lab";
    if (this.charts.element.hidden !== hidesCharts) {
      this.charts.element.hidden = hidesCharts;
      this.resize();
    }
    this.cards.setTagsVisible(!settings.stereo);
    this.sound.setOn(settings.sound);
    const { frame } = this.simulation;
    if (frame) this.takeFrame(frame);
    this.changed();
    saveSettings(settings);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.shell.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.covers = Array.from(document.querySelectorAll("#app .card:not(.toast, .lost)"), (panel) =>
      panel.getBoundingClientRect(),
    );
    this.picture = { left: 0, top: 0, right: clientWidth, bottom: clientHeight };
    this.free = freeRectangle(clientWidth, clientHeight, this.covers);
    this.stage.resize(clientWidth, clientHeight, this.free);
  }
}
