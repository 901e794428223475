import type { Json } from "../../schemas/index.ts";
import { addSteps } from "../keywords/decimal.ts";
import { isType } from "../keywords/type.ts";
import { type Family, type FaultContext, type Proposal, replace, show } from "./fault.ts";

/** A value of another JSON type: one of every other type, and values that lax readers convert. */
export const type: Family = {
  name: "type",
  keywords: ["type"],
  *propose(context) {
    const { keyword, at } = context;
    if (keyword.kind !== "type") return;
    const allowedTypes = keyword.types.join(" or ");
    const refused = [...otherTypes.slice(0, 1), ...confusableValues(context), ...otherTypes.slice(1)].filter(
      ([, , other]) => !keyword.types.some((each) => isType(each, other)),
    );
    for (const [fault, detail, value] of context.first ? refused : refused.slice(0, 1)) {
      yield {
        fault,
        detail,
        site: keyword.site,
        at,
        change: replace(at, value),
        get says() {
          return `is ${show(value)}, not ${allowedTypes}`;
        },
      } satisfies Proposal;
    }
  },
};

const otherTypes: [fault: string, detail: string, value: Json][] = [
  ["wrong-type", "null", null],
  ["wrong-type", "number", 7],
  ["wrong-type", "string", "text"],
  ["wrong-type", "object", {}],
  ["wrong-type", "array", []],
  ["wrong-type", "boolean", true],
];

function confusableValues({ keyword, value, model }: FaultContext): [string, string, Json][] {
  if (keyword.kind !== "type") return [];
  const allows = (name: string) => keyword.types.includes(name);
  const values: [string, string, Json][] = [];
  if ((allows("integer") || allows("number")) && typeof value === "number") {
    values.push(["confusable-type", "number-as-text", String(value)]);
    values.push(["confusable-type", "boolean-for-number", value !== 0]);
    // `parseInt` and similar functions ignore the letter, which no number format uses.
    if (model.asText === true) values.push(["confusable-type", "number-and-more", `${value}z`]);
    if (allows("integer"))
      values.push(["fraction", "half", value + 0.5], ["fraction", "very-little", addSteps(value, 1, 1e-7)]);
  }
  if (allows("boolean")) {
    values.push(
      ["confusable-type", "boolean-as-text", "true"],
      ["confusable-type", "number-for-boolean", 1],
      ["confusable-type", "zero-for-boolean", 0],
    );
  }
  if (allows("string") && typeof value === "string") values.push(["confusable-type", "text-in-a-list", [value]]);
  if (allows("array") && Array.isArray(value)) {
    values.push(["confusable-type", "bare-item", value[0] ?? "item"]);
    values.push([
      "confusable-type",
      "array-like-object",
      Object.fromEntries(value.map((item, index) => [String(index), item])),
    ]);
  }
  if (allows("object"))
    values.push(
      ["confusable-type", "object-in-a-list", [value]],
      ["confusable-type", "object-as-text", JSON.stringify(value)],
    );
  return values;
}
