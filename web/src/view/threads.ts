// Threads as lit tubes of their true thickness. A stripe along the material shows twist; colour shows tension.

import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  DynamicDrawUsage,
  Group,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  RepeatWrapping,
  SRGBColorSpace,
  type Material,
} from "three";
import type { ThreadInfo, ThreadState } from "../protocol.generated";
import type { Quality } from "./quality";
import { linearColour, tensionColour } from "./theme";
import { Tube } from "./tube";

const MOST_RINGS = 3600;
const MOST_DETAIL = 4;

export interface ThreadLook {
  showTension: boolean;
  showTwist: boolean;
}

/** Threads have their true thickness, but for those that would be too thin to see: m. */
export type LeastRadius = number;

/** One mesh a thread. Positions are in metres; the group is scaled to millimetres by its parent. */
export class ThreadViews {
  readonly group = new Group();
  private views: ThreadView[] = [];
  private readonly stripe = stripeTexture();

  constructor(private readonly quality: Quality) {}

  build(threads: ThreadInfo[]): void {
    for (const view of this.views) view.dispose();
    this.group.clear();
    this.views = threads.map((info) => new ThreadView(info, this.quality, this.stripe));
    for (const view of this.views) this.group.add(view.mesh);
  }

  update(states: ThreadState[], look: ThreadLook, least: LeastRadius): void {
    for (const view of this.views) view.mesh.visible = false;
    for (const state of states) this.views[state.thread]?.update(state, look, least);
  }
}

class ThreadView {
  readonly mesh: Mesh<BufferGeometry, Material>;
  private tube: Tube;
  private readonly material: MeshStandardMaterial | MeshLambertMaterial;
  private readonly base: number[];
  private isPlain = false;

  constructor(
    private readonly info: ThreadInfo,
    private readonly quality: Quality,
    private readonly stripe: CanvasTexture,
  ) {
    this.base = linearColour(info.colour);
    this.material = quality.simpleMaterials
      ? new MeshLambertMaterial({ vertexColors: true, map: stripe })
      : new MeshStandardMaterial({ vertexColors: true, map: stripe, roughness: 0.42, metalness: 0 });
    this.tube = this.makeTube(info.vertex_count);
    this.mesh = new Mesh(geometryOf(this.tube), this.material);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  update(state: ThreadState, look: ThreadLook, least: LeastRadius): void {
    const count = state.positions.length / 3;
    if (count < 2) return;
    if (count > this.tube.capacity) {
      this.tube = this.makeTube(Math.ceil(count * 1.25));
      this.mesh.geometry.dispose();
      this.mesh.geometry = geometryOf(this.tube);
      this.isPlain = false;
    }
    const { tube } = this;
    const { position, normal, color } = this.mesh.geometry.attributes as Record<string, BufferAttribute>;
    tube.update({
      centres: state.positions,
      count,
      radius: Math.max(this.info.radius, least),
      twist: state.twist,
      director: state.director,
    });
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
    const map = look.showTwist ? this.stripe : null;
    if (this.material.map !== map) {
      this.material.map = map;
      this.material.needsUpdate = true;
    }
    this.mesh.geometry.setDrawRange(0, tube.indexCount);
    this.mesh.visible = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.material.dispose();
  }

  private makeTube(capacity: number): Tube {
    const detail = Math.min(Math.max(Math.floor(MOST_RINGS / capacity), 1), this.quality.smooth ? MOST_DETAIL : 1);
    return new Tube(Math.max(capacity, 2), this.quality.tubeSides, detail);
  }
}

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
  context.fillStyle = "#5c5c66";
  context.fillRect(8, 0, 20, 1);
  context.fillStyle = "#c9c9d0";
  context.fillRect(76, 0, 12, 1);
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}
