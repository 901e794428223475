import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { type ConditionUse, type Decisions, right } from "./decisions.ts";
import { get, inner } from "./order.ts";
import type { RuntimeVariant } from "./variant.ts";

/** Decides one test by itself: its value is undefined if there is none. */
type Test = (value: Json | undefined, test: Json, isRight: boolean, use: ConditionUse) => boolean;

/** Whether the groups of a condition hold, by a way of their own to put tests and groups together. */
function put(
  together: (groups: readonly (readonly boolean[])[]) => boolean,
  test: Test = (_, __, isRight) => isRight,
): Pick<Decisions, "matches"> {
  return {
    matches(condition, args, use) {
      const groups = (Array.isArray(condition) ? condition : [condition]).filter(isObject);
      return together(
        groups.map((group) =>
          Object.entries(inner(group, "args_match")).map(([name, each]) => {
            const isRight = right.matches({ args_match: { [name]: each } }, args, use);
            return test(get(args, name), each, isRight, use);
          }),
        ),
      );
    },
  };
}

const usual = (groups: readonly (readonly boolean[])[]): boolean => groups.some((group) => group.every(Boolean));

/** Decides single tests otherwise. */
const tests = (test: Test): Pick<Decisions, "matches"> => put(usual, test);

/** Takes one operator for another. */
function taken(operator: string, other: string, where?: ConditionUse): Pick<Decisions, "matches"> {
  return tests((value, test, isRight, use) => {
    const operand = get(test, operator);
    if (operand === undefined || value === undefined || (where !== undefined && use !== where)) return isRight;
    const { [operator]: _, ...rest } = test as JsonObject;
    return right.matches({ args_match: { v: { ...rest, [other]: operand } } }, { v: value }, use);
  });
}

/** Puts what the operators of one test come to together in another way. */
function operators(together: (found: readonly boolean[]) => boolean): Pick<Decisions, "matches"> {
  return tests((value, test, isRight, use) =>
    !isObject(test) || value === undefined
      ? isRight
      : together(
          Object.entries(test).map(([name, operand]) =>
            right.matches({ args_match: { v: { [name]: operand } } }, { v: value }, use),
          ),
        ),
  );
}

const isLiteral = (test: Json): boolean => !isObject(test);

export const conditionVariants: readonly RuntimeVariant[] = [
  {
    rule: "AGF-MATCH-003",
    says: "is content with one test of a group",
    decisions: put((groups) => groups.some((group) => group.length === 0 || group.some(Boolean))),
  },
  {
    rule: "AGF-MATCH-003",
    name: "all-groups",
    says: "wants every group of a list",
    decisions: put((groups) => groups.every((group) => group.every(Boolean))),
  },
  {
    rule: "AGF-MATCH-003",
    name: "first-group",
    says: "looks at the first group alone",
    decisions: put((groups) => groups.slice(0, 1).every((group) => group.every(Boolean))),
  },
  {
    rule: "AGF-MATCH-003",
    name: "last-test",
    says: "looks at the last test of a group alone",
    decisions: put((groups) => groups.some((group) => group.at(-1) ?? true)),
  },
  {
    rule: "AGF-MATCH-003",
    name: "flat",
    says: "puts the tests of all groups together",
    decisions: put((groups) =>
      groups.length === 1 ? usual(groups) : groups.flat().some(Boolean) || groups.some((group) => group.length === 0),
    ),
  },
  {
    rule: "AGF-MATCH-004",
    says: "is content with one of several operators",
    decisions: operators((found) => found.some(Boolean)),
  },
  {
    rule: "AGF-MATCH-004",
    name: "first",
    says: "looks at the first operator alone",
    decisions: operators((found) => found[0] ?? true),
  },
  {
    rule: "AGF-MATCH-004",
    name: "in",
    says: "looks at the first member of a list alone",
    decisions: tests((value, test, isRight, use) => {
      const list = get(test, "in");
      return Array.isArray(list) && value !== undefined
        ? right.matches({ args_match: { v: { ...(test as JsonObject), in: list.slice(0, 1) } } }, { v: value }, use)
        : isRight;
    }),
  },
  { rule: "AGF-MATCH-004", name: "not-in", says: "takes not_in for in", decisions: taken("not_in", "in") },
  {
    rule: "AGF-MATCH-004",
    name: "ne-agent",
    says: "does not look at ne in a loop",
    decisions: tests((_, test, isRight, use) => (use === "exit" && get(test, "ne") !== undefined ? true : isRight)),
  },
  {
    rule: "AGF-MATCH-004",
    name: "pattern",
    says: "does not mind capitals in a pattern",
    decisions: tests((value, test, isRight) => {
      const pattern = get(test, "pattern");
      return typeof pattern === "string" && typeof value === "string" ? new RegExp(pattern, "i").test(value) : isRight;
    }),
  },
  {
    rule: "AGF-MATCH-005",
    says: "takes a group without tests to match nothing",
    decisions: put((groups) => groups.some((group) => group.length > 0 && group.every(Boolean))),
  },
  {
    rule: "AGF-MATCH-005",
    name: "exit",
    says: "does not end a loop by a group without tests",
    decisions: {
      matches: (condition, args, use) =>
        (use !== "exit" || JSON.stringify(condition) !== '{"args_match":{}}') && right.matches(condition, args, use),
    },
  },
  {
    rule: "AGF-MATCH-006",
    says: "compares literals without regard to their type",
    decisions: tests((value, test, isRight) =>
      // biome-ignore lint/suspicious/noDoubleEquals: that is the mistake.
      isLiteral(test) ? (value as unknown) == (test as unknown) : isRight,
    ),
  },
  {
    rule: "AGF-MATCH-006",
    name: "letter-case",
    says: "does not mind capitals in a literal",
    decisions: tests((value, test, isRight) =>
      typeof test === "string" && typeof value === "string" ? value.toLowerCase() === test.toLowerCase() : isRight,
    ),
  },
  {
    rule: "AGF-MATCH-006",
    name: "texts",
    says: "compares what values look like as texts",
    decisions: tests((value, test, isRight) =>
      isLiteral(test) && value !== undefined ? String(value) === String(test) : isRight,
    ),
  },
  {
    rule: "AGF-MATCH-006",
    name: "falsy",
    says: "takes a value of false or 0 for none",
    decisions: tests((value, test, isRight) => (isLiteral(test) && !value ? false : isRight)),
  },
  ...(
    [
      ["gt", "gte"],
      ["gte", "gt"],
      ["lt", "lte"],
      ["lte", "lt"],
    ] as const
  ).map(
    ([operator, other]): RuntimeVariant => ({
      rule: "AGF-MATCH-007",
      name: operator,
      says: `takes ${operator} for ${other}`,
      decisions: taken(operator, other),
    }),
  ),
  {
    rule: "AGF-MATCH-008",
    says: "compares texts of digits as numbers",
    decisions: tests((value, test, isRight) => {
      if (typeof value !== "string" || !isObject(test) || !/^[0-9]+$/.test(value)) return isRight;
      const { gt, gte, lt, lte } = test;
      if ([gt, gte, lt, lte].every((each) => each === undefined)) return isRight;
      return right.matches({ args_match: { v: test } }, { v: Number(value) }, "when");
    }),
  },
  {
    rule: "AGF-MATCH-008",
    name: "lists",
    says: "looks in a list for what values look like as texts",
    decisions: tests((value, test, isRight) => {
      const list = get(test, "in");
      const isAlone = Array.isArray(list) && Object.keys(test as object).length === 1;
      return isAlone && value !== undefined ? list.map(String).includes(String(value)) : isRight;
    }),
  },
  {
    rule: "AGF-MATCH-008",
    name: "unsure",
    says: "asks for no consent if a condition cannot be decided",
    decisions: { asksUnsure: () => false },
  },
  {
    rule: "AGF-MATCH-007",
    name: "routes",
    says: "takes lte for lt on a route",
    decisions: taken("lte", "lt", "when"),
  },
  {
    rule: "AGF-MATCH-007",
    name: "texts",
    says: "compares the texts of numbers",
    decisions: tests((value, test, isRight) => {
      const bound = get(test, "gt") ?? get(test, "lt");
      if (bound === undefined || value === undefined) return isRight;
      return get(test, "gt") === undefined ? String(value) < String(bound) : String(value) > String(bound);
    }),
  },
];
