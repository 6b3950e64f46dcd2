// The page put together: simulation, stage, input and the parts of the page. One picture at a time, and only when
// something changed.

import { Vector3 } from "three";
import { defaultBindings, type ActionId, type Bindings } from "./input/bindings";
import { HandDrivers, stateOf, type HandDriver, type ToolName } from "./input/drivers";
import { PadReader, rumble } from "./input/gamepad";
import { isStill, Keyboard } from "./input/keyboard";
import { PointerInput } from "./input/pointer";
import type { Simulation } from "./net/simulation";
import {
  EventKind,
  Mode,
  type EventMessage,
  type FrameMessage,
  type HandState,
  type SceneMessage,
  type Vec3,
} from "./protocol.generated";
import { handsInReach } from "./reach";
import { lessons } from "./lessons";
import { saveSettings, type Settings, type Switch } from "./settings";
import { Charts } from "./ui/charts";
import { ControlsDialog, HelpDialog, ListDialog, recordingItems, SceneDialog } from "./ui/dialogs";
import { forceShare, sceneId, sceneLabel } from "./ui/format";
import { forceOf, HandCards, type HandView } from "./ui/hands";
import { KnotCard } from "./ui/knot";
import { Shell } from "./ui/shell";
import { ForceSound } from "./ui/sound";
import { Transport } from "./ui/transport";
import type { Quality } from "./view/quality";
import type { PresetName } from "./view/rig";
import { Stage } from "./view/stage";
import type { Theme } from "./view/theme";

/** heights of the picture that a hand crosses in a second by keys or stick */
const HAND_SPEED = 0.3;
const SLOW_SHARE = 0.25;
const TURN_SPEED = 1.6; // rad/s
const ORBIT_SPEED = 1.4; // rad/s
const ZOOM_SPEED = 1.2;
/** s: a command arrives when the next one is sent */
const COMMAND_TIME = 0.02;
const LONGEST_TICK = 0.05; // s
const RUMBLE_PAUSE = 100; // ms
const CAMERA_PAUSE = 100; // ms between two camera poses of a recording

const viewOrder: PresetName[] = ["front", "top", "side", "corner"];

export class App {
  readonly stage: Stage;
  readonly drivers = new HandDrivers();
  /** pictures drawn so far */
  pictures = 0;
  /** tests without a graphics card switch this off between the pictures they look at */
  isDrawing = true;
  private readonly shell: Shell;
  private readonly cards: HandCards;
  private readonly knot = new KnotCard();
  private readonly charts = new Charts();
  private readonly transport: Transport;
  private readonly sound = new ForceSound();
  private readonly keyboard: Keyboard;
  private readonly pointer: PointerInput;
  private readonly pad = new PadReader();
  private readonly scenes: SceneDialog;
  private readonly recordings: ListDialog;
  private readonly lessons: ListDialog;
  private readonly help: HelpDialog;
  private readonly controls: ControlsDialog;
  private captureButton: ((button: number) => void) | undefined;
  private inReach: boolean[] = [];
  private shownVersion = -1;
  private lastTick = 0;
  private lastRumble = 0;
  private lastCamera = 0;
  private sentCamera = "";
  private shownCamera = "";
  private lastScene = "";
  private view = 0;

  constructor(
    private readonly simulation: Simulation,
    private readonly settings: Settings,
    quality: Quality,
  ) {
    this.shell = new Shell({
      openScenes: () => this.scenes.open(),
      openControls: () => this.controls.open(),
      openHelp: () => this.help.toggle(),
      toggle: (name) => this.toggle(name),
      toggleTheme: () => this.toggleTheme(),
      showView: (name) => this.stage.rig.show(name),
      stopScript: () => void simulation.order({ type: "stop_script" }),
    });
    this.stage = new Stage(this.shell.canvas, quality);
    this.transport = new Transport(simulation, {
      openRecordings: () => this.openRecordings(),
      openLessons: () => this.openLessons(),
    });
    this.scenes = new SceneDialog(simulation);
    this.recordings = new ListDialog(
      "Recordings",
      "No recordings yet. Press Record, tie something, press Stop.",
      (name) => void simulation.order({ type: "open_recording", name }),
    );
    this.lessons = new ListDialog("Lessons", "There are no scripts.", (name) => void this.runLesson(name));
    this.lessons.fill(lessons.map(({ name, about }) => ({ name, note: about })));
    this.help = new HelpDialog(() => settings.bindings);
    this.controls = new ControlsDialog(
      () => settings.bindings,
      () => this.bindingsChanged(),
      () => this.setBindings(defaultBindings()),
      (take) => (this.keyboard.capture = take),
      (take) => (this.captureButton = take),
    );
    this.cards = new HandCards(this.shell.leftHand, this.shell.rightHand, this.shell.tags, {
      choose: (place) => this.drivers.choose(place),
      toggleClosed: (place) => this.toggleClosed(place),
      toggleLock: (place) => this.toggleLock(place),
      moveDepth: (place, share) => this.nudgeDepth(place, share),
      takeTool: (place, tool) => this.takeTool(place, tool),
    });
    this.shell.middle.append(this.knot.element, this.charts.element);
    this.shell.bottom.append(this.shell.leftHand, this.transport.element, this.shell.rightHand);
    this.keyboard = new Keyboard(
      () => settings.bindings,
      (action) => this.press(action),
      () => undefined,
    );
    this.pointer = new PointerInput(this.shell.canvas, this.pointerHost());
    simulation.listen({
      onConnection: (state, reason) => this.shell.setLost(state === "lost", reason),
      onScene: (scene) => this.takeScene(scene),
      onSurface: (surface) => this.stage.setSurface(surface),
      onFrame: (frame) => this.takeFrame(frame),
      onEvent: (event) => this.takeEvent(event),
      onLists: () => this.recordings.fill(recordingItems(simulation)),
      onNotice: ({ kind, text }) => this.shell.notice(kind, text),
    });
    this.applySettings();
    new ResizeObserver(() => this.resize()).observe(this.shell.canvas);
    this.resize();
  }

  run(): void {
    const loop = (now: number) => {
      this.tick(now);
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  /** One turn: input, newest frame, commands, and a picture if anything changed. */
  tick(now: number): void {
    const seconds = Math.min((now - this.lastTick) / 1000, LONGEST_TICK);
    this.lastTick = now;
    this.moveByKeys(seconds);
    this.moveByPad(seconds, now);
    this.pointer.insist();
    this.simulation.poll();
    this.sendCommands();
    this.sendCamera(now);
    this.charts.draw(now);
    if (this.stage.rig.version !== this.shownVersion) this.show();
  }

  private show(): void {
    this.shownVersion = this.stage.rig.version;
    const { frame, scene } = this.simulation;
    if (frame && scene) this.cards.update(frame, scene, (state) => this.viewOf(state));
    if (!this.isDrawing) return;
    this.stage.draw(this.settings.stereo);
    this.pictures++;
  }

  // What comes from the server

  private takeScene(scene: SceneMessage): void {
    const isSame = scene.name === this.lastScene;
    this.lastScene = scene.name;
    this.stage.build(scene, isSame);
    if (!isSame || this.drivers.hands.length !== scene.hands.length) {
      this.drivers.build(scene.hands.length, this.settings.bindings.leftHanded);
    }
    this.drivers.forget();
    this.cards.build(scene);
    this.transport.build(scene);
    this.charts.clear();
    this.knot.clear();
    this.knot.element.hidden = scene.threads.length === 0;
    this.shell.setContents(scene.threads.length > 0, scene.tissues.length > 0);
    this.shell.setLesson(undefined);
    this.shell.setScene(sceneLabel(scene.name), scene.title);
    if (this.simulation.mayControl) {
      for (const driver of this.drivers.hands) void this.simulation.takeHand(driver.place);
    }
  }

  private takeFrame(frame: FrameMessage): void {
    const scene = this.simulation.scene!;
    if (frame.script || frame.mode === Mode.watching) this.drivers.forget();
    this.followCamera(frame);
    this.inReach = handsInReach(frame, scene);
    this.stage.update(
      frame,
      {
        showTension: this.settings.tension,
        showTwist: true,
        stereo: this.settings.stereo,
        showWire: this.settings.wire,
      },
      this.drivers.active,
      this.inReach,
    );
    this.transport.update(frame);
    this.knot.update(frame);
    this.charts.add(frame);
    if (!frame.script) this.shell.setLesson(undefined);
    this.sound.update(
      Math.max(0, ...frame.hands.map((hand) => forceShare(forceOf(hand), scene.hands[hand.hand].force_cap))),
    );
  }

  private takeEvent(event: EventMessage): void {
    if (event.kind === EventKind.script_step) this.shell.setLesson(event.message);
    if (event.kind === EventKind.script_end) this.shell.notice("info", event.message || "The script has ended.");
  }

  // What goes to the server

  private sendCommands(): void {
    const { frame } = this.simulation;
    if (!frame || frame.mode === Mode.watching || frame.script || !this.simulation.mayControl) return;
    const space = { centre: this.stage.centre, floor: this.stage.floorHeight };
    const operations = this.drivers.collect(frame, space, COMMAND_TIME * Math.min(Math.max(frame.factor, 0.02), 1));
    this.simulation.connection.operate(operations);
  }

  /** A recording holds where the person looked from. */
  private sendCamera(now: number): void {
    const { rig } = this.stage;
    const { frame, connection, mayControl } = this.simulation;
    if (!frame?.recording || !mayControl || now - this.lastCamera < CAMERA_PAUSE) return;
    const [position, target] = [rig.camera.position, rig.target].map((v) => v.toArray().map((x) => x / 1000) as Vec3);
    const pose = position.concat(target).join();
    if (pose === this.sentCamera) return;
    this.lastCamera = now;
    this.sentCamera = pose;
    connection.operate([{ type: "move_camera", step: 0, position, target, up: [0, 0, 1] }]);
  }

  /** While a recording or a script is shown, one looks from where it says, until one looks around oneself. */
  private followCamera(frame: FrameMessage): void {
    if (!frame.has_camera || !(frame.script || frame.mode === Mode.watching)) return;
    const pose = frame.camera_position.concat(frame.camera_target).join();
    if (pose === this.shownCamera) return;
    this.shownCamera = pose;
    const [position, target] = [frame.camera_position, frame.camera_target].map((v) =>
      new Vector3(...v).multiplyScalar(1000),
    );
    this.stage.rig.lookFrom(position, target);
  }

  /** Goes to the scene of a lesson, begins it anew and lets the script run. */
  private async runLesson(name: string): Promise<void> {
    const { simulation } = this;
    const lesson = lessons.find((candidate) => candidate.name === name);
    if (!lesson) return;
    const scene = simulation.scenes.find((candidate) => sceneId(candidate.name) === lesson.scene)?.name;
    if (scene && !(await simulation.order({ type: "choose_scene", name: scene }))) return;
    const script = new TextEncoder().encode(lesson.text);
    if (!(await simulation.order({ type: "run_script", name: `${name}.script`, script }))) return;
    if (simulation.isPaused) await simulation.order({ type: "go" });
  }

  private openRecordings(): void {
    this.recordings.fill(recordingItems(this.simulation));
    void this.simulation.order({ type: "list_recordings" });
    this.recordings.open();
  }

  private openLessons(): void {
    this.lessons.open();
  }

  // Input

  private press(action: ActionId): void {
    const { drivers, stage, transport } = this;
    const [group, name] = action.split(".");
    const place = group === "left" ? 0 : group === "right" ? 1 : drivers.active;
    if (name === "close") return this.toggleClosed(place);
    if (name === "lock") return this.toggleLock(place);
    if (group === "tool") return this.takeTool(place, name as ToolName);
    if (group === "camera" && name in { front: 1, top: 1, side: 1, corner: 1 })
      return stage.rig.show(name as PresetName);
    const orders: Record<string, () => void> = {
      "active.left": () => drivers.choose(0),
      "active.right": () => drivers.choose(1),
      "active.swap": () => drivers.choose((drivers.active + 1) % Math.max(drivers.hands.length, 1)),
      "view.stereo": () => this.toggle("stereo"),
      "view.tension": () => this.toggle("tension"),
      "view.charts": () => this.toggle("charts"),
      "view.wire": () => this.toggle("wire"),
      "view.help": () => this.help.toggle(),
      "run.pause": () => void transport.togglePause(),
      "run.step": () => void transport.oneStep(),
      "run.slow": () => void transport.toggleSlow(),
      "run.reset": () => void transport.reset(),
      "run.record": () => void transport.toggleRecord(),
    };
    orders[action]?.();
    stage.rig.version++;
  }

  /** mm/s of a hand at full speed: by what the picture shows, so that it is the same on screen at every zoom. */
  private handSpeed(): number {
    const { rig, viewHeight } = this.stage;
    return HAND_SPEED * viewHeight * rig.millimetresPerPixel(rig.target, viewHeight) * this.settings.bindings.speed;
  }

  private moveByKeys(seconds: number): void {
    const motion = this.keyboard.motion();
    if (isStill(motion)) return;
    const { rig } = this.stage;
    const share = motion.slow ? SLOW_SHARE : 1;
    const axes = rig.axes();
    const { frame } = this.simulation;
    motion.hands.forEach((move, place) => {
      if (move.every((value) => value === 0)) return;
      const [x, y, z] = move.map((value) => value * share * seconds);
      if (motion.turns) this.drivers.turn(place, axes, TURN_SPEED * x, -TURN_SPEED * y, TURN_SPEED * z, frame);
      else this.drivers.move(place, axes, ...scaled([x, y, z], this.handSpeed()), frame);
    });
    const [azimuth, elevation, zoom] = motion.camera;
    if (azimuth || elevation) rig.orbit(ORBIT_SPEED * seconds * azimuth, ORBIT_SPEED * seconds * elevation);
    if (zoom) rig.zoom(Math.exp(ZOOM_SPEED * seconds * zoom));
  }

  private moveByPad(seconds: number, now: number): void {
    const pad = navigator.getGamepads?.().find((candidate) => candidate?.connected);
    if (!pad) return;
    if (this.captureButton) {
      const pressed = pad.buttons.findIndex((candidate) => candidate.pressed);
      if (pressed < 0) return;
      const take = this.captureButton;
      this.captureButton = undefined;
      return take(pressed);
    }
    const motion = this.pad.read(pad, this.settings.bindings);
    const axes = this.stage.rig.axes();
    const { frame } = this.simulation;
    for (const place of [0, 1]) {
      const move = motion.hands[place],
        turn = motion.turns[place];
      if (move.some((value) => value !== 0)) {
        this.drivers.move(place, axes, ...scaled(move, seconds * this.handSpeed()), frame);
      }
      if (turn.some((value) => value !== 0))
        this.drivers.turn(place, axes, ...scaled(turn, seconds * TURN_SPEED), frame);
      const close = motion.close[place];
      if (close !== undefined) this.drivers.hands[place]?.setClosed(close);
    }
    const [azimuth, elevation] = motion.camera;
    if (azimuth || elevation) this.stage.rig.orbit(ORBIT_SPEED * seconds * azimuth, ORBIT_SPEED * seconds * elevation);
    for (const role of motion.pressed) {
      if (role === "pause") void this.transport.togglePause();
      else if (role === "view") this.stage.rig.show(viewOrder[(this.view = (this.view + 1) % viewOrder.length)]);
      else this.toggleLock(role === "lockLeft" ? 0 : 1);
    }
    this.rumbleBy(pad, now);
  }

  private rumbleBy(pad: Gamepad, now: number): void {
    const { frame, scene } = this.simulation;
    if (!this.settings.bindings.rumble || !frame || !scene || now - this.lastRumble < RUMBLE_PAUSE) return;
    this.lastRumble = now;
    const share = (place: number) => {
      const state = stateOf(frame, place);
      return state && state.thread >= 0 ? forceShare(forceOf(state), scene.hands[place].force_cap) : 0;
    };
    const shares: [number, number] = [share(0), share(1)];
    if (Math.max(...shares) > 0.1) rumble(pad, shares);
  }

  private pointerHost() {
    const { stage, drivers, settings } = this;
    return {
      rig: stage.rig,
      bindings: () => settings.bindings,
      viewHeight: () => stage.viewHeight,
      activeHand: () => drivers.hands[drivers.active],
      nearestHand: (x: number, y: number) => this.nearestHand(x, y),
      choose: (driver: HandDriver) => drivers.choose(driver.place),
      begin: (driver: HandDriver) => driver.begin(stateOf(this.simulation.frame, driver.place)),
      toggleClosed: (driver: HandDriver) => this.toggleClosed(driver.place),
      wake: () => undefined,
    };
  }

  private nearestHand(x: number, y: number): { driver: HandDriver; distance: number } | undefined {
    let nearest: { driver: HandDriver; distance: number } | undefined;
    for (const driver of this.drivers.hands) {
      const state = stateOf(this.simulation.frame, driver.place);
      if (!state) continue;
      const at = this.screenOf(state);
      const distance = Math.hypot(at.x - x, at.y - y);
      if (!nearest || distance < nearest.distance) nearest = { driver, distance };
    }
    return nearest;
  }

  private screenOf(state: HandState): { x: number; y: number } {
    return this.stage.toScreen(new Vector3().fromArray(state.position).multiplyScalar(1000));
  }

  private viewOf(state: HandState): HandView {
    return {
      isActive: state.hand === this.drivers.active,
      isLocked: this.drivers.hands[state.hand]?.isLocked ?? false,
      isInReach: this.inReach[state.hand] ?? false,
      isOthers: state.driver !== 0 && state.driver !== this.simulation.client,
      at: this.screenOf(state),
    };
  }

  private toggleClosed(place: number): void {
    this.drivers.hands[place]?.toggleClosed(stateOf(this.simulation.frame, place));
  }

  private takeTool(place: number, tool: ToolName): void {
    this.drivers.choose(place);
    this.drivers.hands[place]?.takeTool(tool);
    (document.activeElement as HTMLElement | null)?.blur(); // Space works the instrument then, not the button again
    this.stage.rig.version++;
  }

  private toggleLock(place: number): void {
    const driver = this.drivers.hands[place];
    if (driver) driver.isLocked = !driver.isLocked;
    this.stage.rig.version++;
  }

  private nudgeDepth(place: number, share: number): void {
    this.drivers.move(place, this.stage.rig.axes(), 0, 0, share * 0.08 * this.handSpeed(), this.simulation.frame);
  }

  // Settings

  private toggle(name: Switch): void {
    this.settings[name] = !this.settings[name];
    this.applySettings();
  }

  private toggleTheme(): void {
    this.settings.theme = this.theme === "dark" ? "light" : "dark";
    this.applySettings();
  }

  private get theme(): Theme {
    return this.settings.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  }

  private applySettings(): void {
    const { settings, shell } = this;
    if (document.documentElement.dataset.theme !== this.theme) {
      document.documentElement.dataset.theme = this.theme;
      this.stage.setTheme(this.theme);
      this.charts.restyle();
    }
    for (const name of ["stereo", "tension", "charts", "wire", "sound"] as const) shell.setSwitch(name, settings[name]);
    if (this.charts.element.hidden !== !settings.charts) {
      this.charts.element.hidden = !settings.charts;
      this.resize();
    }
    this.cards.setTagsVisible(!settings.stereo);
    this.sound.setOn(settings.sound);
    const { frame } = this.simulation;
    if (frame) this.takeFrame(frame);
    this.stage.rig.version++;
    saveSettings(settings);
  }

  private setBindings(bindings: Bindings): void {
    this.settings.bindings = bindings;
  }

  private bindingsChanged(): void {
    saveSettings(this.settings);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.shell.canvas;
    const covered = this.charts.element.hidden ? 0 : this.charts.element.offsetWidth;
    if (clientWidth > 0 && clientHeight > 0) this.stage.resize(clientWidth, clientHeight, covered);
  }
}

function scaled(values: readonly number[], factor: number): [number, number, number] {
  return [values[0] * factor, values[1] * factor, values[2] * factor];
}
