import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { countNoun } from "../../reports/wording/phrases.ts";

/** The facts about a pack that determine the time for its vectors. */
export interface PlannedPack {
  schema: JsonObject;
  /** Whether vectors are made for it. */
  isSent: boolean;
}

const asserting = new Set(
  (
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format maxItems minItems uniqueItems " +
    "contains maxContains minContains maxProperties minProperties required dependentRequired additionalProperties unevaluatedProperties unevaluatedItems not oneOf anyOf"
  ).split(" "),
);

/** Seconds for an assertion, and for a document, on an ordinary machine. */
const secondsPerAssertion = 0.03;
const secondsPerDocument = 0.3;

/** A plan in words: the work, and an estimate of the time. */
export interface WorkPlan {
  what: string;
  time: string;
}

/** The work to be done, before it begins: operations, documents, assertions, and an estimate of the time. */
export function planOf(
  documents: readonly PlannedPack[],
  { chosen, all, noun = "operation" }: { chosen: number; all: number; noun?: string },
): WorkPlan {
  const sentDocuments = documents.filter(({ isSent }) => isSent);
  const assertions = sentDocuments.reduce((sum, { schema }) => sum + assertionsIn(schema), 0);
  const ofAll = chosen === all ? countNoun(all, noun) : `${chosen} of ${countNoun(all, noun)}`;
  const otherCount = documents.length - sentDocuments.length;
  const answers = otherCount === 0 ? "" : `, and ${otherCount} of answers, which are only checked`;
  return {
    what: `${ofAll}, ${countNoun(sentDocuments.length, "document")} to make vectors of${answers}; ${countNoun(assertions, "assertion")}`,
    time: timeFor(assertions, sentDocuments.length),
  };
}

function timeFor(assertions: number, documents: number): string {
  const seconds = Math.ceil(assertions * secondsPerAssertion + documents * secondsPerDocument);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** The number of keywords that assert something: an upper bound, since members may have the same names. */
function assertionsIn(schema: Json): number {
  let count = 0;
  const open: Json[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    for (const [name, value] of Object.entries(next)) {
      if (isObject(next) && asserting.has(name)) count += 1;
      open.push(value);
    }
  }
  return count;
}
