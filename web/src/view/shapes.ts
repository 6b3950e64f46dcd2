// Rigid shapes: posts, balls, blocks and slopes. Built in metres; the parent scales to millimetres. A level half space is
// the floor of the room, which the stage draws.

import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CircleGeometry,
  Group,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  SphereGeometry,
} from "three";
import { ShapeKind, type ShapeInfo, type ShapeState } from "../protocol.generated";
import type { Quality } from "./quality";

export class ShapeViews {
  readonly group = new Group();
  private views: Mesh[] = [];
  private infos: ShapeInfo[] = [];

  constructor(private quality: Quality) {}

  restyle(quality: Quality): void {
    if (quality === this.quality) return;
    this.quality = quality;
    this.build(this.infos);
  }

  build(shapes: ShapeInfo[]): void {
    this.infos = shapes;
    for (const view of this.views) {
      view.geometry.dispose();
      (view.material as MeshStandardMaterial).dispose();
    }
    this.group.clear();
    this.views = shapes.map((info) => this.make(info));
    for (const view of this.views) this.group.add(view);
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
