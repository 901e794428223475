import { add } from "../../../../generators/index.ts";
import type { Cases, Reading } from "../../../../schemas/index.ts";
import { agent, batch, locals, react, sequential } from "./documents.ts";

const readings: Reading[] = [
  { verdict: "valid", by: ["a parser, AGF-COMPAT-001"], why: "unknown members are no reason to refuse a document" },
  { verdict: "invalid", by: ["a strict mode, AGF-COMPAT-003"], why: "an unknown member is most likely a slip" },
];

const full = {
  ...react(),
  metadata: {
    ...(react().metadata as object),
    labels: { aproval: "yes", url: "none" },
    annotations: { "build.auth": "off" },
  },
  interface: {
    input: { type: "object", properties: { endpoint: {} }, "x-order": ["endpoint"] },
    output: { enum: ["done"] },
  },
  constraints: { budget: { max_token_usage: 5000 }, limits: { max_tool_calls: 5 } },
  action_space: {
    local_tools: [{ alias: "book", approval: { condition: { args_match: { url: "https://rail.example/" } } } }],
    mcp_servers: [{ alias: "maps", server_ref: "registry.example/maps", allowed_tools: [{ name: "route" }] }],
    ...locals("writer"),
  },
};

const unknown: Cases = {
  rule: "AGF-COMPAT-003",
  document: "agent",
  valid: [
    {
      name: "data-as-names",
      says: "has names of its own where names are data, and in the schema of its input",
      data: full,
      edge: true,
    },
    {
      name: "vendor-settings",
      says: "has settings that the vendor of its policy knows",
      data: agent("x-acme.plan", { depth: 3, stepz: [{ agnet: "a" }] }),
      at: "/execution_policy/config",
      edge: true,
    },
    { name: "batch", says: "names the fields of a mapping as it likes", data: batch(), at: "/execution_policy/config" },
    {
      name: "steps",
      says: "has members that are known",
      data: sequential({ output_from: { agent: "writer", description: "The text." } }),
    },
  ],
  invalid: [],
  disputed: [
    { name: "root", says: "is unknown", change: add("/future_field", { any: "thing" }), readings },
    {
      name: "slip",
      says: "is a slip for approval",
      change: add("/action_space/mcp_servers/0/aproval", true),
      readings,
    },
    {
      name: "old-name",
      says: "is a name from before the first release",
      change: add("/action_space/mcp_servers/0/allow_tools", ["route"]),
      readings,
    },
    {
      name: "lost-condition",
      says: "is a slip that makes a condition hold always",
      change: add("/action_space/local_tools/0/approval/condition/arg_match", { price: 5 }),
      readings,
    },
    {
      name: "settings",
      from: "batch",
      says: "is a setting of another policy",
      change: add("/execution_policy/config/output_from", "last"),
      readings,
    },
    {
      name: "output",
      from: "steps",
      says: "is unknown, in the choice of the output",
      change: add("/execution_policy/config/output_from/note", "The text."),
      readings,
    },
  ],
};

const deployed: Cases = {
  rule: "AGF-CONS-006",
  document: "agent",
  valid: [
    {
      name: "known-bounds",
      says: "bounds what does not hang on prices",
      data: react({ constraints: { budget: { max_token_usage: 5000 } } }),
      at: "/constraints/budget",
    },
    { name: "data", says: "has such words where names are data", data: full, edge: true },
    {
      name: "remote",
      says: "tells nothing of where it is reached",
      data: react({ action_space: { remote_agents: [{ alias: "hotel" }], mcp_servers: [{ alias: "maps" }] } }),
      at: "/action_space",
    },
  ],
  invalid: [
    { name: "cost", says: "bounds the cost in money", change: add("/constraints/budget/max_cost_usd", 5) },
    {
      name: "url",
      from: "remote",
      says: "is an address",
      change: add("/action_space/remote_agents/0/url", "https://hotel.example/"),
    },
    {
      name: "endpoint",
      from: "remote",
      says: "is an address",
      change: add("/action_space/mcp_servers/0/endpoint", "https://maps.example/"),
    },
    {
      name: "auth",
      from: "remote",
      says: "is a way to log in",
      change: add("/action_space/mcp_servers/0/auth", { type: "oauth2" }),
    },
    {
      name: "beside-the-model",
      says: "is an address",
      change: add("/execution_policy/config/endpoint", "https://model.example/"),
      edge: true,
    },
    { name: "root", says: "is a way to log in", change: add("/auth", "none") },
  ],
};

export const memberCases: readonly Cases[] = [unknown, deployed];
