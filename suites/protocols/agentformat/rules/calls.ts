import type { Json } from "../../../../schemas/index.ts";
import { type DocumentPart, itemsAt, membersAt, textAt } from "./parts.ts";

/** JSON Pointer to the settings of the policy. */
export const config = "/execution_policy/config";

/** The six standard policies, each with the list of its calls. A batch repeats one call; with react, the model decides on calls. */
const callLists: Readonly<Record<string, string | undefined>> = {
  "agf.react": undefined,
  "agf.sequential": `${config}/steps`,
  "agf.parallel": `${config}/agents`,
  "agf.loop": `${config}/steps`,
  "agf.batch": undefined,
  "agf.conditional": `${config}/routes`,
};

/** Ids of the standard policies. */
export const standardPolicies: readonly string[] = Object.keys(callLists);

/** The id of the policy; undefined if it is not a standard one. */
export function policyOf(agent: Json): string | undefined {
  const id = textAt(agent, "/execution_policy/id");
  return id !== undefined && standardPolicies.includes(id) ? id : undefined;
}

/** JSON Pointers to the calls of a standard policy, in document order: its steps, its routes, or the settings of a batch. */
export function callsOf(agent: Json): string[] {
  const id = policyOf(agent);
  if (id === "agf.batch") return [config];
  const list = id === undefined ? undefined : callLists[id];
  return list === undefined ? [] : itemsAt(agent, list).map(({ at }) => at);
}

/** The alias in each call, in the same order; undefined for a call without one. */
export function calledAliases(agent: Json): (string | undefined)[] {
  return callsOf(agent).map((call) => textAt(agent, `${call}/agent`));
}

/** The path expressions that a call maps to the input of its agent. */
export function mappingOf(agent: Json, call: string): (DocumentPart & { value: string })[] {
  return membersAt(agent, `${call}/input_mapping`).flatMap(({ at, value }) =>
    typeof value === "string" ? [{ at, value }] : [],
  );
}

/** The aliases of one list of the action space. */
export function aliasesOf(agent: Json, list: "local_agents" | "remote_agents"): string[] {
  return itemsAt(agent, `/action_space/${list}`).flatMap(({ at }) => textAt(agent, `${at}/alias`) ?? []);
}
