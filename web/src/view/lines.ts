// Lines between two points, and giving back what things were drawn with.

import { BufferGeometry, Float32BufferAttribute, type Line, type Material, type Vector3 } from "three";

export function lineGeometry(): BufferGeometry {
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(new Float32Array(6), 3));
}

export function setLine(line: Line, from: Vector3, to: Vector3): void {
  const points = line.geometry.attributes.position;
  points.setXYZ(0, from.x, from.y, from.z);
  points.setXYZ(1, to.x, to.y, to.z);
  points.needsUpdate = true;
  line.frustumCulled = false;
}

/** Each has one material of its own. */
export function disposeAll(drawn: readonly { geometry: BufferGeometry; material: Material | Material[] }[]): void {
  for (const { geometry, material } of drawn) {
    geometry.dispose();
    (material as Material).dispose();
  }
}
