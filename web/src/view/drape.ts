// The table: a drape under the light of a lamp, with an opening where there is tissue. In "low" all light is in the
// colours of points; in "high" the cloth is lit, takes shadows and shows its weave.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Material,
  type Vector3,
} from "three";
import { lampShare, makeCloth, roundedRectangle } from "./cloth";
import { disposeAll } from "./lines";
import type { Quality } from "./quality";
import type { Palette } from "./theme";

/** mm: the drape ends this far from the tissue, with a band this wide; the tissue darkens what is this near to it */
const OPENING = 7;
const HEM = 2.6;
const NEAR = 4.5;
const CORNER_POINTS = 7;
/** direction of the lamp that is in the colours of points */
const LAMP_WAY = [-0.38, -0.34, 0.86];
/** as bright as the lamps of "high" make it */
const BAKED = 1.45;

/** mm, about the middle of the scene: what stands on the table there */
export interface Footprint {
  x: number;
  y: number;
  halfX: number;
  halfY: number;
  /** 0 when it hangs in the air: then it darkens nothing; 1 when it stands on the table */
  nearness: number;
  isVessel: boolean;
}

export interface DrapePlace {
  centre: Vector3;
  height: number;
  /** mm: half of what one works on */
  reach: number;
  footprint: Footprint | undefined;
}

export class Drape {
  readonly group = new Group();
  private place: DrapePlace | undefined;

  constructor(
    private quality: Quality,
    private palette: Palette,
  ) {}

  restyle(quality: Quality, palette: Palette): void {
    this.quality = quality;
    this.palette = palette;
    if (this.place) this.lay(this.place);
  }

  lay(place: DrapePlace): void {
    this.place = place;
    this.dispose();
    this.group.position.set(place.centre.x, place.centre.y, place.height);
    this.group.add(this.makeMesh(this.clothGeometry(place.reach), 0));
    if (place.footprint) this.group.add(this.makeMesh(this.openingGeometry(place.footprint, place.reach), 1));
  }

  dispose(): void {
    disposeAll(this.group.children as Mesh[]);
    this.group.clear();
  }

  private makeMesh(geometry: BufferGeometry, layer: number): Mesh {
    const mesh = new Mesh(geometry, this.makeMaterial(layer));
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    mesh.renderOrder = layer - 3;
    return mesh;
  }

  private makeMaterial(layer: number): Material {
    // layers lie on each other: each is pushed back in depth a little less than the one below
    const offset = { polygonOffset: true, polygonOffsetFactor: 2 - layer, polygonOffsetUnits: 8 - 4 * layer };
    if (this.quality.simpleMaterials) return new MeshBasicMaterial({ vertexColors: true, toneMapped: false, ...offset });
    const material = new MeshLambertMaterial({ vertexColors: true, ...offset });
    const backdrop = new Color(this.palette.backdrop).convertLinearToSRGB();
    material.onBeforeCompile = (shader) => {
      shader.uniforms.clothBackdrop = { value: backdrop };
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", CLOTH_VERTEX_HEAD)
        .replace("#include <begin_vertex>", CLOTH_VERTEX_BODY);
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", CLOTH_FRAGMENT_HEAD)
        .replace("#include <color_fragment>", CLOTH_FRAGMENT_COLOUR)
        .replace("#include <colorspace_fragment>", CLOTH_FRAGMENT_END);
    };
    material.customProgramCacheKey = () => "cloth";
    return material;
  }

  private clothGeometry(reach: number): BufferGeometry {
    const { palette, quality } = this;
    const cloth = makeCloth(reach, palette.dim, quality.cloth);
    const base = new Color(palette.cloth),
      backdrop = new Color(palette.backdrop),
      colour = new Color();
    const colours = new Float32Array(cloth.positions.length);
    for (let point = 0; point < colours.length / 3; point++) {
      colour.copy(base).multiplyScalar(cloth.shares[2 * point]);
      if (quality.simpleMaterials) {
        colour.multiplyScalar(bakedLight(cloth.normals, point)).lerp(backdrop, cloth.shares[2 * point + 1]);
      }
      colour.toArray(colours, 3 * point);
    }
    const far = Float32Array.from({ length: colours.length / 3 }, (_, point) => cloth.shares[2 * point + 1]);
    return geometryOf(cloth.positions, cloth.normals, colours, far, cloth.indices);
  }

  /** The board in the opening, darker beside the tissue and under the rim of the drape, and a band along the rim. */
  private openingGeometry(footprint: Footprint, reach: number): BufferGeometry {
    const { palette } = this;
    const board = new Color(footprint.isVessel ? palette.sheet : palette.board);
    const hem = new Color(palette.hem),
      cloth = new Color(palette.cloth);
    const shade = 1 - 0.62 * footprint.nearness;
    const rings: [number, Color][] = [
      [-1, board.clone().multiplyScalar(shade)],
      [0.05, board.clone().multiplyScalar(shade)],
      [0.25 * NEAR, board.clone().multiplyScalar(1 - 0.5 * (1 - shade))],
      [0.55 * NEAR, board.clone().multiplyScalar(1 - 0.2 * (1 - shade))],
      [NEAR, board],
      [OPENING - 1.2, board.clone().multiplyScalar(0.93)],
      [OPENING, board.clone().multiplyScalar(0.55)],
      [OPENING, hem.clone().multiplyScalar(0.92)],
      [OPENING + 0.5, hem],
      [OPENING + 0.8 * HEM, hem],
      [OPENING + HEM, hem.clone().multiplyScalar(0.9)],
      [OPENING + HEM, cloth.clone().multiplyScalar(0.74)],
      [OPENING + HEM + 1.6, cloth.clone().multiplyScalar(0.95)],
      [OPENING + HEM + 3, cloth],
    ];
    return this.ringsGeometry(rings, footprint, reach);
  }

  private ringsGeometry(rings: [number, Color][], footprint: Footprint, reach: number): BufferGeometry {
    const around = 4 * CORNER_POINTS;
    const points = rings.length * around + 1;
    const positions = new Float32Array(3 * points),
      normals = new Float32Array(3 * points),
      colours = new Float32Array(3 * points);
    const indices: number[] = [];
    const put = (point: number, x: number, y: number, colour: Color) => {
      const baked = this.quality.simpleMaterials ? BAKED : 1;
      const light = baked * lampShare(Math.hypot(x, y), reach, this.palette.dim);
      positions.set([x, y, 0], 3 * point);
      normals.set([0, 0, 1], 3 * point);
      colours.set([colour.r * light, colour.g * light, colour.b * light], 3 * point);
    };
    rings.forEach(([out, colour], ring) => {
      const outline = roundedRectangle(
        Math.max(footprint.halfX + out, 0.5),
        Math.max(footprint.halfY + out, 0.5),
        Math.max(1 + 0.8 * out, 0.2),
        CORNER_POINTS,
      );
      for (let k = 0; k < around; k++) {
        put(ring * around + k, footprint.x + outline[2 * k], footprint.y + outline[2 * k + 1], colour);
        if (ring === 0) continue;
        const next = (k + 1) % around,
          inner = (ring - 1) * around,
          outer = ring * around;
        indices.push(inner + k, outer + k, outer + next, inner + k, outer + next, inner + next);
      }
    });
    put(points - 1, footprint.x, footprint.y, rings[0][1]);
    for (let k = 0; k < around; k++) indices.push(points - 1, k, (k + 1) % around);
    // below 0: a board has neither weave nor creases
    const far = new Float32Array(points).fill(-1e-3);
    return geometryOf(positions, normals, colours, far, Uint32Array.from(indices));
  }
}

/** How bright a point of the cloth is for the way it leans. */
function bakedLight(normals: Float32Array, point: number): number {
  const [x, y, z] = normals.subarray(3 * point, 3 * point + 3);
  const lit = (x * LAMP_WAY[0] + y * LAMP_WAY[1] + z * LAMP_WAY[2]) / LAMP_WAY[2];
  return BAKED * (0.35 + 0.65 * Math.max(lit, 0));
}

function geometryOf(
  positions: Float32Array,
  normals: Float32Array,
  colours: Float32Array,
  far: Float32Array,
  indices: Uint32Array,
): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
  geometry.setAttribute("far", new BufferAttribute(far, 1));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}

const CLOTH_VERTEX_HEAD = /* glsl */ `
#include <common>
attribute float far;
varying float vFar;
varying vec2 vClothPlace;
`;
const CLOTH_VERTEX_BODY = /* glsl */ `
#include <begin_vertex>
vFar = far;
vClothPlace = position.xy;
`;
const CLOTH_FRAGMENT_HEAD = /* glsl */ `
#include <common>
uniform vec3 clothBackdrop;
varying float vFar;
varying vec2 vClothPlace;
// where the drape was folded when it was packed: bright on one side of each line and dark on the other
float clothCrease(vec2 p) {
  vec2 q = (p + vec2(31.0, 22.0)) / vec2(84.0, 71.0);
  vec2 from = (fract(q) - 0.5) * vec2(84.0, 71.0);
  vec2 side = from * exp(-from * from / 14.0) / 1.9;
  return side.x - side.y;
}
// threads over and under each other every third of a millimetre; grey where they are finer than pixels
float clothWeave(vec2 p) {
  vec2 q = 3.0 * p;
  float seen = 1.0 - smoothstep(0.25, 0.6, max(length(dFdx(q)), length(dFdy(q))));
  vec2 s = sin(3.14159 * q);
  float odd = sign(s.x * s.y);
  vec2 round = abs(s);
  return seen * (mix(round.x, round.y, 0.5 + 0.5 * odd) - 0.64);
}
`;
const CLOTH_FRAGMENT_COLOUR = /* glsl */ `
#include <color_fragment>
diffuseColor.rgb *= 1.0 + step(0.0, vFar) * (0.1 * clothWeave(vClothPlace) + 0.045 * clothCrease(vClothPlace) * (1.0 - vFar));
`;
const CLOTH_FRAGMENT_END = /* glsl */ `
#include <colorspace_fragment>
gl_FragColor.rgb = mix(gl_FragColor.rgb, clothBackdrop, max(vFar, 0.0));
`;
