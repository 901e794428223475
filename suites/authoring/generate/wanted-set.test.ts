import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { JsonObject, Vector, VectorFile } from "../../../schemas/index.ts";
import { makeVectors, writeTexts } from "./make.ts";
import { createSkeleton } from "./skeleton.ts";
import type { RequestedSet } from "./wanted-set.ts";

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

/** Makes a pack of a schema, and returns its vectors. */
async function packOf(schema: JsonObject, set?: RequestedSet): Promise<MadePack> {
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
  const fullPack = await packOf(order);
  const corePack = await packOf(order, "core");
  expect([fullPack.kept, corePack.kept]).toEqual([undefined, "core"]);
  expect([...corePack.vectors.keys()].filter((key) => !fullPack.vectors.has(key))).toEqual([]);
  expect(corePack.vectors.size).toBeLessThan(fullPack.vectors.size / 3);
  expect(corePack.kinds).not.toContain("raw");
  const isolatedSites = new Set(
    [...corePack.vectors.values()].flatMap(({ valid, site }) => (valid ? [] : (site ?? []))),
  );
  expect([corePack.sites, isolatedSites.size]).toEqual([fullPack.sites, fullPack.sites]);
  expect([...(await packOf(order)).vectors.keys()]).toEqual([...corePack.vectors.keys()]);
  const restoredPack = await packOf(order, "full");
  expect([restoredPack.kept, [...restoredPack.vectors.keys()]]).toEqual([undefined, [...fullPack.vectors.keys()]]);
});

const note = { type: "string", maxLength: 23 };

it.each([
  ["an optional member behind the others", { ...order, properties: { id, count, state, note } }, 2, 60],
  ["an optional member before the others", { ...order, properties: { note, id, count, state } }, 2, 60],
  ["a changed bound", { ...order, properties: { id, count: { ...count, maximum: 100 }, state } }, 0, 0],
  ["a new value of an enum", { ...order, properties: { id, count, state: { enum: ["open", "paid", "gone"] } } }, 0, 5],
])("nearly all ids stay after a small change of the schema: %s", async (_, changedSchema, maxRemoved, maxAdded) => {
  const [packBefore, packAfter] = [await packOf(order), await packOf(changedSchema)];
  const missingIds = (pack: MadePack, otherPack: MadePack): string[] =>
    [...pack.vectors.keys()].filter((key) => !otherPack.vectors.has(key));
  expect(missingIds(packBefore, packAfter).length).toBeLessThanOrEqual(maxRemoved);
  expect(missingIds(packAfter, packBefore).length).toBeLessThanOrEqual(maxAdded);
  expect(packBefore.vectors.size).toBeGreaterThan(200);
});
