import type { JsonObject, Lift, Profile } from "../../../../schemas/index.ts";
import type { Variant } from "./variant.ts";

const closing = ["additionalProperties", "unevaluatedProperties"];

export const openObjects: Variant = {
  name: "open-objects",
  description: "accepts undeclared members in closed objects",
  conforms: isRead,
  touches: (schema) => closing.some((keyword) => schema[keyword] === false),
  rewrite: (schema) =>
    Object.fromEntries(
      Object.entries(schema).filter(([keyword, value]) => !(closing.includes(keyword) && value === false)),
    ) as JsonObject,
};

/** Whether a reading of the protocol opens every message: then it is right under that reading, not a mistake. */
function isRead({ contradictions = [], documents }: Profile): boolean {
  const messages = documents.filter(({ role }) => role !== "record" && role !== "trace");
  const opens = (lifts: readonly Lift[], schema: string): boolean =>
    lifts.some(
      (lift) =>
        typeof lift === "string" &&
        lift.startsWith(`${schema}#`) &&
        closing.some((keyword) => lift.endsWith(`/${keyword}`)),
    );
  return contradictions.some(({ readings }) =>
    readings.some(({ lifts = [] }) => messages.every(({ schema }) => opens(lifts, schema))),
  );
}
