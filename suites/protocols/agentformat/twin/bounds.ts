import { canonical, type Json, protocolNamed } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { entries, finding, get, has, list } from "./finding.ts";

/** All integers in the groups of the schema's constraints. */
const bounds = boundsIn(get(protocolNamed("agentformat").schemas[0], "$defs", "Constraints"));

function boundsIn(constraints: Json | undefined): [group: string, name: string][] {
  return entries(get(constraints, "properties")).flatMap(([group, schema]) =>
    entries(get(schema, "properties"))
      .filter(([, each]) => get(each, "type") === "integer")
      .map(([name]): [string, string] => [group, name]),
  );
}

function leastLimit(sources: readonly (Json | undefined)[], [kind, name]: [string, string]): number | undefined {
  const values = sources.map((source) => get(source, kind, name)).filter((value) => typeof value === "number");
  return values.length === 0 ? undefined : Math.min(...values);
}

/** Checks a parent's requirements for a child. */
export function* tighteningFindings(record: Json): Generator<TwinFinding> {
  const { parent, child, governance, effective } = record as Record<string, Json>;
  if (get(parent, "tighten_only_invariant") === false) return;
  const rule = get(child, "tighten_only_invariant") === false ? "CONS-005" : "CONS-003";
  for (const limitPath of bounds) {
    const smallest = leastLimit([parent, child, governance], limitPath);
    const actual = leastLimit([effective], limitPath);
    if (smallest === actual) continue;
    const isDepth = limitPath[1] === "max_delegation_depth" && actual !== undefined && smallest !== undefined;
    yield finding(
      rule,
      `/effective/${limitPath.join("/")}`,
      `is ${actual}, not ${smallest}`,
      isDepth ? "cons-003-depth" : undefined,
    );
  }
}

/** Checks the combined requirements of several sources. */
export function* findMergeFaults(record: Json): Generator<TwinFinding> {
  const sources = list(record, "sources");
  const combined = get(record, "combined");
  const fault = (name: string): TwinFinding =>
    finding("GOV-004", `/combined/${name}`, "is not the result of merging the sources");
  for (const limitName of bounds)
    if (leastLimit(sources, limitName) !== leastLimit([combined], limitName)) yield fault(limitName.join("/"));
  const joinedTexts = (name: string): string[] => sortValues(sources.flatMap((source) => list(source, name)));
  for (const name of ["denied_tools", "approvals", "guardrails", "data_handling", "audit"])
    if (canonical(joinedTexts(name)) !== canonical(sortValues(list(combined, name)))) yield fault(name);
  const lists = sources.filter((source) => has(source, "allowed_tools")).map((source) => list(source, "allowed_tools"));
  if (lists.length === 0) {
    if (has(combined, "allowed_tools")) yield fault("allowed_tools");
    return;
  }
  const shared = sortValues(lists.reduce((some, more) => some.filter((each) => more.includes(each))));
  const permitted = shared.filter((each) => !joinedTexts("denied_tools").includes(each));
  const is = canonical(sortValues(list(combined, "allowed_tools")));
  if (has(combined, "allowed_tools") && is === canonical(permitted)) return;
  yield fault("allowed_tools");
}

const sortValues = (values: readonly Json[]): string[] => [...new Set(values.map(String))].sort();
