// The expert's way through a task, for a person to follow: ghosts of the tools go ahead at the expert's pace, and wait
// when the person's hands are not near. Nothing is asked of a hand that the expert hardly moved.

import { Vector3 } from "three";
import { millimetres } from "../base/units";
import type { FrameMessage } from "../base/protocol.generated";
import type { Advice } from "./guide";

/** How the tools of the expert went, as the server tells it. */
export interface Way {
  task: string;
  seed: number;
  seconds: number;
  /** s, then of each hand x, y, z in metres and whether it is closed */
  places: number[][];
  steps: { at: number; text: string }[];
}

/** mm from a ghost at which it waits: who keeps nearer than this does not cut the corners of a knot */
const NEAR = 5;
/** mm: a hand that goes no farther in the whole task stands still */
const STILL = 5;
/** s that the ghost goes on at most in one look */
const LONGEST = 0.1;
const NUMBERS_OF_HAND = 4;

export class WayGuide {
  private reached = 0; // s on the way
  private lastTime: number | undefined;
  private readonly moving: boolean[];
  private readonly end: number;

  constructor(private readonly way: Way) {
    this.end = way.places[way.places.length - 1]?.[0] ?? 0;
    const count = Math.floor(((way.places[0]?.length ?? 1) - 1) / NUMBERS_OF_HAND);
    this.moving = Array.from({ length: count }, (_, hand) => {
      const first = placeIn(way.places[0], hand);
      return way.places.some((row) => placeIn(row, hand).distanceTo(first) > STILL);
    });
  }

  /** s on the way: where the ghosts are. */
  get time(): number {
    return this.reached;
  }

  follow(frame: FrameMessage): Advice {
    const went = Math.min(Math.max(frame.time - (this.lastTime ?? frame.time), 0), LONGEST);
    this.lastTime = frame.time;
    if (this.isNear(frame)) this.reached = Math.min(this.reached + went, this.end);
    const goals = this.moving.map((moves, hand) => (moves ? this.placeOf(hand) : undefined));
    const [, name, text] = /^([^:]*):?\s*([\s\S]*)$/.exec(this.step()) ?? ["", "", ""];
    return { name, text, goals: [goals[0], goals[1]] };
  }

  private isNear(frame: FrameMessage): boolean {
    return frame.hands.every(
      ({ hand, position }) => !this.moving[hand] || millimetres(position).distanceTo(this.placeOf(hand)) < NEAR,
    );
  }

  /** The step that the ghosts are at. */
  private step(): string {
    let text = "";
    for (const step of this.way.steps) if (step.at <= this.reached + LONGEST) text = step.text;
    return text;
  }

  /** mm, between the two places that were noted. */
  private placeOf(hand: number): Vector3 {
    const { places } = this.way;
    const after = places.findIndex(([time]) => time > this.reached);
    if (after <= 0) return placeIn(after < 0 ? places[places.length - 1] : places[0], hand);
    const [before, next] = [places[after - 1], places[after]];
    const share = (this.reached - before[0]) / Math.max(next[0] - before[0], 1e-9);
    return placeIn(before, hand).lerp(placeIn(next, hand), share);
  }
}

function placeIn(row: number[], hand: number): Vector3 {
  return millimetres(row, 1 + NUMBERS_OF_HAND * hand);
}
