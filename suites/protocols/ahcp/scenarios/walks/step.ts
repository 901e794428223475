import { countIn, oneOf } from "../../../../running/scenarios/walks/index.ts";

/** The resolutions that a walk tries, even for messages of a type that does not permit them. */
export const resolutions = ["answered", "declined", "completed", "dismissed", "expired"] as const;
export const messageTypes = ["ask", "task", "notify"] as const;

/** A step of a walk; `of` is the index of a submitted message. */
export type HubStep =
  | { do: "submit"; type: (typeof messageTypes)[number]; due?: true }
  | { do: "replay" | "rerun" | "alter" | "poll" | "cancel" | "steal"; of: number }
  | { do: "resolve"; of: number; word: (typeof resolutions)[number] }
  | { do: "expire" | "restart" };

/** Formats a step, such as `submit ask due`, `resolve 0 answered`, `restart`. */
export function formatStep(step: HubStep): string {
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

/** Parses a step. Returns undefined if the text is not one. */
export function parseStep(text: string): HubStep | undefined {
  const [action = "", first = "", second = ""] = text.split(/\s+/);
  const of = countIn(first);
  const type = oneOf(messageTypes, first);
  const resolution = oneOf(resolutions, second);
  if (action === "submit" && type !== undefined)
    return { do: action, type, ...(second === "due" ? { due: true } : {}) };
  if (action === "resolve" && of !== undefined && resolution !== undefined) return { do: action, of, word: resolution };
  if (action === "expire" || action === "restart") return { do: action };
  const simpleStep = oneOf(["replay", "rerun", "alter", "poll", "cancel", "steal"] as const, action);
  return simpleStep === undefined || of === undefined ? undefined : { do: simpleStep, of };
}

export const exampleWalk = "submit ask due; resolve 0 answered; replay 0; alter 0; cancel 0; poll 0; expire; restart";
