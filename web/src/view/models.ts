// Instruments as solids: what a hand carries, drawn as what it is. Millimetres in the frame of the hand: the tip is the
// origin, the instrument runs along +z, jaws open along x. An instrument with jaws has two halves that turn about an axis
// along y.

import { MILLI } from "../base/units";
import { TOOLS, type HandInfo } from "../base/protocol.generated";
import type { JawSizes } from "./jaws";
import { Solid, type Section } from "./solid";

/** a grasper looks like one of the others */
export type ModelName = Exclude<(typeof TOOLS)[number]["name"], "grasper">;

export interface Model {
  /** those that turn when it opens: -1 and 1 say to which side */
  halves: { solid: Solid; side: -1 | 1 }[];
  /** z of the axis that they turn about, mm */
  pivot: number;
  /** rad that a half is turned by when fully open, and when closed */
  openAngle: number;
  closedAngle: number;
  /** what does not turn */
  body: Solid | undefined;
  /** mm from the tip: what is farther away may be faded where it hides the tip */
  working: number;
  /** whether it may lean to the side in the picture: nothing but its tip touches anything */
  mayLean: boolean;
}

/** a jaw is drawn so many times longer than it is, within limits: mm */
const JAW_FACTOR = 4;
const SHORTEST_JAW = 4;
const LONGEST_JAW = 14;
const HANDLE_LENGTH = 60; // mm
/** of forceps, in lengths of a jaw */
const FORCEPS_LENGTH = 9;

/** What a tool looks like. A grasper without jaws of its own is what its hand is called, or a forceps in the left hand
    and a needle driver in the right. */
export function modelName(info: HandInfo, tool: number, hasJaws = false): ModelName {
  const own = TOOLS[tool].name;
  if (own !== "grasper") return own;
  if (hasJaws) return "needle_driver";
  const name = info.name.toLowerCase();
  if (name.includes("scissor")) return "scissors";
  if (name.includes("forceps") || name.includes("left")) return "forceps";
  return "needle_driver";
}

export function makeModel(name: ModelName, info: HandInfo, sides: number): Model {
  const jaw = Math.min(Math.max(info.jaw * MILLI * JAW_FACTOR, SHORTEST_JAW), LONGEST_JAW);
  switch (name) {
    case "needle_driver":
      return makeRinged(jaw, sides, driverJaw, 0.2, 0.012);
    case "scissors":
      return makeRinged(1.5 * jaw, sides, scissorBlade, 0.3, -0.02);
    case "forceps":
      return makeForceps(jaw, sides);
    case "probe":
      return fixed(makeProbe(info, sides), MILLI * info.rod_length);
    case "scalpel":
      return fixed(makeScalpel(info, sides), 0.8 * edgeLength(info));
    case "hook":
      return fixed(makeHook(info, sides), 6);
    case "suture_passer":
      return fixed(makePasser(sides), 12);
  }
}

/** A tool whose jaws touch, as large as it is: jaws to their hinge, and a shaft behind it with a handle. Along x and not y:
    who puts it up turns it. */
export function makeJawed(name: ModelName, sizes: JawSizes, sides: number): Model {
  const reach = sizes.hinge + sizes.tip;
  const halves =
    name === "forceps"
      ? makeForceps(reach / FORCEPS_LENGTH, sides).halves
      : makeHinged(reach, sides, name === "scissors" ? scissorBlade : driverJaw);
  const body = makeShaft(sizes, sides);
  return { halves, pivot: sizes.hinge, openAngle: 0, closedAngle: 0, body, working: 0.7 * reach, mayLean: false };
}

/** Jaws that end behind their hinge. */
function makeHinged(unit: number, sides: number, jaw: JawMaker): Model["halves"] {
  return ([-1, 1] as const).map((side) => {
    const solid = new Solid(sides);
    jaw(solid, unit, side);
    const joint: Row[] = [
      [-0.12, 0.1 * side, 0.09, 0.13, true],
      [0.02, 0.03 * side, 0.13, 0.13],
      [0.14, 0, 0.11, 0.12, true],
    ];
    solid.sweep("steel", scaled(unit, joint), 3);
    return { solid, side };
  });
}

/** What does not turn: a rod with the colour of its hand, and a handle that touches nothing. */
function makeShaft({ hinge, shaftRadius: r, shaftLength }: JawSizes, sides: number): Solid {
  const solid = new Solid(sides);
  const end = hinge + shaftLength,
    tape = hinge + Math.min(0.3 * shaftLength, 8);
  solid.dome("steel", 0, hinge + r, r, false).rod("steel", hinge + r, end, r, r);
  solid.sweep("hand", scaled(1, [[tape, 0, 1.04 * r, 1.04 * r, true], [tape + 4, 0, 1.04 * r, 1.04 * r, true]]));
  solid.sweep("dark", scaled(1, [[end, 0, r, r, true], [end + 5, 0, 1.8 * r, 1.8 * r], [end + 0.7 * HANDLE_LENGTH, 0, 1.6 * r, 1.6 * r, true]]));
  return solid;
}

function fixed(body: Solid, working: number): Model {
  return { halves: [], pivot: 0, openAngle: 0, closedAngle: 0, body, working, mayLean: false };
}

/** z, x, a and b of a section, and whether it is hard */
type Row = [number, number, number, number, (boolean | undefined)?];

/** Sections scaled, for shapes that are given in lengths of a jaw. */
function scaled(unit: number, sections: Row[]): Section[] {
  return sections.map(([z, x, a, b, isHard]) => ({ x: unit * x, z: unit * z, a: unit * a, b: unit * b, isHard }));
}

type JawMaker = (solid: Solid, unit: number, side: number) => void;

/** Two halves that cross in a box joint, with long shanks, a ratchet and rings for the fingers. */
function makeRinged(unit: number, sides: number, jaw: JawMaker, openAngle: number, closedAngle: number): Model {
  const halves = ([-1, 1] as const).map((side) => {
    const solid = new Solid(sides);
    jaw(solid, unit, side);
    const s = -side; // behind the joint each half is on the other side
    solid.sweep(
      "steel",
      scaled(unit, [
        [-0.12, 0.1 * side, 0.09, 0.13, true],
        [0.05, 0.03 * side, 0.15, 0.15],
        [0.3, 0, 0.16, 0.15],
        [0.48, 0.04 * s, 0.12, 0.13],
        [0.8, 0.075 * s, 0.068, 0.085],
        [3.2, 0.2 * s, 0.052, 0.062],
        [5.2, 0.3 * s, 0.055, 0.066],
        [5.9, 0.5 * s, 0.055, 0.066],
      ]),
      3,
    );
    solid.sweep("hand", scaled(unit, [[1.15, 0.095 * s, 0.08, 0.098, true], [1.6, 0.118 * s, 0.077, 0.095, true]]), 3);
    const latch: Row[] = [
      [4.72, 0.18 * s, 0.16, 0.045],
      [4.92, 0.18 * s, 0.16, 0.045],
    ];
    solid.sweep("steel", scaled(unit, latch), 6);
    solid.sweep("gold", ringPath(unit, 0.88 * s, 6.5, 0.46, 0.62, 0.075));
    if (side === 1) addScrew(solid, unit);
    return { solid, side };
  });
  return { halves, pivot: unit, openAngle, closedAngle, body: undefined, working: 0.7 * unit, mayLean: true };
}

/** A closed ring in the plane of the instrument. */
function ringPath(unit: number, x: number, z: number, wide: number, high: number, thick: number): Section[] {
  const steps = 20;
  return Array.from({ length: steps + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / steps - Math.PI / 2;
    return {
      x: unit * (x + wide * Math.cos(angle)),
      z: unit * (z + high * Math.sin(angle)),
      a: unit * thick,
      b: unit * thick,
    };
  });
}

/** The head of the screw in the joint, on both sides. */
function addScrew(solid: Solid, unit: number): void {
  const path = scaled(unit, [
    [0.14, 0, 0.0, 0.0],
    [0.16, 0, 0.07, 0.172],
    [0.23, 0, 0.085, 0.178],
    [0.3, 0, 0.07, 0.172],
    [0.32, 0, 0.0, 0.0],
  ]);
  solid.sweep("ground", path, 5);
}

/** Short and stout, with a gold insert whose face has grooves to hold a needle. */
function driverJaw(solid: Solid, unit: number, side: number): void {
  solid.sweep(
    "steel",
    scaled(unit, [
      [-1, 0.045 * side, 0.028, 0.042],
      [-0.985, 0.052 * side, 0.04, 0.058],
      [-0.9, 0.062 * side, 0.05, 0.07],
      [-0.45, 0.086 * side, 0.068, 0.1],
      [-0.08, 0.105 * side, 0.085, 0.135, true],
    ]),
    3,
  );
  const grooves = 7;
  for (let groove = 0; groove < grooves; groove++) {
    const from = -0.97 + (0.75 * groove) / grooves,
      to = from + 0.68 / grooves;
    const wide = 0.05 + (0.04 * groove) / grooves;
    const insert: Row[] = [
      [from, 0.013 * side, 0.012, wide, true],
      [to, 0.013 * side, 0.012, wide + 0.004, true],
    ];
    solid.sweep("gold", scaled(unit, insert), 6);
  }
}

/** A long blade, flat, with a ground edge on the inside. */
function scissorBlade(solid: Solid, unit: number, side: number): void {
  solid.sweep(
    "ground",
    scaled(unit, [
      [-1, 0.006 * side, 0.006, 0.012],
      [-0.97, 0.016 * side, 0.016, 0.02],
      [-0.6, 0.05 * side, 0.055, 0.034],
      [-0.1, 0.075 * side, 0.09, 0.05, true],
    ]),
    3,
  );
}

/** Two springy tines, joined at the end that lies in the hand, with plates for the thumb and a fine tooth each. */
function makeForceps(unit: number, sides: number): Model {
  const length = FORCEPS_LENGTH;
  const halves = ([-1, 1] as const).map((side) => {
    const solid = new Solid(sides);
    solid.sweep(
      "steel",
      scaled(
        unit,
        (
          [
            [0, 0.02, 0.018, 0.026],
            [0.03, 0.027, 0.024, 0.034],
            [0.6, 0.05, 0.03, 0.048],
            [1.5, 0.12, 0.033, 0.085],
            [2.6, 0.22, 0.033, 0.22],
            [4, 0.28, 0.033, 0.3],
            [5.8, 0.24, 0.033, 0.3],
            [7.6, 0.12, 0.035, 0.22],
            [8.8, 0.035, 0.035, 0.17],
            [9, 0.03, 0.034, 0.15, true],
          ] as Row[]
        ).map(([z, x, a, b, isHard]) => [z - length, x * side, a, b, isHard]),
      ),
      4,
    );
    // ridges on the outside, for the thumb
    for (let ridge = 0; ridge < 9; ridge++) {
      const z = 3.3 + 0.2 * ridge;
      const x = (0.285 - 0.004 * Math.abs(ridge - 5)) * side;
      const plate: Row[] = [
        [z - length, x, 0.043, 0.25, true],
        [z + 0.1 - length, x, 0.043, 0.25, true],
      ];
      solid.sweep("dark", scaled(unit, plate), 6);
    }
    const tape: Row[] = [
      [1.8 - length, 0.145 * side, 0.045, 0.135, true],
      [2.1 - length, 0.172 * side, 0.045, 0.172, true],
    ];
    solid.sweep("hand", scaled(unit, tape), 4);
    return { solid, side };
  });
  return {
    halves,
    pivot: length * unit,
    openAngle: 0.02,
    closedAngle: -0.0012,
    body: undefined,
    working: 1.2 * unit,
    mayLean: true,
  };
}

/** A sharp shaft as the simulation has it (src/suture/passer.c), with a ring about its eye. */
function makePasser(sides: number): Solid {
  const [radius, point, eye, length] = [0.6, 5, 2.5, 60];
  const tip = 0.2 * radius;
  const solid = new Solid(sides);
  solid.dome("steel", 0, tip, tip, false).rod("steel", tip, point, tip, radius).rod("steel", point, length, radius, radius);
  solid.sweep("dark", scaled(1, [[eye - 0.4, 0, radius, radius, true], [eye + 0.4, 0, radius, radius, true]]));
  solid.sweep("hand", scaled(1, [[length, 0, radius, radius, true], [length + 5, 0, 3, 3, true]]));
  solid.sweep("dark", scaled(1, [[length + 5, 0, 3, 3, true], [length + 0.7 * HANDLE_LENGTH, 0, 2.7, 2.7, true]]));
  return solid;
}

/** A rod of its true thickness with a round end, on a handle. */
function makeProbe(info: HandInfo, sides: number): Solid {
  const radius = MILLI * info.rod_radius,
    length = MILLI * info.rod_length;
  const solid = new Solid(Math.round(1.4 * sides));
  const ring = Math.min(0.28 * length, 14);
  const grip = Math.max(2.2 * radius, 3);
  const end = length + 0.7 * HANDLE_LENGTH;
  // its round end is where the hand is
  solid.dome("steel", 0, radius, radius, false).rod("steel", radius, length, radius, radius);
  solid.sweep("hand", scaled(1, [[ring, 0, 1.06 * radius, 1.06 * radius, true], [ring + 3, 0, 1.06 * radius, 1.06 * radius, true]]));
  solid.sweep("hand", scaled(1, [[length, 0, radius, radius, true], [length + 5, 0, grip, grip, true]]));
  solid.sweep("dark", scaled(1, [[length + 5, 0, grip, grip, true], [end, 0, 0.9 * grip, 0.9 * grip, true]]));
  return solid;
}

function edgeLength(info: HandInfo): number {
  return Math.max(MILLI * Math.hypot(...info.edge), 1);
}

/** A blade whose edge lies along z, its belly towards +x and its back behind it, in a flat handle with a grip. */
function makeScalpel(info: HandInfo, sides: number): Solid {
  const solid = new Solid(sides);
  const length = edgeLength(info);
  const width = Math.min(0.34 * length, 4);
  const neck = 1.4 * length;
  const blade: Row[] = [];
  for (let k = 0; k <= 12; k++) {
    const s = k / 12;
    const front = 0.26 * length * s * (1 - s) * (1 - 0.45 * s);
    const back = -width * Math.min(1, 0.02 + 1.35 * s ** 0.8);
    blade.push([s * length, (front + back) / 2, Math.max((front - back) / 2, 0.03), 0.06 + 0.14 * Math.min(3 * s, 1)]);
  }
  blade.push([neck, -0.5 * width, 0.4 * width, 0.2]);
  solid.sweep("ground", scaled(1, blade));
  const middle = -0.5 * width;
  const slot: Row[] = [
    [neck - 0.42 * length, middle, 0.12 * width, 0.26, true],
    [neck - 0.05 * length, middle, 0.14 * width, 0.3, true],
  ];
  solid.sweep("dark", scaled(1, slot), 3);
  const from = neck - 0.1 * length;
  const handle: Row[] = [
    [from, middle, 0.3 * width, 0.5, true],
    [from + 3, middle, 0.42 * width, 0.65],
    [from + 9, middle, 0.5 * width, 0.9],
    [from + 14, middle, 0.72 * width, 1.1],
    [from + 40, middle, 0.78 * width, 1.1],
    [from + 1.5 * HANDLE_LENGTH, middle, 0.6 * width, 1, true],
  ];
  solid.sweep("steel", scaled(1, handle), 4);
  const tape: Row[] = [
    [from + 9, middle, 0.55 * width, 1, true],
    [from + 13, middle, 0.74 * width, 1.18, true],
  ];
  solid.sweep("hand", scaled(1, tape), 4);
  for (let groove = 0; groove < 9; groove++) {
    const z = from + 16 + 2 * groove;
    solid.sweep("dark", scaled(1, [[z, middle, 0.79 * width, 1.17, true], [z + 0.9, middle, 0.79 * width, 1.17, true]]), 4);
  }
  return solid;
}

/** A wire bent to a hook at the end of an insulated shaft. */
function makeHook(info: HandInfo, sides: number): Solid {
  const solid = new Solid(sides);
  const wire = Math.min(Math.max(0.8 * MILLI * info.hook_radius, 0.25), 1.2);
  const bend = (path: [number, number][], thick: number): Section[] =>
    path.map(([x, z]) => ({ x, z, a: thick, b: thick }));
  const tip: [number, number][] = [
    [0.02, 0.02],
    [-0.5, -0.06],
    [-1.1, -0.14],
    [-1.8, -0.18],
  ];
  const heel: [number, number][] = [
    [-1.8, -0.18],
    [-2.5, -0.02],
    [-3.1, 0.4],
    [-3.4, 1.1],
    [-3.3, 2.1],
    [-2.8, 3.3],
    [-2.1, 4.6],
    [-1.5, 6],
    [-1.25, 7.4],
    [-1.2, 9],
  ];
  solid.dome("hot", 0, 0, 1.2 * wire, true).dome("hot", 0, 0, 1.2 * wire, false);
  solid.sweep("hot", bend(tip, 1.03 * wire)).sweep("steel", bend(heel, wire));
  const shaft: Row[] = [
    [7.6, -1.2, 1.25 * wire, 1.25 * wire, true],
    [9.5, -1.2, 1.9, 1.9],
    [11, -1.2, 1.9, 1.9],
    [46, -1.2, 1.9, 1.9],
    [54, -1.2, 3.4, 3.4],
    [46 + HANDLE_LENGTH, -1.2, 4.2, 4.2, true],
  ];
  solid.sweep("dark", scaled(1, shaft));
  solid.sweep("hand", scaled(1, [[38, -1.2, 2.1, 2.1, true], [43, -1.2, 2.1, 2.1, true]]));
  return solid;
}
