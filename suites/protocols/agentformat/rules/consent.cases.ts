import { set } from "../../../../generators/index.ts";
import type { Cases, InvalidCase, Json, JsonObject, Reading, ValidCase } from "../../../../schemas/index.ts";
import { advisory } from "./documents.ts";

/** A call that was made with consent, or without where nobody was asked. */
const consented = (given: JsonObject, asked: boolean, args: JsonObject = { price: 150, city: "Rome" }): JsonObject => ({
  ...given,
  governance: given.governance ?? [],
  arguments: args,
  asked,
  ...(asked ? { granted: true } : {}),
  called: true,
});

type Row = [name: string, says: string, of: JsonObject, asked: boolean, args?: JsonObject | undefined, edge?: "edge"];

/** A record for each row, and for each one in which the runtime did the contrary. */
function asking(rule: string, rows: readonly Row[]): Cases {
  const valid = rows.map(([name, says, given, asked, args, edge]): ValidCase => {
    const data = consented(given, asked, args);
    return { name, says: `is ${asked}: ${says}`, data, at: "/asked", ...(edge ? { edge: true } : {}) };
  });
  const invalid = rows.map(
    ([name, says, , asked, , edge]): InvalidCase => ({
      name: `${name}-${asked ? "unasked" : "asked"}`,
      from: name,
      says: `is ${!asked}, although ${says}`,
      // Nobody can have granted what nobody was asked, and who was asked did.
      change: [
        ...set("/asked", !asked),
        asked ? { op: "remove", path: "/granted" } : { op: "add", path: "/granted", value: true },
      ],
      at: "/asked",
      ...(edge ? { edge: true } : {}),
    }),
  );
  return { rule, document: "consent", valid, invalid };
}

const when = (args_match: JsonObject): Json => ({ condition: { args_match } });
const costly = when({ price: { gt: 100 } });

const plain = asking("AGF-APPR-002", [
  ["own-true", "the approval of the tool is true", { own: true }, true],
  ["own-false", "the approval of the tool is false", { own: false }, false],
  [
    "own-true-alone",
    "the approval of the tool is true, though no policy demands it",
    { own: true, governance: [false] },
    true,
  ],
  ["none", "there is no approval anywhere", {}, false, undefined, "edge"],
  ["inherited", "the tool has no approval of its own, and its server's is true", { inherited: true }, true],
  [
    "exempt",
    "the approval of the tool is false, though its server's is true",
    { own: false, inherited: true },
    false,
    undefined,
    "edge",
  ],
  [
    "own-beyond",
    "the approval of the tool is true, though its server's is false",
    { own: true, inherited: false },
    true,
  ],
  [
    "exempt-from-condition",
    "the approval of the tool is false, though the condition of its server's holds",
    { own: false, inherited: costly },
    false,
  ],
  ["allowed-by-governance", "no approval and no policy demands it", { governance: [false, false] }, false],
]);

const empty = asking("AGF-APPR-003", [
  ["empty", "an empty approval asks always", { own: {} }, true, undefined, "edge"],
  ["template-only", "an approval with nothing but a message asks always", { own: { message_template: "Book?" } }, true],
  ["inherited-empty", "the empty approval of the server asks always", { inherited: {} }, true],
  ["no-arguments", "an empty approval asks, whatever the arguments", { own: {} }, true, {}],
]);

const conditional = asking("AGF-APPR-004", [
  ["above", "the condition holds", { own: costly }, true, { price: 150 }],
  ["below", "the condition does not hold", { own: costly }, false, { price: 50 }],
  ["equal", "the condition does not hold at equality", { own: costly }, false, { price: 100 }, "edge"],
  ["empty-condition", "a condition without tests always holds", { own: when({}) }, true],
  ["inherited", "the condition of the server's approval does not hold", { inherited: costly }, false, { price: 50 }],
  [
    "with-message",
    "the condition does not hold, whatever the message",
    { own: { message_template: "Book?", condition: { args_match: { city: "Oslo" } } } },
    false,
  ],
  [
    "second-group",
    "the second group holds",
    { own: { condition: [{ args_match: { city: "Oslo" } }, { args_match: { price: { lt: 200 } } }] } },
    true,
  ],
]);

/** Whether a tool's own condition stands beside what its server demands, or in its place, is unsaid. */
const beside = (asked: boolean): Reading[] => [
  { verdict: asked ? "invalid" : "valid", by: ["in its place"], why: "the tool's own approval is the one that counts" },
  {
    verdict: asked ? "valid" : "invalid",
    by: ["beside it"],
    why: "the server's approval is not lifted by a condition",
  },
];
conditional.disputed = [false, true].map((asked) => ({
  name: `own-before-inherited${asked ? "-asked" : ""}`,
  from: "below",
  says: `is ${asked}: the condition of the tool's own approval does not hold, and the server's approval is true`,
  change: [
    { op: "add", path: "/inherited", value: true },
    ...(asked ? [...set("/asked", true), { op: "add", path: "/granted", value: true } as const] : []),
  ],
  at: "/asked",
  readings: beside(asked),
  edge: true,
}));

const governed = asking("AGF-APPR-006", [
  ["governance-alone", "a policy demands it", { governance: [true] }, true],
  [
    "one-of-three",
    "the last of three policies demands it",
    { governance: [false, false, true] },
    true,
    undefined,
    "edge",
  ],
  [
    "over-false",
    "a policy demands it, which the tool's false does not cancel",
    { own: false, governance: [true] },
    true,
    undefined,
    "edge",
  ],
  [
    "over-condition",
    "a policy demands it, though the condition of the tool does not hold",
    { own: costly, governance: [true] },
    true,
    { price: 5 },
  ],
  [
    "over-inherited",
    "a policy demands it, though the server's approval is false",
    { inherited: false, governance: [true, false] },
    true,
  ],
]);

/** What MATCH-008 says of consent: where a condition cannot be decided, asking is right. */
const undecided = asking("AGF-MATCH-008", [
  ["missing", "the argument that the condition looks at is not there", { own: costly }, true, { city: "Rome" }],
  ["wrong-type", "the argument is text where a number is compared", { own: costly }, true, { price: "50" }, "edge"],
  [
    "inherited-missing",
    "the argument is not there, and the condition is the server's",
    { inherited: costly },
    true,
    {},
  ],
]);

const asked = (own: JsonObject, message: string, args: JsonObject): JsonObject => ({
  ...consented({ own }, true, args),
  message,
});
const template = { message_template: "Book {{tool_args.city}} for {{tool_args.guest}}?" };
const rome = { city: "Rome", guest: "Zoë" };

const messages: Cases = {
  rule: "AGF-APPR-005",
  document: "consent",
  valid: [
    {
      name: "filled",
      says: "has the arguments for the placeholders",
      data: asked(template, "Book Rome for Zoë?", rome),
      at: "/message",
    },
    {
      name: "within-more-words",
      says: "has the filled text among other words",
      data: asked(template, "The trip desk asks: Book Rome for Zoë? (yes/no)", rome),
      at: "/message",
      edge: true,
    },
    {
      name: "no-placeholder",
      says: "is the template, which has no placeholder",
      data: asked({ message_template: "Book it?" }, "Book it?", rome),
      at: "/message",
    },
    {
      name: "dollar",
      says: "has an argument with signs that mean something to other templates",
      data: asked(template, "Book $& for $1?", { city: "$&", guest: "$1" }),
      at: "/message",
      edge: true,
    },
    {
      name: "braces-in-argument",
      says: "has an argument that looks like no placeholder",
      data: asked(template, "Book {Rome} for Zoë?", { city: "{Rome}", guest: "Zoë" }),
      at: "/message",
    },
    {
      name: "same-twice",
      says: "has one argument in both places where it belongs",
      data: asked({ message_template: "{{tool_args.city}}, yes {{tool_args.city}}?" }, "Rome, yes Rome?", rome),
      at: "/message",
    },
  ],
  invalid: [
    { name: "raw", says: "is the template as it is", change: set("/message", template.message_template) },
    {
      name: "first-only",
      says: "has the first placeholder filled",
      change: set("/message", "Book Rome for {{tool_args.guest}}?"),
    },
    { name: "swapped", says: "has the arguments in each other's place", change: set("/message", "Book Zoë for Rome?") },
    { name: "names", says: "has the names of the arguments", change: set("/message", "Book city for guest?") },
    {
      name: "once",
      from: "same-twice",
      says: "has the argument in the first place alone",
      change: set("/message", "Rome, yes {{tool_args.city}}?"),
      edge: true,
    },
  ],
};

const refused: Cases = {
  rule: "AGF-APPR-007",
  document: "consent",
  valid: [
    { name: "granted", says: "was made with consent", data: consented({ own: true }, true), at: "/called" },
    {
      name: "refused",
      says: "was not made, as consent was refused",
      data: { ...consented({ own: true }, true), granted: false, called: false },
      at: "/called",
    },
    {
      name: "granted-not-called",
      says: "was not made, though consent was given",
      data: { ...consented({ own: true }, true), called: false },
      at: "/called",
      edge: true,
    },
    {
      name: "governance-refused",
      says: "was not made, as consent for governance's sake was refused",
      data: { ...consented({ own: false, governance: [true] }, true), granted: false, called: false },
      at: "/called",
    },
  ],
  invalid: [
    {
      name: "refused-called",
      from: "refused",
      says: "was made, though consent was refused",
      change: set("/called", true),
      edge: true,
    },
    {
      name: "governance-refused-called",
      from: "governance-refused",
      says: "was made, though consent for governance's sake was refused",
      change: set("/called", true),
    },
  ],
};

export const consentCases: readonly Cases[] = [
  plain,
  empty,
  conditional,
  governed,
  advisory("SHOULD", undecided),
  messages,
  refused,
];
