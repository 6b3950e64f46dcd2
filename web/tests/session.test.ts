import { describe, expect, it, vi } from "vitest";
import { SessionController } from "../src/control/session";
import type { WristHelp } from "../src/control/wrist";
import { HandDrivers } from "../src/input/drivers";
import type { Simulation } from "../src/net/simulation";
import type { Stage } from "../src/view/stage";
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
