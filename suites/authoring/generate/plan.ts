import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { countNoun } from "../../reports/wording/phrases.ts";

/** The facts about a document that determine the time for its vectors. */
export interface PlannedDocument {
  schema: JsonObject;
  /** Whether vectors are made for it. */
  isSent: boolean;
}

const assertionKeywords = new Set(
  (
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format maxItems minItems uniqueItems " +
    "contains maxContains minContains maxProperties minProperties required dependentRequired additionalProperties unevaluatedProperties unevaluatedItems not oneOf anyOf"
  ).split(" "),
);

/** Seconds for an assertion, and for a document, on an ordinary machine. */
const secondsPerAssertion = 0.03;
const secondsPerDocument = 0.3;

/** The description of a plan: the work, and an estimate of the time. */
export interface WorkPlan {
  what: string;
  time: string;
}

/** Describes the work before it begins: operations, documents, assertions, and an estimate of the time. */
export function planOf(
  documents: readonly PlannedDocument[],
  { chosen, all: total, noun = "operation" }: { chosen: number; all: number; noun?: string },
): WorkPlan {
  const sentDocuments = documents.filter(({ isSent }) => isSent);
  const assertions = sentDocuments.reduce((sum, { schema }) => sum + countAssertions(schema), 0);
  const chosenText = chosen === total ? countNoun(total, noun) : `${chosen} of ${countNoun(total, noun)}`;
  const otherCount = documents.length - sentDocuments.length;
  const answersText = otherCount === 0 ? "" : `, and ${otherCount} of answers, which are only checked`;
  return {
    what: `${chosenText}, ${countNoun(sentDocuments.length, "document")} to make vectors of${answersText}; ${countNoun(assertions, "assertion")}`,
    time: estimateTime(assertions, sentDocuments.length),
  };
}

function estimateTime(assertions: number, documents: number): string {
  const seconds = Math.ceil(assertions * secondsPerAssertion + documents * secondsPerDocument);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** The number of keywords that assert something: an upper bound, since members may have the same names. */
function countAssertions(schema: Json): number {
  let count = 0;
  const pending: Json[] = [schema];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part !== "object" || part === null) continue;
    for (const [name, value] of Object.entries(part)) {
      if (isObject(part) && assertionKeywords.has(name)) count += 1;
      pending.push(value);
    }
  }
  return count;
}
