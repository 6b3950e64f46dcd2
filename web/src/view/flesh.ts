// What tissue looks like: a colour, a roughness and a fine relief for every place of its surface, by the side it is on
// and by how deep it was made. Nothing moves when the tissue does: places are those at home.
//
// In the shader: skin has furrows between cells of half a millimetre, patches of more and less blood, and reddens
// towards a wound; in a cut one sees epidermis, dermis and, below the first layer, lobules of fat. Light that entered
// skin comes out again a little farther on, red first: where it gets dark a red band is added. A wound is wet and gets
// dark with depth. Skin is pale where it is pressed or stretched, and redder around. The simple material has the same
// layers and paleness, in colours of points.

import {
  Color,
  DoubleSide,
  MeshLambertMaterial,
  MeshPhysicalMaterial,
  Vector4,
  type Material,
  type WebGLProgramParametersWithUniforms,
} from "three";
import { MILLI } from "../base/units";
import { Side, TissueShape, type TissueInfo } from "../base/protocol.generated";
import { MOST_MARKS, type PressMarks } from "./marks";
import type { Quality } from "./quality";

const colours = {
  epidermis: 0xe9c4a8,
  dermis: 0xe0a39a,
  deepDermis: 0xcf827c,
  fat: 0xe3c383,
  septum: 0xb9774a,
  blood: 0x8e1a1a,
  adventitia: 0xdcbfae,
  media: 0xc76a62,
  intima: 0xa83c3a,
  silicone: 0xe2b9a3,
  flush: 0xc06a60,
};

/** mm: how deep a wound is where it is darkest, and how much of the light is missing there; how wide it is red around */
const DARK_DEPTH = 5;
const DARKEST = 0.68;
const FLUSH_WIDTH = 1.5;

/** Flesh scatters what falls on it, red most: without that a simple material is grey, and fat green. */
const SCATTERED = [1.4, 1.18, 1.1];
/** mm: a point that is no deeper than this below the end of a layer is at its end */
const BORDER = 0.05;
/** of blood in the colour of a wound's walls */
const BLOODY = 0.45;

/** mm: depths at which epidermis, dermis and all of the tissue end */
export function depthsOf(info: TissueInfo): [number, number, number] {
  const layers = Array.from(info.layers, (thickness) => MILLI * thickness);
  const whole = layers.reduce((sum, thickness) => sum + thickness, 0) || 5;
  if (info.shape === TissueShape.vessel) return [0, 0, 0];
  const dermis = layers.length > 2 ? layers[0] + layers[1] : layers.length > 1 ? layers[0] : Math.min(0.4 * whole, 2);
  const epidermis = layers.length > 2 ? layers[0] : Math.min(0.18, 0.25 * dermis);
  return [epidermis, dermis, whole];
}

export function makeFlesh(info: TissueInfo, quality: Quality, marks: PressMarks): Material {
  const side = info.shape === TissueShape.grid || info.shape === TissueShape.mesh ? { side: DoubleSide } : {};
  // so that the wireframe lies on it
  const offset = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2 };
  if (quality.simpleMaterials) {
    const material = new MeshLambertMaterial({ vertexColors: true, ...side, ...offset });
    material.onBeforeCompile = (shader) => addPlainFlesh(shader, marks);
    material.customProgramCacheKey = () => "plain flesh";
    return material;
  }
  const material = new MeshPhysicalMaterial({ roughness: 0.55, metalness: 0, ...side, ...offset });
  material.clearcoat = 1; // how wet a place is, the shader says
  material.clearcoatRoughness = 0.16;
  material.onBeforeCompile = (shader) => addFlesh(shader, info, marks);
  material.customProgramCacheKey = () => "flesh";
  return material;
}

/** Colours of points for simple materials, linear: the same layers without the fine structure. */
export function plainColour(
  info: TissueInfo,
  side: number,
  home: ArrayLike<number>,
  toWound: number,
  rgb: Float32Array,
  at: number,
): void {
  const depth = -MILLI * home[2];
  const [epidermis, dermis, whole] = depthsOf(info);
  let hex = info.colour;
  if (info.shape === TissueShape.vessel) {
    hex = side === Side.inner ? colours.intima : side === Side.outer ? colours.media : colours.adventitia;
  } else if (info.shape === TissueShape.pad && side !== Side.top) {
    // points lie where layers meet: those at the lower end of the dermis are its, so that it is seen at all
    const isDermis = depth < dermis + BORDER;
    hex = depth < epidermis ? colours.epidermis : isDermis ? colours.deepDermis : colours.fat;
  }
  const colour = new Color(hex);
  if (info.shape === TissueShape.pad) {
    if (side === Side.groove) colour.lerp(new Color(colours.blood), BLOODY).multiplyScalar(woundLight(depth));
    else if (side === Side.top) colour.lerp(new Color(colours.flush), 0.7 * Math.exp(-MILLI * toWound / FLUSH_WIDTH));
    else colour.multiplyScalar(1 - 0.35 * Math.min(depth / whole, 1) ** 2); // light hardly gets down beside the board
  }
  colour.toArray().forEach((share, k) => (rgb[at + k] = SCATTERED[k] * share));
}

/** How much light gets into a wound, by depth in mm; in step with the shader. */
export function woundLight(depth: number): number {
  return 1 - DARKEST * Math.min(Math.max(depth / DARK_DEPTH, 0), 1);
}

function addPlainFlesh(shader: WebGLProgramParametersWithUniforms, marks: PressMarks): void {
  Object.assign(shader.uniforms, { pressPlaces: marks.places, pressStrengths: marks.strengths });
  shader.vertexShader = shader.vertexShader
    .replace("#include <common>", `#include <common>\nattribute float stretch;\n${PALENESS}`)
    .replace(
      "#include <color_vertex>",
      "#include <color_vertex>\nvColor.rgb = fleshPale(vColor.rgb, (modelMatrix * vec4(position, 1.0)).xyz, stretch);",
    );
  shader.fragmentShader = shader.fragmentShader.replace("#include <opaque_fragment>", PLAIN_SHINE);
}

function addFlesh(shader: WebGLProgramParametersWithUniforms, info: TissueInfo, marks: PressMarks): void {
  Object.assign(shader.uniforms, { pressPlaces: marks.places, pressStrengths: marks.strengths });
  const [epidermis, dermis, whole] = depthsOf(info);
  shader.uniforms.fleshDepths = { value: new Vector4(epidermis, dermis, whole, MILLI * info.radius) };
  shader.uniforms.fleshShape = { value: info.shape };
  shader.uniforms.fleshSkin = { value: new Color(info.colour) };
  for (const [name, hex] of Object.entries(colours)) shader.uniforms[`flesh_${name}`] = { value: new Color(hex) };
  const replace = (source: string, hook: string, text: string) => source.replace(hook, `${hook}\n${text}`);
  shader.vertexShader = replace(shader.vertexShader, "#include <common>", VERTEX_HEAD);
  shader.vertexShader = replace(shader.vertexShader, "#include <begin_vertex>", VERTEX_BODY);
  const uniforms = Object.keys(colours).map((name) => `uniform vec3 flesh_${name};`);
  shader.fragmentShader = replace(shader.fragmentShader, "#include <common>", uniforms.join("\n") + PALENESS + FRAGMENT_HEAD);
  shader.fragmentShader = replace(shader.fragmentShader, "#include <color_fragment>", FRAGMENT_COLOUR);
  shader.fragmentShader = replace(shader.fragmentShader, "#include <roughnessmap_fragment>", FRAGMENT_ROUGHNESS);
  shader.fragmentShader = replace(shader.fragmentShader, "#include <normal_fragment_maps>", FRAGMENT_NORMAL);
  shader.fragmentShader = replace(shader.fragmentShader, "#include <lights_physical_fragment>", FRAGMENT_WET);
  shader.fragmentShader = replace(shader.fragmentShader, "#include <lights_fragment_end>", FRAGMENT_LIGHT);
}

// pressed or stretched skin is pale, skin around a press is redder
const PALENESS = /* glsl */ `
uniform vec4 pressPlaces[${MOST_MARKS}];
uniform float pressStrengths[${MOST_MARKS}];
vec3 fleshPale(vec3 colour, vec3 place, float stretch) {
  float pale = 0.4 * smoothstep(1.04, 1.5, stretch), red = 0.5 * smoothstep(0.97, 0.6, stretch);
  for (int i = 0; i < ${MOST_MARKS}; i++) {
    if (pressStrengths[i] <= 0.0) continue;
    float far = distance(place, pressPlaces[i].xyz) / pressPlaces[i].w;
    pale = max(pale, pressStrengths[i] * exp(-far * far));
    red = max(red, 0.5 * pressStrengths[i] * exp(-(far - 1.9) * (far - 1.9) * 2.2));
  }
  float bright = dot(colour, vec3(0.3, 0.59, 0.11));
  colour = mix(colour, vec3(1.22, 1.14, 0.98) * bright, 0.8 * pale);
  return mix(colour, colour * vec3(0.98, 0.72, 0.68), red * (1.0 - pale));
}
`;

// a faint mirror image of the lamp
const PLAIN_SHINE = /* glsl */ `
#if NUM_DIR_LIGHTS > 1
vec3 fleshHalf = normalize(directionalLights[1].direction + normalize(vViewPosition));
float fleshShine = max(dot(normal, fleshHalf), 0.0);
fleshShine *= fleshShine; fleshShine *= fleshShine; fleshShine *= fleshShine; fleshShine *= fleshShine;
outgoingLight += 0.16 * fleshShine * fleshShine * directionalLights[1].color * (0.4 + 0.6 * fleshShine);
#endif
#include <opaque_fragment>
`;

const VERTEX_HEAD = /* glsl */ `
attribute vec3 home;
attribute float side;
attribute float toWound;
attribute float stretch;
varying float vStretch;
varying vec3 vFleshPlace;
varying vec3 vHome;
varying float vSide;
varying float vToWound;
`;

const VERTEX_BODY = /* glsl */ `
vHome = ${MILLI}.0 * home;
vSide = side;
vToWound = ${MILLI}.0 * toWound;
vStretch = stretch;
vFleshPlace = (modelMatrix * vec4(position, 1.0)).xyz;
`;

const FRAGMENT_HEAD = /* glsl */ `
uniform vec4 fleshDepths;
uniform int fleshShape;
uniform vec3 fleshSkin;
varying vec3 vHome;
varying float vSide;
varying float vToWound;
varying float vStretch;
varying vec3 vFleshPlace;

float fleshHash(vec3 p) {
  p = fract(p * vec3(0.1031, 0.1030, 0.0973));
  p += dot(p, p.yxz + 33.33);
  return fract((p.x + p.y) * p.z);
}
float fleshNoise(vec3 p) {
  vec3 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  vec4 low = vec4(fleshHash(i), fleshHash(i + vec3(1, 0, 0)), fleshHash(i + vec3(0, 1, 0)), fleshHash(i + vec3(1, 1, 0)));
  i.z += 1.0;
  vec4 high = vec4(fleshHash(i), fleshHash(i + vec3(1, 0, 0)), fleshHash(i + vec3(0, 1, 0)), fleshHash(i + vec3(1, 1, 0)));
  vec4 mixed = mix(low, high, f.z);
  vec2 row = mix(mixed.xz, mixed.yw, f.x);
  return mix(row.x, row.y, f.y);
}
// cells around random points: distance to the border between them, and to the nearest of the points
vec2 fleshCells(vec2 p, float seed) {
  vec2 i = floor(p), f = fract(p);
  float first = 8.0, second = 8.0;
  for (int y = -1; y <= 1; y++) {
    for (int x = -1; x <= 1; x++) {
      vec2 g = vec2(x, y);
      vec3 key = vec3(i + g, seed);
      vec2 r = g + vec2(fleshHash(key), fleshHash(key + 17.0)) * 0.9 - f;
      float d = dot(r, r);
      if (d < first) { second = first; first = d; } else if (d < second) { second = d; }
    }
  }
  return vec2(sqrt(second) - sqrt(first), sqrt(first));
}
struct Flesh { vec3 colour; float roughness; float height; float skin; float wet; };
// what a cut shows at a depth in mm; p: across the cut, so that lobules do not repeat
Flesh fleshCut(float depth, vec3 p, float wet) {
  Flesh flesh;
  float wave = 0.25 * (fleshNoise(p * 0.8) - 0.5);
  float fibres = fleshNoise(p * vec3(1.2, 1.2, 5.0));
  vec2 lobule = fleshCells(p.xz * 1.05 + p.yy * 0.31 + 0.5 * fleshNoise(p * 0.9), 3.0);
  vec3 fat = mix(mix(flesh_septum, flesh_fat, 0.45), flesh_fat, smoothstep(0.0, 0.22, lobule.x));
  fat *= 0.84 + 0.26 * fleshNoise(p * 0.8) + 0.08 * fleshNoise(p * 3.0);
  vec3 inner = mix(flesh_dermis, flesh_deepDermis, smoothstep(fleshDepths.x, fleshDepths.y, depth + wave));
  inner = mix(inner, flesh_epidermis, 0.35 * smoothstep(0.45, 0.75, fibres));
  float below = smoothstep(-0.12, 0.12, depth + 1.6 * wave - fleshDepths.y);
  float above = 1.0 - smoothstep(-0.05, 0.05, depth + 0.3 * wave - fleshDepths.x);
  flesh.colour = mix(mix(inner, fat, below), flesh_epidermis, above);
  flesh.colour = mix(flesh.colour, flesh_blood, wet * (0.2 + 0.42 * fleshNoise(p * 0.55 + 4.0)) * (1.0 - 0.6 * above));
  flesh.colour *= wet > 0.5 ? 1.0 - ${DARKEST} * clamp(depth / ${DARK_DEPTH}.0, 0.0, 1.0) : 1.0 - 0.35 * pow(clamp(depth / fleshDepths.z, 0.0, 1.0), 2.0);
  flesh.wet = wet * (0.55 + 0.45 * fleshNoise(p * 0.7));
  flesh.roughness = mix(0.62, 0.38, wet);
  float dome = max(1.0 - lobule.y * lobule.y, 0.0) * smoothstep(0.0, 0.25, lobule.x);
  flesh.height = 0.03 * fibres + 0.11 * dome * smoothstep(0.0, 0.8, depth - fleshDepths.y);
  flesh.skin = 0.7;
  return flesh;
}
Flesh fleshSkinAt(vec2 p, vec3 home, float toWound, float footprint) {
  Flesh flesh;
  float area = fleshNoise(home * 0.11 + 7.0), spots = fleshNoise(home * 0.8 + 2.0);
  vec3 red = fleshSkin * vec3(1.0, 0.83, 0.8), tan = fleshSkin * vec3(0.95, 0.9, 0.8);
  vec3 fair = mix(fleshSkin, vec3(dot(fleshSkin, vec3(0.33))), 0.12) * vec3(0.98, 1.0, 1.03);
  flesh.colour = mix(fair, red, 0.5 * smoothstep(0.3, 0.8, area) + 0.22 * spots);
  flesh.colour = mix(flesh.colour, tan, 0.4 * smoothstep(0.5, 0.8, fleshNoise(home * 0.23 + 31.0)));
  // veins far below, hardly seen
  float vein = abs(fleshNoise(vec3(home.xy * 0.075, 3.0)) - 0.5) + 0.3 * abs(fleshNoise(vec3(home.xy * 0.2, 9.0)) - 0.5);
  flesh.colour = mix(flesh.colour, fleshSkin * vec3(0.8, 0.86, 0.9), 0.22 * (1.0 - smoothstep(0.02, 0.1, vein)));
  float near = exp(-toWound / ${FLUSH_WIDTH});
  flesh.colour *= mix(vec3(1.0), vec3(0.9, 0.6, 0.56), 0.8 * near);
  // cells with furrows between them, longer along one direction as the lines of skin are, and a pore here and there
  vec2 lines = vec2(0.78 * p.x + 0.2 * p.y, 1.18 * p.y - 0.2 * p.x);
  float coarse = fleshCells(lines * 1.5, 1.0).x, fine = fleshCells(lines * 4.3, 2.0).x;
  float pore = fleshCells(p * 0.9, 5.0).y;
  // what is finer than the pixels is left out: it would only flicker
  float seen = 1.0 - smoothstep(0.1, 0.38, 1.5 * footprint), fineSeen = 1.0 - smoothstep(0.12, 0.4, 4.3 * footprint);
  float relief = (smoothstep(0.0, 0.3, coarse) - 0.7) * 0.6 * seen + (smoothstep(0.0, 0.3, fine) - 0.7) * 0.4 * fineSeen;
  relief -= 0.8 * seen * (1.0 - smoothstep(0.05, 0.12, pore));
  flesh.height = 0.036 * relief;
  flesh.colour *= 1.0 + 0.085 * relief;
  flesh.roughness = 0.52 - 0.08 * relief;
  flesh.wet = 0.08 + 0.5 * near + 0.1 * smoothstep(0.45, 0.8, spots);
  flesh.skin = 1.0;
  return flesh;
}
Flesh fleshVessel(vec3 home) {
  Flesh flesh;
  float radius = length(home.yz), turn = atan(home.z, home.y);
  vec3 p = vec3(home.x, fleshDepths.w * turn, radius);
  float share = clamp((fleshDepths.w - radius) / max(0.45 * fleshDepths.w, 1e-3), 0.0, 1.0);
  float along = fleshNoise(p * vec3(0.7, 5.0, 3.0)), patches = fleshNoise(p * 0.7);
  flesh.skin = 0.8;
  flesh.wet = 0.75;
  if (vSide > 4.5) { // inner
    flesh.colour = mix(flesh_intima, flesh_blood, 0.35 * patches);
    flesh.roughness = 0.25;
    flesh.height = 0.01 * along;
  } else if (vSide > 3.5) { // outer
    flesh.colour = mix(flesh_media, flesh_adventitia, 0.5 + 0.4 * along * patches) * (0.9 + 0.12 * patches);
    float twig = smoothstep(0.05, 0.0, abs(fleshNoise(p * vec3(0.5, 0.9, 1.0) + 9.0) - 0.5));
    flesh.colour = mix(flesh.colour, flesh_blood, 0.22 * twig * patches);
    flesh.roughness = 0.42;
    flesh.height = 0.018 * along;
  } else {
    float ring = fleshNoise(vec3(9.0 * share, 2.0 * turn, 1.0));
    flesh.colour = mix(flesh_adventitia, flesh_media, smoothstep(0.05, 0.25, share));
    flesh.colour = mix(flesh.colour, flesh_adventitia, 0.3 * ring);
    flesh.roughness = 0.35;
    flesh.height = 0.02 * ring;
  }
  return flesh;
}
// places in the plane that the surface lies in most nearly, at home
vec2 fleshPlane(vec3 home) {
  vec3 n = abs(cross(dFdx(vHome), dFdy(vHome)));
  return n.z >= max(n.x, n.y) ? home.xy : n.x >= n.y ? home.yz : home.xz;
}
// at a place at home; footprint: mm of a pixel there
Flesh fleshAt(vec3 home, float footprint) {
  if (fleshShape == 1) return fleshVessel(home);
  if (fleshShape == 0 && vSide > 2.5) return fleshCut(-home.z, home, 1.0);
  if (fleshShape == 0 && vSide > 0.5) return fleshCut(-home.z, vSide > 1.5 ? home : home.xzy, 0.0);
  return fleshSkinAt(fleshPlane(home), home, vToWound, footprint);
}
float fleshFootprint() {
  return max(length(dFdx(vHome)), length(dFdy(vHome)));
}
// the normal of a surface with that relief [mm], in the frame of the camera. The relief is looked at one pixel to the
// right and one up: derivatives of the card are the same for blocks of four pixels, which shows
vec3 fleshNormal(vec3 normal, vec3 position, float height) {
  vec3 dx = dFdx(position), dy = dFdy(position);
  float footprint = fleshFootprint();
  float right = fleshAt(vHome + dFdx(vHome), footprint).height - height;
  float up = fleshAt(vHome + dFdy(vHome), footprint).height - height;
  vec3 across = cross(dy, normal), along = cross(normal, dx);
  float det = dot(dx, across);
  vec3 slope = sign(det) * (right * across + up * along);
  return normalize(abs(det) * normal - slope);
}
`;

const FRAGMENT_COLOUR = /* glsl */ `
Flesh flesh = fleshAt(vHome, fleshFootprint());
diffuseColor.rgb = vSide > 0.5 && fleshShape == 0 ? flesh.colour : fleshPale(flesh.colour, vFleshPlace, vStretch);
`;

const FRAGMENT_ROUGHNESS = /* glsl */ `
roughnessFactor = flesh.roughness;
`;

const FRAGMENT_NORMAL = /* glsl */ `
normal = fleshNormal(normal, -vViewPosition, flesh.height);
`;

const FRAGMENT_WET = /* glsl */ `
material.clearcoat = flesh.wet;
`;

const FRAGMENT_LIGHT = /* glsl */ `
#if NUM_DIR_LIGHTS > 0
float fleshLit = dot(normal, directionalLights[0].direction);
float fleshBand = smoothstep(-0.5, 0.05, fleshLit) * (1.0 - smoothstep(0.05, 0.7, fleshLit));
reflectedLight.directDiffuse += flesh.skin * fleshBand * directionalLights[0].color * diffuseColor.rgb * vec3(0.06, 0.012, 0.007);
#endif
reflectedLight.indirectDiffuse += flesh.skin * diffuseColor.rgb * vec3(0.03, 0.008, 0.005);
`;
