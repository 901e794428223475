import type { Cases } from "../../../../schemas/index.ts";
import { advisory } from "./documents.ts";
import { claims } from "./match.cases.ts";

const literals = claims("AGF-MATCH-006", [
  ["text", "holds for the same text", { currency: "USD" }, { currency: "USD" }, true],
  [
    "text-in-small-letters",
    "does not hold for the text in small letters",
    { currency: "USD" },
    { currency: "usd" },
    false,
    "edge",
  ],
  [
    "text-with-space",
    "does not hold for the text with a space after it",
    { currency: "USD" },
    { currency: "USD " },
    false,
  ],
  ["text-within", "does not hold for a text that contains it", { currency: "USD" }, { currency: "USDT" }, false],
  ["true-for-one", "does not hold for 1 where true is asked", { express: true }, { express: 1 }, false, "edge"],
  ["one-for-true", "does not hold for true where 1 is asked", { copies: 1 }, { copies: true }, false, "edge"],
  ["text-for-true", "does not hold for the word true", { express: true }, { express: "true" }, false],
  ["text-for-number", "does not hold for digits as text", { copies: 1 }, { copies: "1" }, false],
  ["number", "holds for the same number", { copies: 0.1 }, { copies: 0.1 }, true],
  [
    "near-number",
    "does not hold for a number that is only near",
    { copies: 0.3 },
    { copies: 0.30000000000000004 },
    false,
  ],
  ["false", "holds for false", { express: false }, { express: false }, true],
  ["zero-for-false", "does not hold for 0 where false is asked", { express: false }, { express: 0 }, false],
  ["null-for-false", "does not hold for null where false is asked", { express: false }, { express: null }, false],
  ["null-for-text", "does not hold for null where an empty text is asked", { note: "" }, { note: null }, false],
  ["empty", "holds for an empty text", { note: "" }, { note: "" }, true, "edge"],
  ["list-of-one", "does not hold for a list of the text", { currency: "USD" }, { currency: ["USD"] }, false],
  [
    "accents",
    "does not hold for the same letters spelt with another code point",
    { name: "caf\u00e9" },
    { name: "cafe\u0301" },
    false,
  ],
  ["ne", "does not hold for the value that is ruled out", { currency: { ne: "USD" } }, { currency: "USD" }, false],
  ["ne-other-type", "holds for a value of another type", { copies: { ne: 1 } }, { copies: "1" }, true],
  ["in", "holds for the last of the listed", { kind: { in: ["a", 2, false] } }, { kind: false }, true],
  [
    "in-other-type",
    "does not hold for a listed number as text",
    { kind: { in: ["a", 2, false] } },
    { kind: "2" },
    false,
  ],
  ["in-one-for-true", "does not hold for 1 where true is listed", { kind: { in: [true] } }, { kind: 1 }, false],
  ["not-in", "does not hold for a listed value", { kind: { not_in: ["a", 2] } }, { kind: 2 }, false],
  ["not-in-case", "holds for a listed text in another case", { kind: { not_in: ["a", 2] } }, { kind: "A" }, true],
]);

const comparisons = claims("AGF-MATCH-007", [
  ["gt-above", "holds above", { days: { gt: 5 } }, { days: 5.5 }, true],
  ["gt-equal", "does not hold at equality", { days: { gt: 5 } }, { days: 5 }, false, "edge"],
  ["gte-equal", "holds at equality", { days: { gte: 5 } }, { days: 5 }, true, "edge"],
  ["gte-below", "does not hold just below", { days: { gte: 16_777_217 } }, { days: 16_777_216.9 }, false],
  ["lt-below", "holds below", { days: { lt: 5 } }, { days: 4 }, true],
  ["lt-equal", "does not hold at equality", { days: { lt: 5 } }, { days: 5 }, false, "edge"],
  ["lte-equal", "holds at equality", { days: { lte: 5 } }, { days: 5 }, true, "edge"],
  ["lte-above", "does not hold above", { days: { lte: 5 } }, { days: 6 }, false],
  ["as-numbers", "holds for 10 above 9, which as text would come before", { days: { gt: 9 } }, { days: 10 }, true],
  ["negative", "does not hold for a negative number, however large", { days: { gt: -1 } }, { days: -10 }, false],
  ["zero", "does not hold for 0, which is a number like others", { days: { gt: 0 } }, { days: 0 }, false],
]);

const gaps = claims("AGF-MATCH-008", [
  ["literal-missing", "does not hold without the argument", { city: "Rome" }, {}, false],
  ["gt-missing", "does not hold without the argument", { days: { gt: -1 } }, { price: 5 }, false],
  ["lte-missing", "does not hold without the argument", { days: { lte: 5 } }, {}, false, "edge"],
  ["in-missing", "does not hold without the argument", { city: { in: ["Rome"] } }, {}, false],
  ["pattern-missing", "does not hold without the argument", { city: { pattern: "^$" } }, {}, false],
  ["ne-missing", "holds without the argument", { city: { ne: "Rome" } }, {}, true, "edge"],
  ["not-in-missing", "holds without the argument", { city: { not_in: ["Rome"] } }, {}, true],
  ["gt-text", "does not hold for digits as text", { days: { gt: 1 } }, { days: "2" }, false],
  ["lt-true", "does not hold for true", { days: { lt: 2 } }, { days: true }, false],
  ["gte-null", "does not hold for null", { days: { gte: 0 } }, { days: null }, false, "edge"],
  ["pattern-number", "does not hold for a number", { days: { pattern: "^[0-9]$" } }, { days: 5 }, false],
]);

/** A value has no spelling, so these are texts. */
const withAPoint = [
  ["with-a-point", "holds for 5.0 where 5 is asked", '{"days":5}', '{"days":5.0}'],
  ["listed-with-a-point", "holds for 5 where 5.0 is listed", '{"days":{"in":[5.0]}}', '{"days":5}'],
] as const;
const spelt: Cases = {
  rule: "AGF-MATCH-006",
  document: "match",
  valid: withAPoint.map(([name, says, tests, args]) => ({
    ...{ name, says: `is true: the condition ${says}`, at: "/holds", edge: true },
    text: `{"condition":{"args_match":${tests}},"arguments":${args},"holds":true}`,
  })),
  invalid: [],
};

export const literalCases: readonly Cases[] = [literals, spelt, comparisons, advisory("SHOULD", gaps)];
