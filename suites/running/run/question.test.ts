import { expect, it } from "vitest";
import type { Document, Vector } from "../../../schemas/index.ts";
import { sampleProtocol, vector } from "../../packs/corpus/sample.fixture.ts";
import { questionOf } from "./question.ts";

const document = sampleProtocol().profile.documents[0] as Document;

it("contains a value, text or bytes, without the id and the verdict", () => {
  const value = questionOf(vector({ id: "secret-id", data: null, valid: false, rule: "S-1" }), document, 1);
  expect(Object.keys(value).sort()).toEqual(["data", "document", "keep", "seed"]);
  expect(JSON.stringify(value)).not.toContain("secret-id");
  expect(questionOf(vector({ id: "a", raw: "[1,]" }), document, 1)).toMatchObject({ text: "[1,]" });
  const { bytes } = questionOf(vector({ id: "a", base64: "/w==" }), document, 1);
  expect([...(bytes ?? [])]).toEqual([0xff]);
});

it("keeps the vector's location, and every location that its change touches", () => {
  const change = [
    { op: "remove" as const, path: "/a" },
    { op: "add" as const, path: "/b/-", value: 1 },
  ];
  expect(questionOf(vector({ id: "x", at: "/a", change }), document, 1).keep).toEqual(["/a", "/b/-"]);
  expect(questionOf(vector({ id: "x" }), document, 1).keep).toEqual([]);
  expect(questionOf(vector({ id: "x", at: "" }), document, 1).keep).toEqual([]);
});

it("keeps all fresh members if an invalid message is replaced as a whole, since any of them may be the fault", () => {
  const change = [{ op: "replace" as const, path: "", value: { id: "" } }];
  const documentWithFresh: Document = { ...document, fresh: [{ at: "/id", make: "uuid" }] };
  const askedVector = vector({ id: "x", valid: false, rule: "S-1", at: "", change });
  expect(questionOf(askedVector, documentWithFresh, 1).keep).toEqual(["/id"]);
  expect(questionOf({ ...askedVector, valid: true }, documentWithFresh, 1).keep).toEqual([]);
});

it("keeps all parameters if an invalid set of them is replaced as a whole, or if the location of the fault is unknown", () => {
  const parameters = [{ in: "query", name: "a/b", style: "form", explode: true }];
  const documentWithParameters = {
    ...document,
    endpoint: { method: "GET", path: "/", carries: "parameters", parameters },
  } as Document;
  const change = [{ op: "replace" as const, path: "", value: {} }];
  const keptParts = (askedVector: Partial<Vector>): readonly string[] =>
    questionOf(vector({ id: "x", valid: false, ...askedVector }), documentWithParameters, 1).keep;
  expect(keptParts({ at: "", change })).toEqual(["/query/a~1b"]);
  expect(keptParts({ at: "" })).toEqual(["/query/a~1b"]);
  expect(keptParts({ at: "/query/c", change })).toEqual(["/query/c"]);
  expect(keptParts({ valid: true, at: "", change })).toEqual([]);
});

it("derives the seed from the run's seed and the id, and from nothing else", () => {
  const seed = (id: string, run: number): number => questionOf(vector({ id }), document, run).seed;
  expect(seed("a", 42)).toBe(seed("a", 42));
  expect(seed("a", 42)).not.toBe(seed("b", 42));
  expect(seed("a", 42)).not.toBe(seed("a", 43));
  // FNV-1a of "a" is e40c292c; replays of older reports depend on it.
  expect(seed("a", 0)).toBe(0xe40c292c);
});

it("keeps a deadline only in an invalid message", () => {
  const document = { name: "d", fresh: [{ at: "/until", make: "date-time", offset: 60 }] } as unknown as Document;
  const keptParts = (valid: boolean) => questionOf(vector({ id: "x", at: "/until", valid }), document, 1).keep;
  expect([keptParts(true), keptParts(false)]).toEqual([[], ["/until"]]);
});
