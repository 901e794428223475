import type { Json } from "../../../../schemas/index.ts";
import { get, list } from "./finding.ts";

/** A group of a condition, the JSON Pointer to it, and the decision that the condition makes. */
export interface Group {
  group: Json;
  at: string;
  decides: "approval" | "exit" | "when";
}

export function groupsOf(condition: Json | undefined): Json[] {
  return condition === undefined ? [] : Array.isArray(condition) ? condition : [condition];
}

function* placeGroups(condition: Json | undefined, at: string, decides: Group["decides"]): Generator<Group> {
  const isList = Array.isArray(condition);
  for (const [index, group] of groupsOf(condition).entries())
    yield { group, at: isList ? `${at}/${index}` : at, decides };
}

/** Every group of every condition of a document. */
export function* conditionGroups(document: Json): Generator<Group> {
  const space = get(document, "action_space");
  for (const kind of ["local_tools", "mcp_servers", "local_agents", "remote_agents"])
    for (const [index, entry] of list(space, kind).entries()) {
      const at = `/action_space/${kind}/${index}`;
      yield* placeGroups(get(entry, "approval", "condition"), `${at}/approval/condition`, "approval");
      const innerList = { mcp_servers: "allowed_tools", remote_agents: "allowed_skills" }[kind];
      for (const [position, item] of (innerList === undefined ? [] : list(entry, innerList)).entries())
        yield* placeGroups(
          get(item, "approval", "condition"),
          `${at}/${innerList}/${position}/approval/condition`,
          "approval",
        );
    }
  const config = get(document, "execution_policy", "config");
  const id = get(document, "execution_policy", "id");
  const at = "/execution_policy/config";
  if (id === "agf.loop") yield* placeGroups(get(config, "exit_condition"), `${at}/exit_condition`, "exit");
  if (id !== "agf.conditional") return;
  for (const [index, route] of list(config, "routes").entries())
    yield* placeGroups(get(route, "when"), `${at}/routes/${index}/when`, "when");
}

/** The engines that accept a regular expression: ECMA-262 engines, only others (such as PCRE), or none. */
export function flavourOf(pattern: string): "ecma" | "other" | "none" {
  // Without the flags u and v, ECMA-262 reads the anchors \\A, \\z and \\Z as plain letters.
  for (const flags of /\\[AzZ]/.test(pattern) ? ["u", "v"] : ["u", "", "v"])
    if (compiles(pattern, flags)) return "ecma";
  // Replaces syntax of other engines with syntax that ECMA-262 accepts, to check the rest of the pattern.
  const portable = pattern
    .replace(/\(\?[aiLmsuxU-]+\)/g, "")
    .replace(/\(\?[aiLmsuxU-]+:|\(\?>|\(\?\||\(\?\(\w+\)/g, "(?:")
    .replace(/\(\?P</g, "(?<")
    .replace(/\(\?P=(\w+)\)/g, "\\k<$1>")
    .replace(/\(\?#[^)]*\)|\\[AzZGhH]/g, "")
    .replace(/([*+?}])\+/g, "$1")
    .replace(/\[\[:\w+:\]/g, "[a");
  return compiles(portable, "") ? "other" : "none";
}

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
