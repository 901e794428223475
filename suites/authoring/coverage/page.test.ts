import { gunzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import type { JsonObject } from "../../../schemas/index.ts";
import type { PageData } from "../../reports/html/shape.ts";
import { type MeasuredSet, measureSets } from "./measure.ts";
import { coveragePage } from "./page.ts";

const $id = "https://example.org/note";
const schemas: JsonObject[] = [
  {
    $id,
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { size: { maximum: 9 } },
  },
];
const site = `${$id}#/properties/size/maximum`;
const sets = [
  {
    name: "notes",
    schemas,
    schema: $id,
    tests: [
      { name: "nine<b>", data: { size: 9 }, valid: true, site },
      { name: "ten", data: { size: 10 }, valid: false, site },
      { name: "eight<i>", data: { size: 8 }, valid: false },
    ],
  },
];
let page: string;
let data: PageData;

beforeAll(async () => {
  page = coveragePage(await measureSets(sets, () => true), sets);
  const [, kind, text = ""] = /<script type="application\/(json|gzip)" id="data">([^<]*)/.exec(page) ?? [];
  data = JSON.parse(kind === "json" ? text : gunzipSync(Buffer.from(text, "base64")).toString());
});

it("has each mutant that can be killed, with the result of the tests, at its place in the schema", () => {
  const [group] = data.groups;
  const mutants = group?.vectors.map((row, index) => {
    const outcome = data.outcomes[Number(group.runs[0]?.outcomes[index])]?.name;
    return { says: row[1], site: data.texts[row[7]], outcome, facts: group.runs[0]?.details[index]?.facts };
  });
  expect(group?.schemas.map(({ id }) => id)).toEqual([$id]);
  const uncheckedMaximum = mutants?.filter(
    (mutant) => mutant.site === site && mutant.says === "maximum is not checked",
  );
  expect(uncheckedMaximum?.map(({ outcome }) => outcome)).toEqual(["killed by one"]);
  expect(uncheckedMaximum?.[0]?.facts).toContainEqual(["tests of it", "nine<b>\nten"]);
  const typeMutants = mutants?.filter((mutant) => mutant.site === `${$id}#/type` && mutant.outcome === "survived");
  expect(typeMutants?.length).toBeGreaterThan(0);
  expect(typeMutants?.[0]?.facts?.map(([name]) => name)).toContain("would kill it");
});

it("shows the mutation score, lists the keyword with the most survivors first, and escapes names", () => {
  expect(page).toMatch(/<h1>Mutation score \d+\.\d %: \d+ of \d+ mutants that are not equivalent are killed\.<\/h1>/);
  expect(page.indexOf(">type</th>")).toBeLessThan(page.indexOf(">maximum</th>"));
  expect(page).not.toContain("nine<b>");
});

it("names the tests that the schema contradicts, if there are any", async () => {
  expect(page).toMatch(
    /notes: the schema says otherwise, .* are not counted<\/h2>\s*<ul><li>eight&lt;i&gt;<\/li><\/ul>/,
  );
  const disputedPage = coveragePage(
    [{ ...(await measureSets(sets, () => true))[0], disputed: ["either<i>"] } as MeasuredSet],
    sets,
  );
  expect(disputedPage).toMatch(
    /validators judge differently, .* are not counted<\/h2>\s*<ul><li>either&lt;i&gt;<\/li>/,
  );
  const agreeingSets = sets.map((set) => ({ ...set, tests: set.tests.slice(0, 2) }));
  expect(coveragePage(await measureSets(agreeingSets, () => true), agreeingSets)).not.toContain(
    "the schema says otherwise",
  );
});
