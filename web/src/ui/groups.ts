// What is chosen from a long list stands in groups, each in an order in which one would go through it.

/** Titles of groups, and the names in each. */
export type Plan = readonly (readonly [title: string, names: readonly string[]])[];

export interface Group<T> {
  title: string;
  items: T[];
}

/** Things in the groups of a plan; those that it does not name come last. Groups without any are left out. */
export function inGroups<T>(plan: Plan, things: readonly T[], nameOf: (thing: T) => string, rest: string): Group<T>[] {
  const named = new Map(things.map((thing) => [nameOf(thing), thing]));
  const groups = plan.map(([title, names]) => ({
    title,
    items: names.flatMap((name) => {
      const thing = named.get(name);
      return named.delete(name) ? [thing as T] : [];
    }),
  }));
  return [...groups, { title: rest, items: [...named.values()] }].filter(({ items }) => items.length > 0);
}

export const scenePlan: Plan = [
  ["To begin with", ["practice", "pad", "handover", "one-stitch"]],
  [
    "Knots",
    ["cord", "suture", "instrument-tie", "instrument-wrap", "loose", "loose-eight", "overhand", "reef", "granny", "travel"],
  ],
  [
    "Needle and wound",
    ["needle", "needle-marks", "stitch", "interrupted-stitch", "three-stitches", "running",
      "continuous-suture", "connell", "thread-on-pad", "skin-wound",
      "drain", "fls", "beginner", "tear", "skin-tear", "liver-bite"],
  ],
  [
    "Tissue and tools",
    ["scalpel", "forceps", "scissors", "suture-passer", "port", "probe", "vessel", "severed", "skin", "sheet", "drape", "cloth", "sewing",
      "tease", "pluck", "ball"],
  ],
  [
    "Threads and mechanics",
    ["thread-models", "two-threads", "hanging", "cantilever", "memory", "coil", "twist", "post", "table", "swing", "pendulum",
      "linkage"],
  ],
];

/** Names of lessons as people read them, by group. */
const lessonTitles = {
  "Knots by two hands": {
    overhand: "Overhand",
    square: "Square knot",
    "one-post": "Hitches around one post",
    "slip-to-square": "Slip knot, made square",
  },
  "Knots with instruments": {
    "instrument-wrap": "Wind the thread around forceps",
    "instrument-throw": "One throw",
    "instrument-square": "Square knot with instruments",
    "instrument-surgeon": "Surgeon's knot",
    "instrument-three-throws": "Surgeon's knot and a third throw",
  },
  "Needle and wound": {
    handover: "Hand a needle over",
    "one-stitch": "One stitch closes a wound",
    "interrupted-stitch": "A stitch, tied",
    "continuous-suture": "A continuous suture, tied at both ends",
    connell: "Three bites along a slit (Connell)",
    "liver-bite": "A bite in a liver",
    scissors: "Cut the ends off",
    "suture-passer": "Pass a thread with a suture passer",
    lips: "Draw lips together",
    incision: "Incision",
  },
  "Loose knots": {
    untie: "Untie an overhand",
    "untie-eight": "Untie a figure-eight",
    jam: "Jam an overhand",
    "jam-eight": "Jam a figure-eight",
  },
  Mistakes: {
    "one-throw": "One throw only",
    granny: "Granny",
    "dropped-needle": "A dropped needle",
    "too-near": "Too near the edge",
    "uneven-bites": "Uneven bites",
    "too-hard": "Too hard a pull",
  },
  "Kinds of thread": { "thread-models": "Three models of a thread" },
};

export const lessonPlan: Plan = Object.entries(lessonTitles).map(([title, lessons]) => [title, Object.keys(lessons)]);

const titles: Record<string, string> = Object.assign({}, ...Object.values(lessonTitles));

/** A lesson as people call it; undefined: the plan does not know it. */
export const lessonTitle = (name: string): string | undefined => titles[name];
