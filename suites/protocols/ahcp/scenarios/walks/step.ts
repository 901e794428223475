import { countIn, oneOf } from "../../../../running/scenarios/walks/index.ts";

/** The words with which a resolver may try to end a message, even if they do not fit its type. */
export const words = ["answered", "declined", "completed", "dismissed", "expired"] as const;
export const types = ["ask", "task", "notify"] as const;

/** A step of a walk; `of` is the index of a submitted message. */
export type HubStep =
  | { do: "submit"; type: (typeof types)[number]; due?: true }
  | { do: "replay" | "rerun" | "alter" | "poll" | "cancel" | "steal"; of: number }
  | { do: "resolve"; of: number; word: (typeof words)[number] }
  | { do: "expire" | "restart" };

/** A step in its written form: `submit ask due`, `resolve 0 answered`, `restart`. */
export function textOf(step: HubStep): string {
  switch (step.do) {
    case "submit":
      return `submit ${step.type}${step.due === true ? " due" : ""}`;
    case "resolve":
      return `resolve ${step.of} ${step.word}`;
    case "expire":
    case "restart":
      return step.do;
    default:
      return `${step.do} ${step.of}`;
  }
}

/** Undefined if the text is not a step. */
export function stepIn(text: string): HubStep | undefined {
  const [word = "", first = "", second = ""] = text.split(/\s+/);
  const of = countIn(first);
  const type = oneOf(types, first);
  const resolverWord = oneOf(words, second);
  if (word === "submit" && type !== undefined) return { do: word, type, ...(second === "due" ? { due: true } : {}) };
  if (word === "resolve" && of !== undefined && resolverWord !== undefined) return { do: word, of, word: resolverWord };
  if (word === "expire" || word === "restart") return { do: word };
  const simpleStep = oneOf(["replay", "rerun", "alter", "poll", "cancel", "steal"] as const, word);
  return simpleStep === undefined || of === undefined ? undefined : { do: simpleStep, of };
}

export const example = "submit ask due; resolve 0 answered; replay 0; alter 0; cancel 0; poll 0; expire; restart";
