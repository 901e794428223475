import { type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { hasForm, networkOf } from "./address.ts";
import { diagnosis } from "./diagnosis.ts";
import { breachIn } from "./identity.ts";
import { variantsOf } from "./part.ts";
import { messageDocuments, partsIn, payloadsIn } from "./places.ts";
import { firstSchemaError, fitsSchema, payloadSchema } from "./shapes.ts";
import { isShallow } from "./size.ts";
import { isTimely } from "./time.ts";

/** The result of checking a message: it fails at one of three steps, or is accepted. */
type ValidationOutcome = "envelope" | "payload" | "code" | "accepted";

/** Returns the step at which a validator must refuse a message, or `accepted`. */
function outcomeOf(message: JsonObject, now: number, seenMessages: readonly Json[]): ValidationOutcome {
  if (!fitsSchema("envelope", message)) return "envelope";
  const { id, from, to, method, type, payload } = message;
  const schema = payloadSchema(method, type);
  if (schema !== undefined && !fitsSchema(schema, payload as Json)) return "payload";
  const hasValidAddresses = breachIn(from, "") === undefined && breachIn(to, "") === undefined;
  const isOneNetwork = hasForm(from) && hasForm(to) && networkOf(from) === networkOf(to);
  const isKnown = seenMessages.some((seen) => isObject(seen) && seen.from === from && seen.id === id);
  const hasValidParts = partsIn(message, "envelope").every(({ value }) => variantsOf(value).length === 1);
  const hasValidSender = hasValidAddresses && isOneNetwork && diagnosis(message) === undefined;
  return hasValidSender && hasValidParts && !isKnown && isTimely(message, now) ? "accepted" : "code";
}

/** Returns the rule that a wrong outcome violates. */
function ruleAgainst(reported: string, expected: ValidationOutcome, { method, type }: JsonObject): string {
  if (reported === "payload" && expected !== "envelope" && payloadSchema(method, type) === undefined)
    return "SNAP-VAL-003";
  const steps: readonly string[] = ["envelope", "payload"];
  return steps.includes(reported) || steps.includes(expected) ? "SNAP-VAL-001" : "SNAP-VAL-002";
}

function outcomeChecker(rule: string): Checker {
  return {
    rule,
    documents: ["validation"],
    *check(instance) {
      if (!isObject(instance) || !isShallow(instance)) return;
      const { message, now, seen: seenMessages, outcome } = instance;
      if (!isObject(message) || typeof now !== "number" || !Array.isArray(seenMessages) || typeof outcome !== "string")
        return;
      const expected = outcomeOf(message, now, seenMessages);
      if (outcome !== expected && ruleAgainst(outcome, expected, message) === rule)
        yield {
          at: "/outcome",
          why: `is ${JSON.stringify(outcome)}, but the message should give ${JSON.stringify(expected)}`,
        };
    },
  };
}

export const validationCheckers: readonly Checker[] = [
  {
    rule: "SNAP-VAL-001",
    documents: messageDocuments,
    *check(instance, document) {
      for (const { value, at, method, type } of payloadsIn(instance, document)) {
        const schema = payloadSchema(method, type);
        const why = schema !== undefined && isShallow(value) ? firstSchemaError(schema, value) : undefined;
        if (why !== undefined) yield { at, why: `does not fit the schema of a ${type} of ${method}: ${why}` };
      }
    },
  },
  outcomeChecker("SNAP-VAL-001"),
  outcomeChecker("SNAP-VAL-002"),
  outcomeChecker("SNAP-VAL-003"),
];
