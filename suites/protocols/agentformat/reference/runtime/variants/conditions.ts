import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { type ConditionUse, correctDecisions, type Decisions } from "../decisions.ts";
import { get, memberObject, RunError } from "../order.ts";
import { breaks, type RuntimeMistakes, type RuntimeVariant } from "../variant.ts";

/** Decides one test, given the correct result; the value is undefined if it is missing. */
type ConditionTest = (value: Json | undefined, test: Json, isCorrect: boolean, use: ConditionUse) => boolean;

/** Combines tests and groups differently. */
function combineGroups(
  combine: (groups: readonly (readonly boolean[])[]) => boolean,
  test: ConditionTest = (_, __, isCorrect) => isCorrect,
): Pick<Decisions, "matches"> {
  return {
    matches(condition, args, use) {
      const groups = (Array.isArray(condition) ? condition : [condition]).filter(isObject);
      return combine(
        groups.map((group) =>
          Object.entries(memberObject(group, "args_match")).map(([name, singleTest]) => {
            const isCorrect = correctDecisions.matches({ args_match: { [name]: singleTest } }, args, use);
            return test(get(args, name), singleTest, isCorrect, use);
          }),
        ),
      );
    },
  };
}

const anyGroupHolds = (groups: readonly (readonly boolean[])[]): boolean =>
  groups.some((group) => group.every(Boolean));

/** Decides single tests differently. */
const changeTests = (test: ConditionTest): Pick<Decisions, "matches"> => combineGroups(anyGroupHolds, test);

/** Confuses one operator with another. */
function swapOperator(operator: string, otherOperator: string, onlyUse?: ConditionUse): Pick<Decisions, "matches"> {
  return changeTests((value, test, isCorrect, use) => {
    const operand = get(test, operator);
    if (operand === undefined || value === undefined || (onlyUse !== undefined && use !== onlyUse)) return isCorrect;
    const { [operator]: _, ...otherTests } = test as JsonObject;
    return correctDecisions.matches(
      { args_match: { v: { ...otherTests, [otherOperator]: operand } } },
      { v: value },
      use,
    );
  });
}

/** Combines the operators of one test differently. */
function combineOperators(combine: (results: readonly boolean[]) => boolean): Pick<Decisions, "matches"> {
  return changeTests((value, test, isCorrect, use) =>
    !isObject(test) || value === undefined
      ? isCorrect
      : combine(
          Object.entries(test).map(([name, operand]) =>
            correctDecisions.matches({ args_match: { v: { [name]: operand } } }, { v: value }, use),
          ),
        ),
  );
}

const isLiteral = (test: Json): boolean => !isObject(test);

const operatorPairs = [
  ["gt", "gte"],
  ["gte", "gt"],
  ["lt", "lte"],
  ["lte", "lt"],
] as const;
const operatorMistakes: RuntimeMistakes = Object.fromEntries(
  operatorPairs.map(([operator, otherOperator]) => [
    operator,
    [`confuses ${operator} with ${otherOperator}`, swapOperator(operator, otherOperator)],
  ]),
);

/** Runtimes that decide conditions wrongly. */
export const conditionVariants: readonly RuntimeVariant[] = [
  ...breaks("AGF-MATCH-003", {
    "": [
      "requires only one test of a group",
      combineGroups((groups) => groups.some((group) => group.length === 0 || group.some(Boolean))),
    ],
    "all-groups": [
      "requires every group of a list",
      combineGroups((groups) => groups.every((group) => group.every(Boolean))),
    ],
    "first-group": [
      "checks only the first group",
      combineGroups((groups) => groups.slice(0, 1).every((group) => group.every(Boolean))),
    ],
    "last-test": [
      "checks only the last test of a group",
      combineGroups((groups) => groups.some((group) => group.at(-1) ?? true)),
    ],
    flat: [
      "combines the tests of all groups",
      combineGroups((groups) =>
        groups.length === 1
          ? anyGroupHolds(groups)
          : groups.flat().some(Boolean) || groups.some((group) => group.length === 0),
      ),
    ],
  }),
  ...breaks("AGF-MATCH-004", {
    "": ["requires only one of several operators", combineOperators((results) => results.some(Boolean))],
    first: ["checks only the first operator", combineOperators((results) => results[0] ?? true)],
    in: [
      "checks only the first member of a list",
      changeTests((value, test, isCorrect, use) => {
        const list = get(test, "in");
        return Array.isArray(list) && value !== undefined
          ? correctDecisions.matches(
              { args_match: { v: { ...(test as JsonObject), in: list.slice(0, 1) } } },
              { v: value },
              use,
            )
          : isCorrect;
      }),
    ],
    "not-in": ["confuses not_in with in", swapOperator("not_in", "in")],
    "ne-agent": [
      "ignores ne in a loop",
      changeTests((_, test, isCorrect, use) => (use === "exit" && get(test, "ne") !== undefined ? true : isCorrect)),
    ],
    pattern: [
      "ignores case in a pattern",
      changeTests((value, test, isCorrect) => {
        const pattern = get(test, "pattern");
        return typeof pattern === "string" && typeof value === "string"
          ? new RegExp(pattern, "i").test(value)
          : isCorrect;
      }),
    ],
  }),
  ...breaks("AGF-MATCH-005", {
    "": [
      "never matches a group without tests",
      combineGroups((groups) => groups.some((group) => group.length > 0 && group.every(Boolean))),
    ],
    exit: [
      "does not end a loop by a group without tests",
      {
        matches: (condition, args, use) =>
          (use !== "exit" || JSON.stringify(condition) !== '{"args_match":{}}') &&
          correctDecisions.matches(condition, args, use),
      },
    ],
  }),
  ...breaks("AGF-MATCH-006", {
    "": [
      "compares literals regardless of their type",
      changeTests((value, test, isCorrect) =>
        // biome-ignore lint/suspicious/noDoubleEquals: that is the mistake.
        isLiteral(test) ? (value as unknown) == (test as unknown) : isCorrect,
      ),
    ],
    "letter-case": [
      "ignores case in a literal",
      changeTests((value, test, isCorrect) =>
        typeof test === "string" && typeof value === "string" ? value.toLowerCase() === test.toLowerCase() : isCorrect,
      ),
    ],
    texts: [
      "compares values as strings",
      changeTests((value, test, isCorrect) =>
        isLiteral(test) && value !== undefined ? String(value) === String(test) : isCorrect,
      ),
    ],
    null: [
      "treats a value of null as false",
      changeTests((value, test, isCorrect) => (value === null && test === false ? true : isCorrect)),
    ],
    "null-ends": [
      "ends a run with an error if a condition tests a value of null",
      {
        matches(condition, args, use) {
          const isNull = use !== "approval" && Object.values(args).includes(null);
          if (isNull) throw new RunError("a value is missing");
          return correctDecisions.matches(condition, args, use);
        },
      },
    ],
    falsy: [
      "treats a value of false or 0 as missing",
      changeTests((value, test, isCorrect) => (isLiteral(test) && !value ? false : isCorrect)),
    ],
  }),
  ...breaks("AGF-MATCH-007", {
    ...operatorMistakes,
    routes: ["confuses lte with lt on a route", swapOperator("lte", "lt", "when")],
    texts: [
      "compares numbers as strings",
      changeTests((value, test, isCorrect) => {
        const limit = get(test, "gt") ?? get(test, "lt");
        if (limit === undefined || value === undefined) return isCorrect;
        return get(test, "gt") === undefined ? String(value) < String(limit) : String(value) > String(limit);
      }),
    ],
  }),
  ...breaks("AGF-MATCH-008", {
    "": [
      "compares strings of digits as numbers",
      changeTests((value, test, isCorrect) => {
        if (typeof value !== "string" || !isObject(test) || !/^[0-9]+$/.test(value)) return isCorrect;
        const { gt, gte, lt, lte } = test;
        if ([gt, gte, lt, lte].every((operand) => operand === undefined)) return isCorrect;
        return correctDecisions.matches({ args_match: { v: test } }, { v: Number(value) }, "when");
      }),
    ],
    lists: [
      "compares the items of a list as strings",
      changeTests((value, test, isCorrect) => {
        const list = get(test, "in");
        const isAlone = Array.isArray(list) && Object.keys(test as object).length === 1;
        return isAlone && value !== undefined ? list.map(String).includes(String(value)) : isCorrect;
      }),
    ],
    absent: [
      "treats a missing value as equal to every value",
      changeTests((value, test, isCorrect) => {
        const isNegated = get(test, "ne") !== undefined || get(test, "not_in") !== undefined;
        return value === undefined && isNegated ? false : isCorrect;
      }),
    ],
    unsure: ["does not ask for consent if a condition cannot be decided", { asksIfUndecided: () => false }],
    null: [
      "compares null as if it were 0",
      changeTests((value, test, isCorrect) =>
        value === null && isObject(test)
          ? correctDecisions.matches({ args_match: { v: test } }, { v: 0 }, "when")
          : isCorrect,
      ),
    ],
    "null-differs": [
      "treats null as equal to every value",
      changeTests((value, test, isCorrect) => {
        const isNegated = get(test, "ne") !== undefined || get(test, "not_in") !== undefined;
        return value === null && isNegated ? false : isCorrect;
      }),
    ],
  }),
];
