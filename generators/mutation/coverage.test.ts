import { describe, expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import { coverageOf } from "./coverage.ts";

const $id = "https://coverage.test/a";
const schema = {
  $id,
  type: "object",
  required: ["n"],
  properties: { n: { type: "integer", minimum: 1 }, s: { enum: ["a", "b"] } },
};
const tests = [
  { data: { n: 1 }, valid: true },
  { data: { n: 0 }, valid: false },
  { data: { s: "a" }, valid: false },
  { data: { n: 0.5, s: "c" }, valid: false },
];

describe("coverageOf", () => {
  it("counts the isolated assertions, and lists the others", async () => {
    const { sites, broken, unbroken, keywords } = await coverageOf([schema], $id, tests);
    expect([sites, broken]).toEqual([5, 2]);
    expect(keywords.required).toMatchObject({ sites: 1, broken: 1 });
    expect(keywords.minimum).toMatchObject({ sites: 1, broken: 1 });
    // One instance breaks three assertions at once, so it does not show that any one of them is checked.
    expect(unbroken).toEqual([`${$id}#/type`, `${$id}#/properties/n/type`, `${$id}#/properties/s/enum`]);
  });

  it("counts each mistake once, and shows an instance for each undetected one", async () => {
    const { mutants, twice, once, equivalent, notKilled, survivingMutants } = await coverageOf([schema], $id, tests);
    expect(twice + once + equivalent + notKilled).toBe(mutants);
    const missed = survivingMutants.find(({ says }) => says === '"a" is missing from the list');
    expect(missed).toMatchObject({ kills: 0, example: { s: "a" } });
    expect(survivingMutants.find(({ says, kills }) => /n is optional/.test(says) && kills === 0)).toBeUndefined();
  });

  it("measures dynamic references to whole schemas, which Ajv cannot read in every mutant", async () => {
    const id = "https://coverage.test/dynamic";
    const dynamic = {
      $id: id,
      $dynamicAnchor: "foo",
      type: "object",
      properties: { foo: { $dynamicRef: "leaf#foo" }, baz: { $dynamicRef: "none" } },
      $defs: { a: { $id: "leaf", $dynamicAnchor: "foo", type: "integer" }, c: { $id: "none", type: "boolean" } },
    };
    const coverage = await coverageOf([dynamic], id, [
      { data: { baz: true }, valid: true },
      { data: { baz: 1 }, valid: false },
    ]);
    expect(coverage.mutants).toBeGreaterThan(10);
    expect(coverage.once + coverage.twice).toBeGreaterThan(0);
  });

  it("counts fewer surviving mutants for more tests", async () => {
    const moreTests = [...tests, { data: { n: 2, s: "a" }, valid: true }, { data: { n: 2, s: "c" }, valid: false }];
    const [coverageOfFew, coverageOfMany] = [
      await coverageOf([schema], $id, tests),
      await coverageOf([schema], $id, moreTests),
    ];
    expect(coverageOfMany.notKilled).toBeLessThan(coverageOfFew.notKilled);
    expect(coverageOfMany.broken).toBe(coverageOfFew.broken + 1);
  });

  it("ignores tests that contradict the schema", async () => {
    const { wrong, twice, once } = await coverageOf([schema], $id, [{ data: { n: 5 }, valid: false }]);
    expect(wrong).toEqual([0]);
    expect(twice + once).toBe(0);
  });

  it.each(["constructor", "__proto__", "toString", "x"])(
    "does not count an inherited member %s as evaluated",
    async (name) => {
      const closedSchema = {
        $id,
        properties: { a: { type: "integer" } },
        unevaluatedProperties: false,
        if: { properties: { a: { const: 2 } }, required: ["a"] },
        then: { properties: { b: { type: "integer" } } },
      };
      const data = JSON.parse(`{"a":1,${JSON.stringify(name)}:1}`);
      const { wrong, broken, judged } = await coverageOf([closedSchema], $id, [{ data, valid: false }]);
      expect([wrong, broken]).toEqual([[], 1]);
      const killed = judged.filter(({ fate }) => fate === "once").map(({ says }) => says);
      expect(killed).toEqual(["unevaluatedProperties is not checked"]);
    },
  );

  it("judges mutants correctly even if Ajv throws for an inherited name", async () => {
    const items = { properties: { a: { type: "integer" } } };
    const list = { $id, type: "array", items, uniqueItems: true };
    const data = [
      { a: "1", toString: 1 },
      { a: 2, toString: 1 },
    ];
    const { wrong, judged } = await coverageOf([list], $id, [{ data, valid: false }]);
    const killed = judged.filter(({ fate }) => fate === "once").map(({ says }) => says);
    expect(wrong).toEqual([]);
    expect(killed).toContain("a may be anything");
    expect(killed).not.toContain("uniqueItems is not checked");
  });

  it("ignores tests on which the validators disagree, and reports them as disputed", async () => {
    const steps = { $id, multipleOf: 0.01 };
    const { wrong, disputed, twice, once } = await coverageOf([steps], $id, [{ data: 19.99, valid: true }]);
    expect([wrong, disputed, twice + once]).toEqual([[], [0], 0]);
  });

  it("considers only strings as values if values are sent as text", async () => {
    const list = { $id, type: "array", items: { type: "integer" } };
    const fateOf = async (asText: boolean, item: Json) => {
      const { judged } = await coverageOf([list], $id, [{ data: [1, 1, item], valid: false }], { asText });
      return judged.find(({ says }) => says === "of three items, all but the last are checked")?.fate;
    };
    // A parameter cannot be null, but it can be a string that is not an integer.
    expect([await fateOf(false, null), await fateOf(true, null)]).toEqual(["once", "notKilled"]);
    expect([await fateOf(false, "?"), await fateOf(true, "?")]).toEqual(["notKilled", "once"]);
  });

  it("judges a mutant that removes the target of a reference", async () => {
    const shared = {
      $id,
      properties: { a: { $anchor: "x", type: "string" }, b: { $ref: "#x" }, c: { $defs: { y: { type: "null" } } } },
      additionalProperties: { $ref: "#/properties/c/$defs/y" },
    };
    const { judged } = await coverageOf([shared], $id, [{ data: { a: 1 }, valid: false }]);
    expect(judged.find(({ says }) => says === "a may be anything")?.fate).toBe("once");
  });

  it("reports that Ajv cannot read the schema", async () => {
    const coverage = coverageOf([{ $id, nullable: true }], $id, [{ data: 1, valid: false }]);
    await expect(coverage).rejects.toThrow(
      /a validator cannot compile the schema: "nullable" cannot be used without "type"/,
    );
  });

  it("proves which mutants are equivalent", async () => {
    const redundant = { $id, type: "integer", minimum: 3, anyOf: [{ minimum: 1 }, false] };
    const { equivalent, keywords } = await coverageOf([redundant], $id, [{ data: 3, valid: true }]);
    expect(keywords.minimum?.equivalent).toBeGreaterThan(0);
    expect(equivalent).toBeGreaterThan(0);
  });

  it("stops when `watch` returns false, and reports the coverage as partial", async () => {
    const { mutants, partial } = await coverageOf([schema], $id, tests, { watch: ({ done }) => done < 3 });
    expect([mutants, partial]).toEqual([3, true]);
  });

  it("reports a mutant that it gave up on as undecided, whenever it is interrupted", async () => {
    // The solver needs many steps to prove that `contains` is redundant, and few for minLength.
    const items = { enum: [1, 2, 3, 4, 5] };
    const b = { type: "array", items, minItems: 5, uniqueItems: true, allOf: [{ contains: { const: 1 } }] };
    const hard = { $id, properties: { a: { const: "x", minLength: 1 }, b } };
    const measure = (watch: () => boolean) => coverageOf([hard], $id, [{ data: { a: "x" }, valid: true }], { watch });
    const describeAll = (mutants: readonly { site: string; says: string }[]) =>
      mutants.map(({ site, says }) => `${site} ${says}`);
    const provenEquivalent = ({ judged }: Awaited<ReturnType<typeof measure>>) =>
      describeAll(judged.filter(({ fate }) => fate === "equivalent"));
    let watchCalls = 0;
    const complete = await measure(() => ++watchCalls > 0);
    expect(provenEquivalent(complete)).toContain(`${$id}#/properties/a/minLength minLength is not checked`);
    const cutReasons: string[] = [];
    for (let callLimit = 1; callLimit < watchCalls; callLimit += Math.ceil(watchCalls / 40)) {
      let callsLeft = callLimit;
      const partialCoverage = await measure(() => callsLeft-- > 0);
      const gaveUp = describeAll(partialCoverage.survivingMutants);
      expect(
        provenEquivalent(partialCoverage).filter(
          (name) => gaveUp.includes(name) || !provenEquivalent(complete).includes(name),
        ),
      ).toEqual([]);
      cutReasons.push(
        ...partialCoverage.survivingMutants.flatMap(({ why }) =>
          why === "the search took too many steps" ? [why] : [],
        ),
      );
    }
    expect(cutReasons.length).toBeGreaterThan(0);
  });
});
