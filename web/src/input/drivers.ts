// The hands as the person wants them: where to go, how to turn, closed or not, locked or not. Made into operations once
// a picture.
//
// A command never leads the hand by more than LEASH, so that a hand that is held back by a taut thread turns around at
// once when the person does. While dragging, the wish itself is kept without the leash: the hand returns to where the
// pointer is.

import { Quaternion, Vector3 } from "three";
import { sidesOf } from "../base/sides";
import { metres, millimetres } from "../base/units";
import { Tool, type FrameMessage, type HandState, type Operation, type Quat } from "../base/protocol.generated";
import type { ViewAxes } from "../view/rig";
import type { Pose } from "./lineUp";
import type { Needle } from "./needle";

export type ToolName = keyof typeof Tool;

/** mm */
const LEASH = 30;
/** mm that a hand may be away from its command and still go on from that: a spring under load */
const WORTH_GRABBING = 3;
/** how fast a hand goes and turns that lines up by itself: mm/s, rad/s; and the shortest time for it, s */
const GLIDE_SPEED = 40;
const GLIDE_TURN = 1.2;
const SHORTEST_GLIDE = 0.3;
/** mm above the floor that hands stay */
const ABOVE_FLOOR = 0.5;
/** mm above the floor that jaws and what they hold stay */
const LAID_DOWN = 0.1;
/** mm from the middle of the scene */
const FARTHEST = 300;

export interface Workspace {
  centre: Vector3;
  floor: number;
  /** mm that what a hand carries reaches below its middle */
  reachDown?: (place: number) => number;
}

/** A motion that goes on by itself. */
interface Glide {
  from: Pose;
  to: Pose;
  seconds: number;
  gone: number;
}

/** One hand. Millimetres. */
export class HandDriver {
  readonly wish = new Vector3();
  readonly command = new Vector3();
  readonly rotation = new Quaternion();
  isLocked = false;
  /** what the person asked for last; undefined: as the simulation has it */
  private wantsClosed: boolean | undefined;
  private wantsTool: ToolName | undefined;
  /** of jaws that touch, 0 to 1: what was told last, and whether it has still to be told */
  private opening: number | undefined;
  private isOpeningNew = false;
  private isMoved = false;
  /** s of the world that the motion since the last command took: it is carried out in as many */
  private takes = 0;
  private isKnown = false;
  private glide: Glide | undefined;
  /** the circle that the hand drives a needle along, until it moves in another way */
  private circle: { centre: Vector3; axis: Vector3; radius: number } | undefined;

  constructor(readonly place: number) {}

  /** Begins from where the hand was told to be, unless this page told it. */
  begin(state: HandState | undefined): void {
    if (!state || this.isKnown) return;
    this.wish.copy(millimetres(state.target));
    this.command.copy(this.wish);
    this.rotation.fromArray(state.rotation);
    this.isKnown = true;
  }

  /** A new motion begins where the hand is, not where it could not follow to. */
  grab(state: HandState | undefined): void {
    this.begin(state);
    if (!state || this.isMoved) return;
    const actual = millimetres(state.position);
    if (actual.distanceTo(this.command) < WORTH_GRABBING) return;
    this.circle = undefined;
    this.wish.copy(actual);
    this.command.copy(actual);
  }

  /** There is something to be told to the simulation. */
  get hasWish(): boolean {
    return this.isMoved || this.wantsClosed !== undefined || this.wantsTool !== undefined || this.isOpeningNew;
  }

  /** Somebody else moved it (a script, another person, a new scene): the next motion begins where it then is. */
  forget(): void {
    this.isKnown = false;
    this.isMoved = false;
    this.wantsClosed = undefined;
    this.wantsTool = undefined;
    this.forgetOpening();
    this.stopGliding();
  }

  private stopGliding(): void {
    this.glide = undefined;
    this.circle = undefined;
  }

  private forgetOpening(): void {
    this.opening = undefined;
    this.isOpeningNew = false;
  }

  /** In s of the world; 0: as soon as a command is carried out. */
  moveBy(delta: Vector3, seconds = 0): void {
    if (this.isLocked) return;
    this.stopGliding();
    this.takes = seconds;
    this.wish.copy(this.command).add(delta);
    this.isMoved = true;
  }

  moveTo(wish: Vector3): void {
    if (this.isLocked) return;
    this.stopGliding();
    this.takes = 0;
    this.wish.copy(wish);
    this.isMoved = true;
  }

  get pose(): Pose {
    return { position: this.command.clone(), rotation: this.rotation.clone() };
  }

  get isGliding(): boolean {
    return this.glide !== undefined;
  }

  /** Goes to a pose by itself, at a hand's pace, until it is moved otherwise. */
  glideTo(to: Pose): void {
    if (this.isLocked) return;
    this.stopGliding();
    const from = this.pose;
    const time = Math.max(from.position.distanceTo(to.position) / GLIDE_SPEED, from.rotation.angleTo(to.rotation) / GLIDE_TURN);
    this.glide = { from, to, seconds: Math.max(time, SHORTEST_GLIDE), gone: 0 };
  }

  /** So much simulated time has passed. A hand that was locked meanwhile does not go on later either. */
  goOn(seconds: number): void {
    if (this.isLocked) this.glide = undefined;
    const { glide } = this;
    if (!glide) return;
    glide.gone = Math.min(glide.gone + seconds / glide.seconds, 1);
    const share = glide.gone * glide.gone * (3 - 2 * glide.gone); // begins and ends gently
    this.wish.lerpVectors(glide.from.position, glide.to.position, share);
    this.rotation.slerpQuaternions(glide.from.rotation, glide.to.rotation, share);
    this.isMoved = true;
    if (glide.gone >= 1) this.glide = undefined;
  }

  /** Drives a needle along its own arc, point first, by mm of it: the wrist rolls about the middle of its circle. */
  drive(needle: Needle, along: number, seconds = 0): void {
    if (this.isLocked || along === 0) return;
    this.glide = undefined;
    this.takes = seconds;
    const { centre, axis, radius } = (this.circle ??= {
      centre: needle.centre.clone(),
      axis: needle.axis.clone(),
      radius: needle.radius,
    });
    const turn = new Quaternion().setFromAxisAngle(axis, along / radius);
    this.wish.copy(this.command).sub(centre).applyQuaternion(turn).add(centre);
    this.command.copy(this.wish);
    this.rotation.premultiply(turn).normalize();
    this.isMoved = true;
  }

  /** Turns about an axis of the world. */
  turn(axis: Vector3, angle: number, seconds = 0): void {
    if (this.isLocked || angle === 0) return;
    this.stopGliding();
    this.takes = seconds;
    this.rotation.premultiply(new Quaternion().setFromAxisAngle(axis, angle)).normalize();
    this.isMoved = true;
  }

  setClosed(isClosed: boolean): void {
    this.circle = undefined;
    this.wantsClosed = isClosed;
    this.forgetOpening();
  }

  toggleClosed(state: HandState | undefined): void {
    this.setClosed(!(state && state.closed !== 0));
  }

  /** Jaws that touch go so far apart, 0 to 1. */
  setOpening(opening: number): void {
    this.opening = Math.min(Math.max(opening, 0), 1);
    this.isOpeningNew = true;
  }

  /** Opens jaws by a share of their way: from what they were told last, or from where they are. */
  openBy(share: number, state: HandState | undefined): void {
    if (state?.has_jaws) this.setOpening((this.opening ?? state.opening) + share);
  }

  /** Takes another instrument. */
  takeTool(tool: ToolName): void {
    this.wantsTool = tool;
    this.forgetOpening();
  }

  /** What has to be told to the simulation since the last call. */
  collect(state: HandState, space: Workspace, seconds: number): Operation[] {
    const operations: Operation[] = [];
    if (this.isMoved && this.isKnown) {
      const actual = millimetres(state.position);
      const next = limited(this.wish, actual, space, space.reachDown?.(this.place) ?? 0);
      this.command.copy(next);
      this.isMoved = false;
      operations.push({
        type: "move_hand",
        step: 0,
        hand: this.place,
        time: Math.max(seconds, this.takes),
        position: metres(next),
        rotation: this.rotation.toArray() as Quat,
      });
    }
    if (this.wantsTool !== undefined) {
      if (Tool[this.wantsTool] !== state.tool) {
        operations.push({ type: "hand_tool", step: 0, hand: this.place, tool: this.wantsTool });
      }
      this.wantsTool = undefined;
    }
    if (this.wantsClosed !== undefined) {
      if (this.wantsClosed !== (state.closed !== 0)) {
        operations.push({ type: this.wantsClosed ? "close_hand" : "open_hand", step: 0, hand: this.place });
      }
      this.wantsClosed = undefined;
    }
    if (this.isOpeningNew && state.has_jaws) {
      operations.push({ type: "set_jaws", step: 0, hand: this.place, opening: this.opening!, force: 0 });
    }
    this.isOpeningNew = false;
    return operations;
  }

  /** A wish beyond the leash is tried again with every picture, as long as the pointer holds on to it. */
  insist(): void {
    if (!this.isLocked && this.isKnown && this.wish.distanceToSquared(this.command) > 1e-6) this.isMoved = true;
  }
}

function limited(wish: Vector3, actual: Vector3, space: Workspace, reachDown: number): Vector3 {
  const lead = wish.clone().sub(actual).clampLength(0, LEASH);
  const next = actual.clone().add(lead);
  const fromCentre = next.clone().sub(space.centre).clampLength(0, FARTHEST);
  next.copy(space.centre).add(fromCentre);
  next.z = Math.max(next.z, space.floor + (reachDown > 0 ? reachDown + LAID_DOWN : ABOVE_FLOOR));
  return next;
}

/** All hands, and which of them mouse and keys mean. */
export class HandDrivers {
  hands: HandDriver[] = [];
  active = 0;
  /** places of the hands that keys, sticks and cards call left and right */
  sides: [number, number] = [0, 1];

  build(infos: readonly { name: string }[], leftHanded: boolean): void {
    this.hands = infos.map((_, place) => new HandDriver(place));
    this.sides = sidesOf(infos);
    this.active = this.sides[leftHanded || infos.length < 2 ? 0 : 1];
  }

  choose(place: number): void {
    if (place >= 0 && place < this.hands.length) this.active = place;
  }

  /** Moves in the view plane (right, up) and in depth (forward), mm, in s of the world. */
  move(
    place: number,
    axes: ViewAxes,
    right: number,
    up: number,
    forward: number,
    frame: FrameMessage | undefined,
    seconds = 0,
  ): void {
    const driver = this.hands[place];
    if (!driver) return;
    driver.begin(stateOf(frame, place));
    driver.moveBy(inWorld(axes, right, up, forward), seconds);
  }

  /** Turns about the axes of the view: yaw about up, pitch about right, roll about forward; rad. */
  turn(
    place: number,
    axes: ViewAxes,
    yaw: number,
    pitch: number,
    roll: number,
    frame: FrameMessage | undefined,
    seconds = 0,
  ): void {
    const driver = this.hands[place];
    if (!driver) return;
    driver.begin(stateOf(frame, place));
    driver.turn(axes.up, yaw, seconds);
    driver.turn(axes.right, pitch, seconds);
    driver.turn(axes.forward, roll, seconds);
  }

  /** `isMine` says which hands may be moved; what is wished of others waits. */
  collect(
    frame: FrameMessage,
    space: Workspace,
    seconds: number,
    isMine: (place: number) => boolean = () => true,
  ): Operation[] {
    return this.hands.flatMap((driver) => {
      const state = stateOf(frame, driver.place);
      return state && isMine(driver.place) ? driver.collect(state, space, seconds) : [];
    });
  }

  forget(): void {
    for (const driver of this.hands) driver.forget();
  }
}

export function stateOf(frame: FrameMessage | undefined, place: number): HandState | undefined {
  return frame?.hands.find((state) => state.hand === place);
}

export function inWorld(axes: ViewAxes, right: number, up: number, forward: number): Vector3 {
  return new Vector3()
    .addScaledVector(axes.right, right)
    .addScaledVector(axes.up, up)
    .addScaledVector(axes.forward, forward);
}
