import type { JsonObject } from "../../../schemas/index.ts";
import type { Variant } from "./variant.ts";

const closing = ["additionalProperties", "unevaluatedProperties"];

export const openObjects: Variant = {
  name: "open-objects",
  description: "lets undeclared members into closed objects",
  touches: (schema) => closing.some((keyword) => schema[keyword] === false),
  rewrite: (schema) =>
    Object.fromEntries(
      Object.entries(schema).filter(([keyword, value]) => !(closing.includes(keyword) && value === false)),
    ) as JsonObject,
};
