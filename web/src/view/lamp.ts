// The light of an operating room: a lamp above the left shoulder that casts shadows, a weaker one behind what one looks at,
// which wet skin mirrors, the room; and what steel mirrors of it.

import {
  BackSide,
  BoxGeometry,
  CircleGeometry,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  PMREMGenerator,
  Scene,
  ShaderChunk,
  Vector3,
  type BufferGeometry,
  type Texture,
  type WebGLRenderer,
} from "three";
import type { Quality } from "./quality";
import type { Palette } from "./theme";

/** where the lamp is, seen from the middle of the scene */
const LAMP_WAY = new Vector3(-0.42, -0.38, 1);
const FILL_WAY = new Vector3(-0.35, 0.85, 0.62);
const SHADOW_PIXELS = 2048;
/** pixels of the shadow map: a lamp is large, its shadows are soft */
const SHADOW_SOFTNESS = 13;
const SHADOW_TAPS = 14;
const SHADOW_STRENGTH = 0.62;

/** Shadows as soft as those of a large lamp need more looks at the map than three.js takes. */
function softenShadows(): void {
  const chunk = ShaderChunk.shadowmap_pars_fragment;
  const few = /shadow = \(\s*texture\( shadowMap, vec3\( shadowCoord\.xy \+ vogelDiskSample\( 0, 5[\s\S]*?\) \* 0\.2;/;
  const many = `shadow = 0.0;
for ( int tap = 0; tap < ${SHADOW_TAPS}; tap ++ )
  shadow += texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( tap, ${SHADOW_TAPS}, phi ) * radius, shadowCoord.z ) );
shadow /= ${SHADOW_TAPS}.0;`;
  ShaderChunk.shadowmap_pars_fragment = chunk.replace(few, many);
}

export class Lamp {
  readonly group = new Group();
  private readonly key = new DirectionalLight(0xfff6ea, 2);
  private readonly fill = new DirectionalLight(0xdfeaff, 0.4);
  private readonly sky = new HemisphereLight(0xffffff, 0x888888, 1);

  constructor() {
    softenShadows();
    const { shadow } = this.key;
    shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    shadow.radius = SHADOW_SOFTNESS;
    shadow.intensity = SHADOW_STRENGTH;
    shadow.bias = -0.0004;
    shadow.normalBias = 0.06;
    this.fill.position.copy(FILL_WAY).multiplyScalar(200);
    this.group.add(this.key, this.key.target, this.fill, this.sky);
  }

  restyle(quality: Quality, palette: Palette): void {
    this.key.castShadow = quality.shadows;
    this.sky.color.setHex(palette.sky);
    this.sky.groundColor.setHex(palette.ground);
    // without surroundings that it mirrors, everything needs more of the sky
    this.sky.intensity = palette.skyLight * (quality.simpleMaterials ? 2.2 : 1);
    this.key.intensity = palette.keyLight;
    this.fill.intensity = palette.fillLight;
  }

  /** Lights a ball, mm. */
  aim(centre: Vector3, radius: number): void {
    const { key } = this;
    const { camera } = key.shadow;
    key.target.position.copy(centre);
    key.position.copy(LAMP_WAY).multiplyScalar(3 * radius).add(centre);
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = 0.5 * radius;
    camera.far = 6 * radius;
    camera.updateProjectionMatrix();
  }
}

/** A dim room with a lamp of several lights above and two windows: made in code, so nothing has to be loaded. */
export function makeSurroundings(renderer: WebGLRenderer): Texture {
  const room = new Scene();
  const made: BufferGeometry[] = [];
  const add = (geometry: BufferGeometry, colour: number, strength: number, place: [number, number, number]) => {
    const material = new MeshBasicMaterial({ color: new Color(colour).multiplyScalar(strength), side: BackSide });
    const mesh = new Mesh(geometry, material);
    mesh.position.set(...place);
    mesh.lookAt(0, 0, 0);
    mesh.rotateY(Math.PI); // its back is seen
    room.add(mesh);
    made.push(geometry);
    return mesh;
  };
  add(new BoxGeometry(20, 20, 20), 0xc4ccd0, 0.5, [0, 0, 0]);
  // six round lights around a seventh, as in a theatre lamp
  const lamp = LAMP_WAY.clone().normalize();
  const across = new Vector3(1, 0, 0).addScaledVector(lamp, -lamp.x).normalize();
  const along = lamp.clone().cross(across);
  for (let light = 0; light < 7; light++) {
    const angle = (Math.PI / 3) * light;
    const out = light === 6 ? 0 : 1.75;
    const place = lamp.clone().multiplyScalar(8);
    place.addScaledVector(across, out * Math.cos(angle)).addScaledVector(along, out * Math.sin(angle));
    add(new CircleGeometry(0.72, 24), 0xfff4e2, 26, place.toArray());
  }
  add(new PlaneGeometry(5, 9), 0xe8f2ff, 5, [9, -3, 2]);
  add(new PlaneGeometry(9, 3), 0xffffff, 2.5, [-2, 9, 4]);
  const generator = new PMREMGenerator(renderer);
  const { texture } = generator.fromScene(room, 0.02);
  generator.dispose();
  for (const geometry of made) geometry.dispose();
  return texture;
}
