import { type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { callsOf, policyOf } from "./calls.ts";
import { conditionsOf, groupsOf, testsOf } from "./conditions.ts";
import { type DocumentPart, itemsAt, textAt } from "./parts.ts";
import { pathOf, pathsOf, unsafeProperty } from "./path.ts";
import { flavourOf } from "./pattern.ts";

const patternChecker: Checker = {
  rule: "AGF-MATCH-009",
  documents: ["agent"],
  *check(agent) {
    for (const test of groupsIn(agent).flatMap(({ at }) => testsOf(agent, at))) {
      const at = `${test.at}/pattern`;
      const pattern = textAt(agent, at);
      const flavour = pattern === undefined ? "ecma" : flavourOf(pattern);
      if (flavour === "none")
        yield { at, why: `is ${JSON.stringify(pattern)}, which no regular expression engine accepts` };
      if (flavour === "other")
        yield { at, why: `is ${JSON.stringify(pattern)}, which only some engines accept`, level: "SHOULD" };
    }
  },
};

/** JSON Pointers to the empty lists of a test. */
function emptyListsAt(agent: Json, test: string): string[] {
  const isEmpty = (list: string): boolean =>
    Array.isArray(pointer.at(list, agent)) && itemsAt(agent, list).length === 0;
  return [`${test}/in`, `${test}/not_in`].filter(isEmpty);
}

const emptyMatchChecker: Checker = {
  rule: "AGF-MATCH-010",
  documents: ["agent"],
  *check(agent) {
    for (const { at } of groupsIn(agent)) {
      if (!pointer.has(`${at}/args_match`, agent)) yield { at, why: "has no args_match, so it always holds" };
      for (const test of testsOf(agent, at)) {
        if (!isObject(test.value)) continue;
        if (Object.keys(test.value).length === 0) yield { at: test.at, why: "has no operator" };
        for (const list of emptyListsAt(agent, test.at)) yield { at: list, why: "has no item" };
      }
    }
  },
};

const keyChecker: Checker = {
  rule: "AGF-MATCH-011",
  documents: ["agent"],
  *check(agent) {
    for (const { at, text, use } of pathsOf(agent))
      if (use !== "mapping" && pathOf(text) === undefined && unsafeProperty(agent, text) === undefined)
        yield { at, why: `is the key ${JSON.stringify(text)}, which is not a path expression` };
    // Argument names and paths are both accepted: the specification's web page suggests paths.
    for (const { at } of conditionsOf(agent).filter(({ at }) => delegationConsent.test(at)))
      for (const test of groupsOf(agent, at).flatMap((group) => testsOf(agent, group.at)))
        if (pathOf(test.name) === undefined)
          yield {
            at: test.at,
            why: `is the key ${JSON.stringify(test.name)}, which is not a path expression`,
            level: "MAY",
          };
  },
};

/** Matches pointers to the approval of a delegation, not to that of a remote agent's skill. */
const delegationConsent = /^\/action_space\/(local|remote)_agents\/\d+\/approval\//;

const inputOnlyChecker: Checker = {
  rule: "AGF-COND-004",
  documents: ["agent"],
  *check(agent) {
    for (const { at, text, use } of pathsOf(agent))
      if (use === "route" && pathOf(text) !== undefined && !text.startsWith("parent.input."))
        yield { at, why: `is the key ${text}, but a route can read only parent.input` };
  },
};

const reachableChecker: Checker = {
  rule: "AGF-COND-005",
  documents: ["agent"],
  *check(agent) {
    if (policyOf(agent) !== "agf.conditional") return;
    for (const route of callsOf(agent).slice(0, -1)) {
      const isAlwaysTrue = groupsOf(agent, `${route}/when`).some((group) => alwaysHolds(agent, group));
      if (isAlwaysTrue) yield { at: `${route}/when`, why: "always holds, so the later routes are unreachable" };
    }
  },
};

function alwaysHolds(agent: Json, { at }: DocumentPart): boolean {
  const tests = pointer.at(`${at}/args_match`, agent);
  return tests === undefined || (isObject(tests) && Object.keys(tests).length === 0);
}

function groupsIn(agent: Json): DocumentPart[] {
  return conditionsOf(agent).flatMap(({ at }) => groupsOf(agent, at));
}

/** Checks the conditions of approvals, loops and routes. */
export const conditionCheckers: readonly Checker[] = [
  patternChecker,
  emptyMatchChecker,
  keyChecker,
  inputOnlyChecker,
  reachableChecker,
];
