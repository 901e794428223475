import { describe, expect, it } from "vitest";
import type { Document, Json, Protocol, Vector } from "../../schemas/index.ts";
import { rawVectors } from "./vectors.ts";

const document = { name: "word", title: "word", role: "entry", schema: "https://scalars.test/word" } as Document;
const protocol = {
  name: "words",
  version: "1",
  foreign: true,
  rules: [],
  schemas: [{ $id: document.schema }],
  profile: { documents: [document] },
} as unknown as Protocol;

/** Whether `JSON.parse` accepts the text, and its value has the right type. */
function isAccepted({ raw, base64 }: Vector, isOfType: (value: Json) => boolean): boolean {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return isOfType(JSON.parse(raw ?? decoder.decode(Buffer.from(base64 ?? "", "base64"))));
  } catch {
    return false;
  }
}

describe("texts of a document that is a scalar or a list", () => {
  it.each<Json[]>([
    [""],
    ["abc"],
    ["a, /* b */ [1] {c}"],
    ['say "a"'],
    [0],
    [100],
    [-12.5],
    [true],
    [null],
    [[]],
    [["a", "b"]],
  ])("are invalid only if JSON.parse or the schema refuses them: %j", (value) => {
    const isOfType = (other: Json): boolean => {
      if (Array.isArray(value)) return Array.isArray(other);
      return value === null ? other === null : typeof other === typeof value;
    };
    const oracle = {
      judge: (instance: Json) => ({ verdict: isOfType(instance) ? "valid" : "invalid", readings: [] }),
    } as unknown as Parameters<typeof rawVectors>[3]["oracle"];
    const valid = [{ id: "words/1/word/valid/minimal", valid: true, data: value }] as unknown as Vector[];
    const texts = rawVectors(protocol, document, valid, { oracle }).filter((vector) => vector.valid !== undefined);
    expect(texts.filter((text) => isAccepted(text, isOfType) !== text.valid).map(({ id }) => id)).toEqual([]);
    expect(texts.filter((text) => text.fault === "comment").length).toBeGreaterThan(2);
    expect(texts.filter((text) => text.fault === "white-space").length).toBeGreaterThan(2);
  });
});
