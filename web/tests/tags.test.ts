import { describe, expect, it } from "vitest";
import { placeTags, type TagWish } from "../src/ui/tags";

const picture = { left: 0, top: 0, right: 1280, bottom: 720 };
const free = { left: 0, top: 60, right: 1280, bottom: 540 };
const panels = [{ left: 0, top: 0, right: 1280, bottom: 60 }];
const tag = (x: number, y: number, isActive = false): TagWish => ({
  at: { x, y },
  width: 100,
  namedWidth: 180,
  height: 48,
  isActive,
});
const place = (...wishes: TagWish[]) => placeTags(wishes, picture, free, panels);

describe("tags of hands", () => {
  it("are beside their hands", () => {
    expect(place(tag(300, 300, true), tag(700, 300))).toEqual([
      { x: 322, y: 274, arrow: "" },
      { x: 722, y: 274, arrow: "" },
    ]);
  });

  it("are not over each other, and that of the chosen hand keeps its place", () => {
    const places = place(tag(300, 300), tag(310, 305, true), tag(295, 290));
    expect(places[1]).toEqual({ x: 332, y: 279, arrow: "" });
    const tops = places.map(({ y }) => y).sort((a, b) => a - b);
    expect(Math.min(tops[1] - tops[0], tops[2] - tops[1])).toBeGreaterThanOrEqual(48);
    for (const { y } of places) expect(Math.abs(y - 279)).toBeLessThan(120);
  });

  it("stay in sight and point to the chosen hand when that is outside the picture or behind a panel", () => {
    const wayOf = (x: number, y: number) => {
      const [{ x: left, y: top, arrow }] = place(tag(x, y, true));
      expect(left >= free.left && left + 180 <= free.right && top >= free.top && top + 48 <= free.bottom).toBe(true);
      return arrow;
    };
    expect([wayOf(-200, 300), wayOf(2000, 300), wayOf(640, -50), wayOf(640, 900), wayOf(-500, -500)].join("")).toBe("←→↑↓↖");
    expect(wayOf(640, 30)).toBe("↑");
  });

  it("have room for their name as well as for their words", () => {
    const [, other] = place(tag(2000, 300, true), tag(1080, 300)); // the first is at the right edge, 1096 to 1276
    expect(other.y).not.toBe(274);
  });

  it("are to the left of a hand where the picture ends before they do", () => {
    for (const isActive of [true, false]) {
      const [{ x, y, arrow }] = place(tag(1195, 315, isActive));
      expect({ right: x + 100, y, arrow }).toEqual({ right: 1173, y: 289, arrow: "" });
    }
  });

  it("of other hands go with them", () => {
    expect(place(tag(300, 300, true), tag(-200, 300))[1]).toEqual({ x: -178, y: 274, arrow: "" });
  });
});
