import type { JsonObject, Lift, Profile } from "../../../../schemas/index.ts";
import type { Variant } from "./variant.ts";

const closingKeywords = ["additionalProperties", "unevaluatedProperties"];

export const openObjects: Variant = {
  name: "open-objects",
  description: "accepts undeclared members in closed objects",
  conforms: isOpenByReading,
  affects: (schema) => closingKeywords.some((keyword) => schema[keyword] === false),
  rewrite: (schema) =>
    Object.fromEntries(
      Object.entries(schema).filter(([keyword, value]) => !(closingKeywords.includes(keyword) && value === false)),
    ) as JsonObject,
};

/** Whether some reading of the protocol allows undeclared members in every message. The variant is correct under such a reading. */
function isOpenByReading({ contradictions = [], documents }: Profile): boolean {
  const messages = documents.filter(({ role }) => role !== "record" && role !== "trace");
  const opens = (lifts: readonly Lift[], schema: string): boolean =>
    lifts.some(
      (lift) =>
        typeof lift === "string" &&
        lift.startsWith(`${schema}#`) &&
        closingKeywords.some((keyword) => lift.endsWith(`/${keyword}`)),
    );
  return contradictions.some(({ readings }) =>
    readings.some(({ lifts = [] }) => messages.every(({ schema }) => opens(lifts, schema))),
  );
}
