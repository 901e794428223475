import type fc from "fast-check";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { longestPublished } from "../faults/length.ts";
import { handlerOf } from "../keywords/table.ts";
import type { Model } from "../model/model.ts";
import { pick, type Random } from "../sample/random.ts";
import { type SamplerOptions, samplerFor } from "../sample/sampler.ts";
import { arbitraryOf } from "./drawing.ts";
import { shrinkOnce } from "./smaller-values.ts";
import { isJson } from "./valid.ts";

/** Generates valid instances of the schema `id`, which is among `schemas`, with one value moved to a bound, as a fast-check arbitrary. For a schema without bounds, any valid instances. Shrinks to smaller valid instances. */
export async function edgeArbitraryFor(
  schemas: readonly JsonObject[],
  id: string,
  options: SamplerOptions = {},
): Promise<fc.Arbitrary<Json>> {
  const model = await compileModel(schemas, id);
  const sampler = samplerFor(model, options);
  return arbitraryOf<Json>({
    draw: (random) => moveToEdge(model, sampler.next(random), random),
    *smaller(value) {
      for (const edit of shrinkOnce(value)) yield edit.value;
    },
    belongs: (value): value is Json => isJson(value) && isValid(model, value, { withoutDoubt: true }),
  });
}

const maxAttempts = 8;

/** Tries a few random moves, and returns the first valid instance, or the original one. */
function moveToEdge(model: Model, instance: Json, random: Random): Json {
  const moves: { at: string; value: Json }[] = [];
  isValid(model, instance, {
    observe(keyword, at, value) {
      const edges = handlerOf(keyword).edges?.(keyword, value, longestPublished) ?? [];
      for (const edge of edges) moves.push({ at, value: edge });
    },
  });
  for (let attempt = 0; attempt < maxAttempts && moves.length > 0; attempt += 1) {
    const { at, value } = pick(random, moves);
    const result = at === "" ? value : applyChanges(instance, [{ op: "replace", path: at, value }]);
    if (result !== undefined && isValid(model, result, { withoutDoubt: true })) return result;
  }
  return instance;
}
