import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";

/** An agent document with this policy, which declares each agent that the policy calls. `sections` add or replace members. */
export function agentDocument(id: string, config: JsonObject, sections: JsonObject = {}): JsonObject {
  const aliases = aliasesIn(config);
  return {
    schema_version: "1.0.0",
    metadata: { id: "touchstone-play", name: "Play", version: "1.0.0", description: "Played by a suite." },
    interface: { input: { type: "object" }, output: {} },
    ...(aliases.length === 0 ? {} : { action_space: { local_agents: aliases.map((alias) => subAgent(alias)) } }),
    execution_policy: { id, config },
    ...sections,
  };
}

/** A sub-agent played by the suite. */
export function subAgent(alias: string, sections: JsonObject = {}): JsonObject {
  return { alias, source_type: "registry", source: `touchstone/${alias}`, ...sections };
}

/** A document with one model and a tool. */
export function reactDocument(settings: JsonObject = {}, sections: JsonObject = {}): JsonObject {
  const config = { instructions: "Do what is asked.", model: "small-1", ...settings };
  return agentDocument("agf.react", config, { action_space: { local_tools: [{ alias: "look" }] }, ...sections });
}

/** A step that passes on the field `q` of the input. */
export function step(agent: string, mapping: Record<string, string> = { q: "parent.input.q" }): JsonObject {
  return { agent, input_mapping: mapping };
}

/** A condition on one path. */
export function conditionOn(path: string, test: Json): JsonObject {
  return { args_match: { [path]: test } };
}

/** A model's answer that calls a tool. */
export function callOf(name: string, args: JsonObject = {}): JsonObject {
  return callingAll([[name, args]]);
}

/** A model's answer with several tool calls. */
export function callingAll(calls: readonly (readonly [name: string, args?: JsonObject])[]): JsonObject {
  const tool_calls = calls.map(([name, args = {}]) => ({ name, arguments: args }));
  return { content: "", tool_calls, usage: { input: 10, output: 5 } };
}

function aliasesIn(value: Json): string[] {
  const names: string[] = [];
  const collect = (part: Json | undefined): void => {
    if (Array.isArray(part)) part.forEach(collect);
    if (!isObject(part)) return;
    for (const name of ["agent", "default_agent"])
      if (typeof part[name] === "string" && !names.includes(part[name] as string)) names.push(part[name] as string);
    for (const name of ["steps", "agents", "routes"]) collect(part[name]);
  };
  collect(value);
  return names;
}
