import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { agent, batch, call, conditional, locals, loop, parallel, sequential } from "./documents.ts";

const config = "/execution_policy/config";
const remote = (base: JsonObject): JsonObject => ({
  ...base,
  action_space: { ...(base.action_space as object), remote_agents: [{ alias: "hotel" }] },
});

const remoteAgent = add("/action_space/remote_agents", [{ alias: "hotel" }]);

const called: Cases = {
  rule: "AGF-POL-007",
  document: "agent",
  valid: [
    { name: "steps", says: "are declared agents", data: remote(sequential()), at: `${config}/steps` },
    { name: "parallel", says: "are declared agents", data: parallel(), at: `${config}/agents` },
    { name: "loop", says: "are declared agents", data: loop(), at: `${config}/steps` },
    { name: "batch", says: "is a declared agent", data: batch(), at: `${config}/agent` },
    {
      name: "both-kinds",
      says: "is the alias of a local agent, and of a remote one besides",
      data: agent(
        "agf.sequential",
        { steps: [call("hotel", { place: "parent.input.city" })] },
        { action_space: { ...locals("hotel"), remote_agents: [{ alias: "hotel" }] } },
      ),
      at: `${config}/steps/0/agent`,
      edge: true,
    },
    {
      name: "vendor",
      says: "has steps of an undeclared agent, under a policy whose settings are its own",
      data: agent("x-acme.sequential", { steps: [{ agent: "nobody" }] }),
      at: `${config}/steps`,
    },
  ],
  invalid: [
    {
      name: "first-step",
      says: "is no declared agent, and no other step reads from it",
      change: [...set(`${config}/steps/0/agent`, "nobody"), ...remove(`${config}/steps/1/input_mapping/places`)],
    },
    {
      name: "last-step",
      says: "is no declared agent",
      change: set(`${config}/steps/1/agent`, "nobody"),
    },
    {
      name: "letter-case",
      says: "is a declared agent but for its case",
      change: set(`${config}/steps/1/agent`, "Writer"),
      edge: true,
    },
    {
      name: "remote",
      says: "is the alias of a remote agent",
      change: set(`${config}/steps/1/agent`, "hotel"),
      edge: true,
    },
    {
      name: "by-source",
      says: "is the source of a declared agent, not its alias",
      change: set(`${config}/steps/1/agent`, "./agents/writer.agf.yaml"),
    },
    {
      name: "in-parallel",
      from: "parallel",
      says: "is no declared agent",
      change: set(`${config}/agents/1/agent`, "nobody"),
    },
    {
      name: "in-loop",
      from: "loop",
      says: "is no declared agent",
      change: add(`${config}/steps/-`, { agent: "nobody" }),
      at: `${config}/steps/2/agent`,
    },
    { name: "in-batch", from: "batch", says: "is no declared agent", change: set(`${config}/agent`, "nobody") },
    ...(
      [
        ["parallel", "/agents/0/agent"],
        ["batch", "/agent"],
      ] as const
    ).map(([from, place]) => ({
      name: `remote-in-${from}`,
      from,
      says: "is the alias of a remote agent",
      change: [...remoteAgent, ...set(`${config}${place}`, "hotel")],
      at: `${config}${place}`,
    })),
    {
      name: "remote-in-loop",
      from: "loop",
      says: "is the alias of a remote agent",
      change: [...remoteAgent, ...add(`${config}/steps/-`, { agent: "hotel" })],
      at: `${config}/steps/2/agent`,
    },
    {
      name: "tool",
      from: "batch",
      says: "is the alias of a tool",
      change: [...add("/action_space/local_tools", [{ alias: "hotel" }]), ...set(`${config}/agent`, "hotel")],
      at: `${config}/agent`,
    },
    {
      name: "nothing-declared",
      from: "batch",
      says: "is not declared, as there is no action space",
      change: remove("/action_space"),
      at: `${config}/agent`,
    },
  ],
};

const chosen: Cases = {
  rule: "AGF-POL-008",
  document: "agent",
  valid: [
    { name: "routes", says: "are declared agents", data: remote(conditional()), at: config },
    {
      name: "no-default",
      says: "has no agent for what matches nowhere",
      data: agent(
        "agf.conditional",
        { routes: [{ when: { args_match: { "parent.input.days": 1 } }, agent: "writer" }] },
        { action_space: locals("writer") },
      ),
      at: config,
      edge: true,
    },
    {
      name: "output",
      says: "is a declared agent",
      data: sequential({ output_from: { agent: "finder" } }),
      at: `${config}/output_from/agent`,
    },
    {
      name: "transform",
      says: "is the name of a transform, which nothing declares",
      data: parallel({ output_from: { custom_transform: "acme.nobody" } }),
      at: `${config}/output_from/custom_transform`,
    },
  ],
  invalid: [
    { name: "first-route", says: "is no declared agent", change: set(`${config}/routes/0/agent`, "nobody") },
    { name: "last-route", says: "is no declared agent", change: set(`${config}/routes/1/agent`, "Finder"), edge: true },
    { name: "remote", says: "is the alias of a remote agent", change: set(`${config}/routes/1/agent`, "hotel") },
    { name: "default", says: "is no declared agent", change: set(`${config}/default_agent`, "nobody") },
    { name: "remote-default", says: "is the alias of a remote agent", change: set(`${config}/default_agent`, "hotel") },
    {
      name: "remote-output",
      from: "output",
      says: "is the alias of a remote agent",
      change: [...remoteAgent, ...set(`${config}/output_from/agent`, "hotel")],
      at: `${config}/output_from/agent`,
    },
    { name: "empty-default", says: "is empty", change: set(`${config}/default_agent`, ""), edge: true },
    {
      name: "output-undeclared",
      from: "output",
      says: "is no declared agent",
      change: set(`${config}/output_from/agent`, "nobody"),
    },
    { name: "empty-output", from: "output", says: "is empty", change: set(`${config}/output_from/agent`, "") },
    {
      name: "output-of-a-strategy",
      from: "output",
      says: "is the word for a strategy, which no agent bears",
      change: set(`${config}/output_from/agent`, "last"),
    },
    {
      name: "output-in-parallel",
      from: "transform",
      says: "is no declared agent",
      change: set(`${config}/output_from`, { agent: "nobody" }),
      involves: ["/action_space/local_agents"],
    },
  ],
};

export const agentCases: readonly Cases[] = [called, chosen];
