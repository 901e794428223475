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

/** The step at which a validator must refuse the message, if any. */
function outcomeOf(message: JsonObject, now: number, seenMessages: readonly Json[]): ValidationOutcome {
  if (!fitsSchema("envelope", message)) return "envelope";
  const { id, from, to, method, type, payload } = message;
  const schema = payloadSchema(method, type);
  if (schema !== undefined && !fitsSchema(schema, payload as Json)) return "payload";
  const isAddressed = breachIn(from, "") === undefined && breachIn(to, "") === undefined;
  const isOneNetwork = hasForm(from) && hasForm(to) && networkOf(from) === networkOf(to);
  const isKnown = seenMessages.some((each) => isObject(each) && each.from === from && each.id === id);
  const isSound = partsIn(message, "envelope").every(({ value }) => variantsOf(value).length === 1);
  const isRight = isAddressed && isOneNetwork && diagnosis(message) === undefined;
  return isRight && isSound && !isKnown && isTimely(message, now) ? "accepted" : "code";
}

/** The rule that a wrong report breaks. */
function ruleAgainst(report: string, truth: ValidationOutcome, { method, type }: JsonObject): string {
  if (report === "payload" && truth !== "envelope" && payloadSchema(method, type) === undefined) return "SNAP-VAL-003";
  const steps: readonly string[] = ["envelope", "payload"];
  return steps.includes(report) || steps.includes(truth) ? "SNAP-VAL-001" : "SNAP-VAL-002";
}

function reports(rule: string): Checker {
  return {
    rule,
    documents: ["validation"],
    *check(instance) {
      if (!isObject(instance) || !isShallow(instance)) return;
      const { message, now, seen: seenMessages, outcome } = instance;
      if (!isObject(message) || typeof now !== "number" || !Array.isArray(seenMessages) || typeof outcome !== "string")
        return;
      const truth = outcomeOf(message, now, seenMessages);
      if (outcome !== truth && ruleAgainst(outcome, truth, message) === rule)
        yield {
          at: "/outcome",
          why: `is ${JSON.stringify(outcome)}, but the message should give ${JSON.stringify(truth)}`,
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
  reports("SNAP-VAL-001"),
  reports("SNAP-VAL-002"),
  reports("SNAP-VAL-003"),
];
