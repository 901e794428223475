import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases, Json, JsonObject } from "../../../../schemas/index.ts";
import { advisory, react } from "./documents.ts";

const entry = "main.agf.yaml";
const bundled = (files: JsonObject): JsonObject => ({ entry, files });
const calling = (source: string, more: JsonObject = {}, type: JsonObject = {}): JsonObject =>
  react({ action_space: { local_agents: [{ alias: "helper", source, ...type }] }, ...more });
const source = (file: string): string => `/files/${file.replaceAll("/", "~1")}/action_space/local_agents/0/source`;
const child = "/files/agents~1a.agf.yaml";

const present: Cases = {
  rule: "AGF-ACT-009",
  document: "bundle",
  valid: [
    {
      name: "nested",
      says: "looks for each file from the folder of the one that names it",
      data: bundled({
        [entry]: calling("./agents/a.agf.yaml"),
        "agents/a.agf.yaml": calling("b.agf.yaml", {}, { source_type: "file" }),
        "agents/b.agf.yaml": calling("../c.agf.yaml"),
        "c.agf.yaml": react(),
      }),
      edge: true,
    },
    {
      name: "other-sources",
      says: "has agents that are in no file",
      data: bundled({ [entry]: calling("travel/helper@2", {}, { source_type: "registry" }) }),
    },
    {
      name: "not-called",
      says: "has a file that is no agent document, and that nothing leads to",
      data: bundled({ [entry]: calling("./a.agf.yaml"), "a.agf.yaml": react(), "notes.yaml": ["a", "b"] }),
      edge: true,
    },
  ],
  invalid: [
    {
      name: "missing",
      says: "leads to no file",
      change: remove("/files/agents~1b.agf.yaml"),
      at: source("agents/a.agf.yaml"),
    },
    {
      name: "from-the-entry",
      says: "is relative to the entry, and not to its own file",
      change: set(source("agents/a.agf.yaml"), "agents/b.agf.yaml"),
    },
    {
      name: "letter-case",
      says: "leads to a file but for its case",
      change: set(source(entry), "./agents/A.agf.yaml"),
      edge: true,
    },
    {
      name: "no-agent",
      says: "leads to a file with something else",
      change: set("/files/c.agf.yaml", { steps: [] }),
      at: source("agents/b.agf.yaml"),
    },
    {
      name: "faulty-agent",
      says: "leads to an agent document without its version",
      change: remove("/files/c.agf.yaml/schema_version"),
      at: source("agents/b.agf.yaml"),
    },
    { name: "entry", from: "not-called", says: "leads to no file", change: set(source(entry), "./b.agf.yaml") },
  ],
};

const numbers: JsonObject = {
  budget: { max_token_usage: 9000, max_duration_seconds: 60 },
  limits: { max_llm_calls: 8, max_tool_calls: 6, max_delegation_depth: 2 },
};
const pair = (parent: Json, own: Json, more: JsonObject = {}): JsonObject =>
  bundled({
    [entry]: calling("agents/a.agf.yaml", { constraints: parent }),
    "agents/a.agf.yaml": react({ constraints: own }),
    ...more,
  });

const looser: Cases = {
  rule: "AGF-CONS-004",
  document: "bundle",
  valid: [
    {
      name: "equal",
      says: "has a child with the bounds of its parent",
      data: pair(numbers, numbers),
      at: child,
      edge: true,
    },
    {
      name: "tighter",
      says: "has a child with a tighter bound",
      data: pair(numbers, { limits: { max_tool_calls: 1 } }),
      at: child,
    },
    {
      name: "unbounded-parent",
      says: "has a child with bounds of which its parent has none",
      data: pair({ limits: { max_llm_calls: 3 } }, { limits: { max_tool_calls: 50 } }),
      at: child,
    },
    {
      name: "grandchild",
      says: "has three files with ever tighter bounds",
      data: bundled({
        [entry]: calling("a.agf.yaml", { constraints: { limits: { max_tool_calls: 9 } } }),
        "a.agf.yaml": calling("b.agf.yaml", { constraints: { limits: { max_tool_calls: 6 } } }),
        "b.agf.yaml": react({ constraints: { limits: { max_tool_calls: 3 } } }),
      }),
    },
  ],
  invalid: [
    ...Object.entries({
      tokens: ["budget/max_token_usage", 9001],
      duration: ["budget/max_duration_seconds", 61],
      "model-calls": ["limits/max_llm_calls", 9],
      "tool-calls": ["limits/max_tool_calls", 7],
      depth: ["limits/max_delegation_depth", 3],
    } satisfies Record<string, [string, number]>).map(([name, [limit, value]]) => ({
      name,
      says: "is above the bound of the parent by one",
      change: set(`${child}/constraints/${limit}`, value),
      edge: true as const,
    })),
    {
      name: "zero",
      says: "is above a bound of none at all",
      change: set(`/files/${entry}/constraints/limits/max_tool_calls`, 0),
      at: `${child}/constraints/limits/max_tool_calls`,
    },
    {
      name: "last-of-three",
      from: "grandchild",
      says: "is above the bound of its own parent, and not above the first",
      change: set("/files/b.agf.yaml/constraints/limits/max_tool_calls", 8),
    },
  ],
  disputed: [
    {
      name: "free",
      says: "is above the bound of a parent that lets its children go further",
      change: [
        ...set(`${child}/constraints/limits/max_tool_calls`, 7),
        ...add(`/files/${entry}/constraints/tighten_only_invariant`, false),
      ],
      readings: [
        {
          verdict: "valid",
          by: ["the child may loosen"],
          why: "off means that those below may set bounds of their own",
        },
        { verdict: "invalid", by: ["AGF-CONS-004"], why: "a child that is looser than its parent is pointed out" },
      ],
    },
  ],
};

const remembering = react({ memory: { required: true } });
const strategy = `/files/${entry}/action_space/local_agents/0/memory_scope_strategy`;
const given = (type: JsonObject, own = remembering): JsonObject =>
  bundled({ [entry]: calling("agents/a.agf.yaml", {}, type), "agents/a.agf.yaml": own });

const forgetful: Cases = {
  rule: "AGF-MEM-005",
  document: "bundle",
  valid: [
    { name: "inherit", says: "hands memory on", data: given({ memory_scope_strategy: "inherit" }), at: strategy },
    {
      name: "isolated",
      says: "gives memory of its own",
      data: given({ memory_scope_strategy: "isolated" }),
      at: strategy,
    },
    { name: "default", says: "says nothing, which hands memory on", data: given({}), at: child, edge: true },
    {
      name: "none-needed",
      says: "gives no memory to the one of two children that requires none",
      data: bundled({
        [entry]: react({
          action_space: {
            local_agents: [
              { alias: "first", source: "agents/a.agf.yaml" },
              { alias: "second", source: "agents/b.agf.yaml", memory_scope_strategy: "none" },
            ],
          },
        }),
        "agents/a.agf.yaml": remembering,
        "agents/b.agf.yaml": react({ memory: { required: false } }),
      }),
      at: `/files/${entry}/action_space/local_agents/1/memory_scope_strategy`,
      edge: true,
    },
    {
      name: "none-by-default",
      says: "gives no memory to a child that says nothing of it",
      data: given({ memory_scope_strategy: "none" }, react({ memory: {} })),
      at: strategy,
    },
  ],
  invalid: [
    { name: "none", says: "is `none`, for a child that requires memory", change: set(strategy, "none") },
    {
      name: "second-of-two",
      from: "none-needed",
      says: "is required under the strategy none",
      change: set("/files/agents~1b.agf.yaml/memory/required", true),
      at: `/files/${entry}/action_space/local_agents/1/memory_scope_strategy`,
      edge: true,
    },
  ],
};

export const bundleCases: readonly Cases[] = [advisory("SHOULD", present), advisory("SHOULD", looser), forgetful];
