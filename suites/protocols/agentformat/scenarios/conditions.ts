import type { Json, JsonObject, Level, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { type Draw, drawFrom } from "./draw.ts";
import { approval, type ConditionPlace, places } from "./places.ts";
import { type Runtime, runtimeOf } from "./runtime.ts";

/** The tests of one group, by the name of the tested value. */
type Tests = Record<string, Json>;

/** A condition on some values, and whether it matches them. */
interface ConditionRow {
  groups: readonly Tests[];
  values: JsonObject;
  holds: boolean;
  /** The types differ. That may be a reason to ask for consent, so the row is not played with an approval. */
  mixesTypes?: true;
  /** The value is missing or has another type, so the runtime should ask for consent. */
  asks?: true;
  /** A run may end at a path without a value (AGF-PATH-007) before the condition decides. */
  mayEnd?: true;
}

const conditionRow = (tests: Tests, values: JsonObject, holds: boolean): ConditionRow => ({
  groups: [tests],
  values,
  holds,
});

function conditionOf({ groups }: ConditionRow, place: ConditionPlace): Json {
  const matchGroups = groups.map((tests) => ({
    args_match: Object.fromEntries(Object.entries(tests).map(([name, test]) => [place.key(name), test])),
  }));
  return matchGroups.length === 1 ? (matchGroups[0] as Json) : matchGroups;
}

/** The reason why a simple condition has no effect at a place; undefined if it has one. */
async function explainNoEffect(runtime: Runtime, place: ConditionPlace, { word }: Draw): Promise<string | undefined> {
  const [matching, notMatching] = [word(), word()];
  for (const [value, holds] of [
    [matching, true],
    [`${notMatching}${matching}`, false],
  ] as const) {
    const outcome = await place.play(runtime, conditionOf(conditionRow({ kind: matching }, {}, true), place), {
      kind: value,
    });
    if (typeof outcome === "string") return outcome;
    if (outcome === undefined) return "a loop ends in the middle of a round";
    if (outcome !== holds) return `a literal does not decide ${place.effect}`;
  }
  return undefined;
}

/** Whether a condition on these values should match at a place; undefined if the row is not played there. */
function expectedResult(place: ConditionPlace, { holds, mixesTypes, asks }: ConditionRow): boolean | undefined {
  if (place !== approval) return holds;
  return mixesTypes === true ? undefined : asks === true || holds;
}

async function playRows(
  context: ScenarioContext,
  { rule, level }: { rule: string; level?: Level },
  draw: Draw,
  rows: readonly ConditionRow[],
): Promise<void> {
  const runtime = runtimeOf(context);
  for (const place of places) {
    const reason = await explainNoEffect(runtime, place, draw);
    if (reason !== undefined) {
      context.skip(rule, `conditions that decide ${place.effect} were not tested: ${reason}`);
      continue;
    }
    for (const row of rows) {
      const expected = expectedResult(place, row);
      if (expected === undefined) continue;
      const condition = conditionOf(row, place);
      const outcome = await place.play(runtime, condition, row.values);
      const conditionText = `the condition ${JSON.stringify(condition)}, which decides ${place.effect}, on ${JSON.stringify(row.values)}`;
      if (outcome === undefined) {
        context.skip(rule, `${conditionText}: the loop ends in the middle of a round`);
        continue;
      }
      if (typeof outcome === "string" && row.mayEnd === true && place !== approval) continue;
      // If the behaviour is only recommended, the runtime may also end the run.
      if (typeof outcome === "string" && level === "SHOULD") {
        context.skip(rule, `${conditionText}: ${outcome}`);
        continue;
      }
      const observed = typeof outcome === "string" ? outcome : `it ${outcome ? "matches" : "does not match"}`;
      context.expect(
        rule,
        outcome === expected,
        `${conditionText}: it should ${expected ? "" : "not "}match, and ${observed}`,
        level,
      );
    }
  }
}

function conditionScenario(
  name: string,
  rule: string,
  { says, rows, level }: { says: string; rows: (draw: Draw) => readonly ConditionRow[]; level?: Level | undefined },
): Scenario {
  return {
    name,
    says,
    rules: [rule],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const draw = drawFrom(context);
      await playRows(context, { rule, ...(level === undefined ? {} : { level }) }, draw, rows(draw));
    },
  };
}

/** A random number: an integer, or a multiple of 1/4. */
const randomNumber = ({ integer }: Draw): number => integer(-400, 400) / (integer(0, 1) === 0 ? 1 : 4);

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  gt: (value, limit) => value > limit,
  gte: (value, limit) => value >= limit,
  lt: (value, limit) => value < limit,
  lte: (value, limit) => value <= limit,
};

function numberRows(draw: Draw): ConditionRow[] {
  return Object.entries(comparisons).flatMap(([operator, compare]) => {
    const limit = randomNumber(draw);
    // As strings, the last two pairs have the reverse order.
    const pairs = [...[-0.25, 0, 0.25].map((offset) => [limit + offset, limit]), [10, 9], [-10, -9]];
    return pairs.map(([value = 0, limit = 0]) =>
      conditionRow({ n: { [operator]: limit } }, { n: value }, compare(value, limit)),
    );
  });
}

function literalRows({ word, integer }: Draw): ConditionRow[] {
  const [text, amount] = [word(), integer(2, 90)];
  const mixedTypes: [Json, Json][] = [
    [true, 1],
    [1, true],
    [false, 0],
    ["true", true],
    [String(amount), amount],
    [amount, String(amount)],
    [true, text],
    ["", false],
    [false, null],
    [0, null],
    ["", null],
  ];
  return [
    conditionRow({ v: text }, { v: text }, true),
    conditionRow({ v: text }, { v: text.toUpperCase() }, false),
    conditionRow({ v: text }, { v: `${text} ` }, false),
    conditionRow({ v: text }, { v: text.slice(0, -1) }, false),
    conditionRow({ v: amount }, { v: amount }, true),
    conditionRow({ v: amount }, { v: amount + 0.5 }, false),
    conditionRow({ v: 0 }, { v: 0 }, true),
    conditionRow({ v: true }, { v: true }, true),
    conditionRow({ v: false }, { v: true }, false),
    conditionRow({ v: false }, { v: false }, true),
    ...mixedTypes.map(([test, v]): ConditionRow => ({ ...conditionRow({ v: test }, { v }, false), mixesTypes: true })),
  ];
}

function operatorRows({ word, integer, shuffled }: Draw): ConditionRow[] {
  const [low, firstText, secondText, thirdText] = [integer(-20, 20), word(), `${word()}a`, `${word()}bc`];
  const range = { gt: low, lt: low + 6 };
  const pattern = "^[a-z]{2,}-[0-9]+$";
  return [
    conditionRow({ n: range }, { n: low + 3 }, true),
    conditionRow({ n: range }, { n: low + 7 }, false),
    conditionRow({ n: range }, { n: low - 1 }, false),
    conditionRow({ n: { gte: low, lte: low + 4, ne: low + 2 } }, { n: low + 2 }, false),
    conditionRow({ n: { ne: low, gte: low } }, { n: low + 1 }, true),
    conditionRow({ t: { ne: firstText } }, { t: firstText }, false),
    conditionRow({ t: { ne: firstText } }, { t: secondText }, true),
    ...shuffled([firstText, secondText, thirdText]).map((t) =>
      conditionRow({ t: { in: [firstText, secondText, thirdText] } }, { t }, true),
    ),
    conditionRow({ t: { in: [firstText, secondText] } }, { t: `${firstText}x` }, false),
    ...shuffled([firstText, secondText, thirdText]).map((t) =>
      conditionRow({ t: { not_in: [firstText, secondText, thirdText] } }, { t }, false),
    ),
    conditionRow({ t: { not_in: [firstText, secondText] } }, { t: `${secondText}x` }, true),
    conditionRow({ t: { in: [firstText, secondText], not_in: [secondText] } }, { t: secondText }, false),
    conditionRow({ n: { in: [low, low + 2] } }, { n: low + 2 }, true),
    conditionRow({ t: { pattern } }, { t: `ab-${integer(1, 900)}` }, true),
    conditionRow({ t: { pattern } }, { t: `AB-${integer(1, 900)}` }, false),
    conditionRow({ t: { pattern } }, { t: `ab-${integer(1, 900)}z` }, false),
    conditionRow({ t: { pattern, ne: "ab-1" } }, { t: "ab-1" }, false),
  ];
}

function groupRows({ word, integer }: Draw): ConditionRow[] {
  const [text, n] = [word(), integer(1, 50)];
  const threeTests: Tests = { a: text, b: { gte: n }, c: true };
  const [matchingGroup, failingGroup] = [
    { a: text, b: n, c: true },
    { a: `${text}s`, b: n - 1, c: false },
  ];
  const either: readonly Tests[] = [{ a: text }, { b: { gt: n } }, { c: true }];
  return [
    conditionRow(threeTests, matchingGroup, true),
    ...(["a", "b", "c"] as const).flatMap((name) => [
      conditionRow(threeTests, { ...matchingGroup, [name]: failingGroup[name] }, false),
      conditionRow(threeTests, { ...failingGroup, [name]: matchingGroup[name] }, false),
      { groups: either, values: { ...failingGroup, [name]: { ...matchingGroup, b: n + 1 }[name] }, holds: true },
    ]),
    { groups: either, values: failingGroup, holds: false },
    // Each test matches, but no group as a whole.
    {
      groups: [
        { a: text, c: false },
        { a: `${text}s`, c: true },
      ],
      values: matchingGroup,
      holds: false,
    },
  ];
}

function emptyRows({ word }: Draw): ConditionRow[] {
  const text = word();
  return [
    conditionRow({}, { a: text }, true),
    conditionRow({}, { z: 0 }, true),
    { groups: [{ a: text }, {}], values: { a: `${text}s` }, holds: true },
  ];
}

/** Missing values, and values whose type the test does not expect. If such a test leaves an approval undecided, the runtime should ask. */
function typeRows({ word, integer }: Draw): ConditionRow[] {
  const [text, n] = [word(), integer(2, 90)];
  const missingValueRow = (test: Json, holds: boolean): ConditionRow => ({
    ...conditionRow({ v: test }, {}, holds),
    asks: true,
    mayEnd: true,
  });
  const otherTypeRow = (test: Json, values: JsonObject): ConditionRow => ({
    ...conditionRow({ v: test }, values, false),
    asks: true,
  });
  // A list that contains no value of the tested type has a definite result.
  const listRow = (test: Json, value: Json): ConditionRow => ({
    ...conditionRow({ v: test }, { v: value }, false),
    mixesTypes: true,
  });
  return [
    ...Object.entries({ gt: n - 1, gte: n, lt: n + 1, lte: n }).map(([name, limit]) =>
      otherTypeRow({ [name]: limit }, { v: String(n) }),
    ),
    otherTypeRow({ gte: 0 }, { v: false }),
    otherTypeRow({ lte: 1 }, { v: true }),
    otherTypeRow({ pattern: "^[0-9]+$" }, { v: n }),
    listRow({ in: [String(n), text] }, n),
    listRow({ in: [n, n + 1] }, String(n)),
    conditionRow({ v: { ne: n } }, { v: String(n) }, true),
    conditionRow({ v: { not_in: [n, n + 1] } }, { v: String(n) }, true),
    // Null does not satisfy a numeric test either, although some languages compare it as 0.
    otherTypeRow({ gte: 0 }, { v: null }),
    otherTypeRow({ lte: 0 }, { v: null }),
    otherTypeRow({ pattern: "^null$" }, { v: null }),
    listRow({ in: ["null", text] }, null),
    { ...conditionRow({ v: { ne: n } }, { v: null }, true), asks: true },
    { ...conditionRow({ v: { not_in: [text, n] } }, { v: null }, true), asks: true },
    ...[{ gt: n }, { lt: n }, text, { in: [text] }, { pattern: "." }].map((test) => missingValueRow(test, false)),
    ...[{ ne: n }, { ne: text }, { not_in: [text, n] }].map((test) => missingValueRow(test, true)),
  ];
}

/** Conditions on routes, loop exits and consent, with values at and next to their bounds. */
export const conditionScenarios: readonly Scenario[] = [
  conditionScenario("conditions-types", "AGF-MATCH-008", {
    says: "a test fails for a value of another type",
    rows: typeRows,
    level: "SHOULD",
  }),
  conditionScenario("conditions-numbers", "AGF-MATCH-007", {
    says: "numbers are compared by value, with each operator at its bound",
    rows: numberRows,
  }),
  conditionScenario("conditions-literals", "AGF-MATCH-006", {
    says: "a literal matches only its own type and value",
    rows: literalRows,
  }),
  conditionScenario("conditions-groups", "AGF-MATCH-003", {
    says: "a group matches if all its tests do, and a list if any group does",
    rows: groupRows,
  }),
  conditionScenario("conditions-operators", "AGF-MATCH-004", {
    says: "a test matches if each of its operators does",
    rows: operatorRows,
  }),
  conditionScenario("conditions-empty", "AGF-MATCH-005", {
    says: "a group without tests matches everything",
    rows: emptyRows,
  }),
];
