import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { JsonObject, Vector, VectorFile } from "../../../schemas/index.ts";
import { makeVectors, writeTexts } from "./make.ts";
import { createSkeleton } from "./skeleton.ts";
import type { WantedSet } from "./wanted-set.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const id = { type: "string", pattern: "^o[0-9]{3}$" };
const count = { type: "integer", minimum: 1, maximum: 99 };
const state = { enum: ["open", "paid"] };
const order = {
  type: "object",
  additionalProperties: false,
  required: ["id", "count"],
  properties: { id, count, state },
};

interface MadePack {
  /** The vectors by id. */
  vectors: Map<string, Vector>;
  kinds: string[];
  /** The set in the profile. */
  kept: unknown;
  sites: number;
}

/** The vectors of a schema after it is made into a pack. */
async function packOf(schema: JsonObject, set?: WantedSet): Promise<MadePack> {
  const file = join(folder, "order.schema.json");
  writeFileSync(file, JSON.stringify(schema));
  const out = join(folder, "order");
  writeTexts(out, (await createSkeleton({ schemas: [file], refs: [], out, set })).texts);
  const { manifest } = await makeVectors(out, { effort: 1 });
  const files = manifest.files.map(
    ({ path }) => JSON.parse(readFileSync(join(out, "vectors", path), "utf8")) as VectorFile,
  );
  const profile = JSON.parse(readFileSync(join(out, "profile.json"), "utf8")) as { documents: JsonObject[] };
  return {
    vectors: new Map(files.flatMap(({ tests }) => tests.map((test) => [test.id, test]))),
    kinds: manifest.files.map(({ kind }) => kind),
    kept: profile.documents[0]?.kept,
    sites: manifest.documents[0]?.broken ?? 0,
  };
}

it("a core set is a small part of the full one, isolates the same assertions, and stays in the profile until it is changed", async () => {
  const full = await packOf(order);
  const core = await packOf(order, "core");
  expect([full.kept, core.kept]).toEqual([undefined, "core"]);
  expect([...core.vectors.keys()].filter((key) => !full.vectors.has(key))).toEqual([]);
  expect(core.vectors.size).toBeLessThan(full.vectors.size / 3);
  expect(core.kinds).not.toContain("raw");
  const isolatedSites = new Set([...core.vectors.values()].flatMap(({ valid, site }) => (valid ? [] : (site ?? []))));
  expect([core.sites, isolatedSites.size]).toEqual([full.sites, full.sites]);
  expect([...(await packOf(order)).vectors.keys()]).toEqual([...core.vectors.keys()]);
  const restored = await packOf(order, "full");
  expect([restored.kept, [...restored.vectors.keys()]]).toEqual([undefined, [...full.vectors.keys()]]);
});

const note = { type: "string", maxLength: 23 };

it.each([
  ["an optional member behind the others", { ...order, properties: { id, count, state, note } }, 2, 60],
  ["an optional member before the others", { ...order, properties: { note, id, count, state } }, 2, 60],
  ["another bound", { ...order, properties: { id, count: { ...count, maximum: 100 }, state } }, 0, 0],
  ["a new value of an enum", { ...order, properties: { id, count, state: { enum: ["open", "paid", "gone"] } } }, 0, 5],
])("nearly all ids stay after a small change of the schema: %s", async (_, changedSchema, maxRemoved, maxAdded) => {
  const [before, after] = [await packOf(order), await packOf(changedSchema)];
  const missingIds = (pack: MadePack, otherPack: MadePack): string[] =>
    [...pack.vectors.keys()].filter((key) => !otherPack.vectors.has(key));
  expect(missingIds(before, after).length).toBeLessThanOrEqual(maxRemoved);
  expect(missingIds(after, before).length).toBeLessThanOrEqual(maxAdded);
  expect(before.vectors.size).toBeGreaterThan(200);
});
