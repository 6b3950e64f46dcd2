// The replay of an attempt: it plays from the moment that was asked for, and takes the picture from nobody.

import { expect, test } from "vitest";
import { openReplay, type ReplayStage } from "../src/control/replay";
import type { Simulation } from "../src/net/simulation";
import type { Result } from "../src/train/data";
import { frameOf } from "./frames";

const told = { attempt: 7, marks: { targets: [] } } as unknown as Result;

/** A server that notes what it is told, and opens a recording when `open` is called. */
function rig() {
  const orders: object[] = [];
  const stage = { isHere: true, hasMarks: false };
  let open = () => {};
  let listeners = 0;
  const note = (order: object) => {
    orders.push(order);
    return Promise.resolve(true);
  };
  const simulation = {
    frame: { ...frameOf(1), step: 0, factor: 0 },
    scene: { time_step: 0.001, last_step: 9000 },
    whenOpen: () => Promise.resolve(),
    connection: { order: (order: object) => new Promise<void>((resolve) => (orders.push(order), (open = resolve))) },
    order: note,
    listen: () => (listeners++, () => void listeners--),
  };
  const picture: ReplayStage = {
    enter: () => (stage.isHere = true),
    isHere: () => stage.isHere,
    leave: () => (stage.isHere = false),
    setTaskMarks: (marks) => (stage.hasMarks = marks !== undefined),
  };
  let isWanted = true;
  const replay = openReplay(simulation as unknown as Simulation, picture, told, () => isWanted, () => undefined);
  return { orders, stage, simulation, replay, leavePage: () => (isWanted = false), open: () => open(), listeners: () => listeners };
}

/** What was promised comes to its end. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

async function opened() {
  const all = rig();
  await settle();
  all.open();
  const replay = await all.replay;
  all.orders.length = 0;
  return { ...all, replay };
}

test("a moment is played from, also when the replay stands at its end", async () => {
  const { replay, orders, simulation } = await opened();
  simulation.frame.step = 9000;
  replay.playFrom(2.5);
  expect(orders).toEqual([
    { type: "seek", step: 2500 },
    { type: "play", speed: 1 },
  ]);
});

test("the button plays, pauses, and begins anew at the end", async () => {
  const { replay, orders, simulation } = await opened();
  replay.toggle();
  simulation.frame.factor = 1;
  replay.toggle();
  simulation.frame = { ...simulation.frame, factor: 0, step: 8990 };
  replay.toggle();
  expect(orders).toEqual([
    { type: "play", speed: 1 },
    { type: "play", speed: 0 },
    { type: "seek", step: 0 },
    { type: "play", speed: 1 },
  ]);
});

test("a page that went while its recording was being opened gets no replay", async () => {
  const { replay, stage, leavePage, open, listeners } = rig();
  await settle();
  leavePage();
  open();
  await expect(replay).rejects.toThrow("went");
  expect(stage.hasMarks).toBe(false);
  expect(listeners()).toBe(0);
});

test("the end leaves the picture to who took it meanwhile", async () => {
  const { replay, stage, listeners } = await opened();
  stage.isHere = false; // the lab has it, with marks of its own
  replay.end();
  expect(stage.hasMarks).toBe(true);
  expect(listeners()).toBe(0);
  stage.isHere = true;
  replay.end();
  expect(stage).toEqual({ isHere: false, hasMarks: false });
});
