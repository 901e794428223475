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
    let made: { document: Document; all: Vector[] }[] | undefined;
    const vectors = (): { document: Document; all: Vector[] }[] => {
      made ??= documents.map((document) => ({ document, all: semanticVectors(protocol, document) }));
      return made;
    };

    it("have checkers and cases that name rules and documents which there are", () => {
      const rules = new Set(protocol.rules.map(({ id }) => id));
      const names = new Set(protocol.profile.documents.map(({ name }) => name));
      const cases = families.flatMap((family) => family.cases);
      expect([...checkers, ...cases].filter(({ rule }) => !rules.has(rule)).map(({ rule }) => rule)).toEqual([]);
      expect(cases.map(({ document }) => document).filter((name) => !names.has(name))).toEqual([]);
      expect(checkers.flatMap((checker) => checker.documents).filter((name) => !names.has(name))).toEqual([]);
    });

    it("have ids of their own, and no instance twice with one verdict and rule", () => {
      const all = vectors().flatMap((each) => each.all);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      const seen = all.map(({ rule, data, raw, base64 }) => JSON.stringify([rule, data, raw, base64]));
      expect(all.filter((_, index) => seen.indexOf(seen[index] as string) !== index).map(({ id }) => id)).toEqual([]);
    });

    it("have two vectors that keep and two that break each, one of them at the edge, or a reason why not", () => {
      const all = vectors().flatMap((each) => each.all);
      const permitting = new Set(
        families.flatMap(({ cases }) => cases.flatMap(({ rule, permits }) => (permits ? rule : []))),
      );
      const others = elsewhere(protocol.name);
      const lacking = protocol.rules
        .filter(({ check, status }) => (check === "semantic" || check === "trace") && "covered" in status)
        .filter(
          ({ id }) =>
            !isEnough(
              all.filter(({ rule }) => rule === id),
              permitting.has(id),
            ),
        )
        .filter(({ id }) => !others.has(id));
      expect(lacking.map(({ id }) => id)).toEqual([]);
    });

    it("are decided for any value at all, in the same way each time", () => {
      for (const { name } of protocol.profile.documents) {
        const own = checkersOf(families, name);
        if (own.length === 0) continue;
        const { samples = [] } = protocol.profile.documents.find((document) => document.name === name) ?? {};
        const known = [
          ...samples,
          ...vectors().flatMap(({ all }) => all.flatMap(({ data }) => (data === undefined ? [] : [data]))),
        ];
        const cut = fc
          .constantFrom(...(known.length === 0 ? [null] : known))
          .chain((sample) => fc.tuple(fc.constant(sample), fc.nat(), fc.jsonValue()));
        fc.assert(
          fc.property(
            fc.oneof(
              fc.jsonValue() as fc.Arbitrary<Json>,
              cut.map(([sample, index, value]) => spoilt(sample, index, value as Json)),
            ),
            (value) => {
              expect(findings(protocol, name, value, own)).toEqual(findings(protocol, name, value, own));
              textFindings(protocol, name, Buffer.from(JSON.stringify(value)), own);
            },
          ),
          { numRuns: 150, seed: 42 },
        );
      }
    });
  },
);

function isEnough(vectors: readonly Vector[], isPermission: boolean): boolean {
  const kept = vectors.filter(({ valid }) => valid === true);
  const broken = vectors.filter(({ valid }) => valid !== true);
  return (
    kept.length >= 2 && (isPermission || broken.length >= 2) && vectors.some(({ tags }) => tags.includes("boundary"))
  );
}

/** Rules that other vectors of the set decide: those on texts, and those that a schema's own patterns state. */
function elsewhere(protocol: string): ReadonlySet<string> {
  const file = join(home, "vectors", "MANIFEST.json");
  const { files } = JSON.parse(readFileSync(file, "utf8")) as {
    files: { protocol: string; kind: string; path: string }[];
  };
  const tests = files
    .filter((each) => each.protocol === protocol && each.kind !== "semantic")
    .flatMap(
      ({ path }) => (JSON.parse(readFileSync(join(home, "vectors", path), "utf8")) as { tests: Vector[] }).tests,
    );
  return new Set(tests.filter(({ valid }) => valid === false).flatMap(({ rule }) => rule ?? []));
}

/** The value with another in place of one of its parts. */
function spoilt(value: Json, index: number, other: Json): Json {
  const copy = structuredClone(value);
  const holders: [Record<string, Json> | Json[], string | number][] = [];
  const visit = (each: Json): void => {
    if (typeof each !== "object" || each === null) return;
    for (const key of Object.keys(each)) {
      holders.push([each as Record<string, Json>, key]);
      visit((each as Record<string, Json>)[key] as Json);
    }
  };
  visit(copy);
  const chosen = holders[index % Math.max(1, holders.length)];
  if (chosen === undefined) return other;
  (chosen[0] as Record<string, Json>)[chosen[1]] = other;
  return copy;
}
