import type { Json } from "../../../../schemas/index.ts";
import { get, list } from "./finding.ts";

/** A group of a condition, its place, and its effect. */
export interface Group {
  group: Json;
  at: string;
  decides: "approval" | "exit" | "when";
}

export function groupsOf(condition: Json | undefined): Json[] {
  return condition === undefined ? [] : Array.isArray(condition) ? condition : [condition];
}

function* placeCondition(condition: Json | undefined, at: string, decides: Group["decides"]): Generator<Group> {
  const isList = Array.isArray(condition);
  for (const [index, group] of groupsOf(condition).entries())
    yield { group, at: isList ? `${at}/${index}` : at, decides };
}

/** Every group of every condition of a document. */
export function* groups(document: Json): Generator<Group> {
  const space = get(document, "action_space");
  for (const kind of ["local_tools", "mcp_servers", "local_agents", "remote_agents"])
    for (const [index, entry] of list(space, kind).entries()) {
      const at = `/action_space/${kind}/${index}`;
      yield* placeCondition(get(entry, "approval", "condition"), `${at}/approval/condition`, "approval");
      const inner = { mcp_servers: "allowed_tools", remote_agents: "allowed_skills" }[kind];
      for (const [place, item] of (inner === undefined ? [] : list(entry, inner)).entries())
        yield* placeCondition(
          get(item, "approval", "condition"),
          `${at}/${inner}/${place}/approval/condition`,
          "approval",
        );
    }
  const config = get(document, "execution_policy", "config");
  const id = get(document, "execution_policy", "id");
  const at = "/execution_policy/config";
  if (id === "agf.loop") yield* placeCondition(get(config, "exit_condition"), `${at}/exit_condition`, "exit");
  if (id !== "agf.conditional") return;
  for (const [index, route] of list(config, "routes").entries())
    yield* placeCondition(get(route, "when"), `${at}/routes/${index}/when`, "when");
}

/** The engines that know a regular expression: ECMA-262, others, or none. */
export function flavourOf(pattern: string): "ecma" | "other" | "none" {
  for (const flags of /\\[AzZ]/.test(pattern) ? ["u", "v"] : ["u", "", "v"])
    if (compiles(pattern, flags)) return "ecma";
  const withoutGroups = pattern
    .replace(/\(\?[aiLmsuxU-]+\)/g, "")
    .replace(/\(\?[aiLmsuxU-]+:|\(\?>|\(\?\||\(\?\(\w+\)/g, "(?:")
    .replace(/\(\?P</g, "(?<")
    .replace(/\(\?P=(\w+)\)/g, "\\k<$1>")
    .replace(/\(\?#[^)]*\)|\\[AzZGhH]/g, "")
    .replace(/([*+?}])\+/g, "$1")
    .replace(/\[\[:\w+:\]/g, "[a");
  return compiles(withoutGroups, "") ? "other" : "none";
}

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
