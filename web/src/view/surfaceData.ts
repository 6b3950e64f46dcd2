// The surface of a tissue as the server told it last: homes of its nodes, corners and sides of its triangles. A cut
// comes as the few places that hold something else now.

import { Side, type SurfaceChangeMessage, type SurfaceMessage } from "../base/protocol.generated";

export class SurfaceData {
  version = -1;
  nodeCount = 0;
  triangleCount = 0;
  /** m, x y z of each node, in the frame of the tissue's shape */
  homes = new Float32Array(0);
  /** three nodes of each triangle */
  corners = new Uint32Array(0);
  /** the side of each triangle */
  sides = new Uint8Array(0);

  /** Takes a surface, or a change of the one before. False, and nothing changed, when it does not make a surface. */
  take(message: SurfaceMessage | SurfaceChangeMessage): boolean {
    if (message.type === "surface") {
      if (!haveNodes(message.triangles, message.nodes.length)) return false;
      this.replace(message);
    } else {
      if (message.topology_version !== this.version + 1 || !this.isChange(message)) return false;
      this.change(message);
    }
    this.version = message.topology_version;
    return true;
  }

  /** The nodes where a wound meets another side: its edge. */
  lips(): number[] {
    const inWound = new Set<number>(),
      elsewhere = new Set<number>();
    for (let at = 0; at < 3 * this.triangleCount; at++) {
      (this.sides[(at / 3) | 0] === Side.groove ? inWound : elsewhere).add(this.corners[at]);
    }
    return [...inWound].filter((node) => elsewhere.has(node));
  }

  /** All that is new is listed, and every corner is a node afterwards. */
  private isChange({ node_count, triangle_count, nodes, triangles }: SurfaceChangeMessage): boolean {
    if (!areListed(nodes, this.nodeCount, node_count)) return false;
    if (!areListed(triangles, this.triangleCount, triangle_count)) return false;
    if (!haveNodes(triangles, node_count)) return false;
    if (node_count >= this.nodeCount) return true;
    const changed = new Set(triangles.map(({ place }) => place));
    const kept = Math.min(this.triangleCount, triangle_count);
    for (let place = 0; place < kept; place++) {
      const corners = this.corners.subarray(3 * place, 3 * place + 3);
      if (!changed.has(place) && corners.some((corner) => corner >= node_count)) return false;
    }
    return true;
  }

  private replace(message: SurfaceMessage): void {
    this.resize(message.nodes.length, message.triangles.length);
    message.nodes.forEach(({ home }, place) => this.homes.set(home, 3 * place));
    message.triangles.forEach(({ a, b, c, side }, place) => this.setTriangle(place, a, b, c, side));
  }

  private change(message: SurfaceChangeMessage): void {
    this.resize(message.node_count, message.triangle_count);
    for (const { place, home } of message.nodes) this.homes.set(home, 3 * place);
    for (const { place, a, b, c, side } of message.triangles) this.setTriangle(place, a, b, c, side);
  }

  private setTriangle(place: number, a: number, b: number, c: number, side: number): void {
    this.corners[3 * place] = a;
    this.corners[3 * place + 1] = b;
    this.corners[3 * place + 2] = c;
    this.sides[place] = side;
  }

  private resize(nodes: number, triangles: number): void {
    this.nodeCount = nodes;
    this.triangleCount = triangles;
    if (3 * nodes > this.homes.length) this.homes = grown(this.homes, Float32Array, 3 * nodes);
    if (triangles > this.sides.length) {
      this.corners = grown(this.corners, Uint32Array, 3 * triangles);
      this.sides = grown(this.sides, Uint8Array, triangles);
    }
  }
}

function haveNodes(triangles: { a: number; b: number; c: number }[], nodeCount: number): boolean {
  return triangles.every(({ a, b, c }) => a < nodeCount && b < nodeCount && c < nodeCount);
}

/** Places are below `count`, and all from `before` on are among them: so a change makes nothing larger than itself. */
function areListed(items: { place: number }[], before: number, count: number): boolean {
  if (items.some(({ place }) => place >= count)) return false;
  const fresh = new Set(items.map(({ place }) => place).filter((place) => place >= before));
  return fresh.size === Math.max(count - before, 0);
}

/** With a quarter to spare, so that a cut does not make it grow each time. */
function grown<T extends Float32Array | Uint32Array | Uint8Array>(
  array: T,
  make: new (length: number) => T,
  length: number,
): T {
  const larger = new make(length + (length >> 2));
  larger.set(array as never);
  return larger;
}
