import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentNamed, equal, protocolNamed, protocolsNamed } from "../../schemas/index.ts";
import { drawsOf } from "../../schemas/part.fixture.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import { type Model, nodeAt } from "../model/model.ts";
import { oracleFor } from "../oracle/oracle.ts";
import { solve } from "../solve/solve.ts";
import { agreement } from "../testing/agreement.fixture.ts";
import { id, schema } from "../testing/schemas.fixture.ts";
import { randomFrom } from "./random.ts";
import { type Sampler, samplerFor } from "./sampler.ts";

const documents = protocolsNamed("all").flatMap((protocol) =>
  protocol.profile.documents
    .filter(({ standalone }) => standalone)
    .map((document) => [`${protocol.name} ${document.name}`, protocol, document] as const),
);

/** Documents with conditions that hardly any draw meets. Nearly all their instances are the document's own samples. */
const hardToDraw: ReadonlySet<string> = new Set(["ma2h get-message"]);

describe.each(documents)("%s", (name, protocol, document) => {
  it("draws only instances that both oracles accept, and the same ones from the same seed", async () => {
    const model = await compileModel(protocol.schemas, document.schema);
    const oracle = await oracleFor(protocol.schemas, document.schema);
    const options = { samples: document.samples ?? [] };
    const [sampler, twin] = [samplerFor(model, options), samplerFor(model, options)];
    const [random, twinRandom] = [randomFrom(11), randomFrom(11)];
    const distinctTexts = new Set<string>();
    const isHard = hardToDraw.has(name);
    for (let draw = 0; draw < (isHard ? 50 : 250); draw += 1) {
      const value = sampler.next(random);
      const text = JSON.stringify(value);
      expect([text, oracle.judge(value).verdict]).toEqual([text, "valid"]);
      expect(JSON.stringify(twin.next(twinRandom))).toBe(text);
      distinctTexts.add(text);
    }
    expect(distinctTexts.size).toBeGreaterThan(isHard ? 5 : 50);
  });
});

/** Finds keywords, and members of enumerations, that no valid instance exercised. */
function findUnexercised(model: Model, sampler: Sampler, draws: number): string[] {
  const keywordBySite = new Map(
    places(model).flatMap(({ node }) => nodeAt(model, node).keywords.map((keyword) => [keyword.site, keyword])),
  );
  const unexercised = new Set(
    [...keywordBySite.values()].flatMap((keyword) => [
      keyword.site,
      ...(keyword.kind === "enum" ? keyword.values.map((_, index) => `${keyword.site}/${index}`) : []),
    ]),
  );
  const random = randomFrom(5);
  for (let draw = 0; draw < draws && unexercised.size > 0; draw += 1) {
    isValid(model, sampler.next(random), {
      observe(keyword, _at, value, holds) {
        if (!holds) return;
        unexercised.delete(keyword.site);
        if (keyword.kind === "enum")
          unexercised.delete(`${keyword.site}/${keyword.values.findIndex((each) => equal(each, value))}`);
      },
    });
  }
  return [...unexercised];
}

it.each([
  ["ahcp", "message", 4000],
  ["aaep", "subscription.request", 4000],
  ["snap", "agent-card", 4000],
  ["agentformat", "agent", 10_000],
])("exercises every keyword and every member of every enumeration of %s %s", async (name, kind, draws) => {
  const protocol = protocolNamed(name);
  const document = documentNamed(protocol, kind);
  const model = await compileModel(protocol.schemas, document.schema);
  expect(findUnexercised(model, samplerFor(model, { samples: document.samples ?? [] }), draws)).toEqual([]);
});

it("draws valid instances of any satisfiable schema", async () => {
  let sampledCount = 0;
  await fc.assert(
    fc.asyncProperty(schema, async (generated) => {
      const model = await compileModel([generated], id);
      const solution = solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }], { budget: 20_000 });
      const random = randomFrom(3);
      let sampler: Sampler;
      try {
        sampler = samplerFor(model);
      } catch (error) {
        expect([(error as Error).message, "found" in solution]).toEqual([expect.stringContaining("no valid"), false]);
        return;
      }
      const judge = await agreement(generated);
      sampledCount += 1;
      for (let draw = 0; draw < 25; draw += 1) {
        const value = sampler.next(random);
        expect([JSON.stringify(value), isValid(model, value)]).toEqual([JSON.stringify(value), true]);
        expect(judge(value)).not.toBe(false);
      }
    }),
    { seed: 42, numRuns: drawsOf(150) },
  );
  expect(sampledCount).toBeGreaterThan(drawsOf(100));
});
