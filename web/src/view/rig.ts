// The camera: it looks at a target from a distance, at an azimuth about z (up) and an elevation. Millimetres.

import { Box3, PerspectiveCamera, Vector3 } from "three";
import { cornersOf, fitDistance, type Rectangle } from "./framing";
import type { Eye } from "./scope";

export type PresetName = "front" | "top" | "side" | "corner";

interface Preset {
  azimuth: number;
  elevation: number;
}

/** Azimuth 0 looks along +y; "front" is where the left hand is on the left. */
export const presets: Record<PresetName, Preset> = {
  front: { azimuth: 0, elevation: 0.12 },
  top: { azimuth: 0, elevation: Math.PI / 2 - 0.02 },
  side: { azimuth: Math.PI / 2, elevation: 0.12 },
  corner: { azimuth: 0.45, elevation: 0.5 },
};

/** what lies at the rim does not touch the panels */
const MARGIN = 1.06;
const LOWEST = -0.3;
/** heights of the picture: what a camera that was told to stand somewhere shows at least, in the free part of the screen */
const SHOWN = 0.55;
/** degrees: how much a camera sees from its lower to its upper rim; a laparoscope sees more */
const FIELD = 32;
const SCOPE_FIELD = 60;
const UP = new Vector3(0, 0, 1);
/** of the length of an up vector: what single precision leaves of one */
const LEVEL = 1e-5;
const HIGHEST = Math.PI / 2 - 0.001;

/** The view plane in world axes: unit vectors. */
export interface ViewAxes {
  right: Vector3;
  up: Vector3;
  /** into the picture */
  forward: Vector3;
}

export class CameraRig {
  readonly camera = new PerspectiveCamera(FIELD, 1, 1, 2000);
  readonly target = new Vector3();
  distance = 200;
  azimuth = presets.corner.azimuth;
  elevation = presets.corner.elevation;
  /** counts changes, so that the picture is drawn anew only when needed */
  version = 0;
  private home = new Box3(new Vector3(-40, -40, -10), new Vector3(40, 40, 10));
  /** nobody moved the camera since it was sent home */
  private isHome = false;
  /** it looks through a laparoscope since it was moved last */
  isInScope = false;
  /** it stands where somebody looked through a laparoscope, as a recording says */
  isThroughScope = false;
  /** where it was told to stand, until it is moved */
  private told: Eye | undefined;
  /** of the free part of the screen: half its size as shares of the half picture */
  private free = { x: 1, y: 1 };

  constructor() {
    this.place();
  }

  /** Looks at a box from far enough to see all of it in the part of the screen that is free. */
  frame(box: Box3): void {
    this.home = box.clone();
    this.goHome();
  }

  goHome(): void {
    this.home.getCenter(this.target);
    this.place();
    const half = Math.tan(((this.camera.fov / 2) * Math.PI) / 180);
    const turned = cornersOf(this.home).map((corner) =>
      corner.sub(this.target).applyQuaternion(this.camera.quaternion.clone().invert()),
    );
    const fit = fitDistance(turned, half * this.camera.aspect * this.free.x, half * this.free.y);
    this.distance = MARGIN * Math.max(fit, 2);
    this.place();
    this.isHome = true;
  }

  show(name: PresetName): void {
    Object.assign(this, presets[name]);
    this.goHome();
  }

  orbit(dAzimuth: number, dElevation: number): void {
    this.azimuth += dAzimuth;
    this.elevation = Math.min(Math.max(this.elevation + dElevation, LOWEST), HIGHEST);
    this.place();
  }

  /** Above 1 goes away. */
  zoom(factor: number): void {
    this.distance = Math.min(Math.max(this.distance * factor, 2), 1200);
    this.place();
  }

  /** Moves along the view plane by mm. */
  pan(right: number, up: number): void {
    const axes = this.axes();
    this.target.addScaledVector(axes.right, right).addScaledVector(axes.up, up);
    this.place();
  }

  /** Takes a camera that a recording or a script set; where panels leave little room it stands farther away. Only through a laparoscope another direction than z is up,
      and no recording says how much it sees: then it rolls, and sees as much, as one. */
  lookFrom(eye: Eye): void {
    if (!this.aim(eye.position, eye.target)) return;
    const isLevel = eye.up.lengthSq() < LEVEL || eye.up.distanceTo(UP) < LEVEL; // a zero: not told
    if (isLevel) {
      this.distance *= Math.max(SHOWN / Math.min(this.free.y, this.camera.aspect * this.free.x), 1);
      this.place();
      this.told = eye;
      return;
    }
    this.camera.position.copy(eye.position);
    this.turn(eye.up, SCOPE_FIELD);
    this.isThroughScope = true;
  }

  /** As a laparoscope sees it, until the camera is moved. */
  lookThrough({ position, target, up }: Eye): void {
    if (!this.aim(position, target)) return;
    this.camera.position.copy(position);
    this.turn(up, SCOPE_FIELD);
    this.isInScope = true;
  }

  private aim(position: Vector3, target: Vector3): boolean {
    const away = position.clone().sub(target);
    const distance = away.length();
    if (!(distance > 0)) return false;
    this.target.copy(target);
    this.distance = distance;
    this.elevation = Math.asin(Math.min(Math.max(away.z / distance, -1), 1));
    if (Math.hypot(away.x, away.y) > 1e-6 * distance) this.azimuth = Math.atan2(away.x, -away.y);
    return true;
  }

  /** `free`: the part of the screen that no panel covers; the target is in its middle. A camera
      that was not moved since it was sent home goes there anew. */
  resize(width: number, height: number, free: Rectangle = { left: 0, top: 0, right: width, bottom: height }): void {
    this.camera.aspect = width / Math.max(height, 1);
    this.free = { x: (free.right - free.left) / width, y: (free.bottom - free.top) / height };
    const right = (width - free.left - free.right) / 2,
      down = (height - free.top - free.bottom) / 2;
    this.camera.setViewOffset(width, height, right, down, width, height);
    this.camera.updateProjectionMatrix();
    this.version++;
    if (this.isHome) this.goHome();
    else if (this.told) this.lookFrom(this.told);
  }

  axes(): ViewAxes {
    const right = new Vector3(),
      up = new Vector3(),
      back = new Vector3();
    this.camera.matrixWorld.extractBasis(right, up, back);
    return { right, up, forward: back.negate() };
  }

  /** The axes along which hands go: over a table forward is down, and up in the picture is away along the table. */
  handAxes(isOverTable: boolean): ViewAxes {
    const axes = this.axes();
    if (!isOverTable) return axes;
    const down = new Vector3(0, 0, -1);
    return { right: axes.right, up: new Vector3().crossVectors(axes.right, down).normalize(), forward: down };
  }

  /** mm that one pixel covers at a point; at the tip of the scope that one looks through, before it. */
  millimetresPerPixel(at: Vector3, viewHeight: number): number {
    const depth = at.clone().sub(this.camera.position).dot(this.axes().forward);
    const least = this.isInScope && depth < 1 ? this.distance : 1;
    return (2 * Math.max(depth, least) * Math.tan(((this.camera.fov / 2) * Math.PI) / 180)) / Math.max(viewHeight, 1);
  }

  private place(): void {
    const c = Math.cos(this.elevation);
    this.camera.position.set(
      this.target.x + this.distance * c * Math.sin(this.azimuth),
      this.target.y - this.distance * c * Math.cos(this.azimuth),
      this.target.z + this.distance * Math.sin(this.elevation),
    );
    this.turn(UP, FIELD);
  }

  /** From where it stands towards the target. */
  private turn(up: Vector3, field: number): void {
    this.isHome = this.isInScope = this.isThroughScope = false;
    this.told = undefined;
    this.camera.up.copy(up);
    this.camera.fov = field;
    this.camera.near = this.distance / 50;
    this.camera.far = this.distance * 12;
    this.camera.lookAt(this.target);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    this.version++;
  }
}
