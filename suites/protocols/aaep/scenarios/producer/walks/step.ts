import {
  countIn,
  type Mishap,
  mishapIn,
  oneOf,
  type Turn,
  turns,
} from "../../../../../running/scenarios/walks/index.ts";

/** The tasks of sessions in a walk. */
export const tasks = ["plain", "stream", "irreversible", "reversible", "clarification"] as const;
export type WalkTask = (typeof tasks)[number];

/** The kinds of replies: valid, or acceptances that must not count. */
export const replyKinds = ["accept", "reject", "invalid", "forged", "stale", "mismatched"] as const;
export type How = (typeof replyKinds)[number];

const lonelySteps = ["expire", "join", "leave", "cut", "resume"] as const;
const singleSteps = ["again", "cancel"] as const;

/** A step of a walk; `of` is the index of a question in it. */
export type ProducerStep =
  | { do: "start"; task: WalkTask }
  | { do: "reply"; of: number; how: How; by?: "second"; mishap?: Mishap }
  | { do: (typeof singleSteps)[number]; of: number }
  | { do: "deliver"; turn: Turn }
  | { do: (typeof lonelySteps)[number] };

/** A step in its written form: `start irreversible`, `reply 0 accept second late`, `cut`. */
export function textOf(step: ProducerStep): string {
  switch (step.do) {
    case "start":
      return `start ${step.task}`;
    case "reply":
      return ["reply", step.of, step.how, step.by, step.mishap].filter((each) => each !== undefined).join(" ");
    case "deliver":
      return `deliver ${step.turn}`;
    case "again":
    case "cancel":
      return `${step.do} ${step.of}`;
    default:
      return step.do;
  }
}

/** Undefined if the text is not a step. */
export function stepIn(text: string): ProducerStep | undefined {
  const [word, first, second, ...more] = text.split(/\s+/);
  const [task, turn, of, how] = [oneOf(tasks, first), oneOf(turns, first), countIn(first), oneOf(replyKinds, second)];
  if (word === "start" && task !== undefined) return { do: word, task };
  if (word === "deliver" && turn !== undefined) return { do: word, turn };
  if (word === "reply" && of !== undefined && how !== undefined) {
    const [mishap] = more.flatMap((each) => mishapIn(each) ?? []);
    return {
      do: word,
      of,
      how,
      ...(more.includes("second") ? { by: "second" } : {}),
      ...(mishap === undefined ? {} : { mishap }),
    };
  }
  const one = oneOf(singleSteps, word);
  if (one !== undefined) return of === undefined ? undefined : { do: one, of };
  const other = oneOf(lonelySteps, word);
  return other === undefined ? undefined : { do: other };
}

export const example =
  "start irreversible; reply 0 accept; reply 0 stale twice; reply 0 reject second late; deliver last; again 0; cancel 0; expire; join; cut; resume; leave";
