import type fc from "fast-check";
import { type Json, type JsonObject, TouchstoneError } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import type { Strictness } from "../oracle/ajv.ts";
import { oracleFor } from "../oracle/oracle.ts";
import type { Random } from "../sample/random.ts";
import { samplerFor } from "../sample/sampler.ts";
import { arbitraryOf } from "./drawing.ts";
import { fakerFor } from "./faker.ts";
import { shrinkOnce } from "./smaller-values.ts";
import { isJson } from "./valid.ts";

export interface Realistic {
  arbitrary: fc.Arbitrary<Json>;
  /** How many of the instances for the seeds from 0 are valid. */
  acceptance(count: number): { drawn: number; accepted: number };
}

/** Attempts for one instance. Each is slow, and after so many failures thousands more may fail. */
const attempts = 40;

/**
 * Generates valid instances from an independent source, json-schema-faker. An instance is used only if both oracles accept it; after too many
 * attempts, an instance of our own sampler replaces it. Shrinks to smaller valid instances. Throws a usage error if none of the library's first
 * instances is valid.
 */
export async function realisticArbitraryFor(
  schemas: readonly JsonObject[],
  id: string,
  strictness: Strictness = "strict",
): Promise<Realistic> {
  const faker = await fakerFor(schemas, id);
  const oracle = await oracleFor(schemas, id, strictness);
  const isValid = (value: Json) => oracle.judge(value).verdict === "valid";
  const makeValue = (seed: number): Json | undefined => {
    const value = faker(seed);
    return value !== undefined && isJson(value) && isValid(value) ? value : undefined;
  };
  const findValue = (random: Random): Json | undefined => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const value = makeValue(random.next() >>> 0);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  let seed = 0;
  if (findValue({ next: () => seed++ }) === undefined)
    throw new TouchstoneError("usage", `json-schema-faker made no valid instance in ${attempts} attempts`, {
      where: id,
      hint: "use arbitraryFor, whose instances are valid by construction",
    });
  const sampler = samplerFor(await compileModel(schemas, id));
  return {
    arbitrary: arbitraryOf<Json>({
      draw: (random) => findValue(random) ?? sampler.next(random),
      *smaller(value) {
        for (const edit of shrinkOnce(value)) yield edit.value;
      },
      belongs: (value): value is Json => isJson(value) && isValid(value),
    }),
    acceptance(count) {
      let accepted = 0;
      for (let candidateSeed = 0; candidateSeed < count; candidateSeed += 1)
        if (makeValue(candidateSeed) !== undefined) accepted += 1;
      return { drawn: count, accepted };
    },
  };
}
