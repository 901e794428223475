import { describe, expect, it } from "vitest";
import { add, applyChanges, findings, remove, set } from "../../../../generators/index.ts";
import { documentNamed, type Json, type JsonObject, protocolNamed, type Vector } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { isAcceptable } from "./agent.ts";
import { batch, conditional, loop, parallel, react, sequential } from "./documents.fixture.ts";
import { isAgent } from "./schema.ts";

const protocol = await ruled(protocolNamed("agentformat"));

/** The rules that a document breaks, with a question mark below the level MUST; only "schema" if the schema refuses it. */
function rulesBrokenBy(document: Json): string[] {
  if (!isAgent(document)) return ["schema"];
  return findings(protocol, "agent", document).map(({ rule, level }) => (level === "MUST" ? rule : `${rule}?`));
}

const config = "/execution_policy/config";
const agentWithTools = react({
  action_space: {
    local_tools: [{ alias: "book", approval: { condition: { args_match: { price: { gt: 100 } } } } }],
    mcp_servers: [{ alias: "maps", allowed_tools: ["route"] }],
  },
});
const priceTest = "/action_space/local_tools/0/approval/condition/args_match/price";

const mistakes: [
  description: string,
  base: JsonObject,
  change: NonNullable<Vector["change"]>,
  ...expectedRules: string[],
][] = [
  ["a number for the version", react(), set("/metadata/version", 1), "schema"],
  ["a boolean as a label", react(), add("/metadata/labels", { reviewed: true }), "schema"],
  ["steps in a parallel policy", parallel(), [...add(`${config}/steps`, []), ...remove(`${config}/agents`)], "schema"],
  ["a hyphen in an alias", agentWithTools, set("/action_space/local_tools/0/alias", "book-it"), "schema"],
  ["a capital in the id", react(), set("/metadata/id", "Trip"), "schema"],
  ["an undeclared agent", sequential(), set(`${config}/steps/1/agent`, "author"), "AGF-POL-007"],
  ["an agent in another case", sequential(), set(`${config}/steps/1/agent`, "Writer"), "AGF-POL-007"],
  [
    "a reference to a later step",
    sequential(),
    set(`${config}/steps/0/input_mapping/place`, "writer.output.x"),
    "AGF-PATH-002",
  ],
  [
    "a path without direction",
    sequential(),
    set(`${config}/steps/0/input_mapping/place`, "parent.city"),
    "AGF-PATH-001",
  ],
  [
    "a template instead of a path",
    sequential(),
    set(`${config}/steps/0/input_mapping/place`, "{{city}}"),
    "AGF-PATH-001",
  ],
  [
    "items without a dot",
    batch(),
    set(`${config}/input_mapping/stop`, "parent.input.stops[]"),
    "AGF-PATH-001",
    "AGF-BATCH-002",
  ],
  ["a batch without a list", batch(), set(`${config}/input_mapping/stop`, "parent.input.stops"), "AGF-BATCH-002"],
  [
    "two choices of the output",
    sequential(),
    add(`${config}/output_from`, { agent: "writer", strategy: "last" }),
    "schema",
  ],
  ["no choice of the output", sequential(), add(`${config}/output_from`, { description: "x" }), "schema"],
  ["an alias that is a strategy", sequential(), set("/action_space/local_agents/3/alias", "last"), "AGF-ACT-011?"],
  ["an operator eq", agentWithTools, set(priceTest, { eq: 5 }), "schema"],
  ["a string as the operand of a comparison", agentWithTools, set(priceTest, { gt: "100" }), "schema"],
  ["null as a literal", agentWithTools, set(priceTest, null), "schema"],
  ["an empty list of conditions", loop(), set(`${config}/exit_condition`, []), "schema"],
  ["an approval as a string", agentWithTools, set("/action_space/local_tools/0/approval", "true"), "schema"],
  ["no model", react(), remove(`${config}/model`), "schema"],
  [
    "a name from before the first release",
    agentWithTools,
    add("/action_space/mcp_servers/0/allow_tools", ["x"]),
    "AGF-COMPAT-003?",
  ],
  [
    "a misspelt name that drops a condition",
    agentWithTools,
    set("/action_space/local_tools/0/approval/condition", { arg_match: { price: 5 } }),
    "AGF-COMPAT-003?",
    "AGF-MATCH-010?",
  ],
  [
    "a route without tests before another",
    conditional(),
    set(`${config}/routes/0/when`, {}),
    "AGF-MATCH-010?",
    "AGF-COND-005?",
  ],
  ["a repeated alias", agentWithTools, add("/action_space/local_tools/-", { alias: "book" }), "AGF-ACT-002"],
  ["a policy unknown to the standard", react(), set("/execution_policy/id", "agf.magic"), "AGF-POL-003"],
  ["a policy without its prefix", react(), set("/execution_policy/id", "react"), "AGF-POL-005?"],
];

describe("a common mistake", () => {
  it.each(mistakes)("is detected: %s", (_, base, change, ...expectedRules) => {
    expect(rulesBrokenBy(base)).toEqual([]);
    expect(rulesBrokenBy(applyChanges(base, change) as Json)).toEqual(expectedRules);
  });
});

describe("an interface with type names as strings, as once shown on the home page", () => {
  const documentWithTypeNames = { ...react(), interface: { input: "string", output: "string" } };

  it("breaks only the schema", () => {
    expect(rulesBrokenBy(documentWithTypeNames)).toEqual(["schema"]);
    expect(findings(protocol, "agent", documentWithTypeNames)).toEqual([]);
    expect(isAcceptable(documentWithTypeNames)).toBe(false);
  });

  it("is refused if only one is a string, and accepted if both are schemas", () => {
    const type = { type: "string" };
    expect(rulesBrokenBy({ ...documentWithTypeNames, interface: { input: type, output: "string" } })).toEqual([
      "schema",
    ]);
    expect(rulesBrokenBy({ ...documentWithTypeNames, interface: { input: type, output: type } })).toEqual([]);
  });
});

describe("a document from another author", () => {
  it("may have an additional member at the root", () => {
    const exported = { ...agentWithTools, "x-acme-audit": { at: "2026-01-15", score: 3 } };
    expect(rulesBrokenBy(exported)).toEqual(["AGF-COMPAT-003?"]);
    expect(isAcceptable(exported)).toBe(true);
  });

  it("breaks no MUST rule if it is a sample of the profile", () => {
    const { samples = [] } = documentNamed(protocol, "agent");
    expect(samples.length).toBeGreaterThan(5);
    for (const sample of samples) expect(rulesBrokenBy(sample).filter((rule) => !rule.endsWith("?"))).toEqual([]);
  });
});
