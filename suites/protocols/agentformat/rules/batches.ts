import { type Checker, type Json, pointer } from "../../../../schemas/index.ts";
import { config, mappingOf, policyOf } from "./calls.ts";

const iterationChecker: Checker = {
  rule: "AGF-BATCH-002",
  documents: ["agent"],
  *check(agent) {
    const at = `${config}/input_mapping`;
    if (policyOf(agent) === "agf.batch" && pointer.has(at, agent) && listPaths(agent).length === 0)
      yield { at, why: "has no path with [] as a segment, so that there is nothing to go through" };
  },
};

const singleListChecker: Checker = {
  rule: "AGF-BATCH-004",
  documents: ["agent"],
  *check(agent) {
    if (policyOf(agent) !== "agf.batch") return;
    const [first, ...otherPaths] = listPaths(agent);
    for (const { at, list } of otherPaths)
      if (list !== first?.list) yield { at, why: `goes through ${list}, and another through ${first?.list}` };
  },
};

/** The paths through a list, with the first list on each. */
function listPaths(agent: Json): { at: string; list: string }[] {
  return mappingOf(agent, config).flatMap(({ at, value }) => {
    const segments = value.split(".");
    return segments.includes("[]") ? [{ at, list: segments.slice(0, segments.indexOf("[]")).join(".") }] : [];
  });
}

/** The items of a batch. */
export const batchCheckers: readonly Checker[] = [iterationChecker, singleListChecker];
