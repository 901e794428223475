import {
  countIn,
  type Mishap,
  mishapIn,
  oneOf,
  type Turn,
  turns,
} from "../../../../../running/scenarios/walks/index.ts";

/** How the work on a task proceeds: there is none, it never ends, it meets a fault at once, or it is handed over. */
export const works = ["plain", "steady", "missing", "invariant", "handoff"] as const;
export type Work = (typeof works)[number];

/** The fault of a message: it lacks its task_id, or has an unknown member at its root. */
export const flaws = ["lacking", "odd"] as const;
export type Flaw = (typeof flaws)[number];

const stepsWithoutSubject = ["misaddressed", "stray", "complain", "warn", "stop"] as const;
const cueSteps = ["standby", "go"] as const;

/** One step of a walk; `of` counts tasks, cues, or the messages that have arrived, from 0. */
export type WalkStep =
  | { do: "assign"; work: Work; mishap?: Mishap }
  | { do: "broken"; flaw: Flaw; mishap?: Mishap }
  | { do: (typeof stepsWithoutSubject)[number]; mishap?: Mishap }
  | { do: "update" | (typeof cueSteps)[number]; of: number; mishap?: Mishap }
  | { do: "again"; of: number }
  | { do: "deliver"; turn: Turn }
  | { do: "wait" };

/** A step as a person writes it: `assign steady`, `standby 0 late`, `deliver last`. */
export function textOf(step: WalkStep): string {
  const { do: word, mishap } = step as { do: string; mishap?: Mishap };
  const about =
    "work" in step
      ? step.work
      : "flaw" in step
        ? step.flaw
        : "of" in step
          ? step.of
          : "turn" in step
            ? step.turn
            : undefined;
  return [word, about, mishap].filter((each) => each !== undefined).join(" ");
}

/** Undefined if the text is not a step. */
export function stepIn(text: string): WalkStep | undefined {
  const [word, ...options] = text.split(/\s+/);
  const by = (text: string | undefined): { mishap?: Mishap } => {
    const mishap = mishapIn(text);
    return mishap === undefined ? {} : { mishap };
  };
  const [first, second] = options;
  const simpleStep = oneOf(stepsWithoutSubject, word);
  if (simpleStep !== undefined) return { do: simpleStep, ...by(first) };
  const [of, work, flaw, turn] = [countIn(first), oneOf(works, first), oneOf(flaws, first), oneOf(turns, first)];
  if (word === "wait") return { do: word };
  if (word === "assign" && work !== undefined) return { do: word, work, ...by(second) };
  if (word === "broken" && flaw !== undefined) return { do: word, flaw, ...by(second) };
  if (word === "deliver" && turn !== undefined) return { do: word, turn };
  if (of === undefined) return undefined;
  if (word === "again") return { do: word, of };
  const about = oneOf(["update", ...cueSteps] as const, word);
  return about === undefined ? undefined : { do: about, of, ...by(second) };
}

export const example =
  "assign steady; assign handoff late; update 0; broken lacking twice; misaddressed; stray; complain; warn; standby 0; go 0 lost; stop; again 1; deliver last; wait";
