// Threads as lit tubes of their true thickness, but never thinner on the screen than one can see. A stripe along the
// material shows twist; colour shows tension; a dark line around a strand shows what it passes over.
//
// Least width. A strand is widened across the line of sight only, by max(pixels - its own width, 0) at its own distance.
// Along the line of sight it keeps its thickness, so that what is over stays over.
//
// Halo. The back of the same tube is drawn a little wider, dark and half transparent. The strand itself hides its middle;
// what is left is a line on both sides, over all that lies behind, and so over every strand that passes below.

import {
  BackSide,
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DynamicDrawUsage,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  RepeatWrapping,
  SRGBColorSpace,
  type Material,
  type WebGLProgramParametersWithUniforms,
} from "three";
import { MILLI } from "../base/units";
import type { ThreadInfo, ThreadState } from "../base/protocol.generated";
import type { Quality } from "./quality";
import { linearColour, tensionColour, type Palette } from "./theme";
import { Tube } from "./tube";

const MOST_RINGS = 3600;
const MOST_DETAIL = 4;
/** pixels of the screen: a thread is drawn at least this wide, and the line around it is this wide */
const LEAST_PIXELS = 2.2;
const HALO_PIXELS = 1.1;
/** the line around a thread that is near, in radii of it */
const HALO_SHARE = 0.22;
/** diameters of a thread from one crossing of its braid to the next */
const BRAID_PITCH = 1.3;

export interface ThreadLook {
  showTension: boolean;
  showTwist: boolean;
}

/** What a pixel covers: mm at a distance of 1 mm. The picture is `height` pixels high. */
export function pixelAngle(fov: number, height: number): number {
  return (2 * Math.tan(((fov / 2) * Math.PI) / 180)) / Math.max(height, 1);
}

/** mm: half the width with which a thread is drawn at a distance; in step with the shader below. */
export function drawnRadius(radius: number, distance: number, angle: number, pixels = LEAST_PIXELS): number {
  return Math.max(radius, (pixels / 2) * angle * distance);
}

/** Threads are told by their names: what is laid or braided of fibres is not smooth. */
export function isBraided({ name }: ThreadInfo): boolean {
  return /silk|braid|cord|polyester|cotton|vicryl|polyglactin/i.test(name);
}

/** One mesh a thread, and one around it. Positions are in metres; the group is scaled to millimetres by its parent. */
export class ThreadViews {
  readonly group = new Group();
  private views: ThreadView[] = [];
  private readonly stripe = stripeTexture();
  private readonly common = {
    pixelAngle: { value: 0.001 },
    leastPixels: { value: LEAST_PIXELS },
    haloColour: { value: new Color() },
    haloStrength: { value: 0.5 },
  };
  private infos: ThreadInfo[] = [];

  constructor(private quality: Quality) {}

  restyle(quality: Quality, palette: Palette): void {
    this.common.haloColour.value.setHex(palette.halo);
    this.common.haloStrength.value = palette.haloStrength;
    if (quality === this.quality) return;
    this.quality = quality;
    this.build(this.infos);
  }

  build(threads: ThreadInfo[]): void {
    this.infos = threads;
    for (const view of this.views) view.dispose();
    this.group.clear();
    this.views = threads.map((info) => new ThreadView(info, this.quality, this.stripe, this.common));
    for (const view of this.views) this.group.add(view.mesh, view.halo);
  }

  update(states: ThreadState[], look: ThreadLook): void {
    for (const view of this.views) view.hide();
    for (const state of states) this.views[state.thread]?.update(state, look);
  }

  /** For the camera of the next picture; `pixels`: the least width of a thread. */
  setPixels(angle: number, pixels: number): void {
    this.common.pixelAngle.value = angle;
    this.common.leastPixels.value = pixels;
  }
}

type Uniforms = WebGLProgramParametersWithUniforms["uniforms"];

class ThreadView {
  readonly mesh: Mesh<BufferGeometry, Material>;
  readonly halo: Mesh<BufferGeometry, MeshBasicMaterial>;
  private tube: Tube;
  private readonly material: MeshStandardMaterial | MeshLambertMaterial;
  private readonly base: number[];
  private readonly uniforms: Uniforms;
  private isPlain = false;

  constructor(
    private readonly info: ThreadInfo,
    private readonly quality: Quality,
    private readonly stripe: CanvasTexture,
    common: Uniforms,
  ) {
    this.base = linearColour(info.colour);
    const braided = isBraided(info);
    this.uniforms = { ...common, threadRadius: { value: MILLI * info.radius }, braid: { value: 0 } };
    this.material = quality.simpleMaterials
      ? new MeshLambertMaterial({ vertexColors: true, map: stripe })
      : new MeshStandardMaterial({ vertexColors: true, map: stripe, roughness: braided ? 0.68 : 0.3, metalness: 0 });
    this.material.onBeforeCompile = (shader) => addThread(shader, this.uniforms);
    this.material.customProgramCacheKey = () => "thread";
    this.tube = this.makeTube(info.vertex_count);
    const geometry = geometryOf(this.tube);
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.halo = new Mesh(geometry, makeHaloMaterial(this.uniforms));
    this.halo.frustumCulled = false;
    this.halo.renderOrder = 1;
  }

  update(state: ThreadState, look: ThreadLook): void {
    const count = state.positions.length / 3;
    if (count < 2) return;
    if (count > this.tube.capacity) this.grow(Math.ceil(count * 1.25));
    const { tube } = this;
    const { position, normal, color } = this.mesh.geometry.attributes as Record<string, BufferAttribute>;
    const { radius } = this.info;
    tube.update({ centres: state.positions, count, radius, twist: state.twist, director: state.director });
    send(position, 3 * tube.pointCount);
    send(normal, 3 * tube.pointCount);
    if (look.showTension && state.tensions.length === count - 1) {
      tube.paint(state.tensions, (tension, rgb) => tensionColour(tension, this.base, rgb));
      send(color, 4 * tube.pointCount);
      this.isPlain = false;
    } else if (!this.isPlain) {
      paintPlain(tube, this.base);
      send(color, tube.colours.length);
      this.isPlain = true;
    }
    if (isBraided(this.info)) this.uniforms.braid.value = this.crossingsOfRing(state.positions);
    const map = look.showTwist ? this.stripe : null;
    if (this.material.map !== map) {
      this.material.map = map;
      this.material.needsUpdate = true;
    }
    this.mesh.geometry.setDrawRange(0, tube.indexCount);
    this.mesh.visible = this.halo.visible = true;
  }

  hide(): void {
    this.mesh.visible = this.halo.visible = false;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.material.dispose();
    this.halo.material.dispose();
  }

  private grow(capacity: number): void {
    this.tube = this.makeTube(capacity);
    this.mesh.geometry.dispose();
    this.mesh.geometry = this.halo.geometry = geometryOf(this.tube);
    this.isPlain = false;
  }

  private makeTube(capacity: number): Tube {
    const detail = Math.min(Math.max(Math.floor(MOST_RINGS / capacity), 1), this.quality.smooth ? MOST_DETAIL : 1);
    return new Tube(Math.max(capacity, 2), this.quality.tubeSides, detail);
  }

  /** Crossings of the braid from one ring of the tube to the next. */
  private crossingsOfRing(p: Float32Array): number {
    const segment = Math.hypot(p[3] - p[0], p[4] - p[1], p[5] - p[2]);
    return segment / this.tube.detail / (2 * this.info.radius * BRAID_PITCH);
  }
}

function makeHaloMaterial(uniforms: Uniforms): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ side: BackSide, transparent: true, depthWrite: false, toneMapped: false });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", THREAD_VERTEX_HEAD)
      .replace("#include <project_vertex>", HALO_VERTEX_BODY);
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nuniform vec3 haloColour;\nuniform float haloStrength;")
      .replace("#include <color_fragment>", "diffuseColor = vec4(haloColour, haloStrength);");
  };
  material.customProgramCacheKey = () => "halo";
  return material;
}

function addThread(shader: WebGLProgramParametersWithUniforms, uniforms: Uniforms): void {
  Object.assign(shader.uniforms, uniforms);
  shader.vertexShader = shader.vertexShader
    .replace("#include <common>", THREAD_VERTEX_HEAD)
    .replace("#include <project_vertex>", THREAD_VERTEX_BODY);
  shader.fragmentShader = shader.fragmentShader
    .replace("#include <common>", THREAD_FRAGMENT_HEAD)
    .replace("#include <color_fragment>", THREAD_FRAGMENT_COLOUR);
}

const THREAD_VERTEX_HEAD = /* glsl */ `
#include <common>
uniform float pixelAngle, leastPixels, threadRadius;
varying vec2 vBraidPlace;
// mm that a strand is widened by at a distance, each side
float threadWidening(float distance) {
  return max(0.5 * leastPixels * pixelAngle * distance - threadRadius, 0.0);
}
`;
const THREAD_VERTEX_BODY = /* glsl */ `
#include <project_vertex>
mvPosition.xy += threadWidening(-mvPosition.z) * normalize(normalMatrix * normal).xy;
gl_Position = projectionMatrix * mvPosition;
vBraidPlace = uv;
`;
const HALO_VERTEX_BODY = /* glsl */ `
#include <project_vertex>
float haloWidth = max(${HALO_PIXELS} * pixelAngle * -mvPosition.z, ${HALO_SHARE} * threadRadius);
mvPosition.xy += (threadWidening(-mvPosition.z) + haloWidth) * normalize(normalMatrix * normal).xy;
gl_Position = projectionMatrix * mvPosition;
vBraidPlace = uv;
`;
const THREAD_FRAGMENT_HEAD = /* glsl */ `
#include <common>
uniform float braid;
varying vec2 vBraidPlace;
// two families of strands that wind against each other; 0 in the furrows between them, 1 on their backs
float braidHeight(vec2 p) {
  float turn = 4.0 * p.x, along = p.y;
  float left = abs(sin(3.14159 * (turn + along))), right = abs(sin(3.14159 * (turn - along)));
  return max(left * step(0.5, fract(0.5 * (turn - along))), right * step(0.5, fract(0.5 * (turn + along))));
}
`;
const THREAD_FRAGMENT_COLOUR = /* glsl */ `
#include <color_fragment>
if (braid > 0.0) {
  vec2 place = vec2(vBraidPlace.x, braid * vBraidPlace.y);
  float seen = 1.0 - smoothstep(0.2, 0.6, max(fwidth(place.y), 4.0 * fwidth(place.x)));
  diffuseColor.rgb *= mix(0.92, 0.55 + 0.6 * braidHeight(place), seen);
}
`;

/** Only the part in use goes to the graphics card. */
function send(attribute: BufferAttribute, count: number): void {
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, count);
  attribute.needsUpdate = true;
}

function paintPlain(tube: Tube, base: number[]): void {
  for (let at = 0; at < tube.colours.length; at += 4) {
    tube.colours[at] = base[0];
    tube.colours[at + 1] = base[1];
    tube.colours[at + 2] = base[2];
  }
}

function geometryOf(tube: Tube): BufferGeometry {
  const geometry = new BufferGeometry();
  const dynamic = (attribute: BufferAttribute) => attribute.setUsage(DynamicDrawUsage);
  geometry.setAttribute("position", dynamic(new BufferAttribute(tube.positions, 3)));
  geometry.setAttribute("normal", dynamic(new BufferAttribute(tube.normals, 3)));
  geometry.setAttribute("color", dynamic(new BufferAttribute(tube.colours, 4, true)));
  geometry.setAttribute("uv", new BufferAttribute(tube.uvs, 2));
  geometry.setIndex(new BufferAttribute(tube.indices, 1));
  return geometry;
}

/** White, with one dark and one faint stripe along the thread. */
function stripeTexture(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = 128;
  canvas.height = 1;
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, 128, 1);
  context.fillStyle = "#7d7d88";
  context.fillRect(8, 0, 14, 1);
  context.fillStyle = "#d9d9de";
  context.fillRect(76, 0, 10, 1);
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}
