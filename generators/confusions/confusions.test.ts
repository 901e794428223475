import { expect, it } from "vitest";
import type { Json, JsonObject, Vector } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Model } from "../model/model.ts";
import { type ConfusionJudges, findShown } from "./confused-message.ts";
import { confusions } from "./index.ts";
import { memberPlaces } from "./places.ts";
import { draftMissingConfusions } from "./untold-confusions.ts";
import { findShownByTexts } from "./written-names.ts";

const $id = "https://confusions.test/order";

async function judgingFor(schema: JsonObject): Promise<{ model: Model; judging: ConfusionJudges; subject: Subject }> {
  const model = await compileModel([{ $schema: "https://json-schema.org/draft/2020-12/schema", $id, ...schema }], $id);
  const places = memberPlaces(model);
  return { model, judging: { model, places }, subject: { model, samples: [], elsewhere: new Set() } };
}

const draftOf = (data: Json): Draft => ({
  data,
  name: [],
  at: "",
  says: "",
  tags: [],
  features: [],
  uniqueFeatures: [],
});
const order = {
  type: "object",
  required: ["id"],
  additionalProperties: false,
  properties: {
    id: { type: "string", pattern: "^[0-9]+$" },
    note: { type: "string" },
    count: { type: "integer", minimum: 1 },
    rush: { type: "boolean" },
    tags: { type: "array", minItems: 1 },
  },
};
const messages = [{ id: "7" }, { id: "7", note: "a", count: 2, rush: true, tags: ["b"] }];

it.each([
  ["null-for-absent", { note: null }, {}],
  ["empty-list-for-absent", { note: [] }, {}],
  ["wrapped-32", { note: 2 ** 32 + 5 }, { note: 5 }],
  ["refused-32", { note: 2 ** 31 }, "refused"],
  ["refused-32", { note: 2 ** 31 - 1 }, undefined],
  ["wrapped-64", { note: 2 ** 64 + 4096 }, { note: 4096 }],
  ["held-64", { note: -(2 ** 64) }, { note: -(2 ** 63) }],
  ["cut-fraction", { note: -1.5 }, { note: -1 }],
  ["rounded", { note: 1.75 }, { note: 2 }],
  ["single-precision", { note: 1 + 1e-9 }, { note: 1 }],
  ["number-in-text", { note: "-1.5" }, { note: -1.5 }],
  ["number-in-text", { note: "01" }, undefined],
  ["text-of-number", { note: 12 }, { note: "12" }],
  ["number-of-boolean", { note: true }, { note: 1 }],
  ["boolean-of-number", { note: 0 }, { note: false }],
  ["boolean-in-text", { note: "false" }, { note: false }],
  ["names-without-case", { note: "a", NOTE: "b" }, { note: "b" }],
  ["names-without-case", { notes: "a" }, undefined],
  ["line-feed-at-end", { note: "a\n" }, { note: "a" }],
  ["digits-of-scripts", { note: "1\u0663\u096a" }, { note: "134" }],
] as [string, JsonObject, JsonObject | "refused" | undefined][])("%s turns %j into %j", (name, object, result) => {
  const place = { site: "", name: "note", types: new Set<string>(), patterns: [] };
  expect(confusions.find((confusion) => confusion.name === name)?.decode(object, place)).toEqual(result);
});

it("drafts, for each confusion at each member, a message that shows it, or reports why there is none", async () => {
  const { model, judging, subject } = await judgingFor(order);
  const { valid, invalid, unshown } = draftMissingConfusions(subject, judging, {
    confusions,
    shown: new Set(),
    parents: messages.map(draftOf),
  });
  const drafts = [
    ...valid.map(({ data }) => ({ data, valid: true })),
    ...invalid.map(({ data }) => ({ data, valid: false })),
  ];
  for (const each of drafts) expect(isValid(model, each.data), JSON.stringify(each.data)).toBe(each.valid);
  const shown = findShown(
    judging,
    confusions,
    drafts.map((each) => ({ id: "", ...each })),
  );
  for (const place of judging.places.values())
    for (const confusion of confusions) {
      if (!confusion.appliesTo(place)) continue;
      const isUnshown = unshown.some(({ confusion: name, site }) => name === confusion.name && site === place.site);
      expect(shown.has(`${confusion.name} ${place.site}`), `${confusion.name} at ${place.name}`).toBe(!isUnshown);
    }
  for (const { site, data } of invalid) expect(isValid(model, data, { without: site as string })).toBe(true);
  // A required member is refused both as null and if it is absent.
  const nulls = unshown.filter(({ confusion }) => confusion === "null-for-absent");
  expect(nulls).toEqual([{ confusion: "null-for-absent", site: `${$id}#/properties/id`, why: "alike" }]);
});

it("does not draft a message for a confusion that a vector already shows", async () => {
  const { judging, subject } = await judgingFor(order);
  const data = { id: "7", note: null };
  const shown = findShown(judging, confusions, [{ id: "a", valid: false, data }]);
  expect([...shown.keys()]).toEqual([`null-for-absent ${$id}#/properties/note`]);
  const { invalid } = draftMissingConfusions(subject, judging, {
    confusions,
    shown: new Set(shown.keys()),
    parents: messages.map(draftOf),
  });
  expect(invalid.map((draft) => JSON.stringify(draft.data))).not.toContain(JSON.stringify(data));
});

it("ignores a disputed vector, and a vector that a rule refuses as well", async () => {
  const { judging } = await judgingFor(order);
  const data = { id: "7", note: null };
  expect(findShown(judging, confusions, [{ id: "a", data }]).size).toBe(0);
  const strict = { ...judging, breaches: () => ["R-1"] };
  expect(findShown(strict, confusions, [{ id: "a", valid: false, data }]).size).toBe(0);
});

it("does not require integers above 2^53, which a reader may refuse", async () => {
  const refused64 = confusions.filter(({ name }) => name === "refused-64");
  const valid = [draftOf({ count: 1 })];
  const wide = await judgingFor({ properties: { count: { type: "integer" } } });
  const result = draftMissingConfusions(wide.subject, wide.judging, {
    confusions: refused64,
    shown: new Set(),
    parents: valid,
  });
  expect(result.unshown).toEqual([{ confusion: "refused-64", site: `${$id}#/properties/count`, why: "open" }]);
  expect(result.valid).toEqual([]);
});

it("makes a message without a site if every message breaks several assertions", async () => {
  const { judging, subject } = await judgingFor({
    properties: { a: { type: "string" }, b: { type: "string" } },
    not: { required: ["a", "b"] },
  });
  const { invalid } = draftMissingConfusions(subject, judging, {
    confusions: confusions.slice(0, 1),
    shown: new Set(),
    parents: [draftOf({ a: "x" })],
  });
  expect(invalid.map(({ data, site }) => [data, site])).toContainEqual([{ a: "x", b: null }, undefined]);
});

it("recognises integers with a fraction of zeros, and repeated names, in JSON texts", async () => {
  const { judging } = await judgingFor(order);
  const text = (raw: string, more: Partial<Vector>): Vector =>
    ({ id: "a", description: "", raw, needs: [], tags: [], ...more }) as Vector;
  const spelled = text('{"id":"1.0","count":2.0}', { valid: true });
  expect([...findShownByTexts(judging, [spelled])]).toEqual([`point-zero ${$id}#/properties/count`]);
  expect(findShownByTexts(judging, [text('{"id":"1.0","count":2.5}', { valid: true })]).size).toBe(0);
  const twice = text('{"id":"1","id":"2"}', { valid: false, fault: "repeated-name", at: "/id" });
  expect([...findShownByTexts(judging, [twice])]).toEqual([`repeated-name ${$id}#/properties/id`]);
  expect(findShownByTexts(judging, [{ ...twice, level: "SHOULD" }]).size).toBe(0);
});
