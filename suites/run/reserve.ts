import { type Answer, type Vector, verdictOf } from "../../schemas/index.ts";
import type { Judgement } from "./judge.ts";
import { beginningOf, speaksOfInput, speaksOfSchema } from "./refusal.ts";

/**
 * What is said of a tool, whose schema is what its input must keep and not all that it may ask for: a file that is not there is no breach. A
 * refusal of valid input counts as one only where it says that the schema is not kept. And a refusal of invalid input counts for nothing where
 * valid input of the same document was refused in the same words before.
 */
export function withReserve(): (judgement: Judgement, vector: Vector, answer: Answer, document: string) => Judgement {
  const known = new Set<string>();
  return (judgement, vector, answer, document) => {
    const { verdict, reasons } = answer;
    if (verdict === "accepted" || judgement.outcome === "disputed" || speaksOfSchema(reasons)) return judgement;
    const words = beginningOf(reasons);
    const key = `${document} ${words}`;
    if (verdictOf(vector) === "invalid") {
      if (!known.has(key)) return judgement;
      return undecided("invalid", `an invalid input in the words in which it refuses valid ones: ${words}`);
    }
    known.add(key);
    if (!speaksOfInput(reasons)) return undecided("valid", `a valid input for reasons that may be its own: ${words}`);
    const why = `refused as invalid, though its inputSchema accepts it; ${ownConditions}: ${reasons[0]?.message ?? ""}`;
    return { outcome: "warns", why, cause: { kind: "refused", doubt: ownConditions } };
  };
}

const ownConditions = "the words are not those of a validator, so there may be conditions that the schema does not say";

/** Reports count what has the same reason, so it has the words and not what they are about. */
function undecided(of: "valid" | "invalid", what: string): Judgement {
  return { outcome: "skipped", why: `not decided: the tool refused ${what}`, cause: { kind: "tool-refused", of } };
}
