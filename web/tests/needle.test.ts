import { Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { ShapeKind, Tool, type SceneMessage, type ShapeInfo, type ShapeState, type Vec3 } from "../src/base/protocol.generated";
import { metres } from "../src/base/units";
import { WristHelp } from "../src/control/wrist";
import { HandDriver, HandDrivers } from "../src/input/drivers";
import { acrossWound, towardsNeedle, woundOf } from "../src/input/lineUp";
import { heldNeedle, needlesOf, nearestSpot, placeAlong, reachDown, spotBefore, type Needle } from "../src/input/needle";
import type { Simulation } from "../src/net/simulation";
import type { Stage } from "../src/view/stage";
import { frameOf, grasper, handAt } from "./frames";

const PIECES = 16;

/** A half circle of 8 mm about a place, flat, its point at +x and its end at -x, by way of +y; thinner at its point. */
function flat(centre = new Vector3(0, 0, 0.3)) {
  const infos: ShapeInfo[] = [],
    states: ShapeState[] = [];
  for (let k = 0; k < PIECES; k++) {
    const angle = (Math.PI * (k + 0.5)) / PIECES;
    const middle = new Vector3(8 * Math.cos(angle), 8 * Math.sin(angle), 0).add(centre);
    const along = new Vector3(-Math.sin(angle), Math.cos(angle), 0);
    const rotation = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), along).toArray() as Quat;
    const radius = k === 0 ? 0.0001 : 0.0003;
    const half_length = (0.008 * Math.PI) / PIECES / 2;
    infos.push({ name: "needle", kind: ShapeKind.capsule, radius, half_length, half_extents: [0, 0, 0], colour: 0 });
    states.push({ shape: k, position: metres(middle), rotation, force: [0, 0, 0], torque: [0, 0, 0] });
  }
  const scene = { shapes: infos, threads: [], tissues: [], hands: [grasper] } as unknown as SceneMessage;
  return { scene, frame: { ...frameOf(0), shapes: states } };
}
type Quat = [number, number, number, number];

function needleOf(centre?: Vector3): Needle {
  const { scene, frame } = flat(centre);
  return needlesOf(frame, scene)[0];
}

const near = (a: Vector3, b: Vector3, within = 0.1) => expect(a.distanceTo(b)).toBeLessThan(within);
const upright = new Quaternion();

describe("a curved needle", () => {
  it("is found with its circle, its point and the way that goes", () => {
    const needle = needleOf(new Vector3(1, 2, 3));
    near(needle.centre, new Vector3(1, 2, 3));
    expect(needle.radius).toBeCloseTo(8, 1);
    near(needle.points[0], new Vector3(9, 2, 3), 0.2);
    // point first: from +y over +x on, so clockwise from above
    near(needle.axis, new Vector3(0, 0, -1));
    expect(spotBefore(needle, new Vector3(1, 12, 30), new Vector3(0, 0, 1)).share).toBeCloseTo(0.5, 1);
  });

  it("has its places by shares of its arc, there and back", () => {
    const needle = needleOf();
    for (const share of [0, 0.03, 0.2, 0.5, 0.8, 1]) {
      const angle = Math.PI * share;
      near(placeAlong(needle, share), new Vector3(8 * Math.cos(angle), 8 * Math.sin(angle), 0.3), 0.06);
      expect(Math.abs(nearestSpot(needle, placeAlong(needle, share)).share - share)).toBeLessThan(0.005);
    }
  });

  it("is held when both jaws press, and lowers what a hand reaches down to", () => {
    const { scene, frame } = flat();
    const needles = needlesOf(frame, scene);
    const hand = (force: number, at: Vec3 = [0, 0.008, 0.004]) =>
      handAt(at, { has_jaws: 1, tool: Tool.needle_driver, jaw_force: force, other_jaw_force: 1 });
    expect(heldNeedle(hand(1), needles)).toBe(needles[0]);
    expect(heldNeedle(hand(0), needles)).toBeUndefined();
    expect(heldNeedle(hand(1, [0, 0.03, 0.004]), needles)).toBeUndefined();
    expect(reachDown(hand(1), frame, needles)).toBeCloseTo(4, 3);
    expect(reachDown(handAt([0, 0, 0.004]), frame, needles)).toBe(0);
  });

  it("is what an empty tool lines up with, and then goes in to", () => {
    const needle = needleOf();
    const hand = { position: new Vector3(6, 7, 40), rotation: upright };
    const over = towardsNeedle(hand, needle, 4, 0.1);
    near(over.position, new Vector3(5.2, 6.1, 15.3), 0.3);
    const across = new Vector3(0, 1, 0).applyQuaternion(over.rotation);
    expect(Math.abs(across.dot(new Vector3(5.2, 6.1, 0).normalize()))).toBeCloseTo(1, 2);
    const inside = towardsNeedle(over, needle, 4, 0.1);
    near(inside.position, new Vector3(5.2, 6.1, 4.1), 0.3); // tips over the table
    const [free] = [towardsNeedle(over, needle, 4, -100)];
    expect(free.position.z).toBeCloseTo(1.8, 1); // well between the jaws where nothing is in the way
  });

  it("stands across the wound, its point over the skin, and driven goes through it", () => {
    const needle = needleOf(new Vector3(2, -20, 20));
    const hand = { position: new Vector3(-6, -20, 23), rotation: upright };
    const edge = [-8, -4, 0, 4, 8].flatMap((x) => [-1, 1].map((side) => new Vector3(x, side * (2 - Math.abs(x) / 4), 0)));
    edge.push(new Vector3(0, 0, -6));
    const wound = woundOf(edge)!;
    near(wound.centre, new Vector3(0, 0, 0), 1e-9);
    expect(Math.abs(wound.along.x)).toBeCloseTo(1, 6);
    const poses = acrossWound(hand, needle, wound);
    expect(poses).toHaveLength(2);
    for (const pose of poses) {
      const turn = pose.rotation.clone().multiply(hand.rotation.clone().invert());
      const moved = (point: Vector3) => point.clone().sub(hand.position).applyQuaternion(turn).add(pose.position);
      const tip = moved(needle.points[0]),
        centre = moved(needle.centre);
      near(centre, new Vector3(2, 0, 0.69 * 8 + 3));
      expect(tip.z).toBeCloseTo(3, 0);
      expect(Math.abs(tip.y)).toBeGreaterThan(3);
      const driver = new HandDriver(0);
      const at = handAt(metres(pose.position), { rotation: pose.rotation.toArray() as Quat });
      driver.begin(at);
      const axis = needle.axis.clone().applyQuaternion(turn);
      driver.drive({ ...needle, centre, axis }, 8 * 1.62);
      const back = driver.rotation.clone().multiply(pose.rotation.clone().invert());
      const after = tip.clone().sub(pose.position).applyQuaternion(back).add(driver.command);
      near(after, new Vector3(2, -tip.y, tip.z), 0.5); // out on the other side, as high
    }
  });
});

describe("a needle that is driven", () => {
  /** Drives by a millimetre while the hand feels so much, N: how far it was told to go, and what the page says. */
  function driveAt(force: number, along: number) {
    const { scene, frame } = flat();
    const state = handAt([0.008, 0, 0.0003], { has_jaws: 1, jaw_force: 5, other_jaw_force: 5, force: [0, 0, force] });
    const said: string[] = [];
    const simulation = { scene, frame: { ...frame, hands: [state] }, notice: ({ text }: { text: string }) => said.push(text) };
    const drivers = new HandDrivers();
    drivers.build([grasper], false);
    const wrist = new WristHelp(simulation as unknown as Simulation, drivers, {} as Stage);
    const [driver] = drivers.hands;
    driver.begin(state);
    const before = driver.command.clone();
    wrist.drive(driver, along);
    wrist.drive(driver, along);
    return { gone: driver.command.distanceTo(before), said };
  }

  it("goes along its arc, but not on when it is held back, as a wrist gives way; back it goes", () => {
    expect(driveAt(0.5, 1)).toMatchObject({ gone: expect.closeTo(2, 1), said: [] });
    const held = driveAt(2.5, 1);
    expect(held.gone).toBe(0);
    expect(held.said).toEqual([expect.stringMatching(/held back by 2 N/)]);
    expect(driveAt(2.5, -1)).toMatchObject({ gone: expect.closeTo(2, 1), said: [] });
  });
});

describe("a hand that is asked to line up", () => {
  /** An empty driver, locked or not, with or without a needle before it. */
  function asked(isLocked: boolean, hasNeedle: boolean) {
    const { scene, frame } = flat();
    frame.hands = [handAt([0.006, 0.007, 0.04], { has_jaws: 1, tool: Tool.needle_driver })];
    if (!hasNeedle) frame.shapes = [];
    const drivers = new HandDrivers();
    drivers.build(scene.hands, false);
    drivers.hands[0].isLocked = isLocked;
    return new WristHelp({ scene, frame } as Simulation, drivers, {} as Stage).lineUp(0);
  }

  it("says that it is locked, and otherwise what it does not find", () => {
    expect(asked(true, true)).toBe("The hand is locked.");
    expect(asked(false, false)).toBe("There is no needle to line up with.");
  });
});
