// Help for the wrist, which a mouse does not have: it lines up with a needle or a wound on request, and drives a needle
// along its own arc.

import { Vector3 } from "three";
import { millimetres } from "../base/units";
import { WorldClock } from "../base/worldClock";
import type { FrameMessage, HandState } from "../base/protocol.generated";
import { whatIsBelow } from "../input/below";
import { stateOf, type HandDriver, type HandDrivers } from "../input/drivers";
import { acrossWound, towardsNeedle, woundOf, type Pose } from "../input/lineUp";
import { heldNeedle, nearestNeedle, nearestSpot, needlesOf, reachDown, type Needle } from "../input/needle";
import type { Simulation } from "../net/simulation";
import { jawsOf } from "../view/jaws";
import type { Stage } from "../view/stage";

/** mm over the table that tips of jaws stay, and mm into skin that they may press */
const OVER_TABLE = 0.1;
const INTO_SKIN = 0.8;
/** N: a wrist gives way, so a needle that is held back by more is driven no farther */
export const DRIVES_WITH = 2;
/** rad and mm: a needle that stands across the wound already, so that the other way is meant */
const ACROSS_TURN = 0.1;
const ACROSS_PLACE = 4;

const HELD_BACK = `The needle is held back by ${DRIVES_WITH} N: go back a little, and see what it or its driver presses on.`;

export class WristHelp {
  private needles: Needle[] = [];
  private needlesOfFrame: FrameMessage | undefined;
  private readonly clock = new WorldClock();
  /** hands that were told to go farther than they could, until they can again */
  private readonly heldBack = new Set<number>();

  constructor(
    private readonly simulation: Simulation,
    private readonly drivers: HandDrivers,
    private readonly stage: Stage,
  ) {}

  /** Hands that go by themselves do so in the time of the simulation. */
  follow(frame: FrameMessage): void {
    const passed = this.clock.look(frame);
    if (passed > 0) for (const driver of this.drivers.hands) driver.goOn(passed);
  }

  /** What a hand holds in its jaws is driven along its arc, by mm and in s of the world: not on when something holds it
      back. */
  drive(driver: HandDriver, along: number, seconds = 0): void {
    const state = stateOf(this.simulation.frame, driver.place);
    driver.begin(state);
    const needle = heldNeedle(state, this.known());
    if (!needle || (along > 0 && this.isHeldBack(state!))) return;
    driver.drive(needle, along, seconds);
  }

  /** Says so once, until the hand is free. */
  private isHeldBack({ hand, force }: HandState): boolean {
    const isFree = Math.hypot(...force) < DRIVES_WITH;
    if (isFree) this.heldBack.delete(hand);
    else if (!this.heldBack.has(hand)) {
      this.heldBack.add(hand);
      this.simulation.notice({ kind: "info", text: HELD_BACK });
    }
    return !isFree;
  }

  /** A hand that holds a needle brings it upright across the wound, the other way when it is already there; an empty one
      goes before the needle, and in when it is there. Says what it did not find. */
  lineUp(place: number): string | undefined {
    const { frame } = this.simulation;
    const state = stateOf(frame, place);
    const driver = this.drivers.hands[place];
    if (!frame || !state || !driver) return undefined;
    if (driver.isLocked) return "The hand is locked.";
    if (!state.has_jaws) return "Only a tool with jaws lines up with a needle.";
    driver.grab(state);
    const held = heldNeedle(state, this.known());
    const pose = held ? this.overWound(driver.pose, held, frame) : this.beforeNeedle(driver.pose, state, frame);
    if (!pose) return held ? "There is no wound to line up with." : "There is no needle to line up with.";
    driver.glideTo(pose);
    return undefined;
  }

  /** Whether the jaws of a hand hold a needle. */
  holds(place: number): boolean {
    return heldNeedle(stateOf(this.simulation.frame, place), this.known()) !== undefined;
  }

  /** Where a hand is along the nearest needle: 0 at its point, 1 at its end. */
  shareAt(place: number): number | undefined {
    const state = stateOf(this.simulation.frame, place);
    const at = state && millimetres(state.position);
    const needle = at && nearestNeedle(at, this.known());
    return needle && nearestSpot(needle, at).share;
  }

  /** mm that what a hand carries reaches below its middle. */
  reachDown(place: number): number {
    const { frame } = this.simulation;
    const state = stateOf(frame, place);
    return frame && state ? reachDown(state, frame, this.known()) : 0;
  }

  private overWound(hand: Pose, held: Needle, frame: FrameMessage): Pose | undefined {
    const lips = this.stage.tissues.lips();
    const edge: Vector3[] = [];
    for (const { tissue, positions } of frame.tissues) {
      for (const node of lips[tissue] ?? []) if (3 * node + 2 < positions.length) edge.push(millimetres(positions, 3 * node));
    }
    const wound = woundOf(edge);
    const [near, other] = wound ? acrossWound(hand, held, wound) : [];
    const isAcross =
      near && near.rotation.angleTo(hand.rotation) < ACROSS_TURN && near.position.distanceTo(hand.position) < ACROSS_PLACE;
    return isAcross ? other : near;
  }

  private beforeNeedle(hand: Pose, state: HandState, frame: FrameMessage): Pose | undefined {
    const needle = nearestNeedle(hand.position, this.known());
    const jaws = jawsOf(state, frame.tools);
    if (!needle || !jaws) return undefined;
    const below = whatIsBelow(state, frame, this.simulation.scene!, this.stage.floorHeight);
    const lowest = below.what === "tissue" ? below.height - INTO_SKIN : this.stage.floorHeight + OVER_TABLE;
    return towardsNeedle(hand, needle, jaws.sizes.tip, lowest);
  }

  /** The needles of the newest frame. */
  private known(): Needle[] {
    const { frame, scene } = this.simulation;
    if (frame && scene && frame !== this.needlesOfFrame) {
      this.needles = needlesOf(frame, scene);
      this.needlesOfFrame = frame;
    }
    return this.needles;
  }
}
