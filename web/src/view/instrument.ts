// What a hand looks like: the two jaws of a small needle driver, its collar in the colour of the hand, and its shaft.
// The tip is the origin, the shaft runs along +z, the jaws open along x. One unit is the length of a jaw.

import { CylinderGeometry, Group, Mesh, MeshLambertMaterial, MeshStandardMaterial, SphereGeometry } from "three";
import type { Quality } from "./quality";

const OPEN_ANGLE = 0.26;
const CLOSED_ANGLE = 0.03;

export class Instrument {
  readonly group = new Group();
  private readonly jaws: Group[] = [];
  private readonly collar: MeshStandardMaterial | MeshLambertMaterial;
  private opening = OPEN_ANGLE;

  constructor(colour: number, steel: number, quality: Quality) {
    const metal = quality.simpleMaterials
      ? new MeshLambertMaterial({ color: steel })
      : new MeshStandardMaterial({ color: steel, metalness: 0.75, roughness: 0.32 });
    this.collar = quality.simpleMaterials
      ? new MeshLambertMaterial({ color: colour })
      : new MeshStandardMaterial({ color: colour, metalness: 0.1, roughness: 0.4 });
    for (const side of [-1, 1]) {
      const hinge = new Group();
      hinge.position.z = 1;
      const jaw = new Mesh(new CylinderGeometry(0.09, 0.04, 1, 20).rotateX(Math.PI / 2).translate(0, 0, -0.5), metal);
      jaw.scale.set(0.62, 1, 1);
      const tip = new Mesh(new SphereGeometry(0.04, 16, 12), metal);
      tip.position.z = -1;
      tip.scale.set(0.62, 1, 1);
      hinge.add(jaw, tip);
      hinge.userData.side = side;
      this.jaws.push(hinge);
      this.group.add(hinge);
    }
    const joint = new Mesh(new SphereGeometry(0.135, 24, 16), metal);
    joint.position.z = 1.02;
    joint.scale.set(1, 1, 1.25);
    const collar = new Mesh(new CylinderGeometry(0.115, 0.135, 0.5, 28).rotateX(Math.PI / 2), this.collar);
    collar.position.z = 1.42;
    const shaft = new Mesh(new CylinderGeometry(0.065, 0.08, 4.5, 24).rotateX(Math.PI / 2), metal);
    shaft.position.z = 3.85;
    this.group.add(joint, collar, shaft);
    this.group.traverse((part) => {
      part.castShadow = true;
      part.receiveShadow = true;
    });
    this.setClosed(false);
  }

  setClosed(isClosed: boolean): void {
    this.opening = isClosed ? CLOSED_ANGLE : OPEN_ANGLE;
    for (const jaw of this.jaws) jaw.rotation.y = (jaw.userData.side as number) * this.opening;
  }

  setColour(colour: number): void {
    this.collar.color.setHex(colour);
  }

  /** The hand that keys and mouse move now glows a little. */
  setActive(isActive: boolean): void {
    this.collar.emissive.setHex(isActive ? this.collar.color.getHex() : 0);
    this.collar.emissiveIntensity = 0.45;
  }
}
