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

/** The kinds of replies: two valid ones, and acceptances that must not count. */
export const replyKinds = ["accept", "reject", "invalid", "forged", "stale", "mismatched"] as const;
export type ReplyKind = (typeof replyKinds)[number];

const stepsWithoutQuestion = ["expire", "join", "leave", "cut", "resume"] as const;
const stepsOnQuestion = ["again", "cancel"] as const;

/** A step of a walk; `questionIndex` counts its questions. */
export type ProducerStep =
  | { do: "start"; task: WalkTask }
  | { do: "reply"; questionIndex: number; kind: ReplyKind; sender?: "second"; mishap?: Mishap }
  | { do: (typeof stepsOnQuestion)[number]; questionIndex: number }
  | { do: "deliver"; turn: Turn }
  | { do: (typeof stepsWithoutQuestion)[number] };

/** Writes a step as text, such as `start irreversible`, `reply 0 accept second late` or `cut`. */
export function textOf(step: ProducerStep): string {
  switch (step.do) {
    case "start":
      return `start ${step.task}`;
    case "reply":
      return ["reply", step.questionIndex, step.kind, step.sender, step.mishap]
        .filter((part) => part !== undefined)
        .join(" ");
    case "deliver":
      return `deliver ${step.turn}`;
    case "again":
    case "cancel":
      return `${step.do} ${step.questionIndex}`;
    default:
      return step.do;
  }
}

/** Parses a step. Undefined if the text is not a step. */
export function stepIn(text: string): ProducerStep | undefined {
  const [verb, firstArgument, secondArgument, ...otherWords] = text.split(/\s+/);
  const [task, turn, questionIndex, kind] = [
    oneOf(tasks, firstArgument),
    oneOf(turns, firstArgument),
    countIn(firstArgument),
    oneOf(replyKinds, secondArgument),
  ];
  if (verb === "start" && task !== undefined) return { do: verb, task };
  if (verb === "deliver" && turn !== undefined) return { do: verb, turn };
  if (verb === "reply" && questionIndex !== undefined && kind !== undefined) {
    const [mishap] = otherWords.flatMap((word) => mishapIn(word) ?? []);
    return {
      do: verb,
      questionIndex,
      kind,
      ...(otherWords.includes("second") ? { sender: "second" } : {}),
      ...(mishap === undefined ? {} : { mishap }),
    };
  }
  const stepOnQuestion = oneOf(stepsOnQuestion, verb);
  if (stepOnQuestion !== undefined)
    return questionIndex === undefined ? undefined : { do: stepOnQuestion, questionIndex };
  const stepWithoutQuestion = oneOf(stepsWithoutQuestion, verb);
  return stepWithoutQuestion === undefined ? undefined : { do: stepWithoutQuestion };
}

export const example =
  "start irreversible; reply 0 accept; reply 0 stale twice; reply 0 reject second late; deliver last; again 0; cancel 0; expire; join; cut; resume; leave";
