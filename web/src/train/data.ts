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
  most: number;
  must: boolean;
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
  const lost = result.rubric.filter(({ points, most }) => most - points > 1e-9);
  const weight = (line: ScoredLine) => (line.must && line.points === 0 ? 1e6 : 0) + line.most - line.points;
  return lost.sort((a, b) => weight(b) - weight(a));
}
