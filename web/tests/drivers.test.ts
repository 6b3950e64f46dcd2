import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { HandDriver, HandDrivers, inWorld } from "../src/input/drivers";
import { handsInReach } from "../src/input/reach";
import { Tool, TOOLS, type HandState, type SceneMessage, type Vec3 } from "../src/base/protocol.generated";
import { newtons } from "../src/ui/format";
import { describe as describeHand } from "../src/ui/hands";
import { CameraRig } from "../src/view/rig";
import { frameOf, handAt } from "./frames";

const space = { centre: new Vector3(), floor: -20 };

function moved(driver: HandDriver, at: HandState): Vec3 {
  const operation = driver.collect(at, space, 0.02).find((candidate) => candidate.type === "move_hand");
  if (operation?.type !== "move_hand") throw new Error("no motion");
  return operation.position;
}

describe("a hand", () => {
  it("begins where it is told to be and moves by what is asked, in metres", () => {
    const driver = new HandDriver(0);
    driver.begin(handAt([0.01, 0, 0]));
    driver.moveBy(new Vector3(2, 0, -1));
    const position = moved(driver, handAt([0.01, 0, 0]));
    expect(position[0]).toBeCloseTo(0.012, 12);
    expect(position[2]).toBeCloseTo(-0.001, 12);
    expect(driver.collect(handAt([0.01, 0, 0]), space, 0.02)).toEqual([]); // said once
  });

  it("does not run away from a hand that is held back, and turns around at once", () => {
    const driver = new HandDriver(0);
    const stuck = handAt([0, 0, 0]);
    driver.begin(stuck);
    for (let i = 0; i < 100; i++) {
      driver.moveBy(new Vector3(5, 0, 0));
      expect(moved(driver, stuck)[0]).toBeLessThanOrEqual(0.03 + 1e-12);
    }
    driver.moveBy(new Vector3(-5, 0, 0));
    expect(moved(driver, stuck)[0]).toBeCloseTo(0.025, 9);
  });

  it("goes on to where the pointer is once it can", () => {
    const driver = new HandDriver(0);
    driver.begin(handAt([0, 0, 0]));
    driver.moveTo(new Vector3(50, 0, 0));
    expect(moved(driver, handAt([0, 0, 0]))[0]).toBeCloseTo(0.03, 9);
    driver.insist();
    expect(moved(driver, handAt([0.025, 0, 0]))[0]).toBeCloseTo(0.05, 9);
    driver.insist();
    expect(driver.collect(handAt([0.05, 0, 0]), space, 0.02)).toEqual([]);
  });

  it("stays above the floor and within the room", () => {
    const driver = new HandDriver(0);
    driver.begin(handAt([0, 0, -0.019]));
    driver.moveBy(new Vector3(0, 0, -9));
    expect(moved(driver, handAt([0, 0, -0.019]))[2]).toBeCloseTo(-0.0195, 9);
    driver.moveTo(new Vector3(400, 0, 0));
    expect(moved(driver, handAt([0.299, 0, 0]))[0]).toBeCloseTo(0.3, 6);
  });

  it("stands still while locked", () => {
    const driver = new HandDriver(0);
    driver.begin(handAt([0, 0, 0]));
    driver.isLocked = true;
    driver.moveBy(new Vector3(1, 0, 0));
    driver.turn(new Vector3(0, 0, 1), 1);
    expect(driver.collect(handAt([0, 0, 0]), space, 0.02)).toEqual([]);
  });

  it("glides no farther once it is locked, nor when it is free again", () => {
    const driver = new HandDriver(0);
    driver.begin(handAt([0, 0, 0]));
    driver.glideTo({ position: new Vector3(20, 0, 0), rotation: driver.rotation.clone() });
    driver.goOn(0.2);
    const way = moved(driver, handAt([0, 0, 0]))[0];
    expect(way).toBeGreaterThan(0);
    driver.isLocked = true;
    driver.goOn(0.2);
    expect(driver.isGliding).toBe(false);
    expect(driver.collect(handAt([way, 0, 0]), space, 0.02)).toEqual([]);
    driver.isLocked = false;
    driver.goOn(0.2);
    expect(driver.collect(handAt([way, 0, 0]), space, 0.02)).toEqual([]);
  });

  it("closes and opens by what the simulation says it is", () => {
    const driver = new HandDriver(0);
    driver.toggleClosed(handAt([0, 0, 0]));
    expect(driver.collect(handAt([0, 0, 0]), space, 0.02)).toEqual([{ type: "close_hand", step: 0, hand: 0 }]);
    driver.toggleClosed(handAt([0, 0, 0], { closed: 1 }));
    expect(driver.collect(handAt([0, 0, 0], { closed: 1 }), space, 0.02)).toEqual([
      { type: "open_hand", step: 0, hand: 0 },
    ]);
    driver.setClosed(true);
    expect(driver.collect(handAt([0, 0, 0], { closed: 1 }), space, 0.02)).toEqual([]);
  });

  it("forgets where it was after somebody else moved it", () => {
    const driver = new HandDriver(0);
    driver.begin(handAt([0, 0, 0]));
    driver.forget();
    driver.begin(handAt([0.07, 0, 0]));
    driver.moveBy(new Vector3(1, 0, 0));
    expect(moved(driver, handAt([0.07, 0, 0]))[0]).toBeCloseTo(0.071, 9);
  });
});

describe("an instrument", () => {
  it("is taken once, and only when the hand carries another one", () => {
    const driver = new HandDriver(0);
    driver.takeTool("scalpel");
    expect(driver.collect(handAt([0, 0, 0]), space, 0.02)).toEqual([
      { type: "hand_tool", step: 0, hand: 0, tool: "scalpel" },
    ]);
    expect(driver.collect(handAt([0, 0, 0]), space, 0.02)).toEqual([]);
    driver.takeTool("scalpel");
    expect(driver.collect(handAt([0, 0, 0], { tool: Tool.scalpel }), space, 0.02)).toEqual([]);
  });

  it("is chosen from a list that counts as the protocol does", () => {
    TOOLS.forEach(({ name }, place) => expect(Tool[name]).toBe(place));
    expect(TOOLS.length).toBe(Object.keys(Tool).length);
  });

  it("says when a device leads it", () => {
    const view = { isActive: false, isLocked: false, isInReach: false, isOthers: true, at: { x: 0, y: 0 } };
    expect(describeHand(handAt([0, 0, 0], { driver: 0xffffffff }), view, [])).toBe("led by a device");
    expect(describeHand(handAt([0, 0, 0], { driver: 7 }), view, [])).toBe("driven by another page");
  });

  it("is told in words when its jaws touch", () => {
    const view = { isActive: true, isLocked: false, isInReach: true, isOthers: false, at: { x: 0, y: 0 } };
    const words = (more: Partial<HandState>) => describeHand(handAt([0, 0, 0], { has_jaws: 1, ...more }), view, []);
    expect(words({ tool: Tool.needle_driver, opening: 0.4 })).toBe("driver, 40 % open");
    expect(words({ tool: Tool.forceps, closed: 1 })).toBe("forceps, closed");
    expect(words({ tool: Tool.needle_driver, closed: 1, jaw_force: 2.5, other_jaw_force: 2.4, latched: 1 })).toBe(
      `driver, latched · ${newtons(2.4)}`,
    );
    expect(words({ tool: Tool.forceps, closed: 1, jaw_force: 1, other_jaw_force: 1 })).toBe(`forceps, grips · ${newtons(1)}`);
    expect(words({ tool: Tool.scissors, opening: 1, jaw_force: 2 })).toBe("scissors, open"); // leans on something
    expect(words({ opening: 0.5 })).toBe("grasper, 50 % open");
  });

  it("is told in words, and so is a grip that slips", () => {
    const view = { isActive: true, isLocked: false, isInReach: false, isOthers: false, at: { x: 0, y: 0 } };
    const words = (more: Partial<HandState>) => describeHand(handAt([0, 0, 0], more), view, []);
    expect(words({ tool: Tool.probe, force: [0, 0, 0.3] })).toBe("probe, presses");
    expect(words({ tool: Tool.scalpel, closed: 1, edge_inside: 0.002 })).toBe("cuts · 2.0 mm in");
    const held = { tool: Tool.scalpel, closed: 1, edge_inside: 0.002, target: [0.004, 0, 0] as Vec3 };
    expect(words(held)).toBe("cuts · 2.0 mm in"); // no room for more: its tag says that it is behind
    expect(words({ tool: Tool.scalpel, closed: 1 })).toBe("scalpel, ready");
    expect(words({ tool: Tool.hook, closed: 1 })).toBe("hook, current on");
    expect(words({ tissue: 0, closed: 1 })).toBe("holds tissue");
    expect(words({ tissue: 0, closed: 1, slip: 1, slip_speed: 0.012 })).toBe("slips · 12 mm/s");
    expect(words({ closed: 1, slip: 2 })).toBe("tissue slipped out");
  });
});

describe("jaws that touch", () => {
  const jawed = (opening: number, more: Partial<HandState> = {}) => handAt([0, 0, 0], { has_jaws: 1, tool: Tool.forceps, opening, ...more });
  const told = (opening: number) => [{ type: "set_jaws", step: 0, hand: 0, opening, force: 0 }];

  it("go as far apart as a trigger says, once, and only where there are any", () => {
    const driver = new HandDriver(0);
    driver.setOpening(0.3);
    expect(driver.hasWish).toBe(true);
    expect(driver.collect(jawed(1), space, 0.02)).toEqual(told(0.3));
    expect(driver.hasWish).toBe(false);
    expect(driver.collect(jawed(1), space, 0.02)).toEqual([]);
    driver.setOpening(-2);
    expect(driver.collect(jawed(1), space, 0.02)).toEqual(told(0));
    driver.setOpening(0.3);
    expect(driver.collect(handAt([0, 0, 0]), space, 0.02)).toEqual([]);
    expect(driver.hasWish).toBe(false);
  });

  it("go on by keys from what they were told, not from where a needle stops them", () => {
    const driver = new HandDriver(0);
    driver.openBy(-0.25, jawed(0.5));
    expect(driver.collect(jawed(0.5), space, 0.02)).toEqual(told(0.25));
    driver.openBy(-0.125, jawed(0.5));
    expect(driver.collect(jawed(0.5), space, 0.02)).toEqual(told(0.125));
    driver.setClosed(true); // from here on they are where they are
    driver.collect(jawed(0.5), space, 0.02);
    driver.openBy(0.25, jawed(0.125, { closed: 1 }));
    expect(driver.collect(jawed(0.125, { closed: 1 }), space, 0.02)).toEqual(told(0.375));
    driver.openBy(0.25, handAt([0, 0, 0]));
    expect(driver.collect(handAt([0, 0, 0]), space, 0.02)).toEqual([]);
  });

  it("are never in reach", () => {
    const frame = frameOf(1);
    frame.hands = [handAt([0, 0, 0])];
    frame.threads = [{ thread: 0, positions: new Float32Array([-0.01, 0, 0, 0.01, 0, 0]) } as never];
    const scene = { hands: [{ jaw: 0.002, reach: 0.004 }], threads: [{ radius: 0.0005 }] } as unknown as SceneMessage;
    expect(handsInReach(frame, scene)).toEqual([true]);
    frame.hands = [handAt([0, 0, 0], { has_jaws: 1, opening: 1 })];
    expect(handsInReach(frame, scene)).toEqual([]);
  });
});

describe("the view plane", () => {
  it("is what one sees: right, up and away, from every side", () => {
    const rig = new CameraRig();
    for (const name of ["front", "top", "side", "corner"] as const) {
      rig.show(name);
      const { right, up, forward } = rig.axes();
      const toTarget = rig.target.clone().sub(rig.camera.position).normalize();
      expect(forward.dot(toTarget)).toBeCloseTo(1, 6);
      expect(right.dot(up)).toBeCloseTo(0, 6);
      expect(right.clone().cross(up).dot(forward)).toBeCloseTo(-1, 6);
    }
    rig.show("front");
    expect(inWorld(rig.axes(), 1, 0, 0).x).toBeCloseTo(1, 6);
    expect(inWorld(rig.axes(), 0, 1, 0).z).toBeGreaterThan(0.9);
    expect(inWorld(rig.axes(), 0, 0, 1).y).toBeGreaterThan(0.9);
  });

  it("moves a hand by as many pixels as the pointer", () => {
    const rig = new CameraRig();
    rig.resize(800, 600);
    const at = new Vector3(3, 4, 5);
    const scale = rig.millimetresPerPixel(at, 600);
    const next = at.clone().add(inWorld(rig.axes(), 10 * scale, 0, 0));
    const pixels = (next.project(rig.camera).x - at.clone().project(rig.camera).x) * 400;
    expect(pixels).toBeCloseTo(10, 3);
  });
});

describe("two hands", () => {
  it("begin with the right one, or the left one for the left-handed", () => {
    const drivers = new HandDrivers();
    drivers.build([{ name: "left" }, { name: "right" }], false);
    expect(drivers.active).toBe(1);
    drivers.build([{ name: "left" }, { name: "right" }], true);
    expect(drivers.active).toBe(0);
    drivers.choose(7);
    expect(drivers.active).toBe(0);
  });

  it("are left and right as they are called, also among three", () => {
    const drivers = new HandDrivers();
    drivers.build([{ name: "right" }, { name: "left" }, { name: "tail" }], false);
    expect([drivers.sides, drivers.active]).toEqual([[1, 0], 0]);
  });
});
