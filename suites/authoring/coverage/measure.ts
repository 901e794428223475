import type { Json, KeywordCoverage, MutantCounts } from "../../../schemas/index.ts";
import type { TestSet } from "./sets.ts";

/** One mutant, and the result of the tests for it. */
export interface MeasuredMutant {
  site: string;
  keyword: string;
  says: string;
  fate: "twice" | "once" | "equivalent" | "notKilled";
}

/** The coverage of a schema by one set of tests. */
export interface MeasuredSet extends KeywordCoverage {
  name: string;
  schema: string;
  /** The number of tests that were judged. */
  tests: number;
  /** Every mutant that was examined. */
  judged: MeasuredMutant[];
  keywords: Record<string, KeywordCoverage>;
  /** Counts by operator, that is, by class of mistake. */
  operators: Record<string, MutantCounts>;
  unbroken: string[];
  /** Mutants that no test kills, or only one, with an instance that would kill them. */
  survivingMutants: {
    site: string;
    /** `FILE:LINE:COLUMN #/json/pointer`, if known. */
    where?: string;
    operator: string;
    says: string;
    kills: 0 | 1;
    why: string;
    undecided?: true;
    example?: Json;
  }[];
  /** Names of tests that expect a verdict other than the schema's. */
  wrong: string[];
  /** Names of tests that validators judge differently. */
  disputed: string[];
  partial: boolean;
}

/** The progress of a set: its tests are judged first, then its mutants are examined. */
export interface MeasuringProgress {
  name: string;
  stage: "judging" | "mutants";
  done: number;
  total: number;
}

/** Measures set by set, using the proofs in a manifest. If `watch` returns `false`, the remaining mutants of the set are left out. If that happens while tests are judged, the remaining tests and sets are left out too. */
export async function measureSets(
  sets: readonly TestSet[],
  watch: (progress: MeasuringProgress) => boolean,
): Promise<MeasuredSet[]> {
  const { coverageOf, elsewhereOf } = await import("../../../generators/index.ts");
  const measuredSets: MeasuredSet[] = [];
  for (const { name, schemas, schema, document, tests, known, source, asText = false } of sets) {
    if (measuredSets.length > 0 && !watch({ name, stage: "judging", done: 0, total: tests.length })) break;
    const { wrong, disputed, asked, ...coverage } = await coverageOf(schemas, schema, tests, {
      ...(document === undefined ? {} : { elsewhere: elsewhereOf(...document) }),
      asText,
      ...(known === undefined ? {} : { known }),
      watch: ({ stage, ...progress }) => watch({ name, stage: stage === "judging" ? stage : "mutants", ...progress }),
    });
    const testNames = (indexes: readonly number[]): string[] => indexes.map((index) => tests[index]?.name ?? "");
    const survivingMutants = coverage.survivingMutants.map((mutant) => {
      const place = source?.(mutant.site);
      if (place === undefined) return mutant;
      const pointer = mutant.site.slice(mutant.site.indexOf("#"));
      return { ...mutant, where: `${place.file}:${place.line}:${place.column} ${pointer}` };
    });
    measuredSets.push({
      name,
      schema,
      tests: asked,
      ...coverage,
      survivingMutants,
      wrong: testNames(wrong),
      disputed: testNames(disputed),
    });
  }
  return measuredSets;
}
