// Between the hands of this page and the world of the server: what is sent there, and when; who has the hands.

import { Vector3 } from "three";
import { metres, millimetres } from "../base/units";
import { HandDrivers, stateOf } from "../input/drivers";
import type { Simulation } from "../net/simulation";
import { Mode, type FrameMessage, type SceneMessage } from "../base/protocol.generated";
import { sceneId } from "../ui/format";
import type { Stage } from "../view/stage";
import { History } from "./history";
import { lessons } from "./lessons";
import type { WristHelp } from "./wrist";

/** s: a command arrives when the next one is sent */
const COMMAND_TIME = 0.02;
/** the slowest motion for which commands are stretched */
const SLOWEST = 0.02;
const CAMERA_PAUSE = 100; // ms between two camera poses of a recording

export class SessionController {
  readonly history: History;
  /** hands were moved since the scene was built: starting anew would lose something */
  hasWork = false;
  /** false: another page has them, and this one takes them only when it is told to */
  private wantsHands = true;
  private isTaking = false;
  private lastCamera = 0;
  private sentCamera = "";
  private shownCamera = "";
  /** of a lesson that is shown slowly: its pace, that of before, and whether it has begun */
  private slowed: { pace: number; before: number; isBegun: boolean } | undefined;
  private lastScene = "";

  constructor(
    private readonly simulation: Simulation,
    private readonly drivers: HandDrivers,
    private readonly stage: Stage,
    private readonly wrist: WristHelp,
    private readonly isLeftHanded: () => boolean,
  ) {
    this.history = new History(simulation);
  }

  /** Hands and camera for a scene; true when it is the one that was there before. */
  takeScene(scene: SceneMessage): boolean {
    const isSame = scene.name === this.lastScene;
    this.lastScene = scene.name;
    if (!isSame || this.drivers.hands.length !== scene.hands.length) {
      this.drivers.build(scene.hands, this.isLeftHanded());
    }
    this.drivers.forget();
    this.history.takeScene(scene.name);
    this.hasWork = false;
    if (this.wantsHands) void this.takeHands();
    return isSame;
  }

  takeFrame(frame: FrameMessage): void {
    if (frame.script || frame.mode === Mode.watching) this.drivers.forget();
    this.history.takeFrame(frame);
    this.followCamera(frame);
    this.restorePace(frame);
  }

  /** After a lesson that was shown slowly the world goes on as before, unless somebody chose another pace meanwhile. */
  private restorePace(frame: FrameMessage): void {
    const { slowed } = this;
    if (!slowed) return;
    if (frame.script) slowed.isBegun = true;
    else if (slowed.isBegun) {
      this.slowed = undefined;
      const isSame = Math.abs(frame.factor - slowed.pace) < 1e-4;
      if (isSame) void this.simulation.order({ type: "slow_motion", factor: slowed.before });
    }
  }

  /** Takes all hands that are free. Another page that has them keeps them. */
  async takeHands(): Promise<void> {
    const { simulation, drivers } = this;
    if (this.isTaking || !simulation.mayControl || simulation.state !== "open") return;
    this.isTaking = true;
    const taken = await Promise.all(drivers.hands.map(({ place }) => simulation.takeHand(place)));
    this.isTaking = false;
    this.wantsHands = taken.length === 0 || taken.includes(true);
  }

  /** Lets other pages take the hands. */
  leaveHands(): void {
    this.wantsHands = false;
    this.drivers.forget();
    for (const { place } of this.drivers.hands) void this.simulation.leaveHand(place);
  }

  sendCommands(): void {
    const { frame, client } = this.simulation;
    if (!frame || frame.mode === Mode.watching || frame.script || !this.simulation.mayControl) return;
    for (const driver of this.drivers.hands) {
      const owner = stateOf(frame, driver.place)?.driver;
      if (!driver.hasWish || owner === client) continue;
      if (owner === 0) void this.takeHands(); // whoever moves a free hand has it
      else driver.forget();
    }
    const space = {
      centre: this.stage.centre,
      floor: this.stage.floorHeight,
      reachDown: (place: number) => this.wrist.reachDown(place),
    };
    const pace = Math.min(Math.max(frame.factor, SLOWEST), 1);
    const mine = (place: number) => stateOf(frame, place)?.driver === client;
    const operations = this.drivers.collect(frame, space, COMMAND_TIME * pace, mine);
    if (operations.length === 0) return;
    if (operations.some(({ type }) => type !== "move_hand")) this.history.mark();
    else this.history.follow(frame);
    this.hasWork = true;
    this.simulation.connection.operate(operations);
  }

  /** A recording holds where the person looked from. */
  sendCamera(now: number): void {
    const { rig } = this.stage;
    const { frame, connection, mayControl, isViewer } = this.simulation;
    if (!frame?.recording || !mayControl || isViewer || now - this.lastCamera < CAMERA_PAUSE) return;
    const [position, target] = [metres(rig.camera.position), metres(rig.target)];
    const up = rig.camera.up.toArray();
    const pose = [position, target, up].join();
    if (pose === this.sentCamera) return;
    this.lastCamera = now;
    this.sentCamera = pose;
    connection.operate([{ type: "move_camera", step: 0, position, target, up }]);
  }

  /** Starts a lesson with its scene, at once. */
  async runLesson(name: string): Promise<void> {
    const { simulation } = this;
    const lesson = lessons.find((candidate) => candidate.name === name);
    if (!lesson) return;
    const scene = simulation.scenes.find((candidate) => sceneId(candidate.name) === lesson.scene)?.name ?? "";
    const script = new TextEncoder().encode(lesson.text);
    const before = this.slowed?.before ?? simulation.frame?.factor ?? 1;
    await this.endSlow();
    if (lesson.pace < before && (await simulation.order({ type: "slow_motion", factor: lesson.pace }))) {
      this.slowed = { pace: lesson.pace, before, isBegun: false };
    }
    const isStarted = await simulation.order({ type: "start_lesson", scene, name: `${name}.script`, script });
    if (!isStarted) await this.endSlow(); // somebody else has the hands: nothing is left slow
  }

  /** The pace of before, when a lesson was slow. */
  private async endSlow(): Promise<void> {
    const { slowed } = this;
    this.slowed = undefined;
    if (slowed) await this.simulation.order({ type: "slow_motion", factor: slowed.before });
  }

  /** Goes to the beginning of a scene. */
  async beginScene(id: string): Promise<boolean> {
    const { simulation } = this;
    const name = simulation.scenes.find((candidate) => sceneId(candidate.name) === id)?.name;
    const { isPaused } = simulation;
    if (name === undefined || !(await simulation.order({ type: "choose_scene", name }))) return false;
    return !isPaused || simulation.order({ type: "go" });
  }

  /** Starts the scene anew; what was there can be had back. */
  async reset(): Promise<void> {
    if (this.simulation.isViewer) return;
    if (this.hasWork) this.history.mark();
    await this.simulation.order({ type: "reset" });
  }

  async undo(): Promise<void> {
    const isDone = await this.history.undo();
    this.drivers.forget();
    const text = isDone ? "Went back. Ctrl and Y returns." : "There is nothing to undo.";
    this.simulation.notice({ kind: "info", text });
  }

  async redo(): Promise<void> {
    if (await this.history.redo()) this.drivers.forget();
    else this.simulation.notice({ kind: "info", text: "There is nothing to return to." });
  }

  /** While a recording or a script is shown, one looks from where it says, until one looks around oneself. */
  private followCamera(frame: FrameMessage): void {
    if (!frame.has_camera || !(frame.script || frame.mode === Mode.watching)) return;
    const { camera_position, camera_target, camera_up } = frame;
    const pose = [camera_position, camera_target, camera_up].join();
    if (pose === this.shownCamera) return;
    this.shownCamera = pose;
    const up = new Vector3().fromArray(camera_up);
    this.stage.rig.lookFrom({ position: millimetres(camera_position), target: millimetres(camera_target), up });
  }
}
