import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileAjv } from "../../generators/index.ts";
import {
  canonical,
  digestOf,
  home,
  isObject,
  type Json,
  type JsonObject,
  type Manifest,
  ownVectors,
  type Protocol,
  pointer,
  protocolsNamed,
  type Vector,
  type VectorFile,
} from "../../schemas/index.ts";
import { partOf } from "../../schemas/part.fixture.ts";
import { schemasPage, spellSentence, vectorsPage, withNumbers } from "./numbers.ts";

const page = readFileSync(join(home, "vectors/README.md"), "utf8");
const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(ownVectors, path), "utf8")) as T;
const manifest = readJson<Manifest>("MANIFEST.json");
const files = manifest.files.map(({ path }) => ({ path, file: readJson<VectorFile>(path) }));
const protocols = protocolsNamed("all");
const vectorsIn = (isIncluded: (path: string) => boolean): Vector[] =>
  files.flatMap(({ path, file }) => (isIncluded(path) ? file.tests : []));
const allVectors = vectorsIn(() => true);
const rawVectors = vectorsIn((path) => path.endsWith("/raw.json"));
const isTrace = (path: string): boolean => path.includes("/traces/");
const isText = (vector: Vector): boolean => vector.data === undefined;
const tracesNamed = (name: string): Vector[] => vectorsIn((path) => path.endsWith(`/traces/${name}.json`));

const sentences = vectorsPage().sentences.map(spellSentence);

describe("the README of the vectors", () => {
  it("has the current numbers in each sentence", () => {
    expect(
      sentences.filter((sentence) => !page.includes(sentence)),
      "npx tsx scripts/docs/numbers.ts",
    ).toEqual([]);
  });

  it("contains no other number", () => {
    const prose = sentences
      .reduce((text, sentence) => text.replace(sentence, ""), page)
      .replace(/^```[\s\S]*?^```$/gm, "")
      .replace(/`[^`\n]*`|\bRFC \d+|\bBIP-\d+|\bU\+\d+/g, "");
    // The dialect and the year of deadlines are checked below.
    expect(prose.match(/\b\d[\d,]{2,}\b/g)).toEqual(["2020", "2100"]);
  });

  it("shows a vector of the set, shortened, as its example", () => {
    const [, text = ""] = /```jsonc\n([\s\S]*?)```/.exec(page) ?? [];
    const shownFile = JSON.parse(text.replaceAll(", … }", " }")) as VectorFile;
    const [example] = shownFile.tests;
    const exampleFile = files.find(({ file }) => file.tests.some(({ id }) => id === example?.id));
    const shortened = (whole: Json, part: Json): Json => {
      if (typeof whole === "string" && typeof part === "string" && part.endsWith("…"))
        return whole.startsWith(part.slice(0, -1)) ? part : whole;
      if (Array.isArray(whole) && Array.isArray(part))
        return whole.map((item, index) => shortened(item, part[index] ?? null));
      if (!isObject(whole) || !isObject(part)) return whole;
      return Object.fromEntries(
        Object.entries(whole).flatMap(([name, value]) =>
          name in part ? [[name, shortened(value, part[name] as Json)]] : [],
        ),
      );
    };
    const published = exampleFile?.file.tests.find(({ id }) => id === example?.id);
    const { tests: _, ...head } = exampleFile?.file ?? {};
    const { tests: __, ...shownHead } = shownFile;
    expect(shownHead).toEqual(shortened(head as Json, shownHead as unknown as Json));
    // The omitted members are all within the message.
    expect(Object.keys(example ?? {})).toEqual(Object.keys(published ?? {}));
    expect(example).toEqual(shortened(published as unknown as Json, example as unknown as Json));
  });

  it("shows readings of the set and the head of the manifest", () => {
    const [, readings = ""] = /```json\n("readings": [\s\S]*?)```/.exec(page) ?? [];
    expect(allVectors.map((vector) => canonical((vector.readings ?? []) as unknown as Json))).toContain(
      canonical((JSON.parse(`{${readings}}`) as { readings: Json }).readings),
    );
    expect(page).toContain(`"name": "${manifest.name}",\n  "version": "${manifest.version}",\n  "digest": "sha256-…",`);
  });
});

describe("the README of the schemas", () => {
  const { path, sentences } = schemasPage();
  const text = readFileSync(join(home, path), "utf8");

  it("has the documents and rules of each protocol", () => {
    const rows = text.match(/^\| `[a-z0-9-]+@[^`]+` \|(?: [\d,]+ \|){2}/gm);
    expect(rows, "npx tsx scripts/docs/numbers.ts").toEqual(sentences.map(spellSentence));
  });

  it("is updated to the current numbers, and a missing row is reported", () => {
    const outdated = text.replace(/(?<=^\| `[^`]+` \| )\d+/gm, "7,777");
    expect(outdated).not.toBe(text);
    expect(withNumbers(outdated, { path, sentences })).toBe(text);
    expect(() => withNumbers("", { path, sentences })).toThrow(`${path} has no sentence "| \`ahcp@0.3\` | # | # |"`);
  });
});

describe("the members of vectors, as their README describes them", () => {
  it("each vector is on one line; a disputed vector has two or three readings, with names from the profile", () => {
    for (const { path, file } of files) {
      const lines = readFileSync(join(ownVectors, path), "utf8")
        .split("\n")
        .filter((line) => line.trimStart().startsWith('{"id"'));
      expect(lines.map((line) => (JSON.parse(line.replace(/,$/, "")) as Vector).id)).toEqual(
        file.tests.map(({ id }) => id),
      );
    }
    const disputed = allVectors.filter(({ valid }) => valid === undefined);
    expect(new Set(disputed.map(({ readings }) => readings?.length))).toEqual(new Set([2, 3]));
    for (const { name, profile } of protocols) {
      const namedReadings = new Set([
        ...(profile.readings ?? []).map(({ id }) => id),
        ...(profile.contradictions ?? []).flatMap(({ readings }) => readings.map((reading) => reading.name)),
      ]);
      const usedReadings = disputed
        .filter(({ id }) => id.startsWith(`${name}/`))
        .flatMap(({ readings }) => readings?.flatMap(({ ids }) => ids ?? ["none"]) ?? []);
      expect([...new Set(usedReadings)].filter((id) => !namedReadings.has(id))).toEqual([]);
    }
  });

  it("only raw and valid vectors lack a rule; a text vector has no change, and has a parent only in raw.json", () => {
    const unruledKinds = allVectors.filter(({ rule }) => rule === undefined).map(({ id }) => id.split("/")[3]);
    expect(new Set(unruledKinds)).toEqual(new Set(["valid", "raw"]));
    const texts = allVectors.filter(isText);
    expect(texts.filter(({ change }) => change !== undefined)).toEqual([]);
    expect(texts.filter(({ parent }) => parent !== undefined).length).toBe(rawVectors.length);
    expect(rawVectors.every(isText)).toBe(true);
  });

  const { cases, said } = partOf(protocols, ({ name }) => name, 5);
  it(`the schema accepts every semantic vector, with and without format assertion (${said})`, () => {
    const refusedVectors = cases.flatMap(({ name, schemas }) =>
      files.flatMap(({ path, file }) => {
        if (!path.startsWith(`${name}/`) || !(path.endsWith("/semantic.json") || isTrace(path))) return [];
        const assertFormats = compileAjv(schemas, file.schema, "quick");
        const ignoreFormats = compileAjv(schemas, file.schema, "annotating");
        return file.tests.filter(({ data }) => data !== undefined && !(assertFormats(data) && ignoreFormats(data)));
      }),
    );
    expect(refusedVectors.map(({ id }) => id)).toEqual([]);
  });

  it("every schema has an `$id` and uses the dialect 2020-12", () => {
    for (const { $id, $schema } of protocols.flatMap(({ schemas }) => schemas)) {
      expect(URL.canParse(String($id))).toBe(true);
      expect($schema).toBe("https://json-schema.org/draft/2020-12/schema");
    }
  });

  it("`schemaDigest` covers the schema files that references reach, in the profile's order", () => {
    for (const protocol of protocols)
      for (const { path, file } of files.filter((entry) => entry.path.startsWith(`${protocol.name}/`)))
        expect(digestOf(canonical(reachedFrom(protocol, file.schema))), path).toBe(file.schemaDigest);
  });

  it("traces have the members in the table, and `at` points into them", () => {
    const members = (name: string, protocol: string): string[] => [
      ...new Set(
        tracesNamed(name)
          .filter(({ id }) => id.startsWith(`${protocol}/`))
          .flatMap(({ data }) => (Array.isArray(data) ? data.flatMap((item) => Object.keys(item as JsonObject)) : [])),
      ),
    ];
    expect(members("session", "aaep").sort()).toEqual(["from", "gap", "message", "subscription", "time"]);
    expect(members("exchange", "agent-conventions").sort()).toEqual(["from", "message"]);
    const objects = (name: string): Set<string> =>
      new Set(tracesNamed(name).flatMap(({ data }) => (Array.isArray(data) ? [] : Object.keys(data as JsonObject))));
    expect(objects("task-log")).toEqual(new Set(["exchanges", "states"]));
    expect(objects("exchange")).toEqual(new Set(["request", "answers"]));
    const locations = vectorsIn(isTrace).map(({ at }) => at);
    for (const [, at] of page.matchAll(/`(\/\d\/message\/\w+|\/exchanges\/[^`]+)`/g)) expect(locations).toContain(at);
    expect(locations).toContain("");
  });

  it("deadlines of valid vectors are in 2100 or later", () => {
    const earlyDeadlines = protocols.flatMap(({ name, profile }) =>
      profile.documents.flatMap(({ name: document, fresh = [] }) =>
        fresh.flatMap(({ at, offset }) =>
          offset === undefined
            ? []
            : allVectors
                .filter(({ id, valid }) => valid === true && new RegExp(`^${name}/[^/]+/${document}/`).test(id))
                .filter(({ data }) => Number.parseInt(String(pointer.at(at, data ?? null) ?? "9999"), 10) < 2100)
                .map(({ id }) => id),
        ),
      ),
    );
    expect(earlyDeadlines).toEqual([]);
  });

  it("the table of fresh values lists every `make` that profiles use", () => {
    const [, table = ""] = /\| `make` \| new value \|\n([\s\S]*?)\n\n/.exec(page) ?? [];
    const listedNames = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
    const freshValues = protocols.flatMap(({ profile }) => profile.documents.flatMap(({ fresh = [] }) => fresh));
    expect(new Set(listedNames)).toEqual(new Set(freshValues.map(({ make }) => make)));
  });
});

/** The schema files that references reach from a document's schema. */
function reachedFrom({ schemas }: Protocol, entry: string): JsonObject[] {
  const byId = new Map(schemas.map((schema) => [schema.$id as string, schema]));
  const visited = new Set<string>();
  const queue = [`${entry}#`];
  for (let address = queue.pop(); address !== undefined; address = queue.pop()) {
    if (visited.has(address)) continue;
    visited.add(address);
    const [id = "", fragment = ""] = address.split("#");
    const schema = byId.get(id);
    if (schema !== undefined) collectReferences(pointer.at(decodeURIComponent(fragment), schema) ?? null, id, queue);
  }
  const files = new Set([...visited].map((address) => address.split("#")[0]));
  return schemas.filter(({ $id }) => files.has($id as string));
}

/** Adds the addresses that a schema refers to. Skips `$defs`, which are reached only by reference. */
function collectReferences(value: Json, base: string, queue: string[]): void {
  if (Array.isArray(value)) for (const item of value) collectReferences(item, base, queue);
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === "$ref" && typeof inner === "string") {
      const { href } = new URL(inner, base);
      queue.push(href.includes("#") ? href : `${href}#`);
    } else if (name !== "$defs") collectReferences(inner, base, queue);
  }
}
