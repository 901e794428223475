import { isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { callsOf, config, policyOf } from "./calls.ts";
import { type DocumentPart, itemsAt, membersAt } from "./parts.ts";

/** A condition of an agent document, with its effect. */
export interface Condition {
  at: string;
  use: "approval" | "exit" | "route";
}

/** All conditions of an agent document: first those of approvals, then those of its policy. */
export function conditionsOf(agent: Json): Condition[] {
  return [...approvalConditions(agent), ...policyConditions(agent)].filter(({ at }) => pointer.has(at, agent));
}

/** The groups of a condition: itself, or the items of the list. */
export function groupsOf(root: Json, at: string): DocumentPart[] {
  const value = pointer.at(at, root);
  return isObject(value) ? [{ at, value }] : itemsAt(root, at).filter((item) => isObject(item.value));
}

/** The tests of a group, each with the name of the tested argument or path. */
export function testsOf(root: Json, group: string): (DocumentPart & { name: string })[] {
  return membersAt(root, `${group}/args_match`);
}

function policyConditions(agent: Json): Condition[] {
  const id = policyOf(agent);
  if (id === "agf.loop") return [{ at: `${config}/exit_condition`, use: "exit" }];
  return id === "agf.conditional" ? callsOf(agent).map((call) => ({ at: `${call}/when`, use: "route" })) : [];
}

function approvalConditions(agent: Json): Condition[] {
  const entries = ["local_tools", "mcp_servers", "local_agents", "remote_agents"].flatMap((list) =>
    itemsAt(agent, `/action_space/${list}`),
  );
  const nested = entries.flatMap(({ at }) =>
    ["allowed_tools", "allowed_skills"].flatMap((list) => itemsAt(agent, `${at}/${list}`)),
  );
  return [...entries, ...nested].map(({ at }) => ({ at: `${at}/approval/condition`, use: "approval" }));
}
