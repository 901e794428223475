import type { Cases, InvalidCase, Json } from "../../../../schemas/index.ts";
import { asking, form, input, select } from "./messages.ts";
import { answered, outcome } from "./responses.ts";

const at = "/response/response/value";
const marked = asking(input, {
  schema: form({ recipe: { type: "string", "x-ahcp-sensitive": true }, rounds: { type: "integer" } }, ["recipe"]),
});
const whole = { ...input, sensitive: true };

function key(name: string, says: string, value: Json, from?: string): InvalidCase {
  const path = from === "whole-message" ? `${at}/flour` : `${at}/recipe`;
  return { name, says, change: [{ op: "replace", path, value }], ...(from === undefined ? {} : { from }) };
}

export const sensitiveCases: Cases[] = [
  {
    rule: "AHCP-SAF-005",
    document: "outcome",
    valid: [
      {
        name: "reference",
        says: "names where the value is kept",
        at: `${at}/recipe`,
        data: outcome(marked, answered({ recipe: { secret_ref: "vault://recipes/rye" }, rounds: 3 })),
      },
      {
        name: "value",
        says: "is the value itself, as declared",
        at: `${at}/recipe`,
        data: outcome(marked, answered({ recipe: "flour and water" })),
      },
      {
        name: "whole-message",
        says: "names where the value is kept, in a message that is sensitive as a whole",
        at: `${at}/flour`,
        data: outcome(whole, answered({ flour: { secret_ref: "s" } })),
        edge: true,
      },
      {
        name: "untyped-field",
        says: "is an answer like any other, as the field takes anything",
        at: `${at}/recipe`,
        edge: true,
        data: outcome(
          asking(marked, { schema: form({ recipe: { "x-ahcp-sensitive": true } }) }),
          answered({ recipe: { secret_ref: 5 } }),
        ),
      },
    ],
    invalid: [
      key("number", "has a number for the place", { secret_ref: 5 }),
      key("empty", "has an empty place", { secret_ref: "" }),
      key("null", "has null for the place", { secret_ref: null }),
      key("value-beside", "has the value beside its place", { secret_ref: "vault://recipes/rye", value: "flour" }),
      key("number-in-whole-message", "has a number for the place", { secret_ref: 5 }, "whole-message"),
    ],
    disputed: [
      {
        name: "whole-answer",
        from: "whole-message",
        says: "is a reference in the place of all answers",
        at,
        change: [{ op: "replace", path: at, value: { secret_ref: "vault://dough" } }],
        readings: [
          { verdict: "valid", by: ["specification §9.6"], why: "a sensitive answer may be given as a reference" },
          { verdict: "invalid", by: ["position"], why: "a form is answered field by field" },
        ],
      },
    ],
  },
  {
    rule: "AHCP-RSP-010",
    document: "outcome",
    valid: [
      {
        name: "sensitive-select",
        says: "is picked, from an ask that is sensitive as a whole",
        at,
        data: outcome({ ...select, sensitive: true }, answered("rye")),
      },
      {
        name: "reference",
        says: "has a reference in the sensitive field",
        at,
        data: outcome(marked, answered({ recipe: { secret_ref: "vault://r" }, rounds: 3 })),
      },
    ],
    invalid: [
      {
        name: "reference-in-open-field",
        from: "reference",
        says: "is a reference in a field that is not sensitive",
        change: [{ op: "replace", path: `${at}/rounds`, value: { secret_ref: "vault://rounds" } }],
      },
      {
        name: "number-in-sensitive-field",
        from: "reference",
        says: "is neither a reference nor a text",
        change: [{ op: "replace", path: `${at}/recipe`, value: 5 }],
      },
    ],
    disputed: [
      {
        name: "reference-for-option",
        says: "is a reference instead of an option",
        change: [{ op: "replace", path: at, value: { secret_ref: "vault://choice" } }],
        readings: [
          { verdict: "valid", by: ["specification §9.6"], why: "a sensitive answer may be given as a reference" },
          { verdict: "invalid", by: ["specification §6"], why: "the value of a select is a text" },
        ],
      },
      {
        name: "reference-in-composed-form",
        from: "reference",
        says: "is a reference in a sensitive field of which the form speaks twice",
        change: [
          {
            op: "add",
            path: "/message/request/schema/allOf",
            value: [{ properties: { recipe: { type: "string", maxLength: 200 } } }],
          },
        ],
        readings: [
          { verdict: "valid", by: ["specification §9.6"], why: "a sensitive answer may be given as a reference" },
          { verdict: "invalid", by: ["schema"], why: "the form as a whole asks for a text" },
        ],
      },
    ],
  },
];
