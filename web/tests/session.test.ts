import { Vector3 } from "three";
import { describe, expect, it, vi } from "vitest";
import { SessionController } from "../src/control/session";
import type { WristHelp } from "../src/control/wrist";
import { HandDrivers } from "../src/input/drivers";
import type { Simulation } from "../src/net/simulation";
import type { Stage } from "../src/view/stage";
import { CameraRig } from "../src/view/rig";
import type { FrameMessage, Vec3 } from "../src/base/protocol.generated";
import { frameOf } from "./frames";

describe("a lesson that is shown slowly", () => {
  /** Starts a lesson at a pace, shows a frame while it runs and one after it: the factors that were ordered. */
  async function paces(name: string, factorAfter: number) {
    const order = vi.fn(async (_order: { type: string; factor?: number }) => true);
    const simulation = { order, scenes: [{ name: "scenes/beginner.json" }], frame: frameOf(0) };
    const session = new SessionController(simulation as unknown as Simulation, new HandDrivers(), {} as Stage, {} as WristHelp, () => false);
    await session.runLesson(name);
    session.takeFrame(frameOf(1)); // one of before that was under way
    session.takeFrame({ ...frameOf(2), script: 1, factor: 0.05 });
    session.takeFrame({ ...frameOf(3), factor: factorAfter });
    session.takeFrame({ ...frameOf(4), factor: factorAfter });
    return order.mock.calls.map(([each]) => (each.type === "slow_motion" ? each.factor : each.type));
  }

  it("slows the world down before it begins, and lets it go on as before when it is over", async () => {
    expect(await paces("too-near", 0.05)).toEqual([0.05, "start_lesson", 1]);
  });

  it("leaves a pace that was chosen meanwhile", async () => {
    expect(await paces("too-hard", 0.25)).toEqual([0.05, "start_lesson"]);
  });

  /** Starts lessons one after the other while each still runs: what was ordered. Lessons may be refused. */
  async function begun(names: string[], isGranted: boolean) {
    const order = vi.fn(async (each: { type: string; factor?: number }) => isGranted || each.type !== "start_lesson");
    const simulation = { order, scenes: [{ name: "scenes/beginner.json" }], frame: frameOf(0) };
    const session = new SessionController(simulation as unknown as Simulation, new HandDrivers(), {} as Stage, {} as WristHelp, () => false);
    for (const name of names) {
      await session.runLesson(name);
      simulation.frame = { ...frameOf(1), script: 1, factor: 0.05 };
      session.takeFrame(simulation.frame);
    }
    return order.mock.calls.map(([each]) => (each.type === "slow_motion" ? each.factor : each.type));
  }

  it("leaves nothing slow when it is refused", async () => {
    expect(await begun(["too-near"], false)).toEqual([0.05, "start_lesson", 1]);
  });

  it("gives its pace back to the lesson that comes after it", async () => {
    expect(await begun(["too-near", "square"], true)).toEqual([0.05, "start_lesson", 1, "start_lesson"]);
    expect(await begun(["too-near", "too-hard"], true)).toEqual([0.05, "start_lesson", 1, 0.05, "start_lesson"]);
  });

  it("is none of the others", async () => {
    expect(await paces("square", 1)).toEqual(["start_lesson"]);
  });
});

describe("a recording in which somebody looked through a laparoscope", () => {
  const watched = (up: Vec3): FrameMessage => ({
    ...frameOf(1),
    mode: 3,
    has_camera: 1,
    camera_position: [0, -0.05, 0.03],
    camera_target: [0, 0, 0.03],
    camera_up: up,
  });

  function watch(...ups: Vec3[]): CameraRig {
    const rig = new CameraRig();
    const session = new SessionController({} as Simulation, new HandDrivers(), { rig } as Stage, {} as WristHelp, () => false);
    for (const up of ups) session.takeFrame(watched(up));
    return rig;
  }

  it("is shown rolled as it was, also when nothing but the roll changed", () => {
    const half = Math.SQRT1_2;
    for (const rig of [watch([half, 0, half]), watch([0, 0, 1], [half, 0, half])]) {
      expect(rig.axes().up.x).toBeCloseTo(half, 6);
      expect(rig.axes().up.z).toBeCloseTo(half, 6);
      expect(rig.isThroughScope).toBe(true);
      expect(rig.camera.fov).toBe(60);
    }
  });

  it("is level where the camera was, or where it does not say", () => {
    for (const up of [[0, 0, 1], [0, 0, 0]] as Vec3[]) {
      const rig = watch([Math.SQRT1_2, 0, Math.SQRT1_2], up);
      expect(rig.axes().up.z).toBeCloseTo(1, 6);
      expect(rig.isThroughScope).toBe(false);
      expect(rig.camera.fov).toBe(32);
    }
  });

  it("holds a roll about the line of sight", () => {
    const operate = vi.fn();
    const rig = new CameraRig();
    const simulation = { frame: { ...frameOf(1), recording: 1 }, connection: { operate }, mayControl: true, isViewer: false };
    const session = new SessionController(simulation as unknown as Simulation, new HandDrivers(), { rig } as Stage, {} as WristHelp, () => false);
    session.sendCamera(1000);
    rig.camera.up.set(1, 0, 0);
    session.sendCamera(2000);
    session.sendCamera(3000); // nothing changed
    expect(operate.mock.calls.map(([[{ up }]]) => up)).toEqual([[0, 0, 1], [1, 0, 0]]);
  });
});

describe("the camera of a lesson", () => {
  const eye = { position: new Vector3(0, -200, 60), target: new Vector3(0, 0, 20), up: new Vector3(0, 0, 1) };
  /** Where a point beside the target, along the picture, is drawn: pixels. */
  const across = (rig: CameraRig, width: number, height: number, beside: number) => {
    const axes = rig.axes();
    const put = (right: number, up: number) => {
      const point = eye.target.clone().addScaledVector(axes.right, right).addScaledVector(axes.up, up).project(rig.camera);
      return [(0.5 + 0.5 * point.x) * width, (0.5 - 0.5 * point.y) * height];
    };
    return [put(-beside, 0), put(beside, 0), put(0, beside), put(0, -beside)];
  };

  it("is where its script says on a screen, and farther away where panels leave little room", () => {
    const rig = new CameraRig();
    rig.resize(1280, 720, { left: 0, top: 168, right: 1280, bottom: 650 });
    rig.lookFrom(eye);
    expect(rig.camera.position.distanceTo(eye.position)).toBeLessThan(1e-9);
    const seen = 0.27 * 720 * rig.millimetresPerPixel(eye.target, 720); // around the target: half of what is shown
    // a phone, and the card of the lesson that comes after the camera
    const free = { left: 0, top: 160, right: 390, bottom: 380 };
    rig.resize(390, 844, free);
    for (const [x, y] of across(rig, 390, 844, seen)) {
      expect(x).toBeGreaterThan(free.left);
      expect(x).toBeLessThan(free.right);
      expect(y).toBeGreaterThan(free.top);
      expect(y).toBeLessThan(free.bottom);
    }
    rig.orbit(0.1, 0); // from now on the person looks
    const { distance } = rig;
    rig.resize(1280, 720);
    expect(rig.distance).toBe(distance);
  });
});
