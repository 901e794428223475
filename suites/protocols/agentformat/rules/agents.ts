import { type Breach, type Checker, type Json, pointer } from "../../../../schemas/index.ts";
import { aliasesOf, calledAliases, callsOf, config, policyOf } from "./calls.ts";
import { type DocumentPart, textAt } from "./parts.ts";

const strategies = ["last", "merge", "first"];

const stepAgentChecker: Checker = {
  rule: "AGF-POL-007",
  documents: ["agent"],
  *check(agent) {
    if (policyOf(agent) === "agf.conditional") return;
    yield* findUndeclared(
      agent,
      callsOf(agent).map((call) => `${call}/agent`),
    );
  },
};

const routedAgentChecker: Checker = {
  rule: "AGF-POL-008",
  documents: ["agent"],
  *check(agent) {
    const routes = callsOf(agent).map((call) => `${call}/agent`);
    if (policyOf(agent) === "agf.conditional") yield* findUndeclared(agent, [...routes, `${config}/default_agent`]);
    if (hasOutput(agent)) yield* findUndeclared(agent, [`${config}/output_from/agent`]);
  },
};

const outputAliasChecker: Checker = {
  rule: "AGF-OUT-002",
  documents: ["agent"],
  *check(agent) {
    const at = `${config}/output_from`;
    if (!hasOutput(agent) || strategies.includes(textAt(agent, at) ?? "last")) return;
    for (const breach of findUndeclared(agent, [at]))
      yield { ...breach, why: `${breach.why}, and is not a strategy either` };
  },
};

const calledOutputChecker: Checker = {
  rule: "AGF-OUT-004",
  documents: ["agent"],
  *check(agent) {
    const { at, value } = outputAgent(agent) ?? {};
    if (at === undefined || typeof value !== "string") return;
    if (aliasesOf(agent, "local_agents").includes(value) && !calledAliases(agent).includes(value))
      yield { at, why: `is "${value}", an agent that this policy does not call` };
  },
};

/** The agent that provides the output: a string other than a strategy, or the `agent` of an object. */
export function outputAgent(agent: Json): DocumentPart | undefined {
  if (!hasOutput(agent)) return undefined;
  const at = `${config}/output_from`;
  const value = pointer.at(at, agent);
  if (typeof value === "string") return strategies.includes(value) ? undefined : { at, value };
  const alias = textAt(agent, `${at}/agent`);
  return alias === undefined ? undefined : { at: `${at}/agent`, value: alias };
}

function hasOutput(agent: Json): boolean {
  return ["agf.sequential", "agf.parallel", "agf.loop"].includes(policyOf(agent) ?? "");
}

function* findUndeclared(agent: Json, places: readonly string[]): Iterable<Breach> {
  const localAliases = new Set(aliasesOf(agent, "local_agents"));
  const remoteAliases = new Set(aliasesOf(agent, "remote_agents"));
  for (const at of places) {
    const alias = textAt(agent, at);
    if (alias === undefined || localAliases.has(alias)) continue;
    const remoteHint = remoteAliases.has(alias) ? ", only a remote one" : "";
    yield { at, why: `is ${JSON.stringify(alias)}, which is not a local agent${remoteHint}` };
  }
}

/** Checks that agents named by policies are declared and called. */
export const agentReferenceCheckers: readonly Checker[] = [
  stepAgentChecker,
  routedAgentChecker,
  outputAliasChecker,
  calledOutputChecker,
];
