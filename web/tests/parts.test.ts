import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { lessons, readLesson } from "../src/control/lessons";
import { Stepwise } from "../src/control/stepwise";
import { distanceToChain } from "../src/input/reach";
import { readSettings } from "../src/ui/settings";
import { bytes, forceShare, newtons, parseThrows, sceneLabel, seconds, tickLabels } from "../src/ui/format";
import { hintFor } from "../src/ui/hint";
import { inGroups, lessonPlan, lessonTitle, scenePlan } from "../src/ui/groups";
import { Series } from "../src/ui/series";
import { linearColour, tensionColour, tensionShare } from "../src/view/theme";
import { frameOf } from "./frames";

describe("words and numbers", () => {
  it("are short", () => {
    expect([0, 0.0042, 0.05, 0.5, 12].map(newtons)).toEqual(["0 N", "4.2 mN", "50 mN", "0.50 N", "12.0 N"]);
    expect([1.234, 75].map(seconds)).toEqual(["1.23 s", "1:15.0 min"]);
    expect([512, 20480, 3.2e6].map(bytes)).toEqual(["512 B", "20 kB", "3.2 MB"]);
    expect(sceneLabel("scenes/two-threads.json")).toBe("Two threads");
    expect([0, 2.5, 10, 99].map((force) => forceShare(force, 10))).toEqual([0, 0.5, 1, 1]);
  });

  it("take throws apart", () => {
    expect(parseThrows("2=1x1")).toEqual([
      { link: "", wraps: "2" },
      { link: "=", wraps: "1" },
      { link: "x", wraps: "1" },
    ]);
    expect(parseThrows("SxS=2S").map((part) => part.wraps)).toEqual(["S", "S", "2S"]);
    expect(parseThrows("1?1")).toEqual([]);
    expect(parseThrows("")).toEqual([]);
  });
});

describe("colours of tension", () => {
  it("go from the thread's own over amber to red and never leave the range", () => {
    expect([-1, 0, 0.02, 10, 1e9, NaN].map(tensionShare)).toEqual([0, 0, 0, 1, 1, 0]);
    const base = linearColour(0x3a5fa8);
    const rgb = new Uint8Array(3);
    tensionColour(0, base, rgb);
    expect(Array.from(rgb)).toEqual(base.map(Math.floor));
    tensionColour(20, base, rgb);
    expect(rgb[0]).toBeGreaterThan(5 * rgb[1]);
    expect(linearColour(0xffffff)).toEqual([255, 255, 255]);
  });
});

describe("series", () => {
  it("keep the last seconds and add up columns", () => {
    const series = new Series(2, 10);
    for (let t = 0; t < 100; t++) series.add(t, [1, t]);
    expect(series.data()[0]).toEqual([89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]);
    expect(series.stacked()[2][0]).toBe(90);
    series.add(99, [5, 5]);
    expect(series.data()[0].length).toBe(11);
    series.add(3, [1, 1]);
    expect(series.data()[0]).toEqual([3]);
  });

  it("are bounded whatever the rate", () => {
    const series = new Series(1, 1e9);
    for (let t = 0; t < 5000; t++) series.add(t, [0]);
    expect(series.data()[0].length).toBe(900);
  });
});

describe("reach", () => {
  it("is the distance to the nearest point of the chain", () => {
    const chain = new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0]);
    expect(distanceToChain([0.5, -2, 0], chain, 0)).toBeCloseTo(2, 6);
    expect(distanceToChain([1.5, 0.5, 0], chain, 0)).toBeCloseTo(0.5, 6);
    expect(distanceToChain([-3, 0, 4], chain, 0)).toBeCloseTo(5, 6);
    expect(distanceToChain([0, 0, 0], new Float32Array(), 0)).toBe(Infinity);
  });
});

describe("lessons", () => {
  it("are read from the head of a script", () => {
    const text =
      '# Ties a knot:\n# one throw.\n#     catgut run scenes/cord.json --script x\n\nstep "a": "b"\n# not this\n';
    expect(readLesson("../../scenes/scripts/over-hand.script", text)).toEqual({
      name: "over-hand",
      scene: "cord",
      about: "Ties a knot: one throw.",
      text,
      pace: 1,
    });
    const slow = "# Tears.\n#     catgut run skin --script x\n# Shown at 0.05 times real time: it is quick.\n";
    expect(readLesson("x.script", slow)).toMatchObject({ about: "Tears.", pace: 0.05 });
    expect(readLesson("one.script", "# Sews.\n#     catgut run one-stitch --script one\n").scene).toBe("one-stitch");
    expect(readLesson("plain.script", "left close\n")).toMatchObject({ name: "plain", scene: undefined, about: "" });
  });

  it("of what is over in half a second are shown slowly", () => {
    for (const name of ["too-near", "too-hard"]) expect(lessons.find((lesson) => lesson.name === name)?.pace, name).toBeLessThan(0.1);
  });

  it("stand in a group and have a name, all of them; what they say is for people, not about files and flags", () => {
    const planned = lessonPlan.flatMap(([, names]) => names);
    expect([...planned].sort()).toEqual(lessons.map(({ name }) => name).sort());
    for (const { name, about } of lessons) {
      expect(lessonTitle(name), name).toBeTruthy();
      expect(about, name).toMatch(/^[A-Z].{20,}\.$/);
      expect(about, name).not.toMatch(/\.script|\.md|catgut |MPa|lengths of/);
    }
  });

  it("are there, each with its scene", () => {
    expect(lessons.length).toBeGreaterThan(2);
    for (const lesson of lessons) expect(lesson.scene, lesson.name).toBeTruthy();
  });
});

describe("scenes", () => {
  const files = readdirSync(path.join(__dirname, "../../scenes")).filter((name) => name.endsWith(".json"));
  const ids = files.map((name) => name.replace(".json", ""));

  it("stand in a group, all of them, and each has its picture", () => {
    expect(scenePlan.flatMap(([, names]) => names).sort()).toEqual([...ids].sort());
    const pictures = readdirSync(path.join(__dirname, "../src/pictures"));
    expect(ids.filter((id) => !pictures.includes(`${id}.jpg`))).toEqual([]);
  });

  it("that no group names come last, and empty groups are left out", () => {
    const plan = [["Knots", ["reef", "granny"]], ["None", ["gone"]]] as const;
    const groups = inGroups(plan, ["mine", "granny", "reef"], (name) => name, "More");
    expect(groups).toEqual([
      { title: "Knots", items: ["reef", "granny"] },
      { title: "More", items: ["mine"] },
    ]);
  });
});

describe("the hint of how hands are moved", () => {
  const sight = { hand: "right", isTouch: false, isOverTable: true, hasNeedle: false, canClose: true };

  it("names what the person has: mouse or fingers, the view, their own keys, and a needle where there is one", () => {
    const bindings = readSettings(null).bindings;
    expect(hintFor(sight, bindings)).toBe(
      "Drag to move the right hand; the wheel lifts and lowers it. Space closes and opens it. F1 shows all.",
    );
    expect(hintFor({ ...sight, hasNeedle: true }, bindings)).toContain("\\ brings its jaws to the needle.");
    expect(hintFor({ ...sight, isOverTable: false, canClose: false }, bindings)).toBe(
      "Drag to move the right hand; the wheel moves it away and nearer. F1 shows all.",
    );
    expect(hintFor({ ...sight, isTouch: true }, bindings)).toMatch(/^A finger carries a hand.* Two taps/);
    bindings.keys["active.close"] = "KeyV";
    bindings.wheel = "zoom";
    expect(hintFor(sight, bindings)).toMatch(/Ctrl and the wheel lifts.* V closes/);
  });

  it("is shown in six worlds, whatever was kept", () => {
    const hints = (kept: object) => readSettings(JSON.stringify(kept)).hints;
    expect([hints({}), hints({ hints: 2 }), hints({ hints: -3 }), hints({ hints: "x" }), hints({ hints: 99 })]).toEqual([6, 2, 0, 6, 6]);
  });
});

describe("a lesson step by step", () => {
  it("waits at each step until the person goes on, and not on a page that only watches", () => {
    const order = vi.fn(async (_order: { type: string }) => true);
    const simulation = { order, isPaused: false, isViewer: false, frame: { ...frameOf(0), script: 1 } };
    const stepwise = new Stepwise(simulation);
    stepwise.takeStep();
    expect(order).not.toHaveBeenCalled();
    stepwise.toggle();
    stepwise.takeStep();
    expect(order).toHaveBeenLastCalledWith({ type: "pause" });
    simulation.isPaused = true;
    expect(stepwise.waits).toBe(true);
    stepwise.next();
    expect(order).toHaveBeenLastCalledWith({ type: "go" });
    stepwise.toggle(); // switched off while it waits: it goes on
    expect(order).toHaveBeenCalledTimes(3);
    simulation.isViewer = true;
    stepwise.toggle();
    stepwise.takeStep();
    expect(stepwise.waits).toBe(false);
    expect(order).toHaveBeenCalledTimes(3);
  });
});

describe("settings", () => {
  it("take nothing that is not right", () => {
    const plain = readSettings(null);
    for (const text of ["", "nonsense", '{"theme":"pink","charts":"yes"}', "7"])
      expect(readSettings(text)).toEqual(plain);
    expect(readSettings('{"theme":"dark","charts":true}')).toEqual({ ...plain, theme: "dark", charts: true });
  });
});

describe("labels of an axis", () => {
  it.each([
    [[0, 0.5, 1], ["0.0", "0.5", "1.0"]],
    [[0, 0.01, 0.02], ["0.00", "0.01", "0.02"]],
    [[0, 100, 200], ["0", "100", "200"]],
    [[0, 1e-5, 2e-5], ["0", "1e-5", "2e-5"]],
  ])("tell %j apart", (ticks, labels) => expect(tickLabels(ticks)).toEqual(labels));
});
