// What a task shows of its goal: targets to touch, a line to follow, a dish to drop things into. Millimetres.

import {
  CylinderGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
  TorusGeometry,
  Vector3,
  type BufferGeometry,
} from "three";
import { MILLI, millimetres } from "../base/units";

/** Metres, as the server tells them. */
export interface GoalMarks {
  targets: number[][];
  target_size: number;
  line: number[][];
  line_tolerance: number;
  dish?: number[];
  dish_radius?: number;
  dish_height?: number;
}

const COLOUR = 0xf0b429;
/** mm: half the thickness of a line */
const LINE = 0.35;
const UP = new Vector3(0, 1, 0);

export class TaskMarks {
  readonly group = new Group();
  private targets: Mesh[] = [];
  private readonly solid = new MeshBasicMaterial({ color: COLOUR, transparent: true, opacity: 0.92 });
  private readonly faint = new MeshBasicMaterial({
    color: COLOUR,
    transparent: true,
    opacity: 0.22,
    side: DoubleSide,
    depthWrite: false,
  });

  /** Undefined: none. */
  set(marks: GoalMarks | undefined): void {
    for (const child of this.group.children) (child as Mesh).geometry.dispose();
    this.group.clear();
    this.targets = [];
    if (!marks) return;
    this.targets = marks.targets.map((place) => this.add(new SphereGeometry(MILLI * marks.target_size, 24, 16), millimetres(place)));
    const line = marks.line.map((place) => millimetres(place));
    for (let i = 0; i + 1 < line.length; i++) this.addStroke(line[i], line[i + 1]);
    for (const corner of line) this.add(new SphereGeometry(LINE, 12, 8), corner);
    for (const end of [line[0], line[line.length - 1]]) if (end) this.add(new SphereGeometry(3 * LINE, 16, 12), end);
    if (marks.dish) this.addDish(millimetres(marks.dish), MILLI * (marks.dish_radius ?? 0), MILLI * (marks.dish_height ?? 0));
  }

  /** Targets that were touched are gone. */
  setReached(reached: readonly number[]): void {
    this.targets.forEach((target, i) => (target.visible = !reached.includes(i)));
  }

  private add(geometry: BufferGeometry, place: Vector3, material = this.solid): Mesh {
    const mesh = new Mesh(geometry, material);
    mesh.position.copy(place);
    this.group.add(mesh);
    return mesh;
  }

  private addStroke(from: Vector3, to: Vector3): void {
    const way = to.clone().sub(from);
    const middle = from.clone().addScaledVector(way, 0.5);
    const stroke = this.add(new CylinderGeometry(LINE, LINE, way.length(), 10), middle);
    stroke.quaternion.setFromUnitVectors(UP, way.normalize());
  }

  /** A rim above, and walls that can be seen through. */
  private addDish(bottom: Vector3, radius: number, height: number): void {
    const wall = this.add(
      new CylinderGeometry(radius, radius, height, 48, 1, true),
      bottom.clone().add(new Vector3(0, 0, height / 2)),
      this.faint,
    );
    wall.rotation.x = Math.PI / 2;
    this.add(new TorusGeometry(radius, LINE, 8, 64), bottom.clone().add(new Vector3(0, 0, height)));
  }
}
