import type { Cases } from "../../../../schemas/index.ts";
import { coreContext } from "./event.ts";
import { event, tidewatch } from "./messages.ts";

const numbered = JSON.stringify(event("agent.session.completed", { sequence_number: 7, tool_invocations_count: 3 }));
const measured = JSON.stringify(
  event("agent.state.changed", {
    "@context": [coreContext, tidewatch],
    extensions: { tidewatch: { readings: [1, 2], note: "9007199254740993" } },
  }),
);
const number = (literal: string): string => numbered.replace('"sequence_number":7', `"sequence_number":${literal}`);
const reading = (literal: string): string => measured.replace("[1,2]", `[1,${literal}]`);
const named = (escapes: string): string => measured.replace('"readings"', `"${escapes}"`);
const [sequence, last] = ["/sequence_number", "/extensions/tidewatch/readings/1"];
const needs = ["big-numbers"] as const;

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-ENV-001",
    document: "agent.state.changed",
    valid: [
      {
        name: "pair-in-a-name",
        at: "/extensions/tidewatch",
        says: "has a member whose name is a surrogate pair of two escapes",
        text: named("\\ud83c\\udf09"),
        edge: true,
      },
    ],
    invalid: [
      {
        name: "lone-surrogate-in-a-name",
        at: "/extensions/tidewatch",
        says: "has a member whose name is half a surrogate pair",
        text: named("\\ud83c"),
      },
    ],
  },
  {
    rule: "AAEP-ENV-035",
    document: "agent.session.completed",
    valid: [
      { name: "small", at: sequence, says: "is small", text: numbered },
      { name: "largest", at: sequence, says: "is 2^53", text: number("9007199254740992"), edge: true },
    ],
    invalid: [
      { name: "one-over", at: sequence, says: "is 2^53 + 1", text: number("9007199254740993"), edge: true, needs },
      { name: "64-bits", at: sequence, says: "is 2^64", text: number("18446744073709551616"), needs },
    ],
  },
  {
    rule: "AAEP-ENV-035",
    document: "agent.state.changed",
    valid: [
      { name: "text", at: "/extensions/tidewatch/note", says: "is a text of digits", text: measured, edge: true },
      {
        name: "exponent",
        at: last,
        says: "is large, and written with an exponent",
        text: reading("1e300"),
        edge: true,
      },
      {
        name: "fraction",
        at: last,
        says: "is large, and written with a fraction",
        text: reading("9007199254740993.0"),
        edge: true,
      },
      { name: "least", at: last, says: "is -2^53", text: reading("-9007199254740992"), edge: true },
    ],
    invalid: [
      {
        name: "one-over-in-a-list",
        at: last,
        says: "is 2^53 + 1",
        text: reading("9007199254740993"),
        edge: true,
        needs,
      },
      {
        name: "one-below-the-least",
        at: last,
        says: "is -2^53 - 1",
        text: reading("-9007199254740993"),
        edge: true,
        needs,
      },
    ],
  },
];
