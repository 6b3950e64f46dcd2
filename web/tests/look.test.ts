// What of the picture can be computed without one: instruments, cloth, framing, widths, paleness, and the choice of how
// fine it is.

import { Box3, Color, PerspectiveCamera, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import {
  ShapeKind,
  Side,
  Tool,
  TOOLS,
  type HandState,
  type Quat,
  type SceneMessage,
  type ToolPart,
} from "../src/base/protocol.generated";
import { millimetres } from "../src/base/units";
import { foldHeight, lampShare, makeCloth, roundedRectangle } from "../src/view/cloth";
import { plainColour, woundLight } from "../src/view/flesh";
import { boundsOf, fitDistance, freeRectangle } from "../src/view/framing";
import { Instrument, studioTexture } from "../src/view/instrument";
import { jawsOf, openingOf } from "../src/view/jaws";
import { MOST_MARKS, paleness, PressMarks } from "../src/view/marks";
import { makeJawed, makeModel, modelName, type ModelName } from "../src/view/models";
import { chooseQuality, FrameJudge, isSoftwareName, qualities, readWish } from "../src/view/quality";
import { CameraRig } from "../src/view/rig";
import { Solid } from "../src/view/solid";
import { drawnRadius, isBraided, pixelAngle } from "../src/view/threads";
import { frameOf, grasper as hand } from "./frames";

function stateOf(change: Partial<HandState>): HandState {
  return { tool: Tool.grasper, closed: 0, force: [0, 0, 0], position: [0, 0, 0], thread: -1, tissue: -1, hand: 0, ...change } as HandState;
}

/** A needle driver whose jaws are turned by so much, in a hand that stands askew somewhere. Its rails go from the tips,
    4 mm before the middle of the jaws, back to the hinge. */
function jawedHand(angle: number): { state: HandState; parts: ToolPart[] } {
  const rotation = new Quaternion().setFromAxisAngle(new Vector3(1, 2, -0.5).normalize(), 2.2);
  const position = new Vector3(0.01, -0.02, 0.03);
  const part = (jaw: number, radius: number, half_length: number, at: Vector3, turn: Quaternion): ToolPart => ({
    hand: 0,
    jaw,
    kind: ShapeKind.capsule,
    radius,
    half_length,
    half_extents: [0, 0, 0],
    position: at.applyQuaternion(rotation).add(position).toArray(),
    rotation: rotation.clone().multiply(turn).toArray() as Quat,
  });
  const hinge = new Vector3(0, 0, 0.014);
  const rail = (jaw: 1 | 2) => {
    const side = jaw === 1 ? -1 : 1;
    const turn = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), side * angle);
    return part(jaw, 0.00025, 0.00875, new Vector3(0, side * 0.00025, -0.009).applyQuaternion(turn).add(hinge), turn);
  };
  const shaft = part(0, 0.0025, 0.0375, new Vector3(0, 0, 0.054), new Quaternion());
  const state = stateOf({ has_jaws: 1, tool: Tool.needle_driver, position: position.toArray(), rotation: rotation.toArray() as Quat });
  return { state, parts: [shaft, rail(1), rail(2)] };
}

/** Volume inside a closed surface, by the divergence theorem: negative when it is inside out. */
function volumeOf({ positions: p, indices }: Solid): number {
  let volume = 0;
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => new Vector3().fromArray(p, 3 * indices[at + k]));
    volume += a.dot(b.cross(c)) / 6;
  }
  return volume;
}

describe("solids", () => {
  it("enclose the volume of a rod", () => {
    const solid = new Solid(64).rod("steel", 0, 10, 2, 2);
    expect(volumeOf(solid)).toBeCloseTo(Math.PI * 4 * 10, -0.5);
    solid.normals.forEach((value) => expect(Math.abs(value)).toBeLessThanOrEqual(1 + 1e-9));
  });

  it("enclose a ball made of two domes", () => {
    const solid = new Solid(48).dome("steel", 0, 0, 3, true).dome("steel", 0, 0, 3, false);
    expect(volumeOf(solid) / ((4 / 3) * Math.PI * 27)).toBeGreaterThan(0.95);
    expect(volumeOf(solid) / ((4 / 3) * Math.PI * 27)).toBeLessThan(1);
  });

  it("have boxes that are larger than ellipses of the same size", () => {
    const path = [0, 1].map((z) => ({ x: 0, z, a: 1, b: 1 }));
    expect(volumeOf(new Solid(40).sweep("steel", path, 6))).toBeGreaterThan(volumeOf(new Solid(40).sweep("steel", path)));
  });
});

describe("instruments", () => {
  it("are steel from every side where simple materials show them, and nowhere black", () => {
    const { data, width } = studioTexture().image as { data: Uint8Array; width: number };
    const shades = Array.from({ length: width * width }, (_, at) => data[4 * at]);
    expect(Math.min(...shades)).toBeGreaterThan(60);
    expect(Math.max(...shades)).toBe(255); // the lamp
  });

  const names: ModelName[] = TOOLS.map(({ name }) => name).filter((name) => name !== "grasper");

  it.each(names)("%s is solid, has its tip at the hand and runs up from it", (name) => {
    const model = makeModel(name, hand, 12);
    const box = new Box3();
    for (const { solid, shift } of [
      ...model.halves.map(({ solid: half }) => ({ solid: half, shift: model.pivot })),
      ...(model.body ? [{ solid: model.body, shift: 0 }] : []),
    ]) {
      expect(volumeOf(solid)).toBeGreaterThan(0);
      for (let at = 0; at < solid.positions.length; at += 3) {
        box.expandByPoint(new Vector3().fromArray(solid.positions, at).add(new Vector3(0, 0, shift)));
      }
      for (let at = 0; at < solid.normals.length; at += 3) {
        expect(Math.hypot(...solid.normals.slice(at, at + 3))).toBeCloseTo(1, 5);
      }
    }
    expect(box.min.z).toBeGreaterThan(-1.3);
    expect(box.min.z).toBeLessThan(0.2);
    expect(box.max.z).toBeGreaterThan(30);
  });

  it.each(["needle_driver", "forceps", "scissors"] as const)("%s has jaws that part when it opens and meet when it closes", (name) => {
    const { halves, pivot, openAngle, closedAngle } = makeModel(name, hand, 12);
    // x of the tip of a half that is turned about its axis by the angle, to its side
    const tip = (side: number, angle: number) => pivot * Math.sin(side * angle);
    expect(halves.map(({ side }) => side)).toEqual([-1, 1]);
    expect(tip(1, openAngle) - tip(-1, openAngle)).toBeGreaterThan(1.5);
    expect(Math.abs(tip(1, closedAngle) - tip(-1, closedAngle))).toBeLessThan(0.6);
  });

  it("are those that the hand carries, and a grasper is what its hand is called", () => {
    expect(modelName(hand, Tool.grasper)).toBe("needle_driver");
    expect(modelName({ ...hand, name: "left" }, Tool.grasper)).toBe("forceps");
    expect(modelName({ ...hand, name: "Scissors" }, Tool.grasper)).toBe("scissors");
    expect(modelName({ ...hand, name: "left" }, Tool.scalpel)).toBe("scalpel");
    expect(modelName({ ...hand, name: "left" }, Tool.grasper, true)).toBe("needle_driver");
    expect(modelName({ ...hand, name: "left" }, Tool.needle_driver)).toBe("needle_driver");
    expect(modelName(hand, Tool.forceps)).toBe("forceps");
    expect(modelName(hand, Tool.scissors)).toBe("scissors");
  });

  it("turn their jaws as the parts of a frame are turned, wherever the hand is", () => {
    const { state, parts } = jawedHand(0.2);
    const { sizes, angles } = jawsOf(state, parts)!;
    expect(sizes.tip).toBeCloseTo(4, 4);
    expect(sizes.hinge).toBeCloseTo(14, 4);
    expect(sizes.shaftRadius).toBeCloseTo(2.5, 4);
    expect(sizes.shaftLength).toBeCloseTo(80, 4);
    expect(angles[0]).toBeCloseTo(0.2, 6);
    expect(angles[1]).toBeCloseTo(0.2, 6);
    expect(jawsOf({ ...state, has_jaws: 0 }, parts)).toBeUndefined();
    expect(jawsOf({ ...state, hand: 1 }, parts)).toBeUndefined();
    expect(openingOf({ ...state, opening: 0.4 })).toBe(0.4);
    expect(openingOf({ ...state, has_jaws: 0, closed: 1 })).toBe(0);
  });

  it("have jaws that touch where they are drawn: the tips on the circle of the rails, the hinge at its place", () => {
    const { state, parts } = jawedHand(0.2);
    const instrument = new Instrument({ ...hand, name: "left" }, 0xffffff, 0xcccccc, qualities.low);
    instrument.setJaws(Tool.needle_driver, jawsOf(state, parts)!);
    instrument.group.position.copy(millimetres(state.position));
    instrument.group.quaternion.fromArray(state.rotation);
    instrument.group.updateMatrixWorld(true);
    const [first, second] = instrument.group.children[0].children.map((half) => half.localToWorld(new Vector3(0, 0, -9)));
    const rail = (jaw: number) => millimetres(parts.find((part) => part.jaw === jaw)!.position);
    // the middle of each rail, but for its 0.25 mm across
    expect(first.distanceTo(rail(1))).toBeLessThan(0.3);
    expect(second.distanceTo(rail(2))).toBeLessThan(0.3);
    expect(first.distanceTo(second)).toBeGreaterThan(3);
    instrument.dispose();
  });

  it.each(["needle_driver", "forceps", "scissors"] as const)("%s with jaws that touch is solid and as long as it is", (name) => {
    const sizes = { tip: 4, hinge: 14, shaftRadius: 2.5, shaftLength: 80 };
    const { halves, body, pivot } = makeJawed(name, sizes, 12);
    for (const { solid } of [...halves, { solid: body! }]) expect(volumeOf(solid)).toBeGreaterThan(0);
    const lowest = Math.min(...halves.flatMap(({ solid }) => solid.positions.filter((_, at) => at % 3 === 2)));
    expect(pivot + lowest).toBeCloseTo(-4, 0);
  });

  it("draw the edge of a scalpel where it cuts: along z from the tip, as long as it is", () => {
    const { body } = makeModel("scalpel", hand, 12);
    const blade = body!.paints.flatMap((paint, point) => (paint === "ground" ? [point] : []));
    const atEdge = blade.filter((point) => Math.abs(body!.positions[3 * point + 2] - 10) < 0.1);
    expect(Math.abs(Math.max(...atEdge.map((point) => body!.positions[3 * point])))).toBeLessThan(0.1);
  });
});

describe("the drape", () => {
  it("is level where one works, and its folds only go down", () => {
    for (let k = 0; k < 400; k++) {
      const angle = 0.1 * k,
        distance = 0.75 * k;
      const height = foldHeight(distance * Math.cos(angle), distance * Math.sin(angle), 40);
      expect(height).toBeLessThanOrEqual(0);
      if (distance < 40) expect(height).toBe(0);
    }
    const deepest = Math.min(...Array.from({ length: 200 }, (_, k) => foldHeight(100 + k, 60 - k, 40)));
    expect(deepest).toBeLessThan(-1);
  });

  it("is lit in the middle and dim far away", () => {
    expect(lampShare(0, 40, 0.2)).toBe(1);
    expect(lampShare(40, 40, 0.2)).toBeGreaterThan(0.7);
    expect(lampShare(1000, 40, 0.2)).toBeCloseTo(0.2);
  });

  it("faces up everywhere", () => {
    const { positions, indices, normals } = makeCloth(40, 0.2, [20, 30]);
    for (let at = 0; at < indices.length; at += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => new Vector3().fromArray(positions, 3 * indices[at + k]));
      expect(b.sub(a).cross(c.sub(a)).z).toBeGreaterThan(0);
    }
    for (let at = 2; at < normals.length; at += 3) expect(normals[at]).toBeGreaterThan(0.5);
  });

  it("has openings with round corners", () => {
    const outline = roundedRectangle(20, 10, 4, 5);
    expect(outline.length).toBe(2 * 4 * 5);
    for (let at = 0; at < outline.length; at += 2) {
      const [x, y] = [Math.abs(outline[at]), Math.abs(outline[at + 1])];
      expect(Math.max(x - 20, y - 10)).toBeLessThanOrEqual(1e-5);
      expect(Math.hypot(x - 20, y - 10)).toBeGreaterThan(1.6); // none in the corner
    }
  });
});

describe("the part of the screen that is free", () => {
  const top = { left: 0, top: 0, right: 1280, bottom: 60 },
    left = { left: 10, top: 570, right: 235, bottom: 710 },
    right = { left: 1045, top: 570, right: 1270, bottom: 710 },
    bar = { left: 280, top: 660, right: 1000, bottom: 710 };

  it("is all of it without panels, and when they leave next to nothing", () => {
    const whole = { left: 0, top: 0, right: 1280, bottom: 720 };
    expect(freeRectangle(1280, 720, [])).toEqual(whole);
    expect(freeRectangle(1280, 720, [{ left: 0, top: 100, right: 1280, bottom: 650 }])).toEqual(whole);
    expect(freeRectangle(1280, 720, [{ left: 5, top: 5, right: 5, bottom: 5 }])).toEqual(whole);
  });

  it("lies between toolbars and cards", () => {
    expect(freeRectangle(1280, 720, [top, left, right, bar])).toEqual({ left: 0, top: 60, right: 1280, bottom: 570 });
  });

  it("is beside charts", () => {
    const charts = { left: 900, top: 60, right: 1280, bottom: 720 };
    expect(freeRectangle(1280, 720, [top, charts])).toEqual({ left: 0, top: 60, right: 900, bottom: 720 });
  });
});

describe("the camera", () => {
  const frame = () => ({
    ...frameOf(1),
    tissues: [{ tissue: 0, topology_version: 1, positions: Float32Array.from([-0.1, -0.1, 0, 0.1, 0.1, 0, -0.01, 0, 0, 0.01, 0, 0]) }],
    hands: [stateOf({ position: [0, 0.01, 0.005] }), stateOf({ position: [0.5, 0.5, 0.5], hand: 1 })],
  });
  const scene = { shapes: [] } as unknown as SceneMessage;

  it("looks at the wound and the hand beside it, not at all of the tissue", () => {
    const { all, work } = boundsOf(frame(), scene, [[2, 3]]);
    expect(all.max.toArray()).toEqual([500, 500, 500]);
    expect(work.containsPoint(new Vector3(0, 10, 5))).toBe(true);
    expect(work.containsPoint(new Vector3(10, 0, 0))).toBe(true);
    expect(work.max.x).toBeLessThan(40);
  });

  it("looks at everything where there is no wound, with a hand that holds something", () => {
    const { work } = boundsOf(frame(), scene, [[]]);
    expect(work.max.x).toBeCloseTo(100, 3);
    const holding = frame();
    holding.hands[1].tissue = 0;
    expect(boundsOf(holding, scene, [[]]).work.max.x).toBeCloseTo(500, 3);
  });

  it("goes as far away as a point at the side needs", () => {
    // 3 mm to the right, seen at 45 degrees to each side, 1 mm nearer than the target
    expect(fitDistance([new Vector3(3, 1, 1)], 1, 1)).toBe(4);
    expect(fitDistance([new Vector3(3, 1, 1)], 2, 0.25)).toBe(5);
  });

  it.each(["front", "top", "side", "corner"] as const)("shows all of a box in the free part, from the %s", (name) => {
    const rig = new CameraRig();
    const free = { left: 100, top: 60, right: 1000, bottom: 500 };
    rig.resize(1280, 720, free);
    const box = new Box3(new Vector3(-30, -10, 0), new Vector3(50, 20, 15));
    rig.frame(box);
    rig.show(name);
    let widest = 0;
    for (const x of [box.min.x, box.max.x])
      for (const y of [box.min.y, box.max.y])
        for (const z of [box.min.z, box.max.z]) {
          const at = new Vector3(x, y, z).project(rig.camera);
          const px = ((at.x + 1) / 2) * 1280,
            py = ((1 - at.y) / 2) * 720;
          expect(px).toBeGreaterThan(free.left);
          expect(px).toBeLessThan(free.right);
          expect(py).toBeGreaterThan(free.top);
          expect(py).toBeLessThan(free.bottom);
          widest = Math.max(widest, Math.abs(px - 550) / 450, Math.abs(py - 280) / 220);
        }
    expect(widest).toBeGreaterThan(0.85); // and no smaller than need be
  });
});

describe("a camera", () => {
  const near = (rig: CameraRig) => rig.distance;

  it("that was sent home fits the scene again when the screen changes, and stays where a person put it", () => {
    const rig = new CameraRig();
    rig.resize(1280, 720);
    rig.frame(new Box3(new Vector3(-30, -10, 0), new Vector3(50, 20, 15)));
    const wide = near(rig);
    rig.resize(400, 720);
    expect(near(rig)).toBeGreaterThan(1.5 * wide);
    rig.zoom(0.5);
    const own = near(rig);
    rig.resize(1280, 720);
    expect(near(rig)).toBe(own);
  });
});

describe("threads", () => {
  it("are as wide on the screen as asked, and as they are where they are wider", () => {
    const camera = new PerspectiveCamera(32, 16 / 9, 1, 1000);
    const angle = pixelAngle(32, 720);
    const radius = drawnRadius(0.01, 300, angle, 3);
    const [a, b] = [-radius, radius].map((x) => new Vector3(x, 0, -300).project(camera).x);
    expect(((b - a) / 2) * 1280).toBeCloseTo(3, 3);
    expect(drawnRadius(2, 300, angle, 3)).toBe(2);
  });

  it("are smooth unless their names say that they are made of fibres", () => {
    const named = (name: string) => ({ name, radius: 1e-4, colour: 0, vertex_count: 2 });
    expect(isBraided(named("silk"))).toBe(true);
    expect(isBraided(named("Cord"))).toBe(true);
    expect(isBraided(named("thread"))).toBe(false);
  });
});

describe("tissue", () => {
  const info = { name: "pad", shape: 0, layers: Float32Array.of(0.002, 0.006), radius: 0, colour: 0xe2b9a3 };
  const bright = (side: number, depth: number, toWound = 0.02) => {
    const rgb = new Float32Array(3);
    plainColour(info, side, [0, 0, -depth], toWound, rgb, 0);
    return rgb;
  };

  it("gets dark in a wound with depth, and red beside it", () => {
    expect(woundLight(0)).toBe(1);
    expect(woundLight(100)).toBeLessThan(0.4);
    expect(bright(Side.groove, 0.006)[0]).toBeLessThan(bright(Side.groove, 0.0025)[0]);
    const [red, green] = bright(Side.top, 0, 0),
      [usualRed, usualGreen] = bright(Side.top, 0);
    expect(red / green).toBeGreaterThan(1.2 * (usualRed / usualGreen));
  });

  it("is warm where simple materials show it, and fat is no green", () => {
    const skin = new Color(info.colour),
      [red, green, blue] = bright(Side.top, 0);
    expect(red / green).toBeGreaterThan((1.1 * skin.r) / skin.g);
    expect(red / blue).toBeGreaterThan((1.2 * skin.r) / skin.b);
    const [fatRed, fatGreen] = bright(Side.rim, 0.005);
    expect(fatRed / fatGreen).toBeGreaterThan(1.6); // linear; 1.41 is olive under the lamp
  });

  it("shows red dermis between skin and fat, though points lie only where layers meet", () => {
    const redness = (depth: number) => {
      const [red, green] = bright(Side.rim, depth);
      return red / green;
    };
    const border = info.layers[0]; // single precision, so a little more or less
    expect(redness(1.0000001 * border)).toBeGreaterThan(1.3 * redness(2 * border));
  });

  it("turns pale where it is pressed or held, with the force", () => {
    expect(paleness(stateOf({ tool: Tool.probe }))).toBe(0);
    expect(paleness(stateOf({ tool: Tool.probe, force: [0, 0, 0.3] }))).toBeCloseTo(0.25);
    expect(paleness(stateOf({ tool: Tool.probe, force: [0, 0, 30] }))).toBe(1);
    expect(paleness(stateOf({ tissue: 0 }))).toBeGreaterThan(0.3);
    expect(paleness(stateOf({ force: [0, 0, 3] }))).toBe(0); // a thread pulls at it
    const marks = new PressMarks();
    marks.set([stateOf({}), stateOf({ tool: Tool.probe, force: [0, 0, 9], position: [0.001, 0.002, 0.003] })], []);
    expect(Array.from(marks.strengths.value)).toEqual([1, ...Array(MOST_MARKS - 1).fill(0)]);
    expect(marks.places.value[0].toArray().slice(0, 3)).toEqual([1, 2, 3]);
    marks.set([], []);
    expect(Math.max(...marks.strengths.value)).toBe(0);
  });
});

describe("how fine pictures are", () => {
  it("is what one asked for, or what the machine can", () => {
    expect(chooseQuality("low", false)).toBe(qualities.low);
    expect(chooseQuality("high", true)).toBe(qualities.high);
    expect(chooseQuality("auto", true)).toBe(qualities.low);
    expect(chooseQuality("auto", false)).toBe(qualities.high);
    expect(isSoftwareName("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)")).toBe(true);
    expect(isSoftwareName("ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11)")).toBe(false);
    expect(readWish("low")).toBe("low");
    expect(readWish("best")).toBe("auto");
    expect(readWish(undefined)).toBe("auto");
  });

  const judged = (times: number[]) => {
    const judge = new FrameJudge();
    return times.some((time) => judge.isTooSlow(time));
  };

  it("goes down when pictures take too long, soon", () => {
    expect(judged(Array<number>(60).fill(60))).toBe(true);
    expect(judged(Array<number>(16).fill(400))).toBe(true);
  });

  it("stays while they come in time, whatever single ones take", () => {
    expect(judged(Array<number>(600).fill(17))).toBe(false);
    expect(judged([3000, 900, 700, ...Array.from({ length: 600 }, (_, k) => (k % 5 ? 17 : 120))])).toBe(false);
    expect(judged(Array<number>(20).fill(60000))).toBe(false); // the page was hidden
  });
});
