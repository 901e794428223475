import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentNamed, isObject, type Json, protocolNamed } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { removeSite } from "../mutation/removed-site.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { type Oracle, oracleFor } from "../oracle/oracle.ts";
import { edgeArbitraryFor } from "./edge.ts";
import { type Faulty, faultyArbitraryFor } from "./faulty.ts";
import { realisticArbitraryFor } from "./realistic-values.ts";
import { arbitraryFor } from "./valid.ts";

const cases = [
  ["ahcp", "message"],
  ["aaep", "agent.awaiting.confirmation"],
  ["snap", "agent-card"],
] as const;

const openSchema = { $schema: "https://json-schema.org/draft/2020-12/schema", $id: "https://example.org/open.json" };

describe.each(cases)("%s %s", (name, kind) => {
  const protocol = protocolNamed(name);
  const { schema, samples = [] } = documentNamed(protocol, kind);
  const { schemas } = protocol;
  const oracle: Promise<Oracle> = oracleFor(schemas, schema);

  it("shrinks a valid instance to a small valid one", async () => {
    const { judge } = await oracle;
    const arbitrary = await arbitraryFor(schemas, schema, { samples });
    const limit = 700;
    const checkedValues: Json[] = [];
    const isSmall = (value: Json) => {
      checkedValues.push(value);
      return JSON.stringify(value).length < limit;
    };
    const { failed, counterexample, numShrinks } = fc.check(fc.property(arbitrary, isSmall), { seed: 1, numRuns: 200 });
    const [smallest] = counterexample as [Json];
    expect([failed, numShrinks > 5, JSON.stringify(smallest).length]).toEqual([true, true, expect.any(Number)]);
    expect(JSON.stringify(smallest).length).toBeLessThan(limit + 20);
    for (const value of checkedValues.slice(-400)) expect(judge(value).verdict).toBe("valid");
  });

  it("shrinks a faulty instance while it breaks the same site and nothing else", async () => {
    const { judge } = await oracle;
    const accepts = compileAjv(schemas, schema);
    const arbitrary = await faultyArbitraryFor(schemas, schema, { samples });
    const checkedFaults: Faulty[] = [];
    const isDeep = ({ at }: Faulty) => at.split("/").length > 2;
    const { counterexample } = fc.check(
      fc.property(arbitrary, (faulty) => {
        checkedFaults.push(faulty);
        return !isDeep(faulty);
      }),
      { seed: 6, numRuns: 200 },
    );
    const [smallest] = counterexample as [Faulty];
    const first = checkedFaults.find(isDeep) as Faulty;
    expect([smallest.site, smallest.fault]).toEqual([first.site, first.fault]);
    expect(JSON.stringify(smallest.data).length).toBeLessThan(JSON.stringify(first.data).length);
    const checksBySite = new Map<string, (value: Json) => boolean>();
    for (const { data, site, parent, change } of [...checkedFaults.slice(0, 60), ...checkedFaults.slice(-60)]) {
      const acceptsWithoutSite = checksBySite.get(site) ?? compileAjv(removeSite(schemas, site), schema);
      checksBySite.set(site, acceptsWithoutSite);
      expect([site, judge(data).verdict, acceptsWithoutSite(data), accepts(parent)]).toEqual([
        site,
        "invalid",
        true,
        true,
      ]);
      expect(applyChanges(parent, change)).toEqual(data);
    }
  });

  it("draws the same from the same seed, regardless of other draws", async () => {
    const draw = <T>(arbitrary: fc.Arbitrary<T>, seed: number) =>
      JSON.stringify(fc.sample(arbitrary, { seed, numRuns: 15 }));
    for (const make of [arbitraryFor, faultyArbitraryFor]) {
      const [first, second] = [await make(schemas, schema, { samples }), await make(schemas, schema, { samples })];
      const before = draw<unknown>(first, 1);
      draw<unknown>(first, 2);
      expect(draw<unknown>(second, 3)).toBe(draw<unknown>(first, 3));
      expect(draw<unknown>(second, 1)).toBe(before);
    }
  });
});

it("moves values of valid instances to their bounds", async () => {
  const { schemas } = protocolNamed("ahcp");
  const { schema } = documentNamed(protocolNamed("ahcp"), "message");
  const { judge } = await oracleFor(schemas, schema);
  const values = fc.sample(await edgeArbitraryFor(schemas, schema), { seed: 1, numRuns: 150 });
  expect(values.filter((value) => judge(value).verdict !== "valid")).toEqual([]);
  const titles = values.flatMap((value) => (isObject(value) && typeof value.title === "string" ? [value.title] : []));
  const longest = titles.filter((title) => [...title].length === 200);
  expect([longest.length > 2, longest.some((title) => title.length === 400)]).toEqual([true, true]);
  const repeatedValues = fc.sample(await edgeArbitraryFor(schemas, schema), { seed: 1, numRuns: 150 });
  expect(repeatedValues).toEqual(values);
});

it("uses json-schema-faker's instances if both oracles accept them", async () => {
  const { schemas } = protocolNamed("ahcp");
  const { schema } = documentNamed(protocolNamed("ahcp"), "message");
  const { judge } = await oracleFor(schemas, schema);
  const { arbitrary, acceptance } = await realisticArbitraryFor(schemas, schema);
  const values = fc.sample(arbitrary, { seed: 1, numRuns: 60 });
  expect(values.filter((value) => judge(value).verdict !== "valid")).toEqual([]);
  expect(fc.sample(arbitrary, { seed: 1, numRuns: 60 })).toEqual(values);
  // The library makes mistakes, so some of its instances are refused.
  const { drawn, accepted } = acceptance(60);
  expect([drawn, accepted > 30, accepted < 60]).toEqual([60, true, true]);
});

it("uses our own sampler if json-schema-faker seldom makes a valid instance", async () => {
  const $id = "https://realistic.test/rare";
  // The library does not combine `properties` with `dependentSchemas`.
  const member = { type: "integer", minimum: 0, maximum: 500 };
  const dependentSchemas = { a: { properties: { a: { maximum: 4 } } } };
  const rareSchema = { $id, type: "object", required: ["a"], properties: { a: member }, dependentSchemas };
  const { arbitrary, acceptance } = await realisticArbitraryFor([rareSchema], $id);
  const { drawn, accepted } = acceptance(1000);
  expect([drawn, accepted > 0, accepted < 20]).toEqual([1000, true, true]);
  const { judge } = await oracleFor([rareSchema], $id);
  const values = fc.sample(arbitrary, { seed: 1, numRuns: 60 });
  expect(values.filter((value) => judge(value).verdict !== "valid")).toEqual([]);
});

it("shrinks inside fast-check's own combinators too", async () => {
  const protocol = protocolNamed("ahcp");
  const arbitrary = await arbitraryFor(protocol.schemas, documentNamed(protocol, "message").schema);
  const hasTags = (value: Json) => isObject(value) && Array.isArray(value.tags) && value.tags.length > 0;
  const { counterexample } = fc.check(
    fc.property(fc.array(arbitrary, { maxLength: 4 }), (values) => !values.some(hasTags)),
    { seed: 3, numRuns: 300 },
  );
  const [smallestList] = counterexample as [Json[]];
  expect(smallestList.length).toBe(1);
  expect((smallestList[0] as { tags: Json[] }).tags).toEqual([""]);
});

it("injects a fault into any instance", async () => {
  const pair = { ...openSchema, prefixItems: [true, true, true], items: false };
  const arbitrary = await faultyArbitraryFor([pair], openSchema.$id);
  const faultyInstances = fc.sample(arbitrary, { seed: 1, numRuns: 300 });
  expect(faultyInstances.filter(({ data }) => !Array.isArray(data) || data.length < 4)).toEqual([]);
});

it("reports that there is nothing to break, or that json-schema-faker does not make a valid instance", async () => {
  const arbitrary = await faultyArbitraryFor([openSchema], openSchema.$id);
  expect(() => fc.sample(arbitrary, { seed: 1, numRuns: 1 })).toThrow(/no fault could be injected/);
  const hardSchema = { ...openSchema, type: "string", pattern: "^(?=.*a)(?=.*b)[a-b]{9}$", not: { pattern: "a" } };
  await expect(realisticArbitraryFor([hardSchema], hardSchema.$id)).rejects.toThrow(/made no valid instance/);
});
