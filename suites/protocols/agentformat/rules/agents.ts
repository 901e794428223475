import { type Breach, type Checker, type Json, pointer } from "../../../../schemas/index.ts";
import { aliasesOf, calledBy, callsOf, config, policyOf } from "./calls.ts";
import { type DocumentPart, textAt } from "./parts.ts";

const strategies = ["last", "merge", "first"];

const calledChecker: Checker = {
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

const chosenChecker: Checker = {
  rule: "AGF-POL-008",
  documents: ["agent"],
  *check(agent) {
    const routes = callsOf(agent).map((call) => `${call}/agent`);
    if (policyOf(agent) === "agf.conditional") yield* findUndeclared(agent, [...routes, `${config}/default_agent`]);
    if (hasOutput(agent)) yield* findUndeclared(agent, [`${config}/output_from/agent`]);
  },
};

const outputChecker: Checker = {
  rule: "AGF-OUT-002",
  documents: ["agent"],
  *check(agent) {
    const at = `${config}/output_from`;
    if (!hasOutput(agent) || strategies.includes(textAt(agent, at) ?? "last")) return;
    for (const breach of findUndeclared(agent, [at]))
      yield { ...breach, why: `${breach.why}, and is not a strategy either` };
  },
};

const ownOutputChecker: Checker = {
  rule: "AGF-OUT-004",
  documents: ["agent"],
  *check(agent) {
    const { at, value } = outputAgent(agent) ?? {};
    if (at === undefined || typeof value !== "string") return;
    if (aliasesOf(agent, "local_agents").includes(value) && !calledBy(agent).includes(value))
      yield { at, why: `is "${value}", an agent that this policy does not call` };
  },
};

/** The agent whose result becomes the output: named as a text that is not a strategy, or in an object. */
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
  const local = new Set(aliasesOf(agent, "local_agents"));
  const remote = new Set(aliasesOf(agent, "remote_agents"));
  for (const at of places) {
    const alias = textAt(agent, at);
    if (alias === undefined || local.has(alias)) continue;
    const elsewhere = remote.has(alias) ? ", only of a remote one" : "";
    yield { at, why: `is ${JSON.stringify(alias)}, which is the alias of no local agent${elsewhere}` };
  }
}

/** Checks that agents named by policies are declared and called. */
export const calledCheckers: readonly Checker[] = [calledChecker, chosenChecker, outputChecker, ownOutputChecker];
