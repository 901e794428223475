import type { Cases, InvalidCase, Json, ValidCase } from "../../../../schemas/index.ts";
import { asking, confirm, form, input, options, select } from "./messages.ts";

const at = "/request/default_on_expire";

/** A default instead of the one that is there. */
function instead(name: string, says: string, value: Json, from?: string): InvalidCase {
  return { name, says, change: [{ op: "replace", path: at, value }], ...(from === undefined ? {} : { from }) };
}

const ofSelect = (name: string, says: string, value: Json): ValidCase => ({
  name,
  says,
  at,
  data: asking(select, { default_on_expire: value }),
});

const ofInput = (name: string, says: string, value: Json): ValidCase => ({
  name,
  says,
  at,
  data: asking(input, { default_on_expire: value }),
});

const telling = form({ code: { type: "string", maxLength: 2 }, day: { type: "string", format: "date" } }, ["code"]);

export const defaultsCases: Cases[] = [
  {
    rule: "AHCP-ASK-010",
    document: "message",
    valid: [
      ofSelect("last-option", "is the value of the last option", "wheat"),
      ofSelect("first-option", "is the value of the first option", "rye"),
      { ...ofSelect("null", "is null, as if it were absent", null), edge: true },
      { name: "absent", says: "has no default", at: "/request", data: select },
      {
        name: "exact-text",
        says: "is, code unit by code unit, the value of one of several that look alike",
        at,
        edge: true,
        data: asking(select, { options: options("caf\u00e9", "", " rye"), default_on_expire: "caf\u00e9" }),
      },
      {
        name: "empty-text",
        says: "is empty, as the value of an option is",
        at,
        edge: true,
        data: asking(select, { options: options("rye", ""), default_on_expire: "" }),
      },
      {
        name: "with-stray-schema",
        says: "is the value of an option, beside a schema that a select does not look at",
        at,
        data: asking(select, { default_on_expire: "rye", schema: form({ a: { type: "number" } }, ["a"]) }),
      },
    ],
    invalid: [
      instead("stranger", "is the value of no option", "oat"),
      instead("other-case", "differs in case from the value of an option", "Wheat"),
      instead("with-space", "has a space after the value of an option", "wheat "),
      instead("beginning", "is the beginning of an option's value", "whea"),
      instead("label", "is the label of an option", "Rye"),
      instead("empty", "is empty, and no value is", ""),
      instead("composed-otherwise", "is composed otherwise than the value of the option", "cafe\u0301", "exact-text"),
      instead("trimmed", "lacks the space of the option's value", "rye", "exact-text"),
      instead("object", "is an object", { value: "rye" }),
    ],
  },
  {
    rule: "AHCP-ASK-011",
    document: "message",
    valid: [
      ofInput("filled-in", "fills in the form", { flour: "rye", litres: 1.5 }),
      { ...ofInput("only-required", "fills in what is required, and no more", { flour: "" }), edge: true },
      { ...ofInput("null", "is null, as if it were absent", null), edge: true },
      { name: "absent", says: "has no default", at: "/request", data: input },
      ofInput("further-member", "has a member that the form does not forbid", { flour: "rye", toString: 1 }),
      {
        name: "telling-form",
        says: "has two characters, of four code units, where two are allowed",
        at,
        edge: true,
        data: asking(input, {
          schema: { ...telling, additionalProperties: false },
          default_on_expire: { code: "\u{1f35e}\u{1f950}", day: "2026-03-02" },
        }),
      },
      {
        name: "with-stray-options",
        says: "fills in the form, beside options that an input does not look at",
        at,
        data: asking(input, { options: options("rye"), default_on_expire: { flour: "oat" } }),
      },
    ],
    invalid: [
      instead("text", "is a text", "rye"),
      instead("required-missing", "lacks what the form requires", { litres: 1 }),
      instead("empty", "is empty, and the form requires a field", {}, "only-required"),
      instead("wrong-type", "has a number for a text", { flour: 5 }),
      instead("number-as-text", "has a text for a number", { flour: "rye", litres: "1.5" }),
      instead("too-long", "has three characters where two are allowed", { code: "abc" }, "telling-form"),
      instead("stranger", "has a member that the form forbids", { code: "a", note: "" }, "telling-form"),
      instead("option-value", "is a text that an option has, in an input", "rye", "with-stray-options"),
    ],
    disputed: [
      {
        ...instead("no-day", "has a day that there is not", { code: "a", day: "2026-02-30" }, "telling-form"),
        readings: [
          { verdict: "valid", by: ["JSON Schema"], why: "under 2020-12 a format describes unless it is said to bind" },
          { verdict: "invalid", by: ["format assertion"], why: "the form names a format that the value does not have" },
        ],
      },
    ],
  },
  {
    rule: "AHCP-ASK-012",
    document: "message",
    valid: [
      { name: "deny", says: "is deny", at, data: asking(confirm, { default_on_expire: "deny" }) },
      { name: "approve", says: "is approve", at, data: asking(confirm, { default_on_expire: "approve" }) },
      { name: "null", says: "is null", at, edge: true, data: asking(confirm, { default_on_expire: null }) },
      {
        name: "own-options",
        says: "is the second of two values of its own",
        at,
        edge: true,
        data: asking(confirm, { options: options("now", "later"), default_on_expire: "later" }),
      },
    ],
    invalid: [
      instead("maybe", "is neither approve nor deny", "maybe"),
      instead("other-case", "is deny with a capital", "Deny"),
      instead("yes", "is yes", "yes"),
      instead("approve-beside-own", "is approve, which is none of the two of its own", "approve", "own-options"),
      instead("object", "is an object", { value: "deny" }),
    ],
  },
];
