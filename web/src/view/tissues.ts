// Soft tissue: its surface as the server tells it, drawn as flesh, and its edges as a wireframe on demand.

import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  type Material,
} from "three";
import type { BiteState, HandState, SurfaceChangeMessage, SurfaceMessage, TissueInfo, TissueState } from "../base/protocol.generated";
import { makeFlesh, plainColour } from "./flesh";
import { PressMarks } from "./marks";
import type { Quality } from "./quality";
import { SurfaceMesh } from "./surface";
import { SurfaceData } from "./surfaceData";

/** One mesh a tissue. Positions are in metres; the group is scaled to millimetres by its parent. */
export class TissueViews {
  readonly group = new Group();
  private views: TissueView[] = [];
  private readonly marks = new PressMarks();

  constructor(private quality: Quality) {}

  restyle(quality: Quality): void {
    if (quality === this.quality) return;
    this.quality = quality;
    for (const view of this.views) view.restyle(quality);
  }

  build(tissues: TissueInfo[]): void {
    for (const view of this.views) view.dispose();
    this.group.clear();
    this.views = tissues.map((info) => new TissueView(info, this.quality, this.marks));
    for (const view of this.views) this.group.add(view.mesh, view.wire);
  }

  /**
   * Takes a surface, or what changed of it; it is drawn from the first frame with its topology_version on. False when it
   * does not go with the one before: then whole surfaces are needed.
   */
  setSurface(surface: SurfaceMessage | SurfaceChangeMessage): boolean {
    return this.views[surface.tissue]?.data.take(surface) ?? true;
  }

  /** The surfaces of all these were told. */
  know(states: readonly TissueState[]): boolean {
    return states.every(({ tissue }) => (this.views[tissue]?.data.version ?? -1) >= 0);
  }

  /** Of each tissue: the nodes at the edge of its wound, as told last. */
  lips(): number[][] {
    return this.views.map((view) => view.data.lips());
  }

  /** What `hands` press or hold turns pale, and where a bite is near to tearing. */
  update(states: TissueState[], showWire: boolean, hands: HandState[], bites: readonly BiteState[]): void {
    this.marks.set(hands, bites);
    const there = new Set(states.map((state) => state.tissue));
    this.views.forEach((view, place) => !there.has(place) && view.hide());
    for (const state of states) this.views[state.tissue]?.update(state, showWire);
  }
}

class TissueView {
  readonly mesh: Mesh<BufferGeometry, Material>;
  readonly wire: LineSegments<BufferGeometry, LineBasicMaterial>;
  /** as told last; frames on their way may still be of the one before */
  readonly data = new SurfaceData();
  private surface: SurfaceMesh | undefined;
  private version = -1;

  constructor(
    private readonly info: TissueInfo,
    private quality: Quality,
    private readonly marks: PressMarks,
  ) {
    this.mesh = new Mesh(new BufferGeometry(), makeFlesh(info, quality, marks));
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.wire = new LineSegments(
      new BufferGeometry(),
      new LineBasicMaterial({ color: 0x3a2520, transparent: true, opacity: 0.55 }),
    );
    this.wire.frustumCulled = false;
    this.wire.renderOrder = 1;
    this.hide();
  }

  restyle(quality: Quality): void {
    this.quality = quality;
    this.mesh.material.dispose();
    this.mesh.material = makeFlesh(this.info, quality, this.marks);
    this.version = -1; // what is drawn is made anew with the next frame
  }

  private rebuild(): void {
    const surface = new SurfaceMesh(this.data, this.quality.smooth);
    this.surface = surface;
    this.version = this.data.version;
    this.mesh.geometry.dispose();
    this.wire.geometry.dispose();
    this.mesh.geometry = geometryOf(surface, this.quality.simpleMaterials ? this.info : undefined);
    this.wire.geometry = new BufferGeometry();
    this.wire.geometry.setAttribute("position", this.mesh.geometry.getAttribute("position"));
    this.wire.geometry.setIndex(new BufferAttribute(surface.edges, 1));
  }

  /** A frame of a surface that is not known leaves the picture as it is: the next frame is already on its way. */
  update(state: TissueState, showWire: boolean): void {
    if (state.topology_version !== this.version && state.topology_version === this.data.version) this.rebuild();
    const { surface, mesh } = this;
    if (!surface || state.topology_version !== this.version || !surface.update(state.positions)) return;
    mesh.geometry.getAttribute("position").needsUpdate = true;
    mesh.geometry.getAttribute("normal").needsUpdate = true;
    mesh.geometry.getAttribute("stretch").needsUpdate = true;
    mesh.visible = true;
    this.wire.visible = showWire;
  }

  hide(): void {
    this.mesh.visible = false;
    this.wire.visible = false;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.wire.geometry.dispose();
    this.wire.material.dispose();
  }
}

/** With colours of points when `plain` says of which tissue. */
function geometryOf(surface: SurfaceMesh, plain: TissueInfo | undefined): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(surface.positions, 3).setUsage(DynamicDrawUsage));
  geometry.setAttribute("normal", new BufferAttribute(surface.normals, 3).setUsage(DynamicDrawUsage));
  geometry.setAttribute("stretch", new BufferAttribute(surface.stretch, 1).setUsage(DynamicDrawUsage));
  if (plain) {
    geometry.setAttribute("color", new BufferAttribute(plainColours(plain, surface), 3));
  } else {
    geometry.setAttribute("home", new BufferAttribute(surface.homes, 3));
    geometry.setAttribute("side", new BufferAttribute(surface.sides, 1));
    geometry.setAttribute("toWound", new BufferAttribute(surface.toWound, 1));
  }
  geometry.setIndex(new BufferAttribute(surface.indices, 1));
  return geometry;
}

function plainColours(info: TissueInfo, surface: SurfaceMesh): Float32Array {
  const colours = new Float32Array(3 * surface.pointCount);
  for (let point = 0; point < surface.pointCount; point++) {
    const home = surface.homes.subarray(3 * point, 3 * point + 3);
    plainColour(info, surface.sides[point], home, surface.toWound[point], colours, 3 * point);
  }
  return colours;
}
