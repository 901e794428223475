import type { JsonObject } from "../../../../schemas/index.ts";

const head = {
  schema_version: "1.0.0",
  metadata: { id: "trip-desk", name: "Trip Desk", version: "1.0.0", description: "Plans short trips." },
  interface: {
    input: {
      type: "object",
      properties: {
        city: { type: "string" },
        days: { type: "integer" },
        stops: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
      },
    },
    output: { type: "object" },
  },
} satisfies JsonObject;

/** A valid agent document with the given policy. */
export function agent(id: string, config: JsonObject, sections: JsonObject = {}): JsonObject {
  return { ...head, ...sections, execution_policy: { id, config } };
}

/** An action space with these local agents, each in its own file. */
export function locals(...aliases: string[]): JsonObject {
  return { local_agents: aliases.map((alias) => ({ alias, source: `./agents/${alias}.agf.yaml` })) };
}

/** A call of an agent, with its input mapping. */
export function call(alias: string, input_mapping: JsonObject): JsonObject {
  return { agent: alias, input_mapping };
}

/** The smallest agent: a model, which may have tools. */
export function react(sections: JsonObject = {}): JsonObject {
  return agent("agf.react", { instructions: "Plan a trip.", model: "small-1" }, sections);
}

const team = { action_space: locals("finder", "writer", "critic", "spare") };
const search = call("finder", { place: "parent.input.city" });
const write = call("writer", { places: "finder.output.places", days: "parent.input.days" });

/** Two steps, of which the second uses the result of the first. `critic` and `spare` are declared but not called. */
export function sequential(sections: JsonObject = {}): JsonObject {
  return agent("agf.sequential", { steps: [search, write], ...sections }, team);
}

export function parallel(sections: JsonObject = {}): JsonObject {
  const agents = [search, call("writer", { days: "parent.input.days" })];
  return agent("agf.parallel", { agents, ...sections }, team);
}

/** Two steps, repeated until the critic is satisfied. */
export function loop(sections: JsonObject = {}): JsonObject {
  const steps = [call("writer", { place: "parent.input.city" }), call("critic", { text: "writer.output.text" })];
  const exit_condition = { args_match: { "critic.output.score": { gte: 0.8 } } };
  return agent("agf.loop", { steps, exit_condition, ...sections }, team);
}

/** One call for each stop. */
export function batch(sections: JsonObject = {}): JsonObject {
  const input_mapping = { stop: "parent.input.stops.[].name", place: "parent.input.city" };
  return agent("agf.batch", { agent: "writer", input_mapping, ...sections }, team);
}

/** Two routes and a default. */
export function conditional(sections: JsonObject = {}): JsonObject {
  const routes = [
    {
      when: { args_match: { "parent.input.days": { gt: 3 } } },
      ...call("writer", { place: "parent.input.city" }),
    },
    { when: [{ args_match: { "parent.input.city": "Rome" } }], agent: "finder" },
  ];
  return agent("agf.conditional", { routes, default_agent: "critic", ...sections }, team);
}
