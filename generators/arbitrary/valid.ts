import type fc from "fast-check";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type SamplerOptions, samplerFor } from "../sample/sampler.ts";
import { arbitraryOf } from "./drawing.ts";
import { shrinkOnce } from "./smaller-values.ts";

/** Generates valid instances of the schema `id`, which is among `schemas`, as a fast-check arbitrary. A valid instance shrinks to smaller valid ones. Throws a usage error if no valid instance was found. */
export async function arbitraryFor(
  schemas: readonly JsonObject[],
  id: string,
  options: SamplerOptions = {},
): Promise<fc.Arbitrary<Json>> {
  const model = await compileModel(schemas, id);
  const sampler = samplerFor(model, options);
  return arbitraryOf<Json>({
    draw: sampler.next,
    *smaller(value) {
      for (const edit of shrinkOnce(value)) yield edit.value;
    },
    belongs: (value): value is Json => isJson(value) && isValid(model, value, { withoutDoubt: true }),
  });
}

/** Whether a value is JSON at all. fast-check also asks about values that it did not draw here. */
export function isJson(value: unknown): value is Json {
  if (typeof value === "number") return Number.isFinite(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (Array.isArray(value)) return value.every(isJson);
  return typeof value === "object" && Object.values(value).every(isJson);
}
