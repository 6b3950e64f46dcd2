// What the server tells of tasks, attempts and progress. docs/training.md explains the members.

import { TrainingKind, type SessionsMessage } from "../base/protocol.generated";
import type { Simulation } from "../net/simulation";
import type { Way } from "../teach/way";
import type { GoalMarks } from "../view/taskMarks";

export interface Summary {
  attempts: number;
  passed: number;
  /** shares of all points */
  best: number;
  last: number;
  /** s */
  last_seconds: number;
}

export interface TaskEntry extends Summary {
  name: string;
  group: string;
  title: string;
  scene: string | null;
  /** what is wrong with its file */
  error: string | null;
}

export interface TaskList {
  trainees: string[];
  tasks: TaskEntry[];
}

export interface Marks extends GoalMarks {
  knot: string | null;
}

export interface RubricLine {
  measure: string;
  text: string;
  most: number;
  must: boolean;
}

export interface Task extends Summary {
  name: string;
  title: string;
  scene: string;
  file: string;
  time_limit: number;
  instructions: string[];
  most: number;
  needed: number;
  rubric: RubricLine[];
  expert: string | null;
  mistakes: { script: string; measure: string }[];
  marks: Marks;
  /** the expert has done it: its way can be shown */
  has_way: boolean;
}

export interface Measured {
  measure: string;
  text: string;
  /** the value in words */
  said: string;
  /** s; negative: at no one moment */
  at: number;
}

export interface ScoredLine extends Measured {
  points: number;
  /** points of the value alone: fewer are given while less was done, and those of time when it is passed */
  worth: number;
  most: number;
  must: boolean;
  /** a must that was missing */
  failed: boolean;
  advice: string;
}

export interface Plot {
  time: number[];
  force: number[];
  speed: number[];
}

export interface Result {
  attempt: number;
  trainee: string;
  task: string;
  title: string;
  state: string;
  /** s since 1970 */
  started: number;
  seconds: number;
  /** as it was noted then */
  noted_points: number;
  noted_most: number;
  noted_passed: boolean;
  has_recording: boolean;
  /** the task was edited since: points are by its present rules */
  edited?: boolean;
  reached?: boolean;
  time_step?: number;
  steps?: number;
  points: number;
  most: number;
  needed: number;
  passed: boolean;
  /** the line that cost most; -1: none */
  worst: number;
  advice: string;
  knot: string | null;
  rubric: ScoredLine[];
  measures: Measured[];
  plot?: Plot;
  marks: Marks;
}

/** number, when (s since 1970), share of the points, seconds, passed, measure that cost most */
export type CurvePoint = [number, number, number, number, boolean, string];

export interface Curve {
  name: string;
  title: string;
  /** share that is needed */
  pass: number;
  expert: { share: number; seconds: number } | null;
  attempts: CurvePoint[];
}

export interface Progress {
  trainee: string;
  trainees: string[];
  tasks: Curve[];
}

/** Who does the expert's scripts, and those that fail, in the logbook. */
export const EXPERT = "expert";
export const EXAMPLES = "examples";

export class Training {
  constructor(private readonly simulation: Simulation) {}

  tasks(trainee: string): Promise<TaskList> {
    return this.ask("tasks", "", trainee, 0) as Promise<TaskList>;
  }

  task(name: string, trainee: string, seed = 1): Promise<Task> {
    return this.ask("task", name, trainee, seed) as Promise<Task>;
  }

  result(attempt: number): Promise<Result> {
    return this.ask("result", "", "", attempt) as Promise<Result>;
  }

  progress(trainee: string): Promise<Progress> {
    return this.ask("progress", "", trainee, 0) as Promise<Progress>;
  }

  way(task: string): Promise<Way> {
    return this.ask("way", task, "", 0) as Promise<Way>;
  }

  async sessions(): Promise<SessionsMessage> {
    await this.simulation.whenOpen();
    return this.simulation.connection.ask({ type: "list_sessions" }) as Promise<SessionsMessage>;
  }

  private async ask(kind: keyof typeof TrainingKind, task: string, trainee: string, number: number): Promise<unknown> {
    const order = { type: "ask_training", kind: TrainingKind[kind], task, trainee, number } as const;
    await this.simulation.whenOpen();
    return this.simulation.connection.ask(order);
  }
}

/** What a line of a rubric asks for, as a person says it. */
const wishes: Record<string, string> = {
  time: "Quick",
  path_length: "Short ways",
  economy: "Straight ways",
  idle_time: "No pauses",
  hand_balance: "Both hands at work",
  peak_force: "Gentle",
  missed_grasps: "Grasped something every time",
  thread_drops: "Kept hold of the thread",
  targets_reached: "All that was to be done",
  misses: "Touched and dropped nothing else",
  coverage: "The whole line",
  deviation: "Stayed on the line",
  mean_deviation: "Near the line all along",
  knot_right: "The right knot",
  tail_length: "Tails long enough",
  longest_tail: "Tails cut short",
  arc_deviation: "Along the curve of the needle",
  mark_deviation: "On the marks",
  bite_width: "Bites wide enough",
  bite_depth: "Bites deep enough",
  bite_asymmetry: "As much on both sides",
  regrasps: "Few new grips of the needle",
  needle_drops: "Kept hold of the needle",
  wound_gap: "The wound closed",
  wound_step: "Edges level",
  stitch_spacing: "Stitches near enough",
  anchor_force: "Gentle on the skin",
  eversion: "Edges turned out",
  tissue_torn: "Nothing torn",
};

/** What a line of a rubric asks for; of a measure that has no words its name. */
export function wishOf(measure: string): string {
  return wishes[measure] ?? measureLabel(measure);
}

/** "missed_grasps" to "Missed grasps". */
export function measureLabel(measure: string): string {
  const label = measure.replace(/_/g, " ");
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** People, without those that stand for scripts. */
export function people(trainees: string[]): string[] {
  return trainees.filter((name) => name !== EXPERT && name !== EXAMPLES);
}

/** What to do next: the first task that was not passed; without one, the one that went worst. */
export function nextTask(tasks: TaskEntry[]): TaskEntry | undefined {
  const sound = tasks.filter(({ error }) => error === null);
  return sound.find(({ passed }) => passed === 0) ?? [...sound].sort((a, b) => a.best - b.best)[0];
}

/** Lines that cost points, those that cost most first; one without which nothing is passed before all others. */
export function lostLines(result: Result): ScoredLine[] {
  const lost = result.rubric.filter(({ worth, most }) => most - worth > 1e-9);
  const weight = (line: ScoredLine) => (line.failed ? 1e6 : 0) + line.most - line.worth;
  return lost.sort((a, b) => weight(b) - weight(a));
}
