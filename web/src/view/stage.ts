// The room: renderer, lights, floor, and the threads, tissues, shapes and hands in it. Draws one picture when asked.

import {
  CanvasTexture,
  CircleGeometry,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  LinearMipmapLinearFilter,
  Mesh,
  MeshLambertMaterial,
  NeutralToneMapping,
  PCFShadowMap,
  PMREMGenerator,
  RepeatWrapping,
  SRGBColorSpace,
  Scene,
  StereoCamera,
  Vector3,
  WebGLRenderer,
} from "three";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import { MILLI } from "../base/units";
import type { FrameMessage, SceneMessage, SurfaceChangeMessage, SurfaceMessage } from "../protocol.generated";
import { boundsOf } from "./bounds";
import { HandViews, type Ground } from "./hands";
import type { Quality } from "./quality";
import { CameraRig } from "./rig";
import { isLevel, ShapeViews } from "./shapes";
import { palettes, type Palette, type Theme } from "./theme";
import { ThreadViews, type ThreadLook } from "./threads";
import { TissueViews } from "./tissues";

const FLOOR_RADIUS = 260; // mm
const GRID = 10; // mm
/** what lies at the rim is not hidden behind the toolbars */
const MARGIN = 1.12;
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
  /** height of the floor and middle of the scene, mm */
  floorHeight = 0;
  readonly centre = new Vector3();
  /** a thread is drawn at least this wide */
  leastPixels = 1.6;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly metres = new Group();
  private readonly key = new DirectionalLight(0xffffff, 2);
  private readonly fill = new DirectionalLight(0xffffff, 0.35);
  private readonly sky = new HemisphereLight(0xffffff, 0x888888, 1);
  private readonly floor: Mesh<CircleGeometry, MeshLambertMaterial>;
  private readonly stereoCamera = new StereoCamera();
  private palette: Palette = palettes.light;
  private info: SceneMessage | undefined;
  private isFramed = false;
  private shown: { frame: FrameMessage; look: StageLook } | undefined;
  private drawnLeast = 1;
  private width = 1;
  private height = 1;

  constructor(
    canvas: HTMLCanvasElement,
    readonly quality: Quality,
  ) {
    this.renderer = new WebGLRenderer({
      canvas,
      antialias: quality.antialias,
      alpha: true,
      powerPreference: "high-performance",
    });
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = quality.shadows;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.threads = new ThreadViews(quality);
    this.tissues = new TissueViews(quality);
    this.shapes = new ShapeViews(quality);
    this.hands = new HandViews(quality);
    this.metres.scale.setScalar(MILLI);
    this.metres.add(this.threads.group, this.tissues.group, this.shapes.group);
    this.floor = new Mesh(
      new CircleGeometry(FLOOR_RADIUS, 96),
      new MeshLambertMaterial({ transparent: true, alphaMap: fadeTexture(), depthWrite: false }),
    );
    this.floor.receiveShadow = true;
    this.floor.renderOrder = -1;
    this.prepareLights();
    this.scene.add(this.metres, this.hands.group, this.floor, this.key, this.key.target, this.fill, this.sky);
    if (!quality.simpleMaterials) {
      const generator = new PMREMGenerator(this.renderer);
      this.scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
      generator.dispose();
    }
    this.setTheme("light");
  }

  setTheme(theme: Theme): void {
    const palette = (this.palette = palettes[theme]);
    this.sky.color.setHex(palette.sky);
    this.sky.groundColor.setHex(palette.ground);
    this.sky.intensity = palette.skyLight * (this.quality.simpleMaterials ? 1.4 : 1);
    this.key.intensity = palette.keyLight;
    this.scene.environmentIntensity = palette.environment;
    this.floor.material.map?.dispose();
    this.floor.material.map = gridTexture(
      new Color(palette.floor),
      palette.grid,
      this.renderer.capabilities.getMaxAnisotropy(),
    );
    this.floor.material.needsUpdate = true;
    if (this.info) this.hands.build(this.info.hands, palette);
    this.rig.version++;
  }

  /** Builds what the scene consists of; the first frame after it decides where the camera looks from. */
  build(info: SceneMessage, keepCamera: boolean): void {
    this.info = info;
    this.shown = undefined;
    this.threads.build(info.threads);
    this.tissues.build(info.tissues);
    this.shapes.build(info.shapes);
    this.hands.build(info.hands, this.palette);
    this.isFramed = keepCamera;
  }

  /** False when the surface does not go with the one before. */
  setSurface(surface: SurfaceMessage | SurfaceChangeMessage): boolean {
    this.rig.version++;
    return this.tissues.setSurface(surface);
  }

  update(frame: FrameMessage, look: StageLook, active: number, inReach: boolean[], below: (Ground | undefined)[]): void {
    if (!this.info || frame.generation !== this.info.generation) return;
    if (!this.isFramed) this.lookAtAll(frame);
    this.shown = { frame, look };
    this.drawThreads();
    this.tissues.update(frame.tissues, look.showWire);
    this.shapes.update(frame.shapes);
    this.hands.update(frame.hands, this.floorHeight, active, inReach, below);
    this.rig.version++;
  }

  /** Looks at threads and tissues alone, from near: for pictures. */
  frameThreads(frame: FrameMessage): void {
    const { centre, radius } = boundsOf({ ...frame, shapes: [], hands: [] }, this.info!);
    this.rig.frame(centre, 0.85 * radius);
  }

  resize(width: number, height: number, covered: number): void {
    this.width = width;
    this.height = height;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, this.quality.pixelRatio));
    this.renderer.setSize(width, height, false);
    this.rig.resize(width, height, covered);
  }

  draw(isStereo: boolean): void {
    const { renderer, scene, rig } = this;
    if (Math.abs(this.leastRadius() / this.drawnLeast - 1) > 0.05) this.drawThreads(); // the camera came or went
    renderer.setScissorTest(isStereo);
    if (!isStereo) {
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
      renderer.setScissor(place * half, 0, half, this.height);
      renderer.setViewport(place * half, 0, half, this.height);
      renderer.render(scene, eye);
    }
  }

  /** Where a point (mm) is in the picture, in pixels from the top left corner. */
  toScreen(point: Vector3): { x: number; y: number } {
    const p = point.clone().project(this.rig.camera);
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

  /** m: radius of a thread that is `leastPixels` wide at the target of the camera, half of it to each side. */
  private leastRadius(): number {
    return (this.leastPixels / 2) * (this.rig.millimetresPerPixel(this.rig.target, this.height) / MILLI);
  }

  private drawThreads(): void {
    if (!this.shown) return;
    this.drawnLeast = this.leastRadius();
    this.threads.update(this.shown.frame.threads, this.shown.look, this.drawnLeast);
  }

  private prepareLights(): void {
    const { key } = this;
    key.castShadow = this.quality.shadows;
    key.shadow.mapSize.set(2048, 2048);
    key.shadow.radius = 5;
    key.shadow.bias = -0.0004;
    key.shadow.normalBias = 0.06;
    this.fill.position.set(160, -120, 60);
  }

  /** Camera, floor and shadow for everything that is there now. */
  private lookAtAll(frame: FrameMessage): void {
    this.isFramed = true;
    const info = this.info!;
    const { centre, radius, lowest } = boundsOf(frame, info);
    this.centre.copy(centre);
    const table = frame.shapes.find((state) => isLevel(state, info.shapes[state.shape]?.kind));
    this.floorHeight = table ? MILLI * table.position[2] : lowest - Math.max(6, 0.25 * radius);
    this.floor.position.set(centre.x, centre.y, this.floorHeight);
    this.rig.frame(centre, MARGIN * radius);
    const reach = radius * 1.5 + 10;
    const { key } = this;
    key.target.position.copy(centre);
    key.position.copy(centre).add(new Vector3(-0.45, -0.4, 1).multiplyScalar(3 * reach));
    const camera = key.shadow.camera;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.5 * reach;
    camera.far = 6 * reach;
    camera.updateProjectionMatrix();
  }
}

function canvasOf(size: number, paint: (context: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  paint(canvas.getContext("2d")!);
  return new CanvasTexture(canvas);
}

function gridTexture(floor: Color, line: string, anisotropy: number): CanvasTexture {
  const texture = canvasOf(256, (context) => {
    context.fillStyle = `#${floor.getHexString()}`;
    context.fillRect(0, 0, 256, 256);
    context.strokeStyle = line;
    context.globalAlpha = 0.5;
    context.lineWidth = 5;
    context.strokeRect(0, 0, 256, 256);
  });
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.repeat.setScalar((2 * FLOOR_RADIUS) / GRID);
  texture.minFilter = LinearMipmapLinearFilter;
  texture.anisotropy = anisotropy;
  return texture;
}

/** The floor fades into the page behind it. */
function fadeTexture(): CanvasTexture {
  return canvasOf(256, (context) => {
    const fade = context.createRadialGradient(128, 128, 20, 128, 128, 128);
    fade.addColorStop(0, "#fff");
    fade.addColorStop(0.45, "#999");
    fade.addColorStop(1, "#000");
    context.fillStyle = fade;
    context.fillRect(0, 0, 256, 256);
  });
}
