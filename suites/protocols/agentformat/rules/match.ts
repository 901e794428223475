import { type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { groupsOf, testsOf } from "./conditions.ts";
import { conditionHolds } from "./evaluate.ts";

const condition = "/condition";

/** One checker for each rule about the meaning of conditions. Only the checker of the decisive rule reports a fault. */
export const matchCheckers: readonly Checker[] = [3, 4, 5, 6, 7, 8].map(
  (ruleNumber): Checker => ({
    rule: `AGF-MATCH-00${ruleNumber}`,
    documents: ["match"],
    *check(match) {
      const holds = pointer.at("/holds", match);
      const args = pointer.at("/arguments", match);
      if (typeof holds !== "boolean" || !isObject(args)) return;
      const decided = conditionHolds(match, condition, args, "none");
      const expected = decided ?? conditionHolds(match, condition, args, "advised");
      if (expected === undefined || expected === holds) return;
      if ((decided === undefined ? 8 : decisiveRule(match)) === ruleNumber)
        yield { at: "/holds", why: `is ${holds}, although the condition ${expected ? "holds" : "does not hold"}` };
    },
  }),
);

/** The number of the AGF-MATCH rule that decides a condition: about its groups, its tests, its operators, or the comparison. */
function decisiveRule(match: Json): number {
  const groups = groupsOf(match, condition).map(({ at }) => testsOf(match, at));
  if (groups.some((tests) => tests.length === 0)) return 5;
  const [test, ...otherTests] = groups.flat();
  if (groups.length > 1 || otherTests.length > 0) return 3;
  if (!isObject(test?.value)) return 6;
  const operators = Object.keys(test.value);
  if (operators.length > 1 || operators.includes("pattern")) return 4;
  return operators.some((name) => ["ne", "in", "not_in"].includes(name)) ? 6 : 7;
}
