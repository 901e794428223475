import type { Json } from "../../../../schemas/index.ts";
import { type DocumentPart, itemsAt, membersAt, textAt } from "./parts.ts";

/** The settings of the policy. */
export const config = "/execution_policy/config";

/** The six policies of the standard, each with its list of calls; a batch makes one call, react leaves calls to the model. */
const callLists: Readonly<Record<string, string | undefined>> = {
  "agf.react": undefined,
  "agf.sequential": `${config}/steps`,
  "agf.parallel": `${config}/agents`,
  "agf.loop": `${config}/steps`,
  "agf.batch": undefined,
  "agf.conditional": `${config}/routes`,
};

/** Ids of the policies of the standard. */
export const standardPolicies: readonly string[] = Object.keys(callLists);

/** The id of the policy, if it is one of the standard. */
export function policyOf(agent: Json): string | undefined {
  const id = textAt(agent, "/execution_policy/id");
  return id !== undefined && standardPolicies.includes(id) ? id : undefined;
}

/** The places at which a standard policy calls an agent, in the order written: steps, routes, or the batch itself. */
export function callsOf(agent: Json): string[] {
  const id = policyOf(agent);
  if (id === "agf.batch") return [config];
  const list = id === undefined ? undefined : callLists[id];
  return list === undefined ? [] : itemsAt(agent, list).map(({ at }) => at);
}

/** The agents that the calls name, in the same order; undefined for a call without one. */
export function calledBy(agent: Json): (string | undefined)[] {
  return callsOf(agent).map((call) => textAt(agent, `${call}/agent`));
}

/** The texts that a call maps to the input of its agent. */
export function mappingOf(agent: Json, call: string): (DocumentPart & { value: string })[] {
  return membersAt(agent, `${call}/input_mapping`).flatMap(({ at, value }) =>
    typeof value === "string" ? [{ at, value }] : [],
  );
}

/** The aliases of one list of the action space. */
export function aliasesOf(agent: Json, list: "local_agents" | "remote_agents"): string[] {
  return itemsAt(agent, `/action_space/${list}`).flatMap(({ at }) => textAt(agent, `${at}/alias`) ?? []);
}
