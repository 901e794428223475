import {
  countIn,
  type Mishap,
  mishapIn,
  oneOf,
  type Turn,
  turns,
} from "../../../../../running/scenarios/walks/index.ts";

/** How the work on a task proceeds: there is none, it never ends, it fails immediately, or the task is handed over. */
export const works = ["plain", "steady", "missing", "invariant", "handoff"] as const;
export type Work = (typeof works)[number];

/** The fault of an invalid message: it lacks its task_id, or has an unknown root member. */
export const flaws = ["lacking", "odd"] as const;
export type Flaw = (typeof flaws)[number];

const stepsWithoutSubject = ["misaddressed", "stray", "complain", "warn", "stop"] as const;
const cueSteps = ["standby", "go"] as const;

/** One step of a walk; `index` is that of a task, a cue, or a message that has arrived. */
export type WalkStep =
  | { do: "assign"; work: Work; mishap?: Mishap }
  | { do: "broken"; flaw: Flaw; mishap?: Mishap }
  | { do: (typeof stepsWithoutSubject)[number]; mishap?: Mishap }
  | { do: "update" | (typeof cueSteps)[number]; index: number; mishap?: Mishap }
  | { do: "again"; index: number }
  | { do: "deliver"; turn: Turn }
  | { do: "wait" };

/** Formats a step as a person writes it: `assign steady`, `standby 0 late`, `deliver last`. */
export function textOf(step: WalkStep): string {
  const { do: verb, mishap } = step as { do: string; mishap?: Mishap };
  return [verb, objectOf(step), mishap].filter((part) => part !== undefined).join(" ");
}

/** The part of a step that follows its verb. */
function objectOf(step: WalkStep): string | number | undefined {
  if ("work" in step) return step.work;
  if ("flaw" in step) return step.flaw;
  if ("index" in step) return step.index;
  return "turn" in step ? step.turn : undefined;
}

/** Parses a step; undefined if the string is not one. */
export function stepIn(text: string): WalkStep | undefined {
  const [verb, ...options] = text.split(/\s+/);
  const withMishap = (text: string | undefined): { mishap?: Mishap } => {
    const mishap = mishapIn(text);
    return mishap === undefined ? {} : { mishap };
  };
  const [first, second] = options;
  const simpleStep = oneOf(stepsWithoutSubject, verb);
  if (simpleStep !== undefined) return { do: simpleStep, ...withMishap(first) };
  const [index, work, flaw, turn] = [countIn(first), oneOf(works, first), oneOf(flaws, first), oneOf(turns, first)];
  if (verb === "wait") return { do: verb };
  if (verb === "assign" && work !== undefined) return { do: verb, work, ...withMishap(second) };
  if (verb === "broken" && flaw !== undefined) return { do: verb, flaw, ...withMishap(second) };
  if (verb === "deliver" && turn !== undefined) return { do: verb, turn };
  if (index === undefined) return undefined;
  if (verb === "again") return { do: verb, index };
  const indexedStep = oneOf(["update", ...cueSteps] as const, verb);
  return indexedStep === undefined ? undefined : { do: indexedStep, index, ...withMishap(second) };
}

export const example =
  "assign steady; assign handoff late; update 0; broken lacking twice; misaddressed; stray; complain; warn; standby 0; go 0 lost; stop; again 1; deliver last; wait";
