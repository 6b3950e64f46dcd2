// Between the hands of this page and the world of the server: what is sent there, and when.

import { HandDrivers } from "../input/drivers";
import { metres, millimetres } from "../base/units";
import type { Simulation } from "../net/simulation";
import { Mode, type FrameMessage, type SceneMessage } from "../protocol.generated";
import { sceneId } from "../ui/format";
import type { Stage } from "../view/stage";
import { lessons } from "./lessons";

/** s: a command arrives when the next one is sent */
const COMMAND_TIME = 0.02;
/** the slowest motion for which commands are stretched */
const SLOWEST = 0.02;
const CAMERA_PAUSE = 100; // ms between two camera poses of a recording

export class SessionController {
  private lastCamera = 0;
  private sentCamera = "";
  private shownCamera = "";
  private lastScene = "";

  constructor(
    private readonly simulation: Simulation,
    private readonly drivers: HandDrivers,
    private readonly stage: Stage,
    private readonly isLeftHanded: () => boolean,
  ) {}

  /** Hands and camera for a scene; true when it is the one that was there before. */
  takeScene(scene: SceneMessage): boolean {
    const isSame = scene.name === this.lastScene;
    this.lastScene = scene.name;
    if (!isSame || this.drivers.hands.length !== scene.hands.length) {
      this.drivers.build(scene.hands.length, this.isLeftHanded());
    }
    this.drivers.forget();
    if (this.simulation.mayControl) {
      for (const driver of this.drivers.hands) void this.simulation.takeHand(driver.place);
    }
    return isSame;
  }

  takeFrame(frame: FrameMessage): void {
    if (frame.script || frame.mode === Mode.watching) this.drivers.forget();
    this.followCamera(frame);
  }

  sendCommands(): void {
    const { frame } = this.simulation;
    if (!frame || frame.mode === Mode.watching || frame.script || !this.simulation.mayControl) return;
    const space = { centre: this.stage.centre, floor: this.stage.floorHeight };
    const pace = Math.min(Math.max(frame.factor, SLOWEST), 1);
    this.simulation.connection.operate(this.drivers.collect(frame, space, COMMAND_TIME * pace));
  }

  /** A recording holds where the person looked from. */
  sendCamera(now: number): void {
    const { rig } = this.stage;
    const { frame, connection, mayControl } = this.simulation;
    if (!frame?.recording || !mayControl || now - this.lastCamera < CAMERA_PAUSE) return;
    const [position, target] = [metres(rig.camera.position), metres(rig.target)];
    const pose = position.concat(target).join();
    if (pose === this.sentCamera) return;
    this.lastCamera = now;
    this.sentCamera = pose;
    connection.operate([{ type: "move_camera", step: 0, position, target, up: [0, 0, 1] }]);
  }

  /** Goes to the scene of a lesson, begins it anew and lets the script run. */
  async runLesson(name: string): Promise<void> {
    const { simulation } = this;
    const lesson = lessons.find((candidate) => candidate.name === name);
    if (!lesson) return;
    const scene = simulation.scenes.find((candidate) => sceneId(candidate.name) === lesson.scene)?.name;
    if (scene && !(await simulation.order({ type: "choose_scene", name: scene }))) return;
    const script = new TextEncoder().encode(lesson.text);
    if (!(await simulation.order({ type: "run_script", name: `${name}.script`, script }))) return;
    if (simulation.isPaused) await simulation.order({ type: "go" });
  }

  /** While a recording or a script is shown, one looks from where it says, until one looks around oneself. */
  private followCamera(frame: FrameMessage): void {
    if (!frame.has_camera || !(frame.script || frame.mode === Mode.watching)) return;
    const pose = frame.camera_position.concat(frame.camera_target).join();
    if (pose === this.shownCamera) return;
    this.shownCamera = pose;
    this.stage.rig.lookFrom(millimetres(frame.camera_position), millimetres(frame.camera_target));
  }
}
