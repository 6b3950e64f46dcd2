import { Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { CameraRig } from "../src/view/rig";
import { scopeOf, throughScope } from "../src/view/scope";
import { grasper, handAt } from "./frames";

const port = new Vector3(0, -50, 130);
const tip = new Vector3(10, -35, 60);
const shaft = port.clone().sub(tip).normalize();

/** A hand whose shaft passes the port, rolled about it. */
function throughPort(roll: number) {
  const rotation = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), shaft);
  rotation.premultiply(new Quaternion().setFromAxisAngle(shaft, roll));
  const [x, y, z, w] = rotation.toArray();
  return handAt([0.001 * tip.x, 0.001 * tip.y, 0.001 * tip.z], { rotation: [x, y, z, w] });
}

/** What a scope of an angle looks along, unit. */
function ahead(angle: number, roll = 0): Vector3 {
  const { position, target } = throughScope(throughPort(roll), { ...grasper, has_scope: 1, scope_angle: angle });
  return target.clone().sub(position).normalize();
}

describe("a laparoscope", () => {
  it("looks from the tip along the shaft, away from the port", () => {
    const { position } = throughScope(throughPort(0), grasper);
    expect(position.distanceTo(tip)).toBeLessThan(1e-4);
    expect(ahead(0).dot(tip.clone().sub(port).normalize())).toBeCloseTo(1, 6);
  });

  it("looks aside by the angle of its optics, the other way when it is rolled half around", () => {
    const angle = Math.PI / 6;
    expect(ahead(angle).angleTo(ahead(0))).toBeCloseTo(angle, 6);
    expect(ahead(angle, Math.PI).angleTo(ahead(angle))).toBeCloseTo(2 * angle, 6);
    // half way around its shaft: cosines of the sides of a triangle on the sphere
    expect(ahead(angle, Math.PI / 2).dot(ahead(angle))).toBeCloseTo(Math.cos(angle) ** 2, 6);
  });

  it("is led by the mouse as what it looks at", () => {
    const rig = new CameraRig();
    const eye = throughScope(throughPort(0), { ...grasper, has_scope: 1, scope_angle: 0.5 });
    rig.lookThrough(eye);
    expect(rig.millimetresPerPixel(eye.position, 720)).toBeCloseTo(rig.millimetresPerPixel(eye.target, 720), 6);
  });

  it("is the first hand that has one", () => {
    expect(scopeOf([grasper])).toBeUndefined();
    expect(scopeOf([grasper, { ...grasper, has_scope: 1 }])).toBe(1);
  });
});

describe("the camera in a laparoscope", () => {
  it("sees what the scope sees, rolled with it, until it is moved", () => {
    const rig = new CameraRig();
    const field = rig.camera.fov;
    const eye = throughScope(throughPort(0.7), { ...grasper, has_scope: 1, scope_angle: 0.5 });
    rig.lookThrough(eye);
    expect(rig.isInScope).toBe(true);
    expect(rig.camera.position.distanceTo(eye.position)).toBeLessThan(1e-9);
    const { right, up, forward } = rig.axes();
    expect(forward.angleTo(ahead(0.5, 0.7))).toBeLessThan(1e-6);
    expect(up.angleTo(eye.up)).toBeLessThan(1e-6);
    expect(Math.abs(right.z)).toBeGreaterThan(0.1); // the horizon is not level
    rig.orbit(0.1, 0);
    expect(rig.isInScope).toBe(false);
    expect(rig.axes().right.z).toBeCloseTo(0, 9);
    expect(rig.camera.fov).toBe(field);
    expect(rig.axes().forward.angleTo(forward)).toBeLessThan(0.11); // from where the scope looked
  });
});
