import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkersOf, findings, semanticVectors, textFindings } from "../../generators/index.ts";
import { type Document, home, type Json, protocolsNamed, type Vector } from "../../schemas/index.ts";
import { ruled } from "../packs/pack/load.ts";

describe.each(await Promise.all(protocolsNamed("all").map(ruled)))(
  "the rules of $name beyond its schemas",
  (protocol) => {
    const { families } = protocol;
    const checkers = families.flatMap((family) => family.checkers);
    const documents = protocol.profile.documents.filter(({ name }) =>
      families.some(({ cases }) => cases.some(({ document }) => document === name)),
    );
    let cachedVectors: { document: Document; all: Vector[] }[] | undefined;
    const vectors = (): { document: Document; all: Vector[] }[] => {
      cachedVectors ??= documents.map((document) => ({ document, all: semanticVectors(protocol, document) }));
      return cachedVectors;
    };

    it("have checkers and cases that name existing rules and documents", () => {
      const rules = new Set(protocol.rules.map(({ id }) => id));
      const names = new Set(protocol.profile.documents.map(({ name }) => name));
      const cases = families.flatMap((family) => family.cases);
      expect([...checkers, ...cases].filter(({ rule }) => !rules.has(rule)).map(({ rule }) => rule)).toEqual([]);
      expect(cases.map(({ document }) => document).filter((name) => !names.has(name))).toEqual([]);
      expect(checkers.flatMap((checker) => checker.documents).filter((name) => !names.has(name))).toEqual([]);
    });

    it("have vectors with unique ids, and without repeated instances for the same rule", () => {
      const allVectors = vectors().flatMap((documentVectors) => documentVectors.all);
      expect(new Set(allVectors.map(({ id }) => id)).size).toBe(allVectors.length);
      const instanceKeys = allVectors.map(({ rule, data, raw, base64 }) => JSON.stringify([rule, data, raw, base64]));
      expect(
        allVectors
          .filter((_, index) => instanceKeys.indexOf(instanceKeys[index] as string) !== index)
          .map(({ id }) => id),
      ).toEqual([]);
    });

    it("each have two valid and two invalid vectors, one of them at a boundary, or are covered elsewhere", () => {
      const allVectors = vectors().flatMap((documentVectors) => documentVectors.all);
      const permitting = new Set(
        families.flatMap(({ cases }) => cases.flatMap(({ rule, permits }) => (permits ? rule : []))),
      );
      const rulesElsewhere = rulesDecidedElsewhere(protocol.name);
      const uncovered = protocol.rules
        .filter(({ check, status }) => (check === "semantic" || check === "trace") && "covered" in status)
        .filter(
          ({ id }) =>
            !isEnough(
              allVectors.filter(({ rule }) => rule === id),
              permitting.has(id),
            ),
        )
        .filter(({ id }) => !rulesElsewhere.has(id));
      expect(uncovered.map(({ id }) => id)).toEqual([]);
    });

    it("are decided for any value, with the same result each time", () => {
      for (const { name } of protocol.profile.documents) {
        const documentCheckers = checkersOf(families, name);
        if (documentCheckers.length === 0) continue;
        const { samples = [] } = protocol.profile.documents.find((document) => document.name === name) ?? {};
        const knownInstances = [
          ...samples,
          ...vectors().flatMap(({ all }) => all.flatMap(({ data }) => (data === undefined ? [] : [data]))),
        ];
        const spoiltInstances = fc
          .constantFrom(...(knownInstances.length === 0 ? [null] : knownInstances))
          .chain((sample) => fc.tuple(fc.constant(sample), fc.nat(), fc.jsonValue()));
        fc.assert(
          fc.property(
            fc.oneof(
              fc.jsonValue() as fc.Arbitrary<Json>,
              spoiltInstances.map(([sample, index, value]) => replacePart(sample, index, value as Json)),
            ),
            (value) => {
              expect(findings(protocol, name, value, documentCheckers)).toEqual(
                findings(protocol, name, value, documentCheckers),
              );
              textFindings(protocol, name, Buffer.from(JSON.stringify(value)), documentCheckers);
            },
          ),
          { numRuns: 150, seed: 42 },
        );
      }
    });
  },
);

function isEnough(vectors: readonly Vector[], isPermission: boolean): boolean {
  const validVectors = vectors.filter(({ valid }) => valid === true);
  const invalidVectors = vectors.filter(({ valid }) => valid !== true);
  return (
    validVectors.length >= 2 &&
    (isPermission || invalidVectors.length >= 2) &&
    vectors.some(({ tags }) => tags.includes("boundary"))
  );
}

/** The ids of rules that other vectors of the set test: rules about texts, and rules that a pattern of the schema states. */
function rulesDecidedElsewhere(protocol: string): ReadonlySet<string> {
  const file = join(home, "vectors", "MANIFEST.json");
  const { files } = JSON.parse(readFileSync(file, "utf8")) as {
    files: { protocol: string; kind: string; path: string }[];
  };
  const tests = files
    .filter((file) => file.protocol === protocol && file.kind !== "semantic")
    .flatMap(
      ({ path }) => (JSON.parse(readFileSync(join(home, "vectors", path), "utf8")) as { tests: Vector[] }).tests,
    );
  return new Set(tests.filter(({ valid }) => valid === false).flatMap(({ rule }) => rule ?? []));
}

/** Copies a value, and replaces one of its parts. */
function replacePart(value: Json, index: number, replacement: Json): Json {
  const copy = structuredClone(value);
  const parts: [Record<string, Json> | Json[], string | number][] = [];
  const visit = (part: Json): void => {
    if (typeof part !== "object" || part === null) return;
    for (const key of Object.keys(part)) {
      parts.push([part as Record<string, Json>, key]);
      visit((part as Record<string, Json>)[key] as Json);
    }
  };
  visit(copy);
  const chosenPart = parts[index % Math.max(1, parts.length)];
  if (chosenPart === undefined) return replacement;
  (chosenPart[0] as Record<string, Json>)[chosenPart[1]] = replacement;
  return copy;
}
