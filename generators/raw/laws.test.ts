import { beforeAll, describe, expect, it } from "vitest";
import type { Json, Vector } from "../../schemas/index.ts";
import { type Oracle, oracleFor } from "../oracle/oracle.ts";
import { rawLaw } from "./laws.ts";
import { note, notes, vectors } from "./notes.fixture.ts";
import { rawVectors } from "./vectors.ts";

const parents = new Map(vectors.map(({ id, data }) => [id, data as Json]));
const minimal = "notes/1.0/note/valid/minimal";
let oracle: Oracle;
beforeAll(async () => {
  oracle = await oracleFor(notes().schemas, note.schema);
});

function breachesOf(vector: Partial<Vector>, name?: string): string[] {
  const completeVector: Vector = {
    id: "x",
    description: "x",
    parent: minimal,
    needs: ["raw-text"],
    tags: [],
    ...vector,
  };
  return rawLaw(notes(name), oracle, parents, [completeVector]).map(({ law, why }) => `${law}: ${why}`);
}

const base64 = (...parts: number[]): string => Buffer.from(parts).toString("base64");
const disputed: Pick<Vector, "readings"> = {
  readings: [
    { verdict: "valid", by: ["some"] },
    { verdict: "invalid", by: ["others"] },
  ],
};
const goodText = JSON.stringify(parents.get(minimal));
const noteTitled = (title: string): string => `{"kind":"note","title":${title}}`;

describe("the law of raw text", () => {
  it("holds for the vectors of a small protocol", () => {
    for (const name of ["notes", "agentformat", "aaep", "snap"]) {
      const rawTexts = rawVectors(notes(name), note, vectors, { oracle });
      expect(rawTexts.length).toBeGreaterThan(100);
      expect(rawLaw(notes(name), oracle, parents, rawTexts)).toEqual([]);
    }
  });

  it("ignores vectors with a parsed value", () => {
    expect(breachesOf({ data: 1, valid: true })).toEqual([]);
  });

  it.each<[string, Partial<Vector>, string]>([
    ["no parent", { raw: goodText, valid: true, parent: "y" }, "parent: its parent is not among the valid vectors"],
    ["a valid text cut short", { raw: goodText.slice(0, -1), valid: true }, "verdict: JSON.parse refuses it"],
    [
      "a valid text with a name twice",
      { raw: goodText.replace("{", '{"kind":"note",'), valid: true },
      "verdict: readJson refuses it",
    ],
    [
      "a valid text with a mark",
      { base64: base64(0xef, 0xbb, 0xbf, 0x7b, 0x7d), valid: true },
      "verdict: JSON.parse refuses it",
    ],
    [
      "a valid text with another value",
      { raw: noteTitled('"b"'), valid: true },
      "verdict: it does not mean what its parent does",
    ],
    [
      "a valid text with another value at a wrong `at`",
      { raw: noteTitled('"b"'), valid: true, at: "/kind" },
      "verdict: it does not mean what its parent does",
    ],
    [
      "a valid text that the schema refuses",
      { raw: noteTitled("1"), valid: true, at: "/title" },
      "verdict: the schema refuses what it means",
    ],
    [
      "an invalid text without a fault",
      { raw: goodText, valid: false },
      "verdict: every parser reads it, and the schema accepts what it means",
    ],
    [
      "an invalid text that only a strict reader refuses, without a rule",
      { raw: noteTitled('"\\ud800"'), valid: false },
      "verdict: no rule says more than RFC 8259 does",
    ],
    [
      "a dispute in which all readings agree",
      {
        raw: goodText,
        readings: [
          { verdict: "valid", by: ["a"] },
          { verdict: "valid", by: ["b"] },
        ],
      },
      "verdict: all its readings are the same",
    ],
    ["a dispute on a text that no reader accepts", { raw: "{'a':1}", ...disputed }, "verdict: no parser reads it"],
  ])("reports %s", (_, vector, breach) => {
    expect(breachesOf(vector)).toEqual([breach]);
  });

  it("reports an invalid text that a YAML reader accepts, if texts may be YAML", () => {
    const quoted: Partial<Vector> = { raw: goodText.replaceAll('"', "'"), valid: false };
    expect(breachesOf(quoted)).toEqual([]);
    expect(breachesOf(quoted, "agentformat")).toEqual(["verdict: a YAML reader accepts it"]);
    expect(breachesOf({ raw: quoted.raw as string, ...disputed }, "agentformat")).toEqual([]);
  });

  it.each<[string, Partial<Vector>]>([
    ["a valid text with other spaces", { raw: `\n${goodText}\t`, valid: true }],
    ["a valid text that differs only at its `at`", { raw: noteTitled('"b"'), valid: true, at: "/title" }],
    ["bytes that are not UTF-8", { base64: base64(0x22, 0xff, 0x22), valid: false }],
    ["a control character, which momoa accepts", { raw: noteTitled('"a\tb"'), valid: false }],
    [
      "a name twice, against a rule",
      { raw: goodText.replace("{", '{"kind":"note",'), valid: false, rule: "NOTE-ENV-001" },
    ],
    ["a value that the schema refuses", { raw: '{"__proto__":{"kind":"note","title":"a"}}', valid: false }],
    ["a dispute on a byte order mark", { base64: Buffer.from(`\ufeff${goodText}`).toString("base64"), ...disputed }],
    ["a dispute on depth", { raw: `${"[".repeat(50_000)}${"]".repeat(50_000)}`, ...disputed }],
  ])("allows %s", (_, vector) => {
    expect(breachesOf(vector)).toEqual([]);
  });
});
