// What a hand carries, as one sees it: a model of models.ts in steel and in the colour of the hand. Jaws open and close,
// a hot tip glows, and what is in front of the tip is faded so that one sees what one does.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  Group,
  LinearFilter,
  Mesh,
  MeshMatcapMaterial,
  MeshStandardMaterial,
  Quaternion,
  SRGBColorSpace,
  Vector3,
  Vector4,
  type WebGLProgramParametersWithUniforms,
} from "three";
import { Tool, type HandInfo } from "../base/protocol.generated";
import { areAlike, type Jaws, type JawSizes } from "./jaws";
import { makeJawed, makeModel, modelName, type Model } from "./models";
import type { Quality } from "./quality";
import type { Paint, Solid } from "./solid";

/** rad: how a grasper leans away from straight up, to the side of its hand and towards the person */
const LEAN_SIDE = 0.62;
const LEAN_BACK = 0.34;
/** pixels of the screen around the tip within which the instrument is faded, in heights of the picture */
const FADE_NEAR = 0.03;
const FADE_FAR = 0.085;
/** what is left of it there */
const FADED = 0.22;
/** of the distance of its tip from the camera: nearer than this a tool is faded, and at the second it is gone. One that
    stands towards the eye would hide the picture with its end. */
const COMES_NEAR = 0.6;
const TOO_NEAR = 0.4;

/** steel mirrors the room so much more strongly than skin: it would be black in a dim one */
const MIRROR = 1.2;

const finishes: Record<Paint, { metalness: number; roughness: number; glow: number }> = {
  steel: { metalness: 0.92, roughness: 0.27, glow: 0 },
  ground: { metalness: 0.75, roughness: 0.32, glow: 0 },
  dark: { metalness: 0.05, roughness: 0.6, glow: 0 },
  gold: { metalness: 0.85, roughness: 0.3, glow: 0 },
  hand: { metalness: 0, roughness: 0.5, glow: 1 },
  hot: { metalness: 0.8, roughness: 0.35, glow: 2 },
};

type Metal = MeshStandardMaterial | MeshMatcapMaterial;

export class Instrument {
  readonly group = new Group();
  private readonly stand = new Group();
  private readonly material: Metal;
  private readonly uniforms = {
    handGlow: { value: 0 },
    hotGlow: { value: 0 },
    /** mm: where the tip is */
    tipPlace: { value: this.group.position },
    /** x and y of the tip on the screen in pixels from below, its depth, and the height of the screen */
    tipAt: { value: new Vector4(0, 0, 0, 1) },
    /** mm that the tip is before the camera */
    tipFar: { value: 1 },
    /** mm from the tip that are not faded */
    working: { value: 1 },
  };
  private halves: { mesh: Mesh; side: number }[] = [];
  private model: Model | undefined;
  private tool = -1;
  private sizes: JawSizes | undefined;
  private isClosed = false;
  private isGhost = false;

  constructor(
    private readonly info: HandInfo,
    private readonly colour: number,
    private readonly steel: number,
    private readonly quality: Quality,
  ) {
    this.material = quality.simpleMaterials
      ? new MeshMatcapMaterial({ vertexColors: true, matcap: studioTexture(), transparent: true })
      : new MeshStandardMaterial({ vertexColors: true, metalness: 1, roughness: 1, transparent: true });
    this.material.onBeforeCompile = (shader) => this.addFinish(shader);
    this.material.customProgramCacheKey = () => `instrument ${quality.name}`;
    this.group.add(this.stand);
    this.setTool(info.tool);
  }

  /** One that is not there: it hides little, and casts no shadow. */
  makeGhost(opacity: number): void {
    this.isGhost = true;
    this.material.opacity = opacity;
    this.material.depthWrite = false;
    for (const each of this.stand.children) each.castShadow = each.receiveShadow = false;
  }

  /** Puts another one into the hand; one whose jaws touch is drawn with these sizes. */
  setTool(tool: number, sizes?: JawSizes): void {
    if (tool === this.tool && areAlike(sizes, this.sizes)) return;
    this.tool = tool;
    this.sizes = sizes;
    this.clear();
    const name = modelName(this.info, tool, sizes !== undefined);
    const sides = this.quality.rodSides;
    const model = (this.model = sizes ? makeJawed(name, sizes, sides) : makeModel(name, this.info, sides));
    this.uniforms.working.value = model.working;
    if (sizes) this.stand.quaternion.setFromAxisAngle(new Vector3(0, 0, 1), Math.PI / 2); // jaws open along y
    else this.stand.quaternion.copy(standing(model, name === "scalpel" ? this.info : undefined, this.info.name));
    this.halves = model.halves.map(({ solid, side }) => {
      const mesh = this.add(solid);
      mesh.position.z = model.pivot;
      return { mesh, side };
    });
    if (model.body) this.add(model.body);
    this.setOpening(this.isClosed ? 0 : 1);
  }

  dispose(): void {
    this.clear();
    this.material.dispose();
  }

  /** 0 closed to 1 open: jaws turn; a closed hook glows. */
  setOpening(opening: number): void {
    this.isClosed = opening < 0.5;
    const { openAngle, closedAngle } = this.model!;
    const angle = closedAngle + opening * (openAngle - closedAngle);
    this.turnHalves([angle, angle]);
    this.uniforms.hotGlow.value = this.isClosed && this.tool === Tool.hook ? 1.5 : 0;
  }

  /** Jaws that touch, just as they are. */
  setJaws(tool: number, { sizes, angles }: Jaws): void {
    this.setTool(tool, sizes);
    this.turnHalves(angles);
  }

  /** rad, outwards: those to -x and to +x */
  private turnHalves([first, second]: readonly [number, number]): void {
    // a jaw is below its axis: its tip goes to +x when it turns to the negative
    for (const { mesh, side } of this.halves) mesh.rotation.y = -side * (side < 0 ? first : second);
  }

  /** The hand that keys and mouse move now glows a little. */
  setActive(isActive: boolean): void {
    this.uniforms.handGlow.value = isActive ? 0.4 : 0;
  }

  /** Where the tip is: pixels from the left and from below, depth 0 to 1, and the height of the picture in pixels; and
      how far before the camera, mm. */
  setTip(x: number, y: number, depth: number, height: number, far: number): void {
    this.uniforms.tipAt.value.set(x, y, depth, height);
    this.uniforms.tipFar.value = far;
  }

  private add(solid: Solid): Mesh {
    const mesh = new Mesh(this.geometryOf(solid), this.material);
    mesh.castShadow = mesh.receiveShadow = !this.isGhost;
    this.stand.add(mesh);
    return mesh;
  }

  private clear(): void {
    for (const each of this.stand.children) (each as Mesh<BufferGeometry>).geometry.dispose();
    this.stand.clear();
    this.halves = [];
  }

  private geometryOf(solid: Solid): BufferGeometry {
    const colours = new Float32Array(3 * solid.pointCount),
      finish = new Float32Array(3 * solid.pointCount);
    const paints: Record<Paint, Color> = {
      steel: new Color(this.steel),
      ground: new Color(0xf0f3f5),
      dark: new Color(0x31373c),
      gold: new Color(0xd9b25c),
      hand: new Color(this.colour),
      hot: new Color(this.steel),
    };
    solid.paints.forEach((paint, point) => {
      const { metalness, roughness, glow } = finishes[paint];
      paints[paint].toArray(colours, 3 * point);
      finish.set([metalness, roughness, glow], 3 * point);
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(solid.positions), 3));
    geometry.setAttribute("normal", new BufferAttribute(Float32Array.from(solid.normals), 3));
    geometry.setAttribute("color", new BufferAttribute(colours, 3));
    geometry.setAttribute("finish", new BufferAttribute(finish, 3));
    geometry.setIndex(new BufferAttribute(Uint32Array.from(solid.indices), 1));
    return geometry;
  }

  private addFinish(shader: WebGLProgramParametersWithUniforms): void {
    Object.assign(shader.uniforms, this.uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", VERTEX_HEAD)
      .replace("#include <begin_vertex>", VERTEX_BODY);
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", FRAGMENT_HEAD)
      .replace("#include <roughnessmap_fragment>", "float roughnessFactor = vFinish.y;")
      .replace("#include <metalnessmap_fragment>", "float metalnessFactor = vFinish.x;")
      .replace("#include <opaque_fragment>", FRAGMENT_END);
  }
}

/** How a model stands in the frame of the hand: a grasper leans, the edge of a scalpel lies along its own. */
function standing(model: Model, scalpel: HandInfo | undefined, name: string): Quaternion {
  const turn = new Quaternion();
  if (scalpel) return turn.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...scalpel.edge).normalize());
  if (!model.mayLean) return turn;
  const side = name.toLowerCase().includes("left") ? -1 : 1;
  const way = new Vector3(side * Math.sin(LEAN_SIDE), -Math.sin(LEAN_BACK), 1).normalize();
  return turn.setFromUnitVectors(new Vector3(0, 0, 1), way);
}

/** of full light that steel mirrors where it mirrors least */
const DIMMEST = 0.28;
let studio: DataTexture | undefined;

/** A ball in a room with a bright lamp, as steel mirrors it: 64 x 64 pixels made here, once for all instruments. */
export function studioTexture(): DataTexture {
  if (studio) return studio;
  const size = 64;
  const pixels = new Uint8Array(4 * size * size);
  for (let at = 0; at < size * size; at++) {
    const x = (2 * ((at % size) + 0.5)) / size - 1,
      y = (2 * (Math.floor(at / size) + 0.5)) / size - 1;
    const z = Math.sqrt(Math.max(1 - x * x - y * y, 0));
    const lamp = Math.exp(-((x + 0.35) ** 2 + (y - 0.55) ** 2) / 0.045);
    const window = 0.35 * Math.exp(-((x - 0.75) ** 2) / 0.02) * (y > -0.4 ? 1 : 0.2);
    const shade = 0.4 + 0.24 * y + 0.22 * z + 0.75 * lamp + window;
    const value = 255 * Math.min(Math.max(shade, DIMMEST), 1); // the drape shines on it from below
    pixels.set([value, value, Math.min(1.02 * value, 255), 255], 4 * at);
  }
  const texture = new DataTexture(pixels, size, size);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  studio = texture;
  return texture;
}

const VERTEX_HEAD = /* glsl */ `
#include <common>
attribute vec3 finish;
uniform vec3 tipPlace;
varying vec3 vFinish;
varying float vFromTip;
`;
const VERTEX_BODY = /* glsl */ `
#include <begin_vertex>
vFinish = finish;
vFromTip = distance((modelMatrix * vec4(position, 1.0)).xyz, tipPlace);
`;
const FRAGMENT_HEAD = /* glsl */ `
#include <common>
uniform float handGlow, hotGlow, working, tipFar;
uniform vec4 tipAt;
varying vec3 vFinish;
varying float vFromTip;
`;
const FRAGMENT_END = /* glsl */ `
#ifdef STANDARD
outgoingLight += ${MIRROR} * vFinish.x * reflectedLight.indirectSpecular;
#endif
outgoingLight += diffuseColor.rgb * (vFinish.z > 0.5 && vFinish.z < 1.5 ? handGlow : 0.0);
outgoingLight += vec3(1.0, 0.36, 0.06) * (vFinish.z > 1.5 ? hotGlow : 0.0);
float nearTip = 1.0 - smoothstep(${FADE_NEAR} * tipAt.w, ${FADE_FAR} * tipAt.w, distance(gl_FragCoord.xy, tipAt.xy));
float inFront = step(gl_FragCoord.z, tipAt.z) * smoothstep(working, 1.6 * working, vFromTip);
diffuseColor.a *= 1.0 - ${1 - FADED} * nearTip * inFront;
diffuseColor.a *= smoothstep(${TOO_NEAR}, ${COMES_NEAR}, 1.0 / (gl_FragCoord.w * tipFar));
if (diffuseColor.a < 0.01) discard; // hides nothing behind it
#include <opaque_fragment>
`;
