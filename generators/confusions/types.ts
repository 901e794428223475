import { type Confusion, ofValue } from "./confusion.ts";

const numeral = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** Coercions: of parsers, of forms, and of languages that convert values. */
export const types: readonly Confusion[] = [
  ofValue({
    name: "number-in-text",
    says: "a number is read out of a text",
    shown: "is a text with a number, which is read out of it by some",
    isAt: ({ types }) => (types.has("integer") || types.has("number")) && !types.has("string"),
    value: (value) => (typeof value === "string" && numeral.test(value) ? { value: Number(value) } : undefined),
    near: (value) => (typeof value === "number" ? [String(value)] : ["1", "60", "0", "1000"]),
  }),
  ofValue({
    name: "text-of-number",
    says: "a number is taken for its text",
    shown: "is a number, which is taken for its text by some",
    isAt: ({ types }) => types.has("string") && !types.has("integer") && !types.has("number"),
    value: (value) => (typeof value === "number" ? { value: String(value) } : undefined),
    near: (value) => [
      ...(typeof value === "string" && numeral.test(value) && String(Number(value)) === value ? [Number(value)] : []),
      1,
      12345,
      12345678,
      0.3,
      1.5,
    ],
  }),
  ofValue({
    name: "number-of-boolean",
    says: "a boolean is taken for 1 or 0",
    shown: "is a boolean, which is taken for 1 or 0 by some",
    isAt: ({ types }) => (types.has("integer") || types.has("number")) && !types.has("boolean"),
    value: (value) => (typeof value === "boolean" ? { value: value ? 1 : 0 } : undefined),
    near: () => [true, false],
  }),
  ofValue({
    name: "boolean-of-number",
    says: "1 and 0 are taken for booleans",
    shown: "is 1 or 0, which is taken for a boolean by some",
    isAt: ({ types }) => types.has("boolean") && !types.has("integer") && !types.has("number"),
    value: (value) => (value === 1 || value === 0 ? { value: value === 1 } : undefined),
    near: (value) => (typeof value === "boolean" ? [Number(value)] : [0, 1]),
  }),
  ofValue({
    name: "boolean-in-text",
    says: "a boolean is read out of a text",
    shown: "is a text with a boolean, which is read out of it by some",
    isAt: ({ types }) => types.has("boolean") && !types.has("string"),
    value: (value) => (value === "true" || value === "false" ? { value: value === "true" } : undefined),
    near: (value) => (typeof value === "boolean" ? [String(value)] : ["true", "false"]),
  }),
];
