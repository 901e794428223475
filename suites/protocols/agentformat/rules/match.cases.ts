import { set } from "../../../../generators/index.ts";
import type { Cases, InvalidCase, Json, JsonObject, ValidCase } from "../../../../schemas/index.ts";

type Row = [name: string, says: string, condition: Json, args: JsonObject, holds: boolean, edge?: "edge"];

/** A claim for each row, and for each the contrary one. */
export function claims(rule: string, rows: readonly Row[]): Cases {
  const valid = rows.map(([name, says, tests, args, holds, edge]): ValidCase => {
    const condition = isCondition(tests) ? tests : { args_match: tests };
    const data = { condition, arguments: args, holds };
    return { name, says: `is ${holds}: the condition ${says}`, data, at: "/holds", ...(edge ? { edge: true } : {}) };
  });
  const invalid = rows.map(([name, says, , , holds, edge]): InvalidCase => {
    const contrary = `is ${!holds}, although the condition ${says}`;
    const change = set("/holds", !holds);
    return { name: `${name}-denied`, from: name, says: contrary, change, ...(edge ? { edge: true } : {}) };
  });
  return { rule, document: "match", valid, invalid };
}

function isCondition(tests: Json): boolean {
  return Array.isArray(tests) || Object.hasOwn(tests as JsonObject, "args_match");
}

const both = { city: "Rome", days: 3 };
const either: Json = [{ args_match: { city: "Rome" } }, { args_match: { days: { gt: 5 } } }];

const groups = claims("AGF-MATCH-003", [
  ["both", "holds, as both tests do", both, { city: "Rome", days: 3 }, true],
  ["second-fails", "does not hold, as its second test fails", both, { city: "Rome", days: 4 }, false, "edge"],
  ["first-fails", "does not hold, as its first test fails", both, { city: "Oslo", days: 3 }, false],
  ["further-arguments", "holds, whatever other arguments there are", both, { city: "Rome", days: 3, price: 9 }, true],
  ["first-group", "holds by its first group", either, { city: "Rome", days: 1 }, true],
  ["last-group", "holds by its last group", either, { city: "Oslo", days: 9 }, true, "edge"],
  ["no-group", "does not hold, as none of its groups does", either, { city: "Oslo", days: 5 }, false],
  [
    "tests-of-two-groups",
    "does not hold, as only tests of different groups do",
    [{ args_match: { city: "Rome", days: 3 } }, { args_match: { city: "Oslo", days: 5 } }],
    { city: "Rome", days: 5 },
    false,
    "edge",
  ],
]);

const operators = claims("AGF-MATCH-004", [
  ["between", "holds between two bounds", { days: { gt: 1, lt: 5 } }, { days: 3 }, true],
  ["above-both", "does not hold above both bounds", { days: { gt: 1, lt: 5 } }, { days: 7 }, false],
  ["below-both", "does not hold below both bounds", { days: { gt: 1, lt: 5 } }, { days: 0 }, false],
  [
    "gap",
    "does not hold where a range leaves out one value",
    { days: { gte: 1, lte: 5, ne: 3 } },
    { days: 3 },
    false,
    "edge",
  ],
  [
    "in-and-not-in",
    "does not hold for what is listed and ruled out",
    { city: { in: ["Rome", "Oslo"], not_in: ["Oslo"] } },
    { city: "Oslo" },
    false,
  ],
  [
    "pattern-and-ne",
    "does not hold for the one name that is ruled out",
    { city: { pattern: "^[A-Z][a-z]*$", ne: "Rome" } },
    { city: "Rome" },
    false,
  ],
  ["pattern", "holds for a text that fits the pattern", { city: { pattern: "^[A-Z][a-z]*$" } }, { city: "Oslo" }, true],
  [
    "pattern-misses",
    "does not hold for a text that goes on after the pattern",
    { city: { pattern: "^[A-Z][a-z]*$" } },
    { city: "Oslo!" },
    false,
  ],
]);

const nothing = claims("AGF-MATCH-005", [
  ["no-arguments", "holds for no arguments at all", {}, {}, true, "edge"],
  ["any-arguments", "holds for any arguments", {}, { city: "Rome", days: null }, true],
  [
    "one-of-two",
    "holds by the group without tests",
    [{ args_match: { city: "Oslo" } }, { args_match: {} }],
    { city: "Rome" },
    true,
  ],
  ["no-tests-member", "holds without tests", [{}], { city: "Rome" }, true, "edge"],
]);

export const matchCases: readonly Cases[] = [groups, operators, nothing];
