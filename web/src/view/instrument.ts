// What a hand carries, drawn as what it is: the jaws of a small needle driver, a rounded probe, a scalpel, a cautery
// hook. Millimetres in the frame of the hand: the tip is the origin, the shaft runs along +z, jaws open along x.

import {
  BoxGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Group,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Quaternion,
  Shape,
  SphereGeometry,
  TubeGeometry,
  CatmullRomCurve3,
  Vector3,
  type BufferGeometry,
} from "three";
import { MILLI, millimetres } from "../base/units";
import { Tool, type HandInfo } from "../protocol.generated";
import type { Quality } from "./quality";

type Metal = MeshStandardMaterial | MeshLambertMaterial;

/** a jaw is drawn so many times longer than it is, within limits: mm */
const JAW_FACTOR = 4;
const SHORTEST_JAW = 4;
const LONGEST_JAW = 14;
const OPEN_ANGLE = 0.26;
const CLOSED_ANGLE = 0.03;
/** mm */
const HANDLE_LENGTH = 60;

/** What all instruments of a hand are made of. */
interface Stuff {
  steel: Metal;
  /** brighter, where it is ground */
  edge: Metal;
  /** rubber and insulation */
  dark: Metal;
  /** in the colour of the hand */
  colour: Metal;
  /** glows while it burns */
  hot: Metal;
}

function makeStuff(colour: number, steel: number, quality: Quality): Stuff {
  const make = (hex: number, metalness: number, roughness: number): Metal =>
    quality.simpleMaterials
      ? new MeshLambertMaterial({ color: hex })
      : new MeshStandardMaterial({ color: hex, metalness, roughness });
  return {
    steel: make(steel, 0.75, 0.32),
    edge: make(0xf2f5f7, 0.55, 0.22),
    dark: make(0x3b4147, 0.05, 0.6),
    colour: make(colour, 0.1, 0.4),
    hot: make(steel, 0.7, 0.35),
  };
}

/** A part of an instrument that casts and takes shadows. */
function part(geometry: BufferGeometry, material: Metal, z = 0): Mesh {
  const mesh = new Mesh(geometry, material);
  mesh.position.z = z;
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** A cylinder along z from `from` to `to`, mm. */
function rod(from: number, to: number, atFrom: number, atTo: number, material: Metal, sides = 24): Mesh {
  const geometry = new CylinderGeometry(atTo, atFrom, to - from, sides).rotateX(Math.PI / 2);
  return part(geometry, material, (from + to) / 2);
}

/** Jaws that open and close. */
function makeGrasper(info: HandInfo, stuff: Stuff): { group: Group; jaws: Group[] } {
  const group = new Group();
  const length = Math.min(Math.max(info.jaw * MILLI * JAW_FACTOR, SHORTEST_JAW), LONGEST_JAW);
  const jaws = [-1, 1].map((side) => {
    const hinge = new Group();
    hinge.position.z = 1;
    const jaw = rod(-1, 0, 0.04, 0.09, stuff.steel, 20);
    jaw.scale.set(0.62, 1, 1);
    const tip = part(new SphereGeometry(0.04, 16, 12), stuff.steel, -1);
    tip.scale.set(0.62, 1, 1);
    hinge.add(jaw, tip);
    hinge.userData.side = side;
    return hinge;
  });
  const joint = part(new SphereGeometry(0.135, 24, 16), stuff.steel, 1.02);
  joint.scale.set(1, 1, 1.25);
  const collar = rod(1.17, 1.67, 0.135, 0.115, stuff.colour, 28);
  group.add(...jaws, joint, collar, rod(1.6, 6.1, 0.08, 0.065, stuff.steel));
  group.scale.setScalar(length);
  return { group, jaws };
}

/** A rod of its true thickness with a round end, on a handle. */
function makeProbe(info: HandInfo, stuff: Stuff): Group {
  const group = new Group();
  const radius = MILLI * info.rod_radius,
    length = MILLI * info.rod_length;
  const capsule = new CapsuleGeometry(radius, length, 10, 28).rotateX(Math.PI / 2);
  group.add(part(capsule, stuff.steel, length / 2));
  const ring = Math.min(0.28 * length, 14);
  group.add(rod(ring, ring + 3, 1.06 * radius, 1.06 * radius, stuff.colour, 28));
  const grip = Math.max(2.2 * radius, 3);
  group.add(
    rod(length - 1, length + 5, radius, grip, stuff.colour, 28),
    rod(length + 5, length + 0.7 * HANDLE_LENGTH, grip, 0.9 * grip, stuff.dark, 28),
  );
  group.position.z = radius; // its end is where the hand is
  return group;
}

/** A slender blade whose edge is the one that cuts, in a flat handle. */
function makeScalpel(info: HandInfo, stuff: Stuff): Group {
  const group = new Group();
  const edge = millimetres(info.edge);
  const length = Math.max(edge.length(), 1);
  // drawn with its edge along y, its back behind it along -x; then turned so that y lies along the edge
  const width = Math.min(0.34 * length, 4);
  const neck = 1.35 * length;
  const blade = new Shape();
  blade.moveTo(0, 0);
  blade.quadraticCurveTo(0.07 * length, 0.3 * length, 0, length);
  blade.lineTo(-0.12 * width, neck);
  blade.lineTo(-0.88 * width, neck);
  blade.lineTo(-width, 0.62 * length);
  blade.closePath();
  const thick = 0.4;
  const bevel = { bevelEnabled: true, bevelThickness: 0.12, bevelSize: 0.1, bevelSegments: 2, curveSegments: 16 };
  const steel = part(new ExtrudeGeometry(blade, { depth: thick, ...bevel }).translate(0, 0, -thick / 2), stuff.edge);
  const holder = new Group();
  holder.add(steel);
  const middle = -0.5 * width;
  const box = (from: number, to: number, wide: number, deep: number, material: Metal) => {
    const mesh = part(new BoxGeometry(wide, to - from, deep), material);
    mesh.position.set(middle, (from + to) / 2, 0);
    return mesh;
  };
  const fitting = neck - 0.15 * length;
  const end = fitting + 8 + 1.3 * HANDLE_LENGTH;
  holder.add(
    box(fitting, fitting + 8, 0.8 * width, 1.3, stuff.steel),
    box(fitting + 8, fitting + 13, 1.5 * width, 2.2, stuff.colour),
    box(fitting + 13, end, 1.35 * width, 2, stuff.steel),
  );
  for (let groove = 0; groove < 9; groove++) {
    holder.add(box(fitting + 16 + 2.2 * groove, fitting + 17 + 2.2 * groove, 1.42 * width, 2.15, stuff.dark));
  }
  holder.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), edge.clone().normalize()));
  group.add(holder);
  return group;
}

/** A wire bent to a hook at the end of an insulated shaft. */
function makeHook(info: HandInfo, stuff: Stuff): Group {
  const group = new Group();
  const wire = Math.min(Math.max(0.8 * MILLI * info.hook_radius, 0.25), 1.2);
  const curve = new CatmullRomCurve3(
    [
      [0, 0, 0],
      [-1.6, 0, -0.2],
      [-3.4, 0, 0.6],
      [-3.6, 0, 3],
      [-1.6, 0, 5.4],
      [-1.2, 0, 9],
    ].map(([x, y, z]) => new Vector3(x, y, z)),
  );
  const point = 1.25 * wire;
  const glow = new TubeGeometry(new CatmullRomCurve3(curve.getPoints(40).slice(0, 10)), 16, 1.03 * wire, 14);
  group.add(part(new TubeGeometry(curve, 48, wire, 14), stuff.steel));
  group.add(part(new SphereGeometry(point, 20, 14), stuff.hot), part(glow, stuff.hot));
  const shaft = new Group();
  shaft.position.x = -1.2;
  shaft.add(
    rod(8, 11, wire * 1.1, 1.9, stuff.dark),
    rod(11, 46, 1.9, 1.9, stuff.dark),
    rod(40, 45, 2.1, 2.1, stuff.colour, 28),
    rod(46, 46 + HANDLE_LENGTH, 1.9, 4.2, stuff.dark),
  );
  group.add(shaft);
  return group;
}

export class Instrument {
  readonly group = new Group();
  private readonly stuff: Stuff;
  private jaws: Group[] = [];
  private tool = -1;

  constructor(
    private readonly info: HandInfo,
    colour: number,
    steel: number,
    quality: Quality,
  ) {
    this.stuff = makeStuff(colour, steel, quality);
    this.setTool(info.tool);
  }

  /** Puts another one into the hand. */
  setTool(tool: number): void {
    if (tool === this.tool) return;
    this.tool = tool;
    this.group.traverse((each) => each instanceof Mesh && (each.geometry as BufferGeometry).dispose());
    this.group.clear();
    this.jaws = [];
    if (tool === Tool.probe) this.group.add(makeProbe(this.info, this.stuff));
    else if (tool === Tool.scalpel) this.group.add(makeScalpel(this.info, this.stuff));
    else if (tool === Tool.hook) this.group.add(makeHook(this.info, this.stuff));
    else {
      const grasper = makeGrasper(this.info, this.stuff);
      this.jaws = grasper.jaws;
      this.group.add(grasper.group);
    }
    this.setClosed(false);
  }

  dispose(): void {
    this.group.traverse((each) => each instanceof Mesh && (each.geometry as BufferGeometry).dispose());
    for (const metal of Object.values(this.stuff) as Metal[]) metal.dispose();
  }

  /** Jaws close, a hook glows. */
  setClosed(isClosed: boolean): void {
    const opening = isClosed ? CLOSED_ANGLE : OPEN_ANGLE;
    for (const jaw of this.jaws) jaw.rotation.y = (jaw.userData.side as number) * opening;
    this.stuff.hot.emissive.setHex(isClosed && this.tool === Tool.hook ? 0xff6a1a : 0);
    this.stuff.hot.emissiveIntensity = 1.6;
  }

  /** The hand that keys and mouse move now glows a little. */
  setActive(isActive: boolean): void {
    this.stuff.colour.emissive.setHex(isActive ? this.stuff.colour.color.getHex() : 0);
    this.stuff.colour.emissiveIntensity = 0.45;
  }
}
