// Addresses, choices, curves and pictures of the training pages, and the expert's ghosts that wait.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readGuidance } from "../src/train/context";
import { WayGuide, type Way } from "../src/teach/way";
import { describeCurve, places } from "../src/train/curve";
import { lostLines, measureLabel, wishOf, nextTask, people, type Curve, type Result, type ScoredLine, type TaskEntry } from "../src/train/data";
import { corners, flagsOf } from "../src/train/plot";
import { addressOf, readRoute, type Route } from "../src/train/route";
import { filler } from "../src/train/refresh";
import { readName, refuseName } from "../src/train/trainee";
import type { HandState } from "../src/base/protocol.generated";
import { frameOf } from "./frames";

describe("addresses", () => {
  const routes: Route[] = [
    { page: "home" },
    { page: "tasks" },
    { page: "lab" },
    { page: "task", task: "square-knot" },
    { page: "try", task: "square-knot" },
    { page: "result", attempt: 12 },
    { page: "progress", trainee: "" },
    { page: "progress", trainee: "Zoë / ann & co" },
    { page: "report", trainee: "a%b" },
  ];
  test.each(routes)("%o is read as it is written", (route) => {
    expect(readRoute(addressOf(route))).toEqual(route);
  });
  test.each(["", "#", "#/", "#token=abc", "#/nowhere", "#/result/x", "#/result/-1", "#/task", "#/%E0%A4%A"])("%s is the home page", (hash) => {
    expect(readRoute(hash)).toEqual({ page: "home" });
  });
});

const entry = (name: string, passed: number, best: number, error: string | null = null): TaskEntry => ({
  name,
  passed,
  best,
  error,
  group: "",
  title: name,
  scene: null,
  attempts: passed,
  last: best,
  last_seconds: 1,
});

test("what comes next is the first task that was not passed, then the weakest; a broken file never", () => {
  expect(nextTask([entry("a", 1, 0.9), entry("b", 0, 0.2), entry("c", 0, 0)])?.name).toBe("b");
  expect(nextTask([entry("a", 1, 0.9), entry("b", 2, 0.8)])?.name).toBe("b");
  expect(nextTask([entry("a", 0, 0, "a.json:1:1: no"), entry("b", 0, 0)])?.name).toBe("b");
  expect(nextTask([])).toBeUndefined();
});

const line = (measure: string, points: number, most: number, must: boolean, at: number): ScoredLine => ({
  measure,
  points,
  worth: points,
  most,
  must,
  failed: must && points === 0,
  at,
  text: "",
  said: "",
  advice: "",
});

test("what cost points comes in its order: a must at zero, then what cost most; flags only at known moments", () => {
  const rubric = [line("time", 10, 30, false, -1), line("misses", 0, 5, true, 4.2), line("drops", 0, 15, false, 2), line("tail", 10, 10, false, 1)];
  const result = { rubric } as unknown as Result;
  expect(lostLines(result).map(({ measure }) => measure)).toEqual(["misses", "time", "drops"]);
  expect(flagsOf(result)).toEqual([
    { at: 4.2, label: "Misses" },
    { at: 2, label: "Drops" },
  ]);
});

test("every line of a rubric has words of its own", () => {
  const files = import.meta.glob<string>("../../scenes/tasks/*.json", { query: "?raw", import: "default", eager: true });
  const measures = Object.values(files).flatMap((text) => [...text.matchAll(/"measure": "(\w+)", "bands"/g)].map(([, name]) => name));
  expect(measures.length).toBeGreaterThan(60);
  for (const measure of measures) expect(wishOf(measure), measure).not.toBe(measureLabel(measure));
});

test("names of people and measures", () => {
  expect(measureLabel("missed_grasps")).toBe("Missed grasps");
  expect(people(["ann", "expert", "examples", "bob"])).toEqual(["ann", "bob"]);
  expect(readName("  Ann   Lee ")).toBe("Ann Lee");
  expect(readName("   ")).toBeUndefined();
  expect(readName("é".repeat(51))).toBeUndefined();
});

test.each(["expert", "examples", " Expert "])("%s is nobody's name: scripts have it", (name) => {
  expect(readName(name)).toBeUndefined();
  expect(refuseName(name)).toContain("scripts");
  expect(refuseName(`${name} Ann`)).toBe("");
});

test("a page that looks again is made anew only when the answer differs", async () => {
  const answers = [{ best: 1 }, { best: 1 }, { best: 2 }, "a.json:1:1: no", "a.json:1:1: no", { best: 2 }];
  const drawn: unknown[] = [];
  const note = (what: unknown) => (drawn.push(what), []);
  const fill = filler(
    { replaceChildren: () => undefined },
    () => {
      const answer = answers.shift();
      return typeof answer === "string" ? Promise.reject(new Error(answer)) : Promise.resolve(answer);
    },
    note,
    (error) => note((error as Error).message),
  );
  while (answers.length > 0) await fill();
  expect(drawn).toEqual([{ best: 1 }, { best: 2 }, "a.json:1:1: no", { best: 2 }]);
});

test("guidance that was kept is trusted only where it makes sense", () => {
  expect(readGuidance('{"ghost": true, "marks": false, "steps": 3}')).toEqual({ ghost: true, marks: false, steps: true });
  expect(readGuidance("{")).toEqual(readGuidance(null));
});

test("a curve goes from left to right, better is higher, and one attempt stands in the middle", () => {
  const at = places([0, 0.5, 1]);
  expect(at.map(({ x }) => x)).toEqual([...at.map(({ x }) => x)].sort((a, b) => a - b));
  expect(at[0].y).toBeGreaterThan(at[1].y);
  expect(at[1].y).toBeGreaterThan(at[2].y);
  const [alone] = places([0.3]);
  expect(alone.x).toBeCloseTo((at[0].x + at[2].x) / 2);
  const curve: Curve = { name: "t", title: "T", pass: 0.8, expert: { share: 1, seconds: 3 }, attempts: [[1, 0, 0.25, 9, false, ""], [2, 0, 0.9, 5, true, ""]] };
  expect(describeCurve(curve)).toBe("T: 2 attempts, 1 passed, first 25 %, best 90 %, last 90 %; expert 100 %");
});

test("the highest value of a plot is at its top, the end of time at its right", () => {
  expect(corners([0, 5, 10], [0, 1, 2], 10, 2).split(" ")).toEqual(["0.0,114.0", "500.0,61.0", "1000.0,8.0"]);
  expect(corners([0], [0], 0, 0)).toBe("0.0,114.0");
});

describe("the expert's way", () => {
  // 100 mm to the right in a second; the second hand stands still
  const way: Way = {
    task: "t",
    seed: 1,
    seconds: 1,
    places: [0, 0.5, 1].map((time) => [time, 0.1 * time, 0, 0, 0, 1, 1, 1, 0]),
    steps: [
      { at: 0, text: "first: go" },
      { at: 0.6, text: "second: go on" },
    ],
  };
  const look = (guide: WayGuide, time: number, x: number) => guide.follow({ ...frameOf(0), time, hands: [{ hand: 0, position: [x, 0, 0] } as unknown as HandState] });

  test("goes ahead of a hand that follows, and tells the steps", () => {
    const guide = new WayGuide(way);
    const first = look(guide, 0, 0);
    expect(first.name).toBe("first");
    expect(first.goals[1]).toBeUndefined();
    for (let time = 0.05; time < 1; time += 0.05) look(guide, time, 0.1 * guide.time);
    expect(guide.time).toBeGreaterThan(0.9);
    expect(look(guide, 1, 0.09).name).toBe("second");
  });

  test("waits for a hand that does not", () => {
    const guide = new WayGuide(way);
    for (let time = 0; time < 5; time += 0.05) look(guide, time, 0);
    expect(guide.time).toBeGreaterThan(0.02);
    expect(guide.time).toBeLessThan(0.16);
    expect(look(guide, 5, 0).goals[0]!.x).toBeLessThan(16);
    for (let time = 5; time < 20; time += 0.05) look(guide, time, 0.1 * guide.time);
    expect(guide.time).toBe(1); // the end of the way
  });
});

describe("pictures", () => {
  const curriculum = readFileSync(path.join(__dirname, "../../scenes/tasks/curriculum.txt"), "utf8");
  const tasks = curriculum.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  test("the curriculum has tasks", () => {
    expect(tasks).toContain("square-knot");
  });
  test.each(tasks)("%s has a picture: npm run pictures -- tasks NAME", (task) => {
    expect(existsSync(path.join(__dirname, `../src/pictures/task-${task.trim()}.jpg`))).toBe(true);
  });
});
