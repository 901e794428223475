import { beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject, Vector } from "../../schemas/index.ts";
import { type Oracle, oracleFor } from "../oracle/oracle.ts";
import { contextOf } from "./context.ts";
import { note, notes, vectors } from "./notes.fixture.ts";
import type { RawContext } from "./raw.ts";

let oracle: Oracle;
let context: RawContext;
beforeAll(async () => {
  const protocol = notes();
  oracle = await oracleFor(protocol.schemas, note.schema);
  context = contextOf(protocol, note, { valid: vectors, oracle }) as RawContext;
});

describe("the context", () => {
  it("begins with the minimal vector, however long it is", () => {
    expect(context.minimal.id).toBe("notes/1.0/note/valid/minimal");
    expect(context.find(() => true)?.parent.id).toBe("notes/1.0/note/valid/minimal");
  });

  it("ignores vectors of other documents, and vectors with an unnecessary fresh member", () => {
    expect(context.find((value) => value === "memo")).toBeUndefined();
    expect(context.find((_, at) => at === "/key")).toBeUndefined();
    const travelling = { ...note, wrap: { at: "/payload", in: { payload: {} } } };
    expect(contextOf(notes(), travelling, { valid: vectors, oracle })?.find((_, at) => at === "/key")?.value).toBe("k");
  });

  it("limits all texts to the first document of each shape in a pack of many documents", () => {
    const { profile, schemas, ...protocol } = notes();
    const types = ["object", "string", "object", "string"];
    const readAgainFlags = (count: number) => {
      const documents = Array.from({ length: count }, (_, index) => ({
        ...note,
        name: `note-${index}`,
        schema: `urn:${index}`,
      }));
      const schemaList = documents.map(({ schema }, index) => ({
        $id: schema,
        type: types[index % types.length] as string,
      }));
      const pack = { ...protocol, foreign: true as const, schemas: schemaList, profile: { ...profile, documents } };
      return documents.map((document) => contextOf(pack, document, { valid: vectors, oracle })?.isReadAgain);
    };
    expect(readAgainFlags(20).filter((isReadAgain) => isReadAgain === false)).toHaveLength(20);
    expect(
      readAgainFlags(21)
        .map((isReadAgain, index) => (isReadAgain === false ? index : -1))
        .filter((index) => index >= 0),
    ).toEqual([0, 1]);
  });

  it("stops the search for places when time is up", () => {
    let judgedCount = 0;
    const counting: Oracle = {
      judge(value) {
        judgedCount += 1;
        return oracle.judge(value);
      },
    };
    const contextWithLimit = (limit: number) =>
      contextOf(notes(), note, { valid: vectors, oracle: counting, isOver: () => judgedCount >= limit });
    expect(contextWithLimit(Number.POSITIVE_INFINITY)?.spot([true, 7])).toBeDefined();
    expect(judgedCount).toBeGreaterThan(2);
    judgedCount = 0;
    expect(contextWithLimit(1)?.spot([true, 7])).toBeUndefined();
    expect(judgedCount).toBe(1);
  });

  it("orders the other vectors from short to long", () => {
    expect(context.find((_, index) => index.startsWith("/extra"))?.parent.id).toMatch(/extra$/);
    expect(context.find((_, index) => index.startsWith("/extra/_"))?.parent.id).toMatch(/prototype$/);
  });

  it("finds a place at which some values are valid and others are not", () => {
    expect(context.spot([""])).toMatchObject({ at: "/title", before: '{"kind":"note","title":', after: "}" });
    expect(context.spot([7])?.at).toBe("/count");
    expect(context.spot([7], [0.5])?.at).toBe("/count");
    expect(context.spot([7, 0.5])?.at).toBe("/extra");
    expect(context.spot([7], [0])).toBeUndefined();
  });

  it("chooses neither discriminators nor names that have their own family", () => {
    expect(context.spot(["memo"])?.at).toBe("/title");
    const fewVectors = vectors.filter(({ id }) => /minimal|prototype/.test(id));
    expect(contextOf(notes(), note, { valid: fewVectors, oracle })?.spot([[[]]])?.at).toBe("/extra");
    expect(
      contextOf(notes(), note, { valid: fewVectors, oracle })?.find((_, at) => at === "/extra/__proto__")?.value,
    ).toBe(1);
  });

  it("offers a different valid value, if possible one that keeps the rules", () => {
    expect(context.otherValue(context.minimal, "/title")).toBe("one");
    expect(context.otherValue(context.minimal, "/kind")).toBeUndefined();
    const keeps = (value: Json): boolean => !["one", "a"].includes(String((value as JsonObject).title));
    const contextWithRules = contextOf(notes(), note, { valid: vectors, oracle, keeps }) as RawContext;
    expect(contextWithRules.otherValue(contextWithRules.minimal, "/title")).toBe("a/b");
    expect(
      contextOf(notes(), note, { valid: vectors, oracle, keeps: () => false })?.otherValue(context.minimal, "/title"),
    ).toBe("one");
    expect(context.discriminator).toEqual({ at: "/kind", others: ["memo"] });
  });

  it("offers a different list as a whole", () => {
    const tagged = (name: string, extra: Json): Vector => {
      const data = { kind: "note", title: "a", extra };
      return { id: `notes/1.0/note/valid/${name}`, description: name, valid: true, data, needs: [], tags: [] };
    };
    const lists = contextOf(notes(), note, {
      valid: [tagged("minimal", ["a"]), tagged("two", ["a", "b"])],
      oracle,
    }) as RawContext;
    expect(lists.otherValue(lists.minimal, "/extra")).toEqual(["a", "b"]);
  });

  it("is undefined if no vector would be read as the document", () => {
    const memos = vectors.filter(({ id }) => id.endsWith("memo"));
    expect(contextOf(notes(), note, { valid: memos, oracle })).toBeUndefined();
  });
});
