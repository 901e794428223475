import { type Checker, type Json, pointer } from "../../../../schemas/index.ts";
import { config, mappingOf, policyOf } from "./calls.ts";

const iterationChecker: Checker = {
  rule: "AGF-BATCH-002",
  documents: ["agent"],
  *check(agent) {
    const at = `${config}/input_mapping`;
    if (policyOf(agent) === "agf.batch" && pointer.has(at, agent) && listPaths(agent).length === 0)
      yield { at, why: "has no path with [] as a segment, so that there is no list to iterate over" };
  },
};

const singleListChecker: Checker = {
  rule: "AGF-BATCH-004",
  documents: ["agent"],
  *check(agent) {
    if (policyOf(agent) !== "agf.batch") return;
    const [first, ...otherPaths] = listPaths(agent);
    for (const { at, list } of otherPaths)
      if (list !== first?.list) yield { at, why: `iterates over ${list}, but another path over ${first?.list}` };
  },
};

/** The paths that iterate over a list, each with the path of its first list. */
function listPaths(agent: Json): { at: string; list: string }[] {
  return mappingOf(agent, config).flatMap(({ at, value }) => {
    const segments = value.split(".");
    return segments.includes("[]") ? [{ at, list: segments.slice(0, segments.indexOf("[]")).join(".") }] : [];
  });
}

/** Checks the list that a batch iterates over. */
export const batchCheckers: readonly Checker[] = [iterationChecker, singleListChecker];
