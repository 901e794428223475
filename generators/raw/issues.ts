import type { Reading, TextIssue } from "../../schemas/index.ts";

/** The position of RFC 8259 on an issue: valid, invalid, or open, with both readings. */
export interface Stance {
  valid?: boolean;
  readings?: [Reading, Reading];
  clause?: string;
}

const repeatedNameStance: Stance = {
  clause: "RFC 8259, 4",
  readings: [
    {
      verdict: "valid",
      ids: ["names-repeat"],
      by: ["RFC 8259, 4"],
      why: "names should be unique, and many readers take the last of two",
    },
    {
      verdict: "invalid",
      ids: ["names-unique"],
      by: ["RFC 7493, 2.3"],
      why: "in I-JSON names are unique, and readers may report an error",
    },
  ],
};

const numberLimitStance: Stance = {
  clause: "RFC 8259, 6",
  readings: [
    { verdict: "valid", ids: ["numbers-unlimited"], by: ["RFC 8259, 6"], why: "the grammar has no limit" },
    {
      verdict: "invalid",
      ids: ["numbers-limited"],
      by: ["RFC 8259, 9"],
      why: "a parser may limit the range and the precision of numbers",
    },
  ],
};

/** The stance on each issue. A profile may decide the open ones. */
export const stances: Readonly<Record<TextIssue, Stance>> = {
  rewritten: { valid: true },
  malformed: { valid: false },
  // Syntax of JSON5 and similar notations. It is not JSON, but a parser may accept it (RFC 8259, 9), so a profile may give it a lower level.
  extended: { valid: false },
  encoding: { valid: false, clause: "RFC 8259, 8.1" },
  // Well-formed, but refused by the schema.
  refused: { valid: false },
  mark: {
    clause: "RFC 8259, 8.1",
    readings: [
      { verdict: "valid", ids: ["mark-ignored"], by: ["RFC 8259, 8.1"], why: "a parser may ignore a byte order mark" },
      {
        verdict: "invalid",
        ids: ["mark-refused"],
        by: ["RFC 8259, 2"],
        why: "nobody may add one, and a parser may treat it as an error",
      },
    ],
  },
  surrogate: {
    clause: "RFC 8259, 8.2",
    readings: [
      {
        verdict: "valid",
        ids: ["surrogates-alone"],
        by: ["RFC 8259, 7"],
        why: "the grammar lets any four digits follow",
      },
      {
        verdict: "invalid",
        ids: ["surrogates-paired"],
        by: ["RFC 7493, 2.1"],
        why: "in I-JSON no text has half a surrogate pair",
      },
    ],
  },
  repeated: repeatedNameStance,
  contradicted: repeatedNameStance,
  deep: {
    clause: "RFC 8259, 9",
    readings: [
      { verdict: "valid", ids: ["depth-unlimited"], by: ["RFC 8259, 2"], why: "the grammar has no limit" },
      {
        verdict: "invalid",
        ids: ["depth-limited"],
        by: ["RFC 8259, 9"],
        why: "a parser may limit the depth of nesting",
      },
    ],
  },
  big: numberLimitStance,
  inexact: numberLimitStance,
};
