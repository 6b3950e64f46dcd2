// The one place for units: the simulation speaks in metres, pictures and hands on this page in millimetres.

import { Vector3 } from "three";
import { MILLI } from "./milli";
import type { Vec3 } from "./protocol.generated";

export { MILLI };

/** A point of the simulation, from a place in a list of coordinates, as the page has it. */
export function millimetres(metres: ArrayLike<number>, at = 0): Vector3 {
  return new Vector3(MILLI * metres[at], MILLI * metres[at + 1], MILLI * metres[at + 2]);
}

/** A point of the page as the simulation has it. */
export function metres(point: Vector3): Vec3 {
  return [point.x / MILLI, point.y / MILLI, point.z / MILLI];
}
