// A task while it is done: what guidance shows, and what a lost connection means.

import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { FrameMessage } from "../src/base/protocol.generated";
import { AttemptController, type AttemptPlan } from "../src/control/attempt";
import type { AttemptNews, SimulationListener } from "../src/net/simulation";
import type { Simulation } from "../src/net/simulation";
import type { ViewController } from "../src/control/view";

/** As much of an element as the toolbar needs. */
class FakeElement {
  title = "";
  textContent = "";
  children: FakeElement[] = [];
  private readonly listeners: Record<string, () => void> = {};
  setAttribute(): void {}
  append(...children: FakeElement[]): void {
    this.children.push(...children);
  }
  replaceChildren(...children: FakeElement[]): void {
    this.children = children;
  }
  addEventListener(name: string, listener: () => void): void {
    this.listeners[name] = listener;
  }
  get firstElementChild(): FakeElement {
    return this;
  }
  click(): void {
    this.listeners.click();
  }
}

beforeAll(() => void vi.stubGlobal("document", { createElement: () => new FakeElement() }));
afterAll(() => void vi.unstubAllGlobals());

const plan = {
  task: { name: "touch", title: "Touch", expert: null, time_limit: 60, marks: { targets: [[0, 0, 0], [0.01, 0, 0]], line: [] } },
  trainee: "Ann",
  seed: 1,
  script: "",
  way: undefined,
} as unknown as AttemptPlan;
const running: AttemptNews = { attempt: 3, state: "running", time: 1, targets: 2, reached: [1], why: "" };

function rig() {
  const heard = { notices: [] as string[], left: [] as string[], ended: [] as number[], isRefused: false };
  let listener: SimulationListener = {};
  const simulation = {
    listen: (each: SimulationListener) => (listener = each),
    notice: ({ text }: { text: string }) => heard.notices.push(text),
    connection: { order: () => Promise.resolve() },
    order: (order: { keep: number }) => {
      heard.ended.push(order.keep);
      return Promise.resolve(!heard.isRefused);
    },
  };
  const stage = { setTaskMarks: vi.fn(), setReached: vi.fn() };
  const shell = { trial: new FakeElement(), trialActions: new FakeElement() };
  const view = { stage, shell, teacher: { followWay: () => undefined } };
  const attempt = new AttemptController(simulation as unknown as Simulation, view as unknown as ViewController, {
    guidance: { ghost: false, marks: true, steps: false },
    saveGuidance: () => undefined,
    finished: () => undefined,
    left: (task) => heard.left.push(task),
  });
  return { attempt, heard, stage, shell, tell: () => listener };
}

let it: ReturnType<typeof rig>;
beforeEach(async () => {
  it = rig();
  await it.attempt.begin(plan);
  it.tell().onAttempt!(running);
});

test("targets that were touched stay away when marks are switched off and on", () => {
  const [marks] = it.shell.trialActions.children;
  marks.click();
  expect(it.stage.setTaskMarks.mock.lastCall![0]).toBeUndefined();
  marks.click();
  expect(it.stage.setTaskMarks.mock.lastCall).toEqual([plan.task.marks, [1]]);
});

test("a new attempt begins with all its targets", async () => {
  await it.attempt.begin(plan);
  expect(it.stage.setTaskMarks.mock.lastCall).toEqual([plan.task.marks, []]);
});

test("a lost connection ends the attempt, says so, and leads back to the briefing", () => {
  it.tell().onConnection!("lost", "");
  expect(it.attempt.isUnderWay).toBe(false);
  expect(it.heard.left).toEqual(["touch"]);
  expect(it.heard.notices).toHaveLength(1);
  expect(it.heard.notices[0]).toMatch(/lost.*not scored/);
  it.tell().onConnection!("lost", ""); // while it tries again
  expect(it.heard.notices).toHaveLength(1);
});

const words = () => it.shell.trialActions.children.flatMap(({ children }) => children as unknown as string[]).join(" ");

test("while it is scored there is nothing to finish or to give up", async () => {
  const buttons = it.shell.trialActions.children;
  buttons.at(-2)!.click(); // Finish
  await Promise.resolve();
  await Promise.resolve();
  expect(words()).toBe("Being scored …");
  await it.attempt.leave();
  expect(it.heard.ended).toEqual([1]);
  expect(it.attempt.isUnderWay).toBe(true);
  it.tell().onConnection!("lost", "");
  expect(it.heard.notices[0]).toMatch(/being scored/);
  it = rig();
  await it.attempt.begin(plan); // and the next one has its buttons again
  expect(it.shell.trialActions.children.length).toBe(buttons.length);
});

test("an order to finish that is refused leaves the buttons", async () => {
  it.heard.isRefused = true;
  const before = it.shell.trialActions.children;
  before.at(-2)!.click();
  await Promise.resolve();
  await Promise.resolve();
  expect(it.shell.trialActions.children).toBe(before);
});

test("an attempt that the server ended is being scored too", () => {
  const frame = (recording: number) => it.tell().onFrame!({ time: 1, recording } as FrameMessage);
  frame(0); // of the world before
  expect(words()).not.toContain("Being scored");
  frame(1);
  frame(0);
  expect(words()).toContain("Being scored");
});
