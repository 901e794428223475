import { canonical, type Json, protocolNamed } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { entries, finding, get, has, list } from "./finding.ts";

/** Every integer constraint in the schema, with its group. */
const bounds = boundsIn(get(protocolNamed("agentformat").schemas[0], "$defs", "Constraints"));

function boundsIn(constraints: Json | undefined): [group: string, name: string][] {
  return entries(get(constraints, "properties")).flatMap(([group, schema]) =>
    entries(get(schema, "properties"))
      .filter(([, property]) => get(property, "type") === "integer")
      .map(([name]): [string, string] => [group, name]),
  );
}

function leastLimit(sources: readonly (Json | undefined)[], [group, name]: [string, string]): number | undefined {
  const values = sources.map((source) => get(source, group, name)).filter((value) => typeof value === "number");
  return values.length === 0 ? undefined : Math.min(...values);
}

/** Checks that a child's constraints are as tight as its parent's and the governance policy's. */
export function* checkTightening(record: Json): Generator<TwinFinding> {
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

/** Checks the result of merging the requirements of several sources. */
export function* checkMerger(record: Json): Generator<TwinFinding> {
  const sources = list(record, "sources");
  const combined = get(record, "combined");
  const fault = (name: string): TwinFinding =>
    finding("GOV-004", `/combined/${name}`, "is not the result of merging the sources");
  for (const limitName of bounds)
    if (leastLimit(sources, limitName) !== leastLimit([combined], limitName)) yield fault(limitName.join("/"));
  const joinItems = (name: string): string[] => sortValues(sources.flatMap((source) => list(source, name)));
  for (const name of ["denied_tools", "approvals", "guardrails", "data_handling", "audit"])
    if (canonical(joinItems(name)) !== canonical(sortValues(list(combined, name)))) yield fault(name);
  const allowLists = sources
    .filter((source) => has(source, "allowed_tools"))
    .map((source) => list(source, "allowed_tools"));
  if (allowLists.length === 0) {
    if (has(combined, "allowed_tools")) yield fault("allowed_tools");
    return;
  }
  const shared = sortValues(allowLists.reduce((common, allowed) => common.filter((tool) => allowed.includes(tool))));
  const permitted = shared.filter((tool) => !joinItems("denied_tools").includes(tool));
  const combinedTools = canonical(sortValues(list(combined, "allowed_tools")));
  if (has(combined, "allowed_tools") && combinedTools === canonical(permitted)) return;
  yield fault("allowed_tools");
}

const sortValues = (values: readonly Json[]): string[] => [...new Set(values.map(String))].sort();
