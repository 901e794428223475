import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { conditional, loop, react } from "./documents.ts";

const config = "/execution_policy/config";
const when = (tests: JsonObject): JsonObject => ({ condition: { args_match: tests } });

/**
 * Conditions wherever consent may hang on one and names are arguments: at a tool, a server and its tool, and the skill of an agent. What the
 * names in consent to a delegation are is read in two ways: only what is about that has any.
 */
const consenting = (tests: JsonObject): JsonObject =>
  react({
    action_space: {
      local_tools: [
        { alias: "book", approval: { condition: [{ args_match: { price: { gt: 100 } } }, { args_match: tests }] } },
      ],
      mcp_servers: [
        { alias: "maps", approval: when(tests), allowed_tools: ["route", { name: "place", approval: when(tests) }] },
      ],
      local_agents: [{ alias: "writer", source: "./writer.agf.yaml" }],
      remote_agents: [{ alias: "hotel", allowed_skills: [{ id: "reserve", approval: when(tests) }] }],
    },
  });
const places: readonly [name: string, at: string][] = [
  ["tool", "/action_space/local_tools/0/approval/condition/1/args_match/city"],
  ["server", "/action_space/mcp_servers/0/approval/condition/args_match/city"],
  ["tool-of-a-server", "/action_space/mcp_servers/0/allowed_tools/1/approval/condition/args_match/city"],
  ["skill", "/action_space/remote_agents/0/allowed_skills/0/approval/condition/args_match/city"],
];
const delegations: readonly [name: string, agent: string][] = [
  ["local-agent", "/action_space/local_agents/0"],
  ["remote-agent", "/action_space/remote_agents/0"],
];
const tool = places[0]?.[1] as string;
const exit = `${config}/exit_condition/args_match`;
const route = `${config}/routes/0/when/args_match`;

const patterns: Cases = {
  rule: "AGF-MATCH-009",
  document: "agent",
  valid: [
    {
      name: "anchored",
      says: "are regular expressions",
      data: consenting({ city: { pattern: "^[A-Z][a-z]+$" } }),
      at: "/action_space",
    },
    {
      name: "everything",
      says: "is the empty regular expression",
      data: consenting({ city: { pattern: "" } }),
      at: `${tool}/pattern`,
      edge: true,
    },
    {
      name: "escapes",
      says: "escapes what has a meaning, a bracket among it",
      data: consenting({ city: { pattern: "^\\(\\[a-z\\]\\)\\{2\\}$" } }),
      at: `${tool}/pattern`,
    },
    {
      name: "literal",
      says: "is a literal that would be no regular expression",
      data: consenting({ city: "(" }),
      at: tool,
      edge: true,
    },
    {
      name: "any-character",
      says: "is a class of ECMA-262 that leaves nothing out",
      data: consenting({ city: { pattern: "^[^]$" } }),
      at: `${tool}/pattern`,
      edge: true,
    },
    { name: "exit", says: "is a regular expression", data: loop(), at: exit },
    { name: "route", says: "is a regular expression", data: conditional(), at: route },
  ],
  invalid: [
    ...places.map(([name, at]) => ({ name, says: "is a group that never ends", change: set(`${at}/pattern`, "(") })),
    ...delegations.map(([name, agent]) => ({
      name,
      says: "is a group that never ends",
      change: add(`${agent}/approval`, when({ city: { pattern: "(" } })),
      at: `${agent}/approval/condition/args_match/city/pattern`,
    })),
    { name: "class", says: "is a class that never ends", change: set(`${tool}/pattern`, "^[a-z") },
    { name: "glob", says: "is a pattern for file names", change: set(`${tool}/pattern`, "*.pdf"), edge: true },
    {
      name: "bounds-reversed",
      says: "has a lower bound above the upper, which Perl alone takes",
      change: set(`${tool}/pattern`, "^a{3,2}$"),
      level: "SHOULD",
    },
    {
      name: "range-reversed",
      says: "has a range from the higher to the lower",
      change: set(`${tool}/pattern`, "^[z-a]$"),
    },
    { name: "group-not-opened", says: "ends a group that it has not begun", change: set(`${tool}/pattern`, "^a)$") },
    {
      name: "group-in-exit",
      from: "exit",
      says: "is no regular expression",
      change: add(`${exit}/critic.output.text`, { pattern: "(a" }),
    },
    {
      name: "repetition-in-route",
      from: "route",
      says: "is no regular expression",
      change: add(`${route}/parent.input.city`, { pattern: "+a" }),
    },
    ...Object.entries({
      "inline-flag": "(?i)^rome$",
      "python-group": "^(?P<initial>[A-Z])",
      "text-anchors": "\\ARome\\z",
    }).map(([name, pattern]) => ({
      name,
      says: "is a regular expression to some engines, and none to ECMA-262",
      change: set(`${tool}/pattern`, pattern),
      level: "SHOULD" as const,
    })),
  ],
};

const nothing: Cases = {
  rule: "AGF-MATCH-010",
  document: "agent",
  valid: [
    {
      name: "tests",
      says: "have operators and items",
      data: consenting({ city: { in: ["Rome"] } }),
      at: "/action_space",
    },
    {
      name: "no-tests",
      says: "has no test, and says so",
      data: react({ action_space: { local_tools: [{ alias: "book", approval: when({}) }] } }),
      at: "/action_space",
      edge: true,
    },
    {
      name: "no-condition",
      says: "hangs on no condition",
      data: react({ action_space: { local_tools: [{ alias: "book", approval: {} }] } }),
      at: "/action_space",
    },
    { name: "zero", says: "has an item that is false", data: consenting({ city: { not_in: [false] } }), at: tool },
    { name: "exit", says: "has operators", data: loop(), at: exit },
    { name: "route", says: "has operators", data: conditional(), at: `${config}/routes` },
  ],
  invalid: [
    ...places.map(([name, at]) => ({ name, says: "has no operator", change: set(at, {}) })),
    ...delegations.map(([name, agent]) => ({
      name,
      says: "has no operator",
      change: add(`${agent}/approval`, when({ city: {} })),
      at: `${agent}/approval/condition/args_match/city`,
    })),
    { name: "in", says: "has no item", change: set(`${tool}/in`, []) },
    { name: "not-in", from: "zero", says: "has no item", change: set(`${tool}/not_in`, []) },
    {
      name: "no-tests-for-consent",
      from: "no-tests",
      says: "is a group without tests",
      change: set("/action_space/local_tools/0/approval/condition", {}),
    },
    { name: "empty-group", from: "exit", says: "has no tests", change: remove(exit), at: `${config}/exit_condition` },
    {
      name: "no-operator-in-exit",
      from: "exit",
      says: "has no operator",
      change: set(`${exit}/critic.output.score`, {}),
    },
    {
      name: "last-group",
      from: "route",
      says: "is a group without tests, behind one that has some",
      change: add(`${config}/routes/1/when/-`, {}),
      at: `${config}/routes/1/when/1`,
      edge: true,
    },
  ],
};

const keys: Cases = {
  rule: "AGF-MATCH-011",
  document: "agent",
  valid: [
    { name: "exit", says: "looks at a path", data: loop(), at: exit },
    { name: "route", says: "look at paths", data: conditional(), at: `${config}/routes` },
    {
      name: "arguments",
      says: "look at arguments by their plain names",
      data: consenting({ city: "Rome", "dry-run": true }),
      at: "/action_space",
      edge: true,
    },
    {
      name: "groups",
      says: "look at paths in each of two groups",
      data: loop({
        exit_condition: [
          { args_match: { "critic.output.done": true } },
          { args_match: { "writer.output.done": true } },
        ],
      }),
      at: `${config}/exit_condition`,
    },
  ],
  invalid: [
    { name: "bare", says: "looks at a bare name", change: add(`${exit}/score`, 1) },
    {
      name: "no-field",
      says: "looks at an agent and a direction alone",
      change: add(`${exit}/critic.output`, true),
      edge: true,
    },
    { name: "no-direction", says: "looks at a field without a direction", change: add(`${exit}/critic.score`, 1) },
    { name: "route-bare", from: "route", says: "looks at a bare name", change: add(`${route}/days`, 3) },
    {
      name: "route-template",
      from: "route",
      says: "looks at a template",
      change: add(`${route}/{{parent.input.days}}`, 3),
    },
    {
      name: "last-group",
      from: "groups",
      says: "looks at a bare name in the last group",
      change: add(`${config}/exit_condition/1/args_match/done`, true),
    },
    {
      name: "second-route",
      from: "route",
      says: "looks at the name of a tool's argument",
      change: add(`${config}/routes/1/when/0/args_match/tool_args.city`, "Rome"),
    },
  ],
  disputed: [
    {
      name: "delegation-by-name",
      from: "arguments",
      says: "looks at an argument of a delegation by its plain name",
      change: add("/action_space/local_agents/0/approval", when({ city: "Rome" })),
      readings: [
        {
          verdict: "valid",
          by: ["description of the schema"],
          why: "in matters of consent the keys are names of arguments",
        },
        { verdict: "invalid", by: ["web page on conditions"], why: "for delegation the keys are paths into the input" },
      ],
    },
    {
      name: "delegation-by-path",
      from: "arguments",
      says: "looks at an argument of a delegation by a path",
      change: add("/action_space/local_agents/0/approval", when({ "parent.input.city": "Rome" })),
      readings: [
        { verdict: "valid", by: ["web page on conditions"], why: "for delegation the keys are paths into the input" },
        {
          verdict: "invalid",
          by: ["description of the schema"],
          why: "in matters of consent the keys are names of arguments",
        },
      ],
    },
  ],
};

export const matcherCases: readonly Cases[] = [patterns, nothing, keys];
