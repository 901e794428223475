import { expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { OtherDocuments } from "../drafts/other-documents.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import type { Mutant } from "./mutant.ts";
import { mutantsOf } from "./mutants.ts";

const schema: JsonObject = {
  type: "object",
  properties: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, { minimum: index }])),
};

it("makes the outermost mutants until time is up, and reports that there are more", async () => {
  const schemas = [document(schema)];
  const model = await compileModel(schemas, id);
  const complete = mutantsOf(model, schemas, new Set());
  let polls = 0;
  const interrupted = mutantsOf(model, schemas, new Set(), () => ++polls > 5);
  expect([complete.partial, interrupted.partial]).toEqual([false, true]);
  expect(interrupted.all.length).toBeGreaterThan(5);
  const [coarseOf, fineOf] = [false, true].map(
    (isFine) => (mutants: Mutant[]) => mutants.filter((mutant) => (mutant.isFineGrained === true) === isFine),
  );
  for (const select of [coarseOf, fineOf] as ((mutants: Mutant[]) => Mutant[])[])
    expect(select(interrupted.all)).toEqual(select(complete.all).slice(0, select(interrupted.all).length));
  expect(complete.all.length).toBeGreaterThan(2 * interrupted.all.length);
});

it("makes fine-grained mutants last, and does not pair them", async () => {
  const count = { type: "integer" };
  const schemas = [document({ allOf: [count, count] })];
  const { all: mutants } = mutantsOf(await compileModel(schemas, id), schemas, new Set());
  const firstFine = mutants.findIndex(({ isFineGrained }) => isFineGrained === true);
  expect(firstFine).toBeGreaterThan(0);
  expect(mutants.slice(firstFine).every(({ isFineGrained }) => isFineGrained === true)).toBe(true);
  expect(mutants.filter(({ operator, isFineGrained }) => operator === "both-copies" && isFineGrained === true)).toEqual(
    [],
  );
  expect(mutants.slice(0, firstFine).some(({ operator }) => operator === "both-copies")).toBe(true);
});

it("makes fine-grained mutants at each place, also of a schema with its own vectors elsewhere", async () => {
  const word = { type: "string", pattern: "^[a-z]$" };
  const time = { type: "string", format: "date-time" };
  const other = "https://example.org/other.schema.json";
  const home = document({ properties: { a: word, b: word, c: time, d: time } });
  const schemas = [document({ $ref: other }), { ...home, $id: other }];
  const sitesOf = async (elsewhere: string[], says: string) => {
    const { all: mutants } = mutantsOf(await compileModel(schemas, id), schemas, new OtherDocuments(elsewhere));
    return mutants.filter((mutant) => mutant.says === says).map(({ site }) => site);
  };
  const sites = (...names: string[]) => names.map((name) => `${other}#/properties/${name}`);
  for (const elsewhere of [[], [other]]) {
    expect(await sitesOf(elsewhere, "[a-z] matches a hyphen as well")).toEqual(sites("a/pattern", "b/pattern"));
    expect(await sitesOf(elsewhere, 'the format check misses "hour 24"')).toEqual(sites("c/format", "d/format"));
  }
});

it("makes fine-grained mutants of a small group among the others, but does not pair them", async () => {
  const list = { type: "array", uniqueItems: true, items: { type: "string", pattern: "^[a-z]$" } };
  const schemas = [document({ allOf: [list, list] })];
  const { all: mutants } = mutantsOf(await compileModel(schemas, id), schemas, new Set());
  const last = mutants.findLastIndex(({ operator }) => operator === "unique-items");
  expect(mutants.filter(({ operator }) => operator === "unique-items")).toHaveLength(6);
  expect(last).toBeLessThan(
    mutants.findIndex(({ isFineGrained, isTriedEarly }) => isFineGrained === true && isTriedEarly !== true),
  );
  expect(mutants.filter(({ operator, says }) => operator === "both-copies" && says.includes(" compared"))).toEqual([]);
});

it("stops combining mistakes when time is up", async () => {
  const schemaWithCopies = {
    ...schema,
    allOf: [{ properties: { p0: { minimum: 0 }, p1: { $ref: "#/properties/p0" } } }],
  };
  const schemas = [document(schemaWithCopies)];
  const model = await compileModel(schemas, id);
  const isInSeveral = ({ operator }: Mutant): boolean => operator === "both-copies" || operator === "one-copy";
  const isSingle = (mutant: Mutant): boolean => !isInSeveral(mutant);
  const complete = mutantsOf(model, schemas, new Set()).all;
  expect(new Set(complete.filter(isInSeveral).map(({ operator }) => operator)).size).toBe(2);
  const singles = complete.filter(isSingle).length;
  const mutantsAfter = (times: number) => {
    let pollsLeft = times;
    return mutantsOf(model, schemas, new Set(), () => --pollsLeft < 0);
  };
  const first = Array.from({ length: 99 }, (_, times) => mutantsAfter(times)).find(
    (result) => result.all.length >= singles,
  );
  expect([first?.partial, first?.all.length, first?.all.filter(isInSeveral)]).toEqual([true, singles, []]);
});
