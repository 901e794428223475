import type { Json, JsonObject, Vector } from "../../schemas/index.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { edited, type Mutant } from "./mutant.ts";

/** How often a set of vectors tells a mutant from the schema, counted up to two. Ajv judges, with the mutated schema. */
export function kills(
  schemas: readonly JsonObject[],
  schema: string,
  mutant: Mutant,
  vectors: readonly Vector[],
): 0 | 1 | 2 {
  const judge = compileAjv(edited(schemas, mutant.edits), schema, "quick");
  let count: 0 | 1 | 2 = 0;
  for (const { data, valid } of vectors) {
    if (judge(data as Json) === valid) continue;
    if (count === 1) return 2;
    count = 1;
  }
  return count;
}
