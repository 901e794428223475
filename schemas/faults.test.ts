import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import { describe, expect, it } from "vitest";
import { faultsIn, keywords } from "./faults.ts";
import { home } from "./home.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { ownSchemas } from "./own-schemas.ts";
import * as pointer from "./pointer.ts";

const ajv = new Ajv2020({ strict: false, schemas: Object.values(ownSchemas()) });
formatsPlugin.default(ajv);
const isAcceptedByAjv = (format: string, value: Json): boolean =>
  ajv.getSchema(`https://touchstone.example/schemas/touchstone/${format}.schema.json`)?.(value) === true;

const config: JsonObject = {
  protocol: "ahcp@0.3",
  target: { kind: "http", url: "http://127.0.0.1:1", headers: { a: "b" }, endpoints: { message: "/m" } },
  only: ["a", "b"],
  timeout: 5,
  report: ["terminal", "html=a.html"],
  hooks: { resolve: { http: { url: "http://x", body: { a: 1 } } }, delete: { command: "x" } },
  credentials: { a: { agent: "x", token: "y" } },
  timeScale: 0.5,
  failOn: "may",
};
const baseline: JsonObject = {
  $schema: "baseline.schema.json",
  sets: { ahcp: `sha256-${"A".repeat(43)}=` },
  entries: [
    { id: "ahcp/0.3/message/valid/a", outcome: "violates", reason: "r", expires: "2028-02-29", flaky: true },
    { id: "ahcp/0.3/scenarios/a/AHCP-IDM-001", outcome: "errored", reason: "r" },
    { rule: "AHCP-VER-001", outcome: "warns", reason: "r", owner: "o" },
  ],
};
const [vectors, manifest] = ["ahcp/0.3/capability/invalid.json", "MANIFEST.json"].map((file) =>
  JSON.parse(readFileSync(join(home, "vectors", file), "utf8")),
) as [JsonObject, JsonObject];
vectors.tests = (vectors.tests as Json[]).slice(0, 3);
manifest.files = (manifest.files as Json[]).slice(0, 2);
manifest.documents = (manifest.documents as JsonObject[]).slice(0, 1).map((document) => shorten(document, 2));
const samples: [format: string, sample: JsonObject][] = [
  ["config", config],
  ["baseline", baseline],
  ["vector-file", vectors],
  ["manifest", manifest],
];

/** Keeps at most `maxEntries` entries of each list and each map of objects, because every part gets corrupted. */
function shorten(value: JsonObject, maxEntries: number): JsonObject {
  const shortenPart = (part: Json): Json => {
    if (Array.isArray(part)) return part.slice(0, maxEntries).map(shortenPart);
    if (!isObject(part)) return part;
    const entries = Object.entries(part);
    const isTable = entries.length > maxEntries && entries.every(([, inner]) => isObject(inner));
    return Object.fromEntries(
      (isTable ? entries.slice(0, maxEntries) : entries).map(([name, inner]) => [name, shortenPart(inner)]),
    );
  };
  return shortenPart(value) as JsonObject;
}

/** Corrupts the value in many ways: each part is replaced, removed, or gets an extra member. */
function* spoilParts(value: JsonObject): Generator<[at: string, spoilt: Json]> {
  for (const at of places(value, "")) {
    for (const replacement of [null, true, 0, -1, 1.5, "", "x", "2026-02-30", [], {}, ["a", "a"]] as Json[]) {
      const copy = structuredClone({ root: value }) as JsonObject;
      const { parent, last } = pointer.split(`/root${at}`);
      (pointer.at(parent, copy) as JsonObject)[last] = replacement;
      yield [at, copy.root as Json];
    }
    const copy = structuredClone({ root: value }) as JsonObject;
    const corruptedPart = pointer.at(`/root${at}`, copy);
    if (isObject(corruptedPart)) {
      corruptedPart.surplus = 1;
      yield [at, copy.root as Json];
    }
    if (at === "") continue;
    const { parent, last } = pointer.split(`/root${at}`);
    const parentValue = pointer.at(parent, copy) as Json[] | JsonObject;
    if (Array.isArray(parentValue)) parentValue.splice(Number(last), 1);
    else delete parentValue[last];
    yield [at, copy.root as Json];
  }
}

function places(value: Json, at: string): string[] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [at, ...entries.flatMap(([name, child]) => places(child, pointer.append(at, name)))];
}

describe("faultsIn", () => {
  it.each(samples)("agrees with Ajv about every corruption of %s", (format, sample) => {
    expect(faultsIn(format, sample)).toEqual([]);
    let refusedCount = 0;
    for (const [at, value] of spoilParts(sample)) {
      const faults = faultsIn(format, value);
      expect(faults.length === 0, `${at}: ${JSON.stringify(value).slice(0, 300)}`).toBe(isAcceptedByAjv(format, value));
      if (faults.length > 0) refusedCount += 1;
    }
    expect(refusedCount).toBeGreaterThan(100);
  });

  it("understands every keyword of our formats", () => {
    const usedKeywords = new Set(Object.values(ownSchemas()).flatMap(keywordsIn));
    expect([...usedKeywords].filter((keyword) => !keywords.includes(keyword))).toEqual([]);
  });

  it("reports the place, the problem and the likely intention", () => {
    expect(faultsIn("config", { protocl: "ahcp" })).toEqual([
      {
        at: "/protocl",
        what: 'there is no member "protocl"',
        hint: expect.stringContaining('did you mean "protocol"?'),
      },
    ]);
    expect(faultsIn("config", { target: { kind: "http", uri: "http://x" } })).toEqual([
      { at: "/target", what: 'it has no "url"', hint: 'add "url"' },
      { at: "/target/uri", what: 'there is no member "uri"', hint: expect.stringContaining('"url"') },
    ]);
    expect(faultsIn("config", { failOn: "shoul" })[0]?.hint).toContain('did you mean "should"?');
    expect(faultsIn("config", { timeout: "5" })[0]?.what).toBe('it is "5", where a whole number is wanted');
  });
});

function keywordsIn(schema: Json): string[] {
  if (!isObject(schema)) return [];
  const maps = ["properties", "$defs", "dependentSchemas"].flatMap((name) =>
    Object.values((schema[name] ?? {}) as JsonObject),
  );
  const lists = ["allOf", "anyOf", "oneOf"].flatMap((name) => (schema[name] ?? []) as Json[]);
  const single = ["items", "additionalProperties", "propertyNames", "not", "if", "then", "else"].map(
    (name) => schema[name] ?? null,
  );
  return [...Object.keys(schema), ...[...maps, ...lists, ...single].flatMap(keywordsIn)];
}
