import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { type ConditionUse, type Decisions, rightDecisions } from "../decisions.ts";
import { get, memberObject, RunError } from "../order.ts";
import { breaks, type RuntimeMistakes, type RuntimeVariant } from "../variant.ts";

/** Decides one test; the value is undefined if it is missing. */
type ConditionTest = (value: Json | undefined, test: Json, isRight: boolean, use: ConditionUse) => boolean;

/** Decides a condition with another way to combine tests and groups. */
function combineGroups(
  combine: (groups: readonly (readonly boolean[])[]) => boolean,
  test: ConditionTest = (_, __, isRight) => isRight,
): Pick<Decisions, "matches"> {
  return {
    matches(condition, args, use) {
      const groups = (Array.isArray(condition) ? condition : [condition]).filter(isObject);
      return combine(
        groups.map((group) =>
          Object.entries(memberObject(group, "args_match")).map(([name, each]) => {
            const isRight = rightDecisions.matches({ args_match: { [name]: each } }, args, use);
            return test(get(args, name), each, isRight, use);
          }),
        ),
      );
    },
  };
}

const anyGroupHolds = (groups: readonly (readonly boolean[])[]): boolean =>
  groups.some((group) => group.every(Boolean));

/** Decides single tests differently. */
const tests = (test: ConditionTest): Pick<Decisions, "matches"> => combineGroups(anyGroupHolds, test);

/** Confuses one operator with another. */
function swapOperator(operator: string, otherOperator: string, where?: ConditionUse): Pick<Decisions, "matches"> {
  return tests((value, test, isRight, use) => {
    const operand = get(test, operator);
    if (operand === undefined || value === undefined || (where !== undefined && use !== where)) return isRight;
    const { [operator]: _, ...otherTests } = test as JsonObject;
    return rightDecisions.matches(
      { args_match: { v: { ...otherTests, [otherOperator]: operand } } },
      { v: value },
      use,
    );
  });
}

/** Combines the operators of one test differently. */
function operators(combine: (results: readonly boolean[]) => boolean): Pick<Decisions, "matches"> {
  return tests((value, test, isRight, use) =>
    !isObject(test) || value === undefined
      ? isRight
      : combine(
          Object.entries(test).map(([name, operand]) =>
            rightDecisions.matches({ args_match: { v: { [name]: operand } } }, { v: value }, use),
          ),
        ),
  );
}

const isLiteral = (test: Json): boolean => !isObject(test);

const pairs = [
  ["gt", "gte"],
  ["gte", "gt"],
  ["lt", "lte"],
  ["lte", "lt"],
] as const;
const takenFor: RuntimeMistakes = Object.fromEntries(
  pairs.map(([operator, otherOperator]) => [
    operator,
    [`confuses ${operator} with ${otherOperator}`, swapOperator(operator, otherOperator)],
  ]),
);

/** Runtimes that decide conditions wrongly. */
export const conditions: readonly RuntimeVariant[] = [
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
    "": ["requires only one of several operators", operators((results) => results.some(Boolean))],
    first: ["checks only the first operator", operators((results) => results[0] ?? true)],
    in: [
      "checks only the first member of a list",
      tests((value, test, isRight, use) => {
        const list = get(test, "in");
        return Array.isArray(list) && value !== undefined
          ? rightDecisions.matches(
              { args_match: { v: { ...(test as JsonObject), in: list.slice(0, 1) } } },
              { v: value },
              use,
            )
          : isRight;
      }),
    ],
    "not-in": ["confuses not_in with in", swapOperator("not_in", "in")],
    "ne-agent": [
      "ignores ne in a loop",
      tests((_, test, isRight, use) => (use === "exit" && get(test, "ne") !== undefined ? true : isRight)),
    ],
    pattern: [
      "ignores case in a pattern",
      tests((value, test, isRight) => {
        const pattern = get(test, "pattern");
        return typeof pattern === "string" && typeof value === "string"
          ? new RegExp(pattern, "i").test(value)
          : isRight;
      }),
    ],
  }),
  ...breaks("AGF-MATCH-005", {
    "": [
      "lets a group without tests match nothing",
      combineGroups((groups) => groups.some((group) => group.length > 0 && group.every(Boolean))),
    ],
    exit: [
      "does not end a loop by a group without tests",
      {
        matches: (condition, args, use) =>
          (use !== "exit" || JSON.stringify(condition) !== '{"args_match":{}}') &&
          rightDecisions.matches(condition, args, use),
      },
    ],
  }),
  ...breaks("AGF-MATCH-006", {
    "": [
      "compares literals regardless of their type",
      tests((value, test, isRight) =>
        // biome-ignore lint/suspicious/noDoubleEquals: that is the mistake.
        isLiteral(test) ? (value as unknown) == (test as unknown) : isRight,
      ),
    ],
    "letter-case": [
      "ignores case in a literal",
      tests((value, test, isRight) =>
        typeof test === "string" && typeof value === "string" ? value.toLowerCase() === test.toLowerCase() : isRight,
      ),
    ],
    texts: [
      "compares values as texts",
      tests((value, test, isRight) =>
        isLiteral(test) && value !== undefined ? String(value) === String(test) : isRight,
      ),
    ],
    null: [
      "treats a value of null as false",
      tests((value, test, isRight) => (value === null && test === false ? true : isRight)),
    ],
    "null-ends": [
      "ends a run with an error if a condition tests a value of null",
      {
        matches(condition, args, use) {
          const isNull = use !== "approval" && Object.values(args).includes(null);
          if (isNull) throw new RunError("a value is missing");
          return rightDecisions.matches(condition, args, use);
        },
      },
    ],
    falsy: [
      "treats a value of false or 0 as missing",
      tests((value, test, isRight) => (isLiteral(test) && !value ? false : isRight)),
    ],
  }),
  ...breaks("AGF-MATCH-007", {
    ...takenFor,
    routes: ["confuses lte with lt on a route", swapOperator("lte", "lt", "when")],
    texts: [
      "compares the texts of numbers",
      tests((value, test, isRight) => {
        const limit = get(test, "gt") ?? get(test, "lt");
        if (limit === undefined || value === undefined) return isRight;
        return get(test, "gt") === undefined ? String(value) < String(limit) : String(value) > String(limit);
      }),
    ],
  }),
  ...breaks("AGF-MATCH-008", {
    "": [
      "compares texts of digits as numbers",
      tests((value, test, isRight) => {
        if (typeof value !== "string" || !isObject(test) || !/^[0-9]+$/.test(value)) return isRight;
        const { gt, gte, lt, lte } = test;
        if ([gt, gte, lt, lte].every((each) => each === undefined)) return isRight;
        return rightDecisions.matches({ args_match: { v: test } }, { v: Number(value) }, "when");
      }),
    ],
    lists: [
      "looks in a list for values as texts",
      tests((value, test, isRight) => {
        const list = get(test, "in");
        const isAlone = Array.isArray(list) && Object.keys(test as object).length === 1;
        return isAlone && value !== undefined ? list.map(String).includes(String(value)) : isRight;
      }),
    ],
    absent: [
      "lets a missing value differ from nothing",
      tests((value, test, isRight) => {
        const isNegated = get(test, "ne") !== undefined || get(test, "not_in") !== undefined;
        return value === undefined && isNegated ? false : isRight;
      }),
    ],
    unsure: ["asks for no consent if a condition cannot be decided", { asksUnsure: () => false }],
    null: [
      "compares null as if it were 0",
      tests((value, test, isRight) =>
        value === null && isObject(test)
          ? rightDecisions.matches({ args_match: { v: test } }, { v: 0 }, "when")
          : isRight,
      ),
    ],
    "null-differs": [
      "lets a value of null differ from nothing",
      tests((value, test, isRight) => {
        const isNegated = get(test, "ne") !== undefined || get(test, "not_in") !== undefined;
        return value === null && isNegated ? false : isRight;
      }),
    ],
  }),
];
