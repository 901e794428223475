import { type TargetAnswer, type Vector, verdictOf } from "../../../schemas/index.ts";
import type { AnswerJudgement } from "./judge.ts";

/** Excuses refusals by a tool, which may refuse more than its schema does, for example because a file is missing. A refusal of valid input is a violation only if it says that the schema is violated. A refusal of invalid input shows nothing if valid input of the same document was refused in the same words before (`isKnown`). */
export function withReserve(
  judgement: AnswerJudgement,
  vector: Vector,
  { verdict, reasons, speech }: TargetAnswer,
  isKnown: (words: string) => boolean,
): AnswerJudgement {
  if (verdict === "accepted" || speech === undefined || judgement.outcome === "disputed") return judgement;
  const { of, words } = speech;
  if (of === "schema") return judgement;
  if (verdictOf(vector) === "invalid") {
    if (!isKnown(words)) return judgement;
    return leaveUndecided("invalid", `an invalid input in the same words as valid ones: ${words}`);
  }
  if (of === "other") return leaveUndecided("valid", `a valid input for reasons that may be its own: ${words}`);
  const why = `refused as invalid, though its inputSchema accepts it; ${ownConditions}: ${reasons[0]?.message ?? ""}`;
  return { outcome: "warns", why, cause: { kind: "refused", doubt: ownConditions } };
}

/** Returns the words with which a tool refused valid input, possibly for reasons outside its schema; undefined for any other answer. */
export function wordsForValid(vector: Vector, { verdict, speech }: TargetAnswer): string | undefined {
  const isValid = verdictOf(vector) === "valid" && vector.beyond === undefined;
  return isValid && verdict === "rejected" && speech !== undefined && speech.of !== "schema" ? speech.words : undefined;
}

const ownConditions = "the words are not those of a validator, so there may be conditions that the schema does not say";

/** Creates a skip. Reports group results by their reason, so the reason contains the words but not the input. */
function leaveUndecided(of: "valid" | "invalid", reason: string): AnswerJudgement {
  return { outcome: "skipped", why: `not decided: the tool refused ${reason}`, cause: { kind: "tool-refused", of } };
}
