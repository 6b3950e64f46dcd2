import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { HandState } from "../src/base/protocol.generated";
import { Charts } from "../src/ui/charts";
import { frameOf, handAt } from "./frames";

beforeAll(() => {
  const element = () => ({ append() {}, setAttribute() {}, textContent: "" });
  vi.stubGlobal("document", { createElement: element });
});
afterAll(() => void vi.unstubAllGlobals());

/** What the chart of forces has under "left" and "right" when each hand feels one newton more than the one before it. */
function shown(names: string[], more: Partial<HandState> = {}): number[] {
  const charts = new Charts();
  const frame = frameOf(1);
  frame.hands = names.map((_, hand) => handAt([0, 0, 0], { hand, force: [0, 0, hand + 1], ...more }));
  charts.add(
    frame,
    names.map((name) => ({ name })),
  );
  const [, left, right] = charts.all[0].series.data();
  return [left[0], right[0]];
}

describe("the chart of forces", () => {
  it("calls the hands as the scene does, whichever it names first", () => {
    expect(shown(["left", "right"])).toEqual([1, 2]);
    expect(shown(["right", "left"])).toEqual([2, 1]);
    expect(shown(["right", "left", "tail"])).toEqual([2, 1]);
  });

  it("shows nothing of a hand that is not there or whose force is not known", () => {
    expect(shown(["hand"])).toEqual([1, 0]);
    expect(shown(["right", "left"], { known: 0 })).toEqual([0, 0]);
  });
});
