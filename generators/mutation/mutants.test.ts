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

it("makes the outermost mistakes until the end, and says that there are more", async () => {
  const all = [document(schema)];
  const model = await compileModel(all, id);
  const whole = mutantsOf(model, all, new Set());
  let asked = 0;
  const some = mutantsOf(model, all, new Set(), () => ++asked > 5);
  expect([whole.partial, some.partial]).toEqual([false, true]);
  expect(some.all.length).toBeGreaterThan(5);
  const [usual, fine] = [false, true].map(
    (isFine) => (mutants: Mutant[]) => mutants.filter((mutant) => (mutant.fine === true) === isFine),
  );
  for (const among of [usual, fine] as ((mutants: Mutant[]) => Mutant[])[])
    expect(among(some.all)).toEqual(among(whole.all).slice(0, among(some.all).length));
  expect(whole.all.length).toBeGreaterThan(2 * some.all.length);
});

it("makes fine mutants last, and no pairs of them", async () => {
  const count = { type: "integer" };
  const all = [document({ allOf: [count, count] })];
  const { all: made } = mutantsOf(await compileModel(all, id), all, new Set());
  const first = made.findIndex(({ fine }) => fine === true);
  expect(first).toBeGreaterThan(0);
  expect(made.slice(first).every(({ fine }) => fine === true)).toBe(true);
  expect(made.filter(({ operator, fine }) => operator === "both-copies" && fine === true)).toEqual([]);
  expect(made.slice(0, first).some(({ operator }) => operator === "both-copies")).toBe(true);
});

it("makes fine mutants at each place, also of a schema that is away", async () => {
  const word = { type: "string", pattern: "^[a-z]$" };
  const time = { type: "string", format: "date-time" };
  const other = "https://example.org/other.schema.json";
  const home = document({ properties: { a: word, b: word, c: time, d: time } });
  const all = [document({ $ref: other }), { ...home, $id: other }];
  const made = async (elsewhere: string[], says: string) => {
    const { all: mutants } = mutantsOf(await compileModel(all, id), all, new OtherDocuments(elsewhere));
    return mutants.filter((mutant) => mutant.says === says).map(({ site }) => site);
  };
  const at = (...names: string[]) => names.map((name) => `${other}#/properties/${name}`);
  for (const elsewhere of [[], [other]]) {
    expect(await made(elsewhere, "[a-z] matches a hyphen as well")).toEqual(at("a/pattern", "b/pattern"));
    expect(await made(elsewhere, 'the format check misses "hour 24"')).toEqual(at("c/format", "d/format"));
  }
});

it("makes fine and rare mutants with the others, but no pairs of them", async () => {
  const list = { type: "array", uniqueItems: true, items: { type: "string", pattern: "^[a-z]$" } };
  const all = [document({ allOf: [list, list] })];
  const { all: made } = mutantsOf(await compileModel(all, id), all, new Set());
  const last = made.findLastIndex(({ operator }) => operator === "unique-items");
  expect(made.filter(({ operator }) => operator === "unique-items")).toHaveLength(6);
  expect(last).toBeLessThan(made.findIndex(({ fine, soon }) => fine === true && soon !== true));
  expect(made.filter(({ operator, says }) => operator === "both-copies" && says.includes(" compared"))).toEqual([]);
});

it("stops combining mistakes in several places after it", async () => {
  const both = { ...schema, allOf: [{ properties: { p0: { minimum: 0 }, p1: { $ref: "#/properties/p0" } } }] };
  const all = [document(both)];
  const model = await compileModel(all, id);
  const isInSeveral = ({ operator }: Mutant): boolean => operator === "both-copies" || operator === "one-copy";
  const isSingle = (mutant: Mutant): boolean => !isInSeveral(mutant);
  const whole = mutantsOf(model, all, new Set()).all;
  expect(new Set(whole.filter(isInSeveral).map(({ operator }) => operator)).size).toBe(2);
  const singles = whole.filter(isSingle).length;
  const after = (times: number) => {
    let left = times;
    return mutantsOf(model, all, new Set(), () => --left < 0);
  };
  const first = Array.from({ length: 99 }, (_, times) => after(times)).find((some) => some.all.length >= singles);
  expect([first?.partial, first?.all.length, first?.all.filter(isInSeveral)]).toEqual([true, singles, []]);
});
