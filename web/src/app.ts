// The page put together: simulation, hands, and the controllers of session, view and input. One turn a picture.

import { SessionController } from "./control/session";
import { InputController } from "./control/input";
import { ViewController } from "./control/view";
import { WristHelp } from "./control/wrist";
import { HandDrivers } from "./input/drivers";
import type { Simulation } from "./net/simulation";
import type { Settings } from "./ui/settings";
import type { Quality } from "./view/quality";
import { MILLI } from "./base/units";
import { WorldClock } from "./base/worldClock";
import { placeNow, setPlaceNow, type Place } from "./ui/place";

const LONGEST_TICK = 0.05; // s
/** s of the world: nobody who holds a key saw what was in a longer gap between two frames, so no hand goes on in it */
const LONGEST_GAP = 0.25;
/** 1/s: more than any server makes */
const ALL_FRAMES = 10000;

export class App {
  readonly drivers = new HandDrivers();
  readonly view: ViewController;
  readonly session: SessionController;
  readonly input: InputController;
  private readonly wrist: WristHelp;
  private lastTick = 0;
  private readonly worldClock = new WorldClock();

  constructor(
    private readonly simulation: Simulation,
    settings: Settings,
    quality: Quality,
  ) {
    this.view = new ViewController(simulation, settings, this.drivers, quality, {
      choose: (place) => this.drivers.choose(place),
      toggleClosed: (place) => this.input.toggleClosed(place),
      toggleLock: (place) => this.input.toggleLock(place),
      holdDepth: (place, way) => this.input.holdDepth(place, way),
      takeTool: (place, tool) => this.input.takeTool(place, tool),
      runLesson: (name) => void this.session.runLesson(name),
      guide: () => void this.guide(),
      reset: () => void this.session.reset(),
      undo: () => void this.session.undo(),
      redo: () => void this.session.redo(),
      canUndo: () => this.session.history.canUndo,
      canRedo: () => this.session.history.canRedo,
      hasWork: () => this.session.hasWork,
      reachDown: (place) => this.wrist.reachDown(place),
      takeHands: () => void this.session.takeHands(),
      leaveHands: () => this.session.leaveHands(),
      askForHands: () => void simulation.askForHands(),
      takeHandsBack: () => void this.takeHandsBack(),
      captureKey: (take) => (this.input.keyboard.capture = take),
      captureButton: (take) => (this.input.captureButton = take),
    });
    const bindings = () => settings.bindings;
    this.wrist = new WristHelp(simulation, this.drivers, this.stage);
    this.session = new SessionController(simulation, this.drivers, this.stage, this.wrist, () => bindings().leftHanded);
    this.input = new InputController(simulation, this.drivers, this.view, this.session, this.wrist, bindings);
    const { view, session } = this;
    simulation.listen({
      onConnection: (state, reason) => view.shell.setLost(state === "lost", reason),
      onScene: (scene) => view.takeScene(scene, session.takeScene(scene)),
      onSurface: (surface) => this.stage.setSurface(surface),
      onFrame: (frame) => {
        session.takeFrame(frame);
        this.wrist.follow(frame);
        view.takeFrame(frame);
      },
      onEvent: (event) => view.takeEvent(event),
      onDevices: (devices) => view.takeDevices(devices),
      onLists: () => view.panels.fillRecordings(),
      onNotice: ({ kind, text }) => view.shell.notice(kind, text),
      onWaiting: (waiting) => view.shell.setWaiting(waiting),
      onHandsAsked: ({ client, name }) =>
        view.shell.askFor(`${name} asks for your hands.`, "Give them", () => void this.giveHands(client)),
    });
    document.addEventListener("visibilitychange", () => this.watchAsNeeded());
    simulation.listen({ onConnection: (state) => state === "open" && this.watchAsNeeded() });
  }

  /** Brings the picture to a place: the whole window, an element of a page, or nowhere. */
  setPlace(place: Place, parent: HTMLElement = document.body): void {
    const { root } = this.view.shell;
    setPlaceNow(place);
    root.hidden = place === "none";
    if (root.parentElement !== parent) parent.append(root);
    this.input.keyboard.setOn(place === "lab" || place === "attempt");
    this.view.placeChanged();
    this.watchAsNeeded();
  }

  /** The picture is inside this element of a page. */
  isIn(parent: HTMLElement): boolean {
    return placeNow() === "replay" && this.view.shell.root.parentElement === parent;
  }

  /** A page that nobody sees needs no frames. */
  private watchAsNeeded(): void {
    const rate = document.hidden || placeNow() === "none" ? 0 : ALL_FRAMES;
    void this.simulation.connection.order({ type: "watch", rate }).catch(() => undefined);
  }

  private async giveHands(client: number): Promise<void> {
    if (await this.simulation.giveHands(client)) this.drivers.forget();
  }

  private async takeHandsBack(): Promise<void> {
    if (await this.simulation.giveHands(0)) await this.session.takeHands();
  }

  /** The knot of Practice, tied by the person: ghost hands show the way. */
  private async guide(): Promise<void> {
    if (!(await this.session.beginScene("practice"))) return;
    this.view.teacher.start();
    this.stage.rig.show("top");
  }

  get stage() {
    return this.view.stage;
  }

  run(): void {
    const loop = (now: number) => {
      this.tick(now);
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  /** One turn: newest frame, input, commands, and a picture if anything changed. */
  tick(now: number): void {
    const seconds = Math.min((now - this.lastTick) / MILLI, LONGEST_TICK);
    this.lastTick = now;
    if (placeNow() === "none") return;
    this.simulation.poll();
    const passed = Math.min(this.worldClock.look(this.simulation.frame), LONGEST_GAP);
    this.input.move(seconds, passed, now);
    this.session.sendCommands();
    this.session.sendCamera(now);
    this.view.show(now);
  }
}
