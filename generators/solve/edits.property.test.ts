import meta from "ajv/dist/refs/json-schema-draft-07.json" with { type: "json" };
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Json, type JsonObject, protocolsNamed } from "../../schemas/index.ts";
import { compileModel, identifier } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { compileHyperjump } from "../oracle/hyperjump.ts";
import { applyEdits, edits } from "../testing/edits.fixture.ts";
import { compileThird } from "../testing/third.fixture.ts";
import { solve } from "./solve.ts";

// Real schemas with a few random edits that resemble human mistakes. TOUCHSTONE_RUNS=100000 takes a night.
const numRuns = Number(process.env.TOUCHSTONE_RUNS ?? 40);
const seed = Number(process.env.TOUCHSTONE_SEED ?? 46);

/** The meta-schema of draft-07, with another id. */
const draft07: JsonObject = { ...(meta as unknown as JsonObject), $id: "https://edits.test/draft-07" };

const protocolSchemas = protocolsNamed("all").flatMap(({ schemas, profile }) =>
  profile.documents.flatMap(({ schema, samples = [] }) =>
    schemas.filter((candidate) => identifier(candidate) === schema).map((document) => ({ schemas, document, samples })),
  ),
);
const realSchemas = [
  ...protocolSchemas,
  { schemas: [draft07], document: draft07, samples: [draft07, { type: "string", minLength: 1 }] },
];

it(
  "never contradicts other validators on a real schema with mistakes",
  async () => {
    const counts = { found: 0, none: 0, third: 0 };
    await fc.assert(
      fc.asyncProperty(fc.nat(realSchemas.length - 1), edits, fc.boolean(), async (index, schemaEdits, sign) => {
        const { schemas, document, samples } = realSchemas[index] as (typeof realSchemas)[number];
        const id = identifier(document);
        const otherSchemas = schemas.filter((schema) => schema !== document);
        const editedSchemas = [applyEdits(document, schemaEdits), ...otherSchemas];
        let ajv: (instance: Json) => boolean;
        try {
          ajv = compileAjv(editedSchemas, id, "lenient");
        } catch {
          // The edited schema is not valid.
          return;
        }
        const model = await compileModel(editedSchemas, id);
        const hyperjump = await compileHyperjump(editedSchemas, id);
        const third = compileThird(editedSchemas, id);
        if (third !== undefined) counts.third += 1;
        // The verdict of the other validators, if they agree.
        const agreedVerdict = (value: Json): boolean | undefined => {
          const verdicts = [ajv(value), hyperjump(value), third?.(value)].filter((verdict) => verdict !== undefined);
          return verdicts.every((verdict) => verdict === verdicts[0]) ? verdicts[0] : undefined;
        };
        const solution = solve(model, [{ op: "schema", node: model.root, sign, scope: {} }], { budget: 4000 });
        if ("found" in solution) {
          counts.found += 1;
          expect([solution.found, agreedVerdict(solution.found)]).not.toEqual([solution.found, !sign]);
          expect([solution.found, isValid(model, solution.found)]).toEqual([solution.found, sign]);
        } else if ("none" in solution) {
          counts.none += 1;
          const candidates: Json[] = [...samples, null, true, 1, "a", [], {}, ...samples.map((sample) => [sample])];
          expect(candidates.filter((value) => agreedVerdict(value) === sign)).toEqual([]);
        }
      }),
      { seed, numRuns },
    );
    expect(counts.found).toBeGreaterThan(numRuns / 4);
    expect(counts.third).toBeGreaterThan(numRuns / 2);
  },
  30_000 + numRuns * 5000,
);
