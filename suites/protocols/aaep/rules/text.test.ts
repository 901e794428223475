import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textFindings } from "../../../../generators/index.ts";
import { home, protocolNamed, type Vector } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { textCheckers } from "./text.ts";

const protocol = await ruled(protocolNamed("aaep"));
const brokenRules = (source: string | Uint8Array) =>
  textFindings(protocol, "agent.state.changed", Buffer.from(source as string), textCheckers).map(
    ({ rule, at, level }) => `${rule.slice(5)} ${at} ${level}`,
  );

describe("textCheckers", () => {
  it.each<[string, string | Uint8Array, string[]]>([
    ["an object", '{"a":1}', []],
    ["NaN", '{"a":NaN}', ["ENV-001  MUST"]],
    ["single quotes", "{'a':1}", ["ENV-001  MUST"]],
    ["UTF-16", Buffer.from('{"a":1}', "utf16le"), ["ENV-001  MUST"]],
    ["Latin-1", Uint8Array.from([0x22, 0xe9, 0x22]), ["ENV-001  MUST"]],
    ["a byte order mark", "\uFEFF{}", ["ENV-001  MUST"]],
    ["two JSON texts", "{} {}", ["ENV-001  MUST"]],
    ["half a surrogate pair", '{"a":["\\ud800"]}', ["ENV-001 /a/0 MUST"]],
    ["half a surrogate pair in a name", '{"\\udc00":1}', ["ENV-001 /\udc00 MUST"]],
    ["a whole pair", '{"a":"\\ud83c\\udf0a"}', []],
    ["a name twice", '{"a":1,"a":1}', ["ENV-001 /a SHOULD"]],
    ["a name twice, once escaped", '{"b":{"a":1,"\\u0061":2}}', ["ENV-001 /b/a SHOULD"]],
    ["one name in two objects", '[{"a":1},{"a":1}]', []],
    [
      "two defaults",
      '{"default_decision":"accept","x":[{}],"default_decision":"reject"}',
      ["ENV-001 /default_decision MUST"],
    ],
    [
      "one default twice",
      '{"default_decision":"accept","default_decision":"accept"}',
      ["ENV-001 /default_decision SHOULD"],
    ],
    ["two defaults below", '{"a":{"decision":"accept","decision":"reject"}}', ["ENV-001 /a/decision SHOULD"]],
    ["2^53", '{"a":9007199254740992}', []],
    ["2^53 + 1", '{"a":[0,9007199254740993]}', ["ENV-035 /a/1 MUST"]],
    ["-2^53 - 1 alone", "-9007199254740993", ["ENV-035  MUST"]],
    ["more digits, smaller first", "10000000000000000", ["ENV-035  MUST"]],
    ["an exponent", "1e99", []],
    ["digits in a text", '"9007199254740993"', []],
    ["deep nesting", "[".repeat(100_000) + "]".repeat(100_000), []],
  ])("judges the bytes of %s", (_, source, expectedFindings) => {
    expect(brokenRules(source)).toEqual(expectedFindings);
  });
});

it("agrees with the published vectors about the bytes of a message", () => {
  const folder = join(home, "vectors", "aaep", "1.0");
  const rawVectors = readdirSync(folder)
    .filter((name) =>
      protocol.profile.documents.some((document) => document.name === name && document.role === "entry"),
    )
    .flatMap((name) => (JSON.parse(readFileSync(join(folder, name, "raw.json"), "utf8")) as { tests: Vector[] }).tests)
    .filter(({ rule, valid }) => rule === "AAEP-ENV-001" && valid !== undefined);
  expect(rawVectors.length).toBeGreaterThan(500);
  const disagreements = rawVectors.filter(({ raw, base64, valid, level = "MUST", fault }) => {
    const ruleFindings = textFindings(
      protocol,
      "agent.state.changed",
      raw === undefined ? Buffer.from(base64 ?? "", "base64") : Buffer.from(raw),
      textCheckers.filter(({ rule }) => rule === "AAEP-ENV-001"),
    );
    if (valid) return ruleFindings.length > 0;
    // A sender must not add a byte order mark or repeat a name, but a receiver may accept both, so the levels differ.
    const isTolerated = fault === "byte-order-mark" || fault === "repeated-name";
    return isTolerated ? ruleFindings.length === 0 : !ruleFindings.some((finding) => finding.level === level);
  });
  expect(disagreements.map(({ id }) => id)).toEqual([]);
});
