import { describe, expect, it } from "vitest";
import { Guide } from "../src/teach/guide";
import { middleOfLoop } from "../src/teach/loop";
import { PostWatch, windingAbout } from "../src/teach/post";
import type { FrameMessage, HandState, SceneMessage, ShapeState } from "../src/base/protocol.generated";
import { frameOf } from "./frames";

const post = { shape: 0, position: [0, 0, 0.018], rotation: [0, 0, 0, 1] } as unknown as ShapeState;
const scene = { shapes: [{ kind: 1, name: "post" }] } as unknown as SceneMessage;
/** mm to a thread at a height of 25 mm */
const thread = (...points: [number, number][]) =>
  Float32Array.from(points.flatMap(([x, y]) => [x / 1000, y / 1000, 0.025]));
const roundPost = thread([-80, -90], [-6, 0], [0, 6], [6, 0], [80, -90]);
const before = thread([-80, -90], [0, -20], [80, -90]);

function frame(time: number, positions: Float32Array, hands: [number, number, number][], common = "no knot"): FrameMessage {
  return {
    ...frameOf(1),
    time,
    threads: [{ thread: 0, positions }],
    shapes: [post],
    knots: [{ thread: 0, name: "", common, throws: "", certain: 1 }],
    hands: hands.map((at, hand) => ({ hand, position: at.map((x) => x / 1000) }) as unknown as HandState),
  } as unknown as FrameMessage;
}

describe("a thread and its post", () => {
  it("winds about it, or does not", () => {
    expect(windingAbout(post, roundPost)).toBeGreaterThan(Math.PI);
    expect(windingAbout(post, before)).toBeLessThan(Math.PI);
  });
  it("is seen to leave once", () => {
    const watch = new PostWatch();
    expect(watch.hasLeft(frame(0, before, []), scene)).toBe(false); // it never was on it
    expect(watch.hasLeft(frame(1, roundPost, []), scene)).toBe(false);
    expect(watch.hasLeft(frame(2, before, []), scene)).toBe(true);
    expect(watch.hasLeft(frame(3, before, []), scene)).toBe(false);
  });
});

describe("the loop that an end makes", () => {
  it("has its middle between its strands", () => {
    const crossed = thread([80, -90], [6, 0], [0, 6], [-6, 0], [-40, -60], [-20, -70], [20, -50], [60, -40]);
    const [x, y] = middleOfLoop(crossed, false)!;
    expect(Math.abs(x)).toBeLessThan(30);
    expect(y).toBeLessThan(-9);
    expect(middleOfLoop(roundPost, false)).toBeUndefined();
  });
});

describe("the guide", () => {
  it("goes on when hands are where their ghosts are, and back with undo", () => {
    const guide = new Guide();
    expect(guide.follow(frame(1, roundPost, [[-82, -95, 25], [82, -95, 25]]))?.name).toBe("First throw: over");
    expect(guide.follow(frame(2, roundPost, [[-50, -84, 25], [-65, -60, 38]]))?.name).toBe("First throw: down");
    expect(guide.follow(frame(1.5, roundPost, [[-82, -95, 25], [82, -95, 25]]))?.name).toBe("First throw: over");
  });
  it("says when there is no loop to go through", () => {
    const guide = new Guide();
    guide.follow(frame(1, roundPost, [[-50, -84, 25], [-65, -60, 38]]));
    const lost = guide.follow(frame(2, roundPost, [[-50, -84, 25], [-57, -62, 8]]));
    expect(lost?.name).toBe("First throw: under");
    expect(lost?.text).toMatch(/no loop/);
  });
});
