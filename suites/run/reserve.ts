import { type Answer, type Vector, verdictOf } from "../../schemas/index.ts";
import type { Judgement } from "./judge.ts";
import { beginningOf, speaksOfSchema } from "./refusal.ts";

/** Why there is no verdict on a tool that refuses, constant so that reports can count it. */
const ownReasons =
  "not decided: the tool refused a valid input by an error result that does not speak of its schema, as tools do for reasons of their own";
const sameWords =
  "not decided: the tool refused an invalid input in the words in which it refuses valid ones, so nothing shows that it saw the fault";

/**
 * What is said of a tool, whose schema is what its input must keep and not all that it may ask for: a file that is not there is no breach. A
 * refusal of valid input counts as one only where it says that the schema is not kept. And a refusal of invalid input counts for nothing where
 * valid input of the same document was refused in the same words before.
 */
export function withReserve(): (judgement: Judgement, vector: Vector, answer: Answer, document: string) => Judgement {
  const known = new Set<string>();
  return (judgement, vector, answer, document) => {
    if (answer.verdict === "accepted" || judgement.outcome === "disputed" || speaksOfSchema(answer.reasons))
      return judgement;
    const words = `${document} ${beginningOf(answer.reasons)}`;
    if (verdictOf(vector) === "invalid") return known.has(words) ? { outcome: "skipped", why: sameWords } : judgement;
    known.add(words);
    if (answer.reasons[0]?.code === "isError") return { outcome: "skipped", why: ownReasons };
    const why = `refused as invalid parameters, though its inputSchema accepts it and the words are not those of a validator: ${answer.reasons[0]?.message ?? ""}`;
    return { outcome: "warns", why };
  };
}
