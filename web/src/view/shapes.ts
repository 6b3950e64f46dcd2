// Rigid shapes: posts, balls, blocks, slopes and needles. Built in metres; the parent scales to millimetres. A level half
// space is the floor of the room, which the stage draws.

import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CircleGeometry,
  Group,
  Mesh,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshStandardMaterial,
  SphereGeometry,
} from "three";
import { ShapeKind, type ShapeInfo, type ShapeState } from "../base/protocol.generated";
import { studioTexture } from "./instrument";
import type { Quality } from "./quality";
import { findWires, makeWire } from "./wire";

const STEEL = 0xd5dade;

export class ShapeViews {
  readonly group = new Group();
  private views: Mesh[] = [];
  /** needles: by the place of their first capsule, made when the first frame says how these stand */
  private wires: { first: number; count: number; mesh: Mesh }[] = [];
  private infos: ShapeInfo[] = [];

  constructor(private quality: Quality) {}

  restyle(quality: Quality): void {
    if (quality === this.quality) return;
    this.quality = quality;
    this.build(this.infos);
  }

  build(shapes: ShapeInfo[]): void {
    this.infos = shapes;
    for (const view of [...this.views, ...this.wires.map(({ mesh }) => mesh)]) {
      view.geometry.dispose();
      (view.material as MeshStandardMaterial).dispose();
    }
    this.group.clear();
    this.views = shapes.map((info) => this.make(info));
    this.wires = findWires(shapes).map((run) => ({ ...run, mesh: this.makeSteel() }));
    for (const view of [...this.views, ...this.wires.map(({ mesh }) => mesh)]) this.group.add(view);
  }

  update(states: ShapeState[]): void {
    for (const view of this.views) view.visible = false;
    for (const state of states) {
      const view = this.views[state.shape];
      if (!view) continue;
      view.visible = !isLevel(state, view.userData.kind as number);
      view.position.fromArray(state.position);
      view.quaternion.fromArray(state.rotation);
    }
    for (const wire of this.wires) this.showWire(wire, states);
  }

  /** Whether a shape is a piece of a needle. */
  isWire(place: number): boolean {
    return this.wires.some(({ first, count }) => place >= first && place < first + count);
  }

  /** A needle goes where its first capsule is; its capsules themselves are not drawn. */
  private showWire({ first, count, mesh }: (typeof this.wires)[number], states: ShapeState[]): void {
    const parts = states.filter(({ shape }) => shape >= first && shape < first + count);
    mesh.visible = parts.length === count;
    if (!mesh.visible) return;
    if (!mesh.geometry.hasAttribute("position")) mesh.geometry.copy(makeWire(this.infos.slice(first, first + count), parts));
    for (const { shape } of parts) this.views[shape].visible = false;
    mesh.position.fromArray(parts[0].position);
    mesh.quaternion.fromArray(parts[0].rotation);
  }

  private makeSteel(): Mesh {
    const material = this.quality.simpleMaterials
      ? new MeshMatcapMaterial({ color: STEEL, matcap: studioTexture() })
      : new MeshStandardMaterial({ color: STEEL, roughness: 0.25, metalness: 0.95 });
    const mesh = new Mesh(new BufferGeometry(), material);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    mesh.visible = false;
    return mesh;
  }

  private make(info: ShapeInfo): Mesh {
    const material = this.quality.simpleMaterials
      ? new MeshLambertMaterial({ color: info.colour })
      : new MeshStandardMaterial({ color: info.colour, roughness: 0.6, metalness: 0 });
    const mesh = new Mesh(geometryOf(info), material);
    mesh.userData.kind = info.kind;
    mesh.castShadow = info.kind !== ShapeKind.half_space;
    mesh.receiveShadow = true;
    return mesh;
  }
}

function geometryOf(info: ShapeInfo): BufferGeometry {
  switch (info.kind) {
    case ShapeKind.sphere:
      return new SphereGeometry(info.radius, 40, 24);
    case ShapeKind.capsule:
      // three's capsule stands along y, ours along z
      return new CapsuleGeometry(info.radius, 2 * info.half_length, 12, 40).rotateX(Math.PI / 2);
    case ShapeKind.half_space:
      return new CircleGeometry(0.4, 64);
    default:
      return new BoxGeometry(2 * info.half_extents[0], 2 * info.half_extents[1], 2 * info.half_extents[2]);
  }
}

/** Whether a shape is a half space that looks straight up: a table. */
export function isLevel(state: ShapeState, kind: number | undefined): boolean {
  const [x, y] = state.rotation;
  return kind === ShapeKind.half_space && x * x + y * y < 1e-6;
}
