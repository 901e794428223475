import { describe, expect, it } from "vitest";
import { textFindings } from "../../../../generators/index.ts";
import { protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { react } from "./documents.fixture.ts";

const protocol = await ruled(protocolNamed("agentformat"));
const rulesBrokenBy = (text: string | Uint8Array): string[] =>
  textFindings(protocol, "agent", Buffer.from(text as string)).map(({ rule, at, level }) => `${rule} ${at} ${level}`);
const json = JSON.stringify(react());

describe("the text of a document", () => {
  it("may be JSON", () => {
    expect(rulesBrokenBy(json)).toEqual([]);
    expect(rulesBrokenBy(json.replace('"1.0.0"', '"1.0.0\\n"'))).toEqual(["AGF-DOC-004 /schema_version MUST"]);
    expect(rulesBrokenBy(json.replace("{", '{"interface":{},'))).toEqual(["AGF-DOC-005  MUST"]);
  });

  it("has a misread scalar only if the scalar is unquoted", () => {
    expect(rulesBrokenBy(json.replace('"Trip Desk"', "5"))).toEqual(["AGF-DOC-005 /metadata/name MUST"]);
    expect(rulesBrokenBy(json.replace('"Trip Desk"', "[]"))).toEqual([]);
    expect(rulesBrokenBy(json.replace('"Trip Desk"', '""'))).toEqual([]);
    // Quoting the value would not make it valid.
    expect(rulesBrokenBy(json.replace('"agf.react"', "agf.loop"))).toEqual([]);
    expect(rulesBrokenBy(json.replace('"1.0.0"', "1"))).toEqual([]);
  });

  it("is reported less severely if YAML 1.1 would read the intended value", () => {
    const tool = '"action_space":{"local_tools":[{"alias":"book","approval":yes}]}';
    expect(rulesBrokenBy(json.replace("{", `{${tool},`))).toEqual([
      "AGF-DOC-005 /action_space/local_tools/0/approval SHOULD",
    ]);
    expect(rulesBrokenBy(json.replace("{", `{${tool.replace("yes", "perhaps")},`))).toEqual([]);
  });

  it("is reported as a note if YAML versions differ on merging members", () => {
    expect(rulesBrokenBy(`x: &x {a: 1}\ny: {<<: *x}\n`)).toContain("AGF-DOC-005  NOTE");
    expect(rulesBrokenBy(`x: &x {a: 1}\ny: {"<<": *x}\n`)).not.toContain("AGF-DOC-005  NOTE");
  });

  it("is not judged if it is not valid UTF-8", () => {
    expect(rulesBrokenBy(new Uint8Array(Buffer.from(json, "utf16le")))).toEqual(["AGF-DOC-005  MUST"]);
    expect(rulesBrokenBy(Uint8Array.of(0xff, 0xfe, 0x7b, 0x00))).toEqual([]);
  });

  it("does not crash the checker if it is hostile", () => {
    const bomb = Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`);
    expect(rulesBrokenBy(`a0: &a0 [x]\n${bomb.join("\n")}\n`)).toEqual(["AGF-DOC-005  MUST"]);
    for (const opening of ["[", '{"a":', "- ", "? ", "- ? "]) expect(rulesBrokenBy(opening.repeat(50_000))).toEqual([]);
    expect(rulesBrokenBy("")).toEqual([]);
  });
});
