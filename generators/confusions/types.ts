import { type Confusion, valueConfusion } from "./confusion.ts";

const numeral = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** Coercions by parsers, by forms, and by languages that convert values. */
export const types: readonly Confusion[] = [
  valueConfusion({
    name: "number-in-text",
    says: "a number is parsed from a string",
    shown: "is a string with a number, which some readers parse",
    appliesTo: ({ types }) => (types.has("integer") || types.has("number")) && !types.has("string"),
    value: (value) => (typeof value === "string" && numeral.test(value) ? { value: Number(value) } : undefined),
    near: (value) => (typeof value === "number" ? [String(value)] : ["1", "60", "0", "1000"]),
  }),
  valueConfusion({
    name: "text-of-number",
    says: "a number is accepted as its text",
    shown: "is a number, which some readers convert to a string",
    appliesTo: ({ types }) => types.has("string") && !types.has("integer") && !types.has("number"),
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
  valueConfusion({
    name: "number-of-boolean",
    says: "a boolean is accepted as 1 or 0",
    shown: "is a boolean, which some readers accept as 1 or 0",
    appliesTo: ({ types }) => (types.has("integer") || types.has("number")) && !types.has("boolean"),
    value: (value) => (typeof value === "boolean" ? { value: value ? 1 : 0 } : undefined),
    near: () => [true, false],
  }),
  valueConfusion({
    name: "boolean-of-number",
    says: "1 and 0 are accepted as booleans",
    shown: "is 1 or 0, which some readers accept as a boolean",
    appliesTo: ({ types }) => types.has("boolean") && !types.has("integer") && !types.has("number"),
    value: (value) => (value === 1 || value === 0 ? { value: value === 1 } : undefined),
    near: (value) => (typeof value === "boolean" ? [Number(value)] : [0, 1]),
  }),
  valueConfusion({
    name: "boolean-in-text",
    says: "a boolean is parsed from a string",
    shown: "is a string with a boolean, which some readers parse",
    appliesTo: ({ types }) => types.has("boolean") && !types.has("string"),
    value: (value) => (value === "true" || value === "false" ? { value: value === "true" } : undefined),
    near: (value) => (typeof value === "boolean" ? [String(value)] : ["true", "false"]),
  }),
];
