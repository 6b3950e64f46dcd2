// A square knot tied by oneself, step by step: where each hand goes next, seen from the top of Practice, and when a step
// is done. Millimetres.

import { Vector3 } from "three";
import { millimetres } from "../base/units";
import type { FrameMessage } from "../base/protocol.generated";
import { middleOfLoop } from "./loop";

/** mm: a hand that is so near to its place, along the table and in height, is there */
const NEAR = 9;
const NEAR_HEIGHT = 8;
/** mm between hands that draw a throw tight */
const APART = 150;
/** s of simulated time with the hands apart after which a throw that has no name is tied again */
const PATIENCE = 4;

type Goal = Vector3 | undefined;

interface Step {
  name: string;
  text: string;
  /** per hand: where it goes; undefined: it stays where it is */
  goals(frame: FrameMessage): [Goal, Goal];
  /** what the knot is called when it is done; else it is done when the hands are there */
  knot?: string;
}

export interface Advice {
  name: string;
  text: string;
  goals: [Goal, Goal];
}

/** One throw: the end in hand `side` goes over the other strand, back under it into the loop, up through it and out. */
function throwSteps(side: 0 | 1, knot: string): Step[] {
  const s = side === 1 ? 1 : -1;
  const [hand, other] = side === 1 ? ["right", "left"] : ["left", "right"];
  const number = knot === "overhand" ? "First" : "Second";
  const goals = (mine: Goal, others?: Goal): [Goal, Goal] => (side === 1 ? [others, mine] : [mine, others]);
  const loop = (frame: FrameMessage) => middleOfLoop(frame.threads[0]?.positions ?? [], side === 0);
  const at = (x: number, y: number, z: number) => new Vector3(x, y, z);
  const inLoop = (frame: FrameMessage, z: number) => {
    const middle = loop(frame);
    return middle && at(middle[0], middle[1], z);
  };
  return [
    {
      name: `${number} throw: over`,
      text: `Lift the ${hand} hand and carry it over the ${other} strand.`,
      goals: () => goals(at(-s * 66, -62, 40), at(-s * 48, -85, 25)),
    },
    {
      name: `${number} throw: down`,
      text: `Beside the strand, lower the ${hand} hand below the cord.`,
      goals: (frame) => goals(at(-s * 57, loop(frame)?.[1] ?? -62, 8)),
    },
    {
      name: `${number} throw: under`,
      text: "Bring it back under the strand, into the loop before the post.",
      goals: (frame) => goals(inLoop(frame, 8)),
    },
    {
      name: `${number} throw: through`,
      text: "Lift it up through the loop.",
      goals: (frame) => goals(inLoop(frame, 45)),
    },
    {
      name: `${number} throw: out`,
      text: `Carry it out to the ${hand}.`,
      goals: () => goals(at(s * 45, -60, 45)),
    },
    {
      name: `${number} throw: tight`,
      text: "Draw both hands apart evenly, a little with each in turn.",
      goals: () => [at(-95, -55, 25), at(95, -55, 25)],
      knot,
    },
  ];
}

const squareKnot = [...throwSteps(1, "overhand"), ...throwSteps(0, "square")];
const THROW = squareKnot.length / 2;

function isThere(frame: FrameMessage, goals: [Goal, Goal]): boolean {
  return goals.every((goal, place) => {
    const hand = frame.hands[place];
    if (!goal || !hand) return true;
    const away = millimetres(hand.position).sub(goal);
    return Math.hypot(away.x, away.y) < NEAR && Math.abs(away.z) < NEAR_HEIGHT;
  });
}

/** Both hands draw at the knot. */
function isDrawnApart({ hands: [left, right] }: FrameMessage): boolean {
  return left !== undefined && right !== undefined && millimetres(left.position).distanceTo(millimetres(right.position)) > APART;
}

export class Guide {
  /** simulated times at which steps were done: as many as are done */
  private done: number[] = [];
  private waited = 0;
  private lastTime = 0;

  get isOver(): boolean {
    return this.done.length >= squareKnot.length;
  }

  /** What comes next; undefined when all is done. */
  follow(frame: FrameMessage): Advice | undefined {
    if (frame.time < this.lastTime) this.done = this.done.filter((time) => time <= frame.time); // it was undone
    const passed = frame.time - this.lastTime;
    this.lastTime = frame.time;
    const step = squareKnot[this.done.length];
    if (!step) return undefined;
    const goals = step.goals(frame);
    if (this.isDone(step, goals, frame, passed)) return this.follow(frame);
    const isLost = step.knot === undefined && goals.every((goal) => goal === undefined);
    const text = isLost ? "There is no loop before the post: undo, or carry the hand over the strand again." : step.text;
    return { name: step.name, text, goals };
  }

  private isDone(step: Step, goals: [Goal, Goal], frame: FrameMessage, passed: number): boolean {
    const isKnot = step.knot !== undefined && frame.knots[0]?.common === step.knot && isDrawnApart(frame);
    const hasGoal = goals.some((goal) => goal !== undefined);
    if (step.knot === undefined ? hasGoal && isThere(frame, goals) : isKnot) {
      this.done.push(frame.time);
      this.waited = 0;
      return true;
    }
    // drawn apart and still without its name: the throw is tied once more
    this.waited = step.knot !== undefined && isThere(frame, goals) ? this.waited + Math.max(passed, 0) : 0;
    if (this.waited > PATIENCE) {
      this.done = this.done.slice(0, this.done.length - (THROW - 1));
      this.waited = 0;
      return true;
    }
    return false;
  }
}
