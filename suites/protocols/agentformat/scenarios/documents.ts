import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";

/** An agent document with this policy, and each alias that the policy names as a sub-agent. Sections in `more` are added or replace others. */
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

/** A document of one model with tools. */
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

/** A model's answer that calls several tools, or one several times. */
export function callingAll(calls: readonly (readonly [name: string, args?: JsonObject])[]): JsonObject {
  const tool_calls = calls.map(([name, args = {}]) => ({ name, arguments: args }));
  return { content: "", tool_calls, usage: { input: 10, output: 5 } };
}

function aliasesIn(value: Json): string[] {
  const names: string[] = [];
  const look = (each: Json | undefined): void => {
    if (Array.isArray(each)) each.forEach(look);
    if (!isObject(each)) return;
    for (const name of ["agent", "default_agent"])
      if (typeof each[name] === "string" && !names.includes(each[name] as string)) names.push(each[name] as string);
    for (const name of ["steps", "agents", "routes"]) look(each[name]);
  };
  look(value);
  return names;
}
