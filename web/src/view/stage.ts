// The room: renderer, lamp, drape, and the threads, tissues, shapes and hands in it. Draws one picture when asked.

import {
  Box3,
  Group,
  NeutralToneMapping,
  PCFShadowMap,
  Scene,
  StereoCamera,
  Vector3,
  WebGLRenderer,
} from "three";
import { MILLI } from "../base/units";
import {
  TissueShape,
  type FrameMessage,
  type SceneMessage,
  type SurfaceChangeMessage,
  type SurfaceMessage,
} from "../base/protocol.generated";
import { Drape, type Footprint } from "./drape";
import { boundsOf, type Rectangle } from "./framing";
import { Ghosts } from "./ghosts";
import { HandViews, type Ground } from "./hands";
import { Lamp, makeSurroundings } from "./lamp";
import { chooseQuality, drawsInSoftware, FrameJudge, qualities, type Quality, type QualityWish } from "./quality";
import { CameraRig } from "./rig";
import { scopeOf, throughScope } from "./scope";
import { isLevel, ShapeViews } from "./shapes";
import { palettes, type Palette, type Theme } from "./theme";
import { TaskMarks, type GoalMarks } from "./taskMarks";
import { pixelAngle, ThreadViews, type ThreadLook } from "./threads";
import { TissueViews } from "./tissues";

/** mm: tissue so near to the table stands on it */
const STANDS = 1.5;
/** of the distance of the camera: points of a plane that are farther away are not meant */
const FARTHEST_SHARE = 3;

export interface StageLook extends ThreadLook {
  stereo: boolean;
  showWire: boolean;
}

export class Stage {
  readonly rig = new CameraRig();
  readonly threads: ThreadViews;
  readonly tissues: TissueViews;
  readonly shapes: ShapeViews;
  readonly hands: HandViews;
  readonly ghosts: Ghosts;
  private readonly taskMarks = new TaskMarks();
  /** height of the table and middle of the scene, mm */
  floorHeight = 0;
  readonly centre = new Vector3();
  /** pixels: a thread is drawn at least this wide */
  leastPixels = 2.2;
  /** whether the setting may be changed when pictures take too long */
  isFixed = true;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly metres = new Group();
  private readonly lamp = new Lamp();
  private readonly drape: Drape;
  private readonly stereoCamera = new StereoCamera();
  private readonly judge = new FrameJudge();
  private palette: Palette = palettes.light;
  private info: SceneMessage | undefined;
  private isFramed = false;
  private shown: (() => void) | undefined;
  private drawnAt: number | undefined;
  private width = 1;
  private height = 1;

  constructor(
    canvas: HTMLCanvasElement,
    private setting: Quality,
  ) {
    const { antialias } = setting;
    this.renderer = new WebGLRenderer({ canvas, antialias, alpha: false, powerPreference: "high-performance" });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.threads = new ThreadViews(setting);
    this.tissues = new TissueViews(setting);
    this.shapes = new ShapeViews(setting);
    this.hands = new HandViews(setting, this.palette);
    this.ghosts = new Ghosts(setting, this.palette);
    this.drape = new Drape(setting, this.palette);
    this.metres.scale.setScalar(MILLI);
    this.metres.add(this.threads.group, this.tissues.group, this.shapes.group);
    this.scene.add(this.drape.group, this.metres, this.hands.group, this.ghosts.group, this.taskMarks.group, this.lamp.group);
    this.restyle();
  }

  get quality(): Quality {
    return this.setting;
  }

  setTheme(theme: Theme): void {
    this.palette = palettes[theme];
    this.restyle();
  }

  /** How fine a person wants pictures to be; "auto" begins with what the machine promises. */
  setWish(wish: QualityWish): void {
    this.isFixed = wish !== "auto";
    this.judge.reset();
    this.setQuality(chooseQuality(wish, wish === "auto" && drawsInSoftware()));
  }

  /** Everything is made anew as another setting has it. Only the smoothing of edges stays as it was at first. */
  setQuality(quality: Quality): void {
    if (quality === this.setting) return;
    this.setting = quality;
    this.restyle();
    this.resizePixels();
    this.shown?.();
  }

  /** Builds what the scene consists of; the first frame after it decides where the camera looks from. */
  build(info: SceneMessage, keepCamera: boolean): void {
    this.info = info;
    this.shown = undefined;
    this.threads.build(info.threads);
    this.tissues.build(info.tissues);
    this.shapes.build(info.shapes);
    this.hands.build(info.hands);
    this.ghosts.build(info.hands);
    this.isFramed = keepCamera && this.isFramed;
    this.judge.reset();
  }

  /** False when the surface does not go with the one before. */
  setSurface(surface: SurfaceMessage | SurfaceChangeMessage): boolean {
    this.rig.version++;
    return this.tissues.setSurface(surface);
  }

  update(frame: FrameMessage, look: StageLook, active: number, inReach: boolean[], below: (Ground | undefined)[]): void {
    if (!this.info || frame.generation !== this.info.generation) return;
    if (!this.isFramed) this.lookAtAll(frame);
    this.isFramed ||= this.tissues.know(frame.tissues); // where a wound is, is known with its surface only
    this.shown = () => {
      this.threads.update(frame.threads, look);
      this.tissues.update(frame.tissues, look.showWire, frame.hands, frame.bites);
      this.shapes.update(frame.shapes);
      this.hands.update(frame.hands, this.floorHeight, active, inReach, below, frame.tools);
      this.rig.version++;
    };
    this.shown();
    this.followScope(frame);
  }

  /** Looks through the laparoscope of the scene, and goes on with it until the camera is moved. */
  lookThroughScope(frame: FrameMessage): void {
    const scope = this.info && scopeOf(this.info.hands);
    const state = frame.hands.find(({ hand }) => hand === scope);
    if (!state) return;
    this.rig.lookThrough(throughScope(state, this.info!.hands[state.hand]));
    this.hands.hide(scope);
  }

  private followScope(frame: FrameMessage): void {
    if (this.rig.isInScope) this.lookThroughScope(frame);
    else this.hands.hide(this.rig.isThroughScope && this.info ? scopeOf(this.info.hands) : undefined);
  }

  /** What a task shows of its goal; undefined: nothing. */
  setTaskMarks(marks: GoalMarks | undefined, reached: readonly number[] = []): void {
    this.taskMarks.set(marks);
    this.taskMarks.setReached(reached);
    this.rig.version++;
  }

  /** Targets of the task that are gone. */
  setReached(reached: readonly number[]): void {
    this.taskMarks.setReached(reached);
    this.rig.version++;
  }

  /** Looks at threads, needles and tissues alone, from near: for pictures. */
  frameThreads(frame: FrameMessage): void {
    const shapes = frame.shapes.filter(({ shape }) => this.shapes.isWire(shape));
    const { work } = boundsOf({ ...frame, shapes, hands: [] }, this.info!, this.tissues.lips());
    this.rig.frame(work.expandByScalar(-0.08 * work.getSize(new Vector3()).length()));
  }

  /** `free`: the part of the picture that no panel covers. */
  resize(width: number, height: number, free: Rectangle): void {
    this.width = width;
    this.height = height;
    this.resizePixels();
    this.rig.resize(width, height, free);
  }

  /** A turn of the page: how long the picture before it took decides whether a cheaper setting is needed. */
  turn(now: number): void {
    const { drawnAt } = this;
    this.drawnAt = undefined;
    if (drawnAt === undefined || this.isFixed || this.setting === qualities.low) return;
    if (this.judge.isTooSlow(now - drawnAt)) this.setQuality(qualities.low);
  }

  /** `now`: of the turn of the page that it is drawn in. */
  draw(isStereo: boolean, now?: number): void {
    const { renderer, scene, rig } = this;
    this.drawnAt = now;
    this.threads.setPixels(pixelAngle(rig.camera.fov, this.height), this.leastPixels);
    renderer.setScissorTest(isStereo);
    const ratio = renderer.getPixelRatio();
    if (!isStereo) {
      this.hands.setCamera(rig.camera, ratio * this.width, ratio * this.height);
      renderer.setViewport(0, 0, this.width, this.height);
      renderer.render(scene, rig.camera);
      return;
    }
    // eyes a thirtieth of the distance apart, both looking at the target: comfortable on a screen side by side
    const half = this.width / 2;
    rig.camera.focus = rig.distance;
    this.stereoCamera.eyeSep = rig.distance / 30;
    this.stereoCamera.aspect = 0.5;
    this.stereoCamera.update(rig.camera);
    for (const [place, eye] of [this.stereoCamera.cameraL, this.stereoCamera.cameraR].entries()) {
      this.hands.setCamera(eye, ratio * half, ratio * this.height, ratio * place * half);
      renderer.setScissor(place * half, 0, half, this.height);
      renderer.setViewport(place * half, 0, half, this.height);
      renderer.render(scene, eye);
    }
  }

  /** Where a point (mm) is in the picture, in pixels from the top left corner. */
  toScreen(point: Vector3): { x: number; y: number } {
    const { camera } = this.rig;
    const isBefore = point.clone().sub(camera.position).dot(this.rig.axes().forward) > camera.near;
    if (!isBefore) return { x: -this.width, y: -this.height }; // out of the picture
    const p = point.clone().project(camera);
    return { x: ((p.x + 1) / 2) * this.width, y: ((1 - p.y) / 2) * this.height };
  }

  /** The point at a height (mm) that is drawn at a place of the picture; undefined when it is nowhere near. */
  onPlane(x: number, y: number, height: number): Vector3 | undefined {
    const { camera, distance, target } = this.rig;
    const ray = new Vector3((2 * x) / this.width - 1, 1 - (2 * y) / this.height, 0.5).unproject(camera);
    ray.sub(camera.position);
    const along = (height - camera.position.z) / ray.z;
    const point = camera.position.clone().addScaledVector(ray, along);
    return along > 0 && point.distanceTo(target) < FARTHEST_SHARE * distance ? point : undefined;
  }

  get viewHeight(): number {
    return this.height;
  }

  private restyle(): void {
    const { setting, palette, renderer, scene } = this;
    renderer.shadowMap.enabled = setting.shadows;
    renderer.setClearColor(palette.backdrop, 1);
    this.lamp.restyle(setting, palette);
    this.drape.restyle(setting, palette);
    this.threads.restyle(setting, palette);
    this.tissues.restyle(setting);
    this.shapes.restyle(setting);
    this.hands.restyle(setting, palette);
    this.ghosts.restyle(setting, palette);
    if (!setting.simpleMaterials) scene.environment ??= makeSurroundings(renderer);
    scene.environmentIntensity = palette.environment;
    this.rig.version++;
  }

  private resizePixels(): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, this.setting.pixelRatio));
    this.renderer.setSize(this.width, this.height, false);
  }

  /** Camera, drape and lamp for everything that is there now. */
  private lookAtAll(frame: FrameMessage): void {
    const info = this.info!;
    const { all, work } = boundsOf(frame, info, this.tissues.lips());
    const radius = 0.5 * all.getSize(new Vector3()).length();
    all.getCenter(this.centre);
    const table = frame.shapes.find((state) => isLevel(state, info.shapes[state.shape]?.kind));
    this.floorHeight = table ? MILLI * table.position[2] : all.min.z - Math.max(6, 0.25 * radius);
    this.rig.frame(work);
    this.lamp.aim(this.centre, 1.5 * radius + 10);
    const footprint = this.footprintOf(frame);
    this.drape.lay({ centre: this.centre, height: this.floorHeight, reach: radius, footprint });
  }

  /** Where the tissues stand, about the middle of the scene. */
  private footprintOf(frame: FrameMessage): Footprint | undefined {
    const box = new Box3();
    for (const { positions } of frame.tissues) {
      box.union(new Box3().setFromArray(positions));
    }
    if (box.isEmpty()) return undefined;
    box.min.multiplyScalar(MILLI);
    box.max.multiplyScalar(MILLI);
    const middle = box.getCenter(new Vector3()).sub(this.centre),
      size = box.getSize(new Vector3());
    const above = Math.max(box.min.z - this.floorHeight, 0);
    return {
      x: middle.x,
      y: middle.y,
      halfX: size.x / 2,
      halfY: size.y / 2,
      nearness: 1 / (1 + (above / STANDS) ** 2),
      isVessel: this.info!.tissues.some(({ shape }) => shape === TissueShape.vessel),
    };
  }
}
