import { expect, describe, it, vi } from "vitest";
import { History } from "../src/control/history";
import { nobody, OrderError, type Order, type Socket } from "../src/net/connection";
import { Simulation } from "../src/net/simulation";
import { Fault } from "../src/base/protocol.generated";
import { frameOf } from "./frames";

/** A page whose server keeps states in slots, and what it told the person. */
function setUp() {
  const simulation = new Simulation(() => ({}) as Socket, nobody);
  const kept = new Set<number>();
  const told: string[] = [];
  const history = new History(simulation);
  const at = (...steps: number[]) => {
    for (const step of steps) history.takeFrame((simulation.frame = frameOf(step)));
  };
  simulation.listen({ onNotice: ({ text }) => told.push(text) });
  /** the fault of a restore, and the step of a frame that comes before its answer */
  const answer = { fault: 0, early: 0 };
  const restored: number[] = [];
  vi.spyOn(simulation.connection, "order").mockImplementation(async (order: Order) => {
    if (order.type === "snapshot") kept.add(order.slot);
    if (order.type !== "restore") return;
    if (answer.fault !== 0) throw new OrderError(answer.fault, "not now");
    if (!kept.has(order.slot)) throw new OrderError(Fault.not_found, "nothing was kept");
    if (answer.early > 0) at(answer.early);
    restored.push(order.slot);
  });
  history.takeScene("post");
  return { history, kept, told, at, answer, restored };
}

function markAt({ history, at }: ReturnType<typeof setUp>, ...steps: number[]): void {
  for (const step of steps) {
    at(step);
    history.mark();
  }
}

describe("undo", () => {
  it("goes back mark by mark, and to where it began", async () => {
    const page = setUp();
    markAt(page, 1000, 5000);
    page.at(9000);
    expect([await page.history.undo(), await page.history.undo(), await page.history.undo()]).toEqual([true, true, false]);
    expect(await page.history.redo()).toBe(true);
    expect(page.told).toEqual([]);
  });

  it("goes the same way again after redo, also before a frame tells of it", async () => {
    const page = setUp();
    markAt(page, 1000, 5000);
    page.at(9000);
    await page.history.undo();
    page.at(5000);
    await page.history.redo();
    await page.history.undo();
    await page.history.undo();
    await page.history.redo();
    page.at(9100);
    await page.history.undo();
    const [first, second, ahead] = [0, 1, 15];
    expect(page.restored).toEqual([second, ahead, second, first, ahead, second]);
  });

  it("goes to the same state again when the world went on from it by itself, and farther when it hardly did", async () => {
    const page = setUp();
    markAt(page, 1000, 5000);
    page.at(9000);
    await page.history.undo();
    page.at(9010); // was under way before the answer
    page.at(5010, 15000, 25000);
    await page.history.undo();
    page.at(5010, 6000);
    await page.history.undo();
    page.at(1010, 21000);
    await page.history.undo();
    const [first, second] = [0, 1];
    expect(page.restored).toEqual([second, second, first, first]);
    await page.history.redo();
    expect(page.restored.pop()).toBe(15); // to where the first of them was made
  });

  it("goes to the same state again though the first frame of it came before the answer", async () => {
    const page = setUp();
    markAt(page, 1000, 5000);
    page.at(9000);
    page.answer.early = 5010;
    await page.history.undo();
    page.at(5020, 25000);
    await page.history.undo();
    expect(page.restored).toEqual([1, 1]);
  });

  it("does not take a frame that was under way for the world that it went to", async () => {
    const page = setUp();
    markAt(page, 1000, 5000);
    page.at(19000);
    await page.history.undo();
    page.at(19010);
    await page.history.undo();
    expect(page.restored).toEqual([1, 0]);
  });

  it("returns to the mark that redo came to when the world went on from there", async () => {
    const page = setUp();
    markAt(page, 1000, 5000);
    page.at(5300); // hardly beyond the last mark: undo goes to the first
    await page.history.undo();
    page.at(1010);
    await page.history.redo();
    page.at(5310, 8000);
    await page.history.undo();
    expect(page.restored).toEqual([0, 15, 1]);
  });

  it("forgets what was undone once something else is done", async () => {
    const page = setUp();
    markAt(page, 1000, 5000);
    page.at(9000);
    await page.history.undo();
    markAt(page, 5700);
    page.at(8000);
    expect(page.history.canRedo).toBe(false);
    expect([await page.history.undo(), await page.history.undo(), await page.history.undo()]).toEqual([true, true, false]);
    expect(page.restored).toEqual([1, 2, 0]);
  });

  it("has nothing left when the server made the same scene anew without its states", async () => {
    const page = setUp();
    markAt(page, 1000, 5000);
    page.kept.clear();
    page.history.takeScene("post");
    page.at(100);
    expect(await page.history.undo()).toBe(false);
    expect(page.history.canUndo).toBe(false);
    expect(page.told).toEqual([]);
    markAt(page, 2000);
    page.at(9000);
    expect([await page.history.undo(), await page.history.undo()]).toEqual([true, false]);
  });

  it("keeps its states when they are only refused for now", async () => {
    const page = setUp();
    markAt(page, 1000);
    page.at(9000);
    page.answer.fault = Fault.wrong_mode;
    expect(await page.history.undo()).toBe(false);
    expect(page.told).toEqual(["not now"]);
    page.answer.fault = 0;
    expect(await page.history.undo()).toBe(true);
  });
});
