import { expect, it } from "vitest";
import { isObject, type Json, pointer, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";

const { families } = await ruled(protocolNamed("agentformat"));
const cases = families.flatMap((family) => family.cases);
const matcherCases = cases.filter(({ rule }) => ["AGF-MATCH-009", "AGF-MATCH-010", "AGF-MATCH-011"].includes(rule));

/** The keys in the conditions of consent to delegations. */
function delegationKeys(agent: Json): string[] {
  const space = isObject(agent) && isObject(agent.action_space) ? agent.action_space : {};
  const agents = [space.local_agents, space.remote_agents].flatMap((list) => (Array.isArray(list) ? list : []));
  return agents.flatMap((calledAgent) => {
    const tests = pointer.at("/approval/condition/args_match", calledAgent);
    return isObject(tests) ? Object.keys(tests) : [];
  });
}

it("has keys in conditions of delegations only in vectors about delegation", () => {
  const parents = matcherCases.flatMap(({ valid }) => valid);
  expect(parents.flatMap(({ name, data }) => delegationKeys(data ?? null).map((key) => [name, key]))).toEqual([]);
  const disputedCases = matcherCases.flatMap(({ disputed = [] }) => disputed);
  expect(disputedCases.map(({ name, change }) => [name, change?.length])).toEqual([
    ["delegation-by-name", 1],
    ["delegation-by-path", 1],
  ]);
  const brokenCases = matcherCases.flatMap(({ invalid }) => invalid).filter(({ at }) => at?.includes("_agents/"));
  expect(brokenCases.map(({ change }) => change?.[0]?.path)).toEqual([
    "/action_space/local_agents/0/approval",
    "/action_space/remote_agents/0/approval",
    "/action_space/local_agents/0/approval",
    "/action_space/remote_agents/0/approval",
  ]);
});
