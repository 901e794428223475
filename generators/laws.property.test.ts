import { describe, expect, it } from "vitest";
import { documentNamed, type Json, type JsonObject, protocolNamed, type Vector } from "../schemas/index.ts";
import { partOf } from "../schemas/part.fixture.ts";
import { fakerFor } from "./arbitrary/faker.ts";
import { type Faulty, faultyArbitraryFor } from "./arbitrary/faulty.ts";
import { realisticArbitraryFor } from "./arbitrary/realistic-values.ts";
import { arbitraryFor } from "./arbitrary/valid.ts";
import { compileModel } from "./compile/compile.ts";
import { assemble } from "./corpus/assemble.ts";
import { oracleFor } from "./oracle/oracle.ts";
import { rawLaw } from "./raw/laws.ts";
import { randomFrom } from "./sample/random.ts";
import { samplerFor } from "./sample/sampler.ts";
import { breaches, type GeneratedInstance, type Generator, ofArbitrary } from "./testing/laws.fixture.ts";

const valid = (data: Json): GeneratedInstance => ({ data });
const faulty = ({ data, site, parent, change }: Faulty): GeneratedInstance => ({ data, site, parent, change });

const documents = partOf(
  [
    ["ahcp", "response"],
    ["aaep", "agent.awaiting.confirmation"],
    ["snap", "task"],
  ] as const,
  ([name]) => name,
  3,
);

describe.each(documents.cases)(`the laws hold (${documents.said}) on %s %s for`, (name, kind) => {
  const protocol = protocolNamed(name);
  const document = documentNamed(protocol, kind);
  const { schema, samples = [] } = document;
  const { schemas } = protocol;

  // Run twice, since both results must be the same.
  const ruled = { ...protocol, families: [] };
  const built = Promise.all([assemble(ruled, document), assemble(ruled, document)]);

  it("the vectors of a document", async () => {
    const copies = (await built).map(({ files }) => madeOf(files.flatMap(({ file }) => file.tests)));
    const start = async () => {
      const made = copies.shift() as GeneratedInstance[];
      return () => made;
    };
    expect(await breaches({ schemas, schema, start })).toEqual([]);
  });

  it("the sampler", async () => {
    const model = await compileModel(schemas, schema);
    const start = async () => {
      const sampler = samplerFor(model, { samples });
      return (seed: number) => {
        const random = randomFrom(seed);
        return Array.from({ length: 40 }, () => valid(sampler.next(random)));
      };
    };
    expect(await breaches({ schemas, schema, start })).toEqual([]);
  });

  it("the arbitrary of valid instances", async () => {
    expect(
      await breaches(ofArbitrary(schemas, schema, () => arbitraryFor(schemas, schema, { samples }), valid)),
    ).toEqual([]);
  });

  it("the arbitrary of faulty instances", async () => {
    const arbitrary = () => faultyArbitraryFor(schemas, schema, { samples });
    expect(await breaches(ofArbitrary(schemas, schema, arbitrary, faulty))).toEqual([]);
  });

  it("the arbitrary for json-schema-faker's instances", async () => {
    const arbitrary = async () => (await realisticArbitraryFor(schemas, schema)).arbitrary;
    expect(await breaches(ofArbitrary(schemas, schema, arbitrary, valid))).toEqual([]);
  });

  it("json-schema-faker itself, as far as it promises: the same result for the same seed", async () => {
    const [first, second] = [await fakerFor(schemas, schema), await fakerFor(schemas, schema)];
    const seeds = [5, 1, 9];
    expect(seeds.map(first)).toEqual(seeds.toReversed().map(second).toReversed());
  });

  it("the texts", async () => {
    const oracle = await oracleFor(schemas, schema);
    const [tests, repeatedTests] = (await built).map(
      ({ files }) => new Map(files.map(({ kind: each, file }) => [each, file.tests])),
    );
    const raw = tests?.get("raw") ?? [];
    const parents = new Map(tests?.get("valid")?.map(({ id, data }) => [id, data as Json]));
    expect(rawLaw(protocol, oracle, parents, raw)).toEqual([]);
    expect(JSON.stringify(repeatedTests?.get("raw") ?? [])).toBe(JSON.stringify(raw));
  });
});

/** Lists the instances among a document's vectors on which the schema decides. */
function madeOf(vectors: readonly Vector[]): GeneratedInstance[] {
  const byId = new Map(vectors.map((vector) => [vector.id, vector]));
  return vectors.flatMap(({ data, valid: verdict, site, parent, change }): GeneratedInstance[] => {
    if (data === undefined || verdict === undefined) return [];
    if (verdict) return [{ data }];
    const parentData = byId.get(parent ?? "")?.data;
    return site === undefined || parentData === undefined || change === undefined
      ? []
      : [{ data, site, parent: parentData, change }];
  });
}

describe("breaches reports a generator that", () => {
  const schema = "https://example.org/small.schema.json";
  const small: JsonObject = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: schema,
    type: "object",
    required: ["a"],
    properties: { a: { type: "integer", minimum: 1 }, b: { type: "string" } },
  };
  const site = `${schema}#/properties/a/minimum`;
  const fault: GeneratedInstance = {
    data: { a: 0 },
    site,
    parent: { a: 1 },
    change: [{ op: "replace", path: "/a", value: 0 }],
  };
  const generatorOf = (...made: GeneratedInstance[]): Generator => ({
    schemas: [small],
    schema,
    start: async () => () => made,
  });

  it("breaks a law, but none that keeps all laws", async () => {
    expect(await breaches(generatorOf({ data: { a: 1 } }, fault))).toEqual([]);
  });

  it("remembers its earlier results", async () => {
    const start = async () => {
      let counter = 1;
      return () => [valid({ a: counter++ })];
    };
    expect(await breaches({ ...generatorOf(), start })).toEqual([
      expect.stringMatching(/^seed: 1 /),
      expect.stringMatching(/^seed: 7 /),
    ]);
  });

  it.each<[string, GeneratedInstance, string[]]>([
    ["makes an invalid instance", { data: { a: 0 } }, ["verdict: stated valid, the oracles say invalid"]],
    [
      "makes an instance valid that should have a fault",
      { ...fault, data: { a: 2 }, change: [{ op: "replace", path: "/a", value: 2 }] } as GeneratedInstance,
      ["verdict: stated invalid, the oracles say valid"],
    ],
    [
      "breaks two sites",
      {
        ...fault,
        data: { a: 0, b: 1 },
        change: [...(fault.change ?? []), { op: "add", path: "/b", value: 1 }],
      } as GeneratedInstance,
      [`one-fault: still refused without ${site}`],
    ],
    [
      "has a parent that is not valid",
      { ...fault, parent: { a: -1 } } as GeneratedInstance,
      ["undo: its parent is not valid"],
    ],
    [
      "states a different change",
      { ...fault, change: [{ op: "replace", path: "/a", value: -1 }] } as GeneratedInstance,
      ["change: its change does not lead from its parent to its data"],
    ],
  ])("%s", async (_what, made, expected) => {
    const breachLines = await breaches(generatorOf(made));
    expect([...new Set(breachLines)]).toEqual(expected);
  });

  it("leaves its class while it shrinks", async () => {
    const shrunk = async () => [
      fault,
      { data: { a: 0 }, site: `${schema}#/type`, parent: { a: 1 }, change: fault.change } as GeneratedInstance,
    ];
    const breachLines = await breaches({ ...generatorOf(fault), shrunk });
    expect(breachLines[0]).toBe(`shrinking: leads from ${site} to ${schema}#/type`);
    expect(breachLines).toContainEqual(`shrinking: one-fault: still refused without ${schema}#/type`);
  });

  it("shrinks a valid instance to an invalid one", async () => {
    const shrunk = async () => [valid({ a: 5 }), valid({ a: 0 })];
    expect(await breaches({ ...generatorOf(valid({ a: 5 })), shrunk })).toEqual([
      "shrinking: verdict: stated valid, the oracles say invalid",
    ]);
  });
});
