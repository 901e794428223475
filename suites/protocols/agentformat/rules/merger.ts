import { type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { limitPaths } from "./limits.ts";
import { itemsAt } from "./parts.ts";

/** Lists that combine the items of all sources. */
const addedLists = ["denied_tools", "approvals", "guardrails", "data_handling", "audit"];

const strictestChecker: Checker = {
  rule: "AGF-GOV-004",
  documents: ["merger"],
  *check(merger) {
    if (!isObject(pointer.at("/combined", merger))) return;
    const sources = itemsAt(merger, "/sources").map(({ at }) => at);
    for (const limit of limitPaths) {
      const smallest = numbersAt(merger, sources, limit).sort((a, b) => a - b)[0];
      const at = `/combined${limit}`;
      if (pointer.at(at, merger) !== smallest)
        yield { at: existingPlace(merger, at), why: `is not ${smallest ?? "absent"}, the smallest of its sources` };
    }
    for (const list of addedLists) {
      const sourceItems = sources.flatMap((source) => stringsAt(merger, `${source}/${list}`) ?? []);
      const at = `/combined/${list}`;
      const difference = differenceOf(stringsAt(merger, at) ?? [], sourceItems);
      if (difference !== undefined)
        yield { at: existingPlace(merger, at), why: `is not the combination of its sources: ${difference}` };
    }
    const at = "/combined/allowed_tools";
    const sourcesWithList = usableSources(merger, sources);
    const reportedNames = stringsAt(merger, at);
    const difference =
      sourcesWithList === undefined || reportedNames === undefined
        ? undefined
        : differenceOf(reportedNames, sourcesWithList);
    if (difference !== undefined || (sourcesWithList === undefined) !== (reportedNames === undefined))
      yield {
        at: existingPlace(merger, at),
        why: `differs from the tools that every source allows${difference === undefined ? "" : `: ${difference}`}`,
      };
  },
};

/** The tools in every list of allowed tools, without the denied ones; undefined if no source has such a list. */
function usableSources(merger: Json, sources: readonly string[]): string[] | undefined {
  const [first, ...otherLists] = sources.flatMap((source) => {
    const list = stringsAt(merger, `${source}/allowed_tools`);
    return list === undefined ? [] : [list];
  });
  const denied = sources.flatMap((source) => stringsAt(merger, `${source}/denied_tools`) ?? []);
  return first?.filter((tool) => otherLists.every((list) => list.includes(tool)) && !denied.includes(tool));
}

function stringsAt(merger: Json, at: string): string[] | undefined {
  const list = pointer.at(at, merger);
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : undefined;
}

function numbersAt(merger: Json, sources: readonly string[], limit: string): number[] {
  return sources.flatMap((source) => {
    const value = pointer.at(`${source}${limit}`, merger);
    return typeof value === "number" ? [value] : [];
  });
}

/** A string that only one of the two lists contains. */
function differenceOf(reportedNames: readonly string[], expected: readonly string[]): string | undefined {
  return (
    expected.find((text) => !reportedNames.includes(text)) ?? reportedNames.find((text) => !expected.includes(text))
  );
}

function existingPlace(merger: Json, at: string): string {
  return pointer.has(at, merger) ? at : "/combined";
}

/** Checks the combined requirements of a document and its governance policies. */
export const mergerCheckers: readonly Checker[] = [strictestChecker];
