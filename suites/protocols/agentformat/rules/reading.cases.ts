import { set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { advisory, agent, call, conditional, loop, react } from "./documents.ts";

const read = (document: JsonObject, unknown_members: string[] = [], mode = "parser", accepted = true): JsonObject => ({
  document,
  mode,
  accepted,
  unknown_members,
});
const refusal = set("/accepted", false);

const future = { ...react(), future_field: { steps: [] } };
const slip = react({
  action_space: { local_tools: [{ alias: "book", aproval: true }], mcp_servers: [{ alias: "maps", allow_tools: [] }] },
});
const slips = ["/action_space/local_tools/0/aproval", "/action_space/mcp_servers/0/allow_tools"];
const mapped = react({
  interface: { input: { properties: { aproval: {} } }, output: {} },
  metadata: { ...(react().metadata as JsonObject), labels: { aproval: "yes" } },
});

const condition = { args_match: { city: "Rome" }, future: 1 };
const grouped = react({ action_space: { local_tools: [{ alias: "book", approval: { condition } }] } });
const group = "/action_space/local_tools/0/approval/condition/future";

const tolerant: Cases = {
  rule: "AGF-COMPAT-001",
  document: "reading",
  valid: [
    { name: "root", says: "is of a document with an unknown member", data: read(future, ["/future_field"]) },
    { name: "nested", says: "is of a document with two slips further in", data: read(slip, slips) },
    { name: "condition", says: "is of a document with an unknown member in a condition", data: read(grouped, [group]) },
    {
      name: "strict",
      says: "is that of a strict mode, which may refuse what it does not know",
      data: read(future, ["/future_field"], "strict", false),
      edge: true,
    },
    {
      name: "wrong-besides",
      says: "is false for a document that has a wrong version besides",
      data: read({ ...future, schema_version: "2.0.0" }, ["/future_field"], "parser", false),
      at: "/accepted",
      edge: true,
    },
  ],
  invalid: [
    { name: "root-refused", says: "is false, for a member at the root that is unknown", change: refusal },
    {
      name: "nested-refused",
      from: "nested",
      says: "is false, for members further in that are unknown",
      change: refusal,
    },
  ],
};

const telling: Cases = {
  rule: "AGF-COMPAT-003",
  document: "reading",
  valid: [
    {
      name: "told",
      says: "tells of the unknown member",
      data: read(future, ["/future_field"]),
      at: "/unknown_members",
    },
    {
      name: "told-in-any-order",
      says: "tells of both slips",
      data: read(slip, [...slips].reverse()),
      at: "/unknown_members",
    },
    {
      name: "nothing-to-tell",
      says: "has nothing to tell of names that are data",
      data: read(mapped),
      at: "/unknown_members",
      edge: true,
    },
    { name: "strict", says: "refuses the unknown member", data: read(slip, slips, "strict", false), at: "/accepted" },
    {
      name: "strict-and-known",
      says: "finds nothing unknown",
      data: read(mapped, [], "strict"),
      at: "/accepted",
      edge: true,
    },
  ],
  invalid: [
    { name: "silence", says: "is silent on an unknown member", change: set("/unknown_members", []) },
    {
      name: "one-of-two",
      from: "told-in-any-order",
      says: "tells of the first slip alone",
      change: set("/unknown_members", slips.slice(0, 1)),
      edge: true,
    },
    { name: "name-alone", says: "tells the name and not the place", change: set("/unknown_members", ["future_field"]) },
    {
      name: "label",
      from: "nothing-to-tell",
      says: "takes a label for an unknown member",
      change: set("/unknown_members", ["/metadata/labels/aproval"]),
    },
    {
      name: "keyword",
      from: "nothing-to-tell",
      says: "takes a keyword of the input's schema for an unknown member",
      change: set("/unknown_members", ["/interface/input/properties"]),
    },
    {
      name: "below",
      says: "goes on below the unknown member",
      change: set("/unknown_members", ["/future_field", "/future_field/steps"]),
    },
    {
      name: "strict-acceptance",
      from: "strict",
      says: "is true in strict mode, in spite of slips",
      change: set("/accepted", true),
    },
  ],
};

const sourced = (source_type: string) =>
  react({ action_space: { local_agents: [{ alias: "writer", source_type, source: "travel/writer" }] } });
const anySource: Cases = {
  rule: "AGF-ACT-004",
  document: "reading",
  valid: [
    { name: "accepted", says: "is true, whatever the type of a source", data: read(sourced("git")), at: "/accepted" },
    {
      name: "accepted-empty",
      says: "is true, although the type of a source is an empty text",
      data: read(sourced("")),
      at: "/accepted",
      edge: true,
    },
  ],
  invalid: [
    { name: "refused", says: "is false for a source of type git", change: refusal },
    {
      name: "refused-capitals",
      says: "is false for a source of type FILE",
      change: [...set("/document/action_space/local_agents/0/source_type", "FILE"), ...refusal],
      at: "/accepted",
    },
  ],
};

const anyVendor: Cases = {
  rule: "AGF-POL-004",
  document: "reading",
  valid: [
    {
      name: "accepted",
      says: "is true, whatever the settings of a vendor's policy",
      data: read(agent("x-acme.plan", { steps: 3 })),
      at: "/accepted",
    },
    {
      name: "accepted-without-form",
      says: "is true for a vendor's policy without a name of its own",
      data: read(agent("x-acme", {})),
      at: "/accepted",
      edge: true,
    },
  ],
  invalid: [
    { name: "refused", says: "is false for a vendor's policy", change: refusal },
    {
      name: "refused-standard-name",
      says: "is false for a vendor's policy with the name and not the settings of a standard one",
      change: [...set("/document/execution_policy", { id: "x-acme.react", config: {} }), ...refusal],
      at: "/accepted",
      edge: true,
    },
  ],
};

/** Documents that a parser has to accept, by themselves. */
const accepted: Cases = {
  rule: "AGF-COMPAT-001",
  document: "agent",
  valid: [
    { name: "root", says: "has an unknown member", data: future, at: "/future_field" },
    { name: "tools", says: "has unknown members in its tools", data: slip, at: "/action_space" },
    {
      name: "extension-block",
      says: "has a block of its author's own",
      data: { ...react(), "x-acme": { reviewed: true, url: null } },
      at: "/x-acme",
    },
    {
      name: "everywhere",
      says: "has an unknown member in each object that is open",
      data: {
        ...react({
          memory: { future: 1 },
          constraints: { future: 1, budget: { future: 1 }, limits: { future: 1 } },
          metadata: { ...(react().metadata as JsonObject), future: null },
          interface: { input: {}, output: {}, future: [] },
        }),
        execution_policy: { id: "agf.react", config: { instructions: "Plan.", model: "m", future: 1 }, future: 1 },
      },
      edge: true,
    },
  ],
  invalid: [],
};

const always = { when: { args_match: {} }, agent: "writer" };
const inRome = { when: { args_match: { "parent.input.city": "Rome" } }, agent: "finder" };
const everyRound = [call("writer", { text: "critic.output.text" }), call("critic", { text: "writer.output.text" })];
const flagged = { args_match: { city: { pattern: "(?i)a" } } };

/** What a parser takes, however little of it is advised. */
const taken: readonly [rule: string, document: JsonObject, says: string][] = [
  ["AGF-META-004", react({ metadata: { ...(react().metadata as JsonObject), version: "v1" } }), "a version v1"],
  ["AGF-POL-003", { ...agent("agf.magic", {}), schema_version: "1.1.0" }, "a policy that a later edition may have"],
  ["AGF-POL-005", agent("react", {}), "a policy whose id lacks its prefix"],
  ["AGF-PATH-002", loop({ steps: everyRound }), "a step of a loop that takes what a later one has left"],
  ["AGF-COND-005", conditional({ routes: [always, inRome] }), "a route behind one that always holds"],
  ["AGF-OUT-002", loop({ output_from: "first" }), "the first output of a loop"],
  [
    "AGF-MATCH-009",
    react({ action_space: { local_tools: [{ alias: "book", approval: { condition: flagged } }] } }),
    "a pattern that some flavours do not know",
  ],
];

const advised = taken.map(
  ([rule, document, says]): Cases => ({
    rule,
    document: "reading",
    valid: [{ name: "accepted", says: `is true for a document with ${says}`, data: read(document), at: "/accepted" }],
    invalid: [],
  }),
);

export const readingCases: readonly Cases[] = [
  tolerant,
  accepted,
  advisory("SHOULD", telling),
  anySource,
  anyVendor,
  ...advised,
];
