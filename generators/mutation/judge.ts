import { MissingRefError } from "ajv";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Model } from "../model/model.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { followTargets, isDynamic } from "../oracle/schema-targets.ts";
import { editSchemas, type Mutant, mutateModel } from "./mutant.ts";

/** An instance and its verdict. A disputed instance has no verdict. */
export interface JudgedInstance {
  data?: Json;
  valid?: boolean;
  /** Whether Ajv misjudges the instance by the original schema. If so, our own validator judges it by the mutant too. */
  isMisjudged?: boolean;
}

/** A document with the schemas that mutants change. */
interface MutatedDocument {
  model: Model;
  schemas: readonly JsonObject[];
  /** The `$id` of its schema. */
  schema: string;
}

/** Counts the vectors that kill a mutant, up to two. Ajv judges by the mutated schema, unless it misjudges the vector by the original one. */
export function countKills(document: MutatedDocument, mutant: Mutant, vectors: readonly JudgedInstance[]): 0 | 1 | 2 {
  const { model } = document;
  const judge = createJudge(document, mutant);
  const mutatedModel = mutateModel(model, mutant);
  let count: 0 | 1 | 2 = 0;
  for (const { data, valid, isMisjudged } of vectors) {
    const accepts = isMisjudged ? isValid(mutatedModel, data as Json) : judgeSafely(judge, data as Json);
    if (accepts !== !valid) continue;
    if (count === 1) return 2;
    count = 1;
  }
  return count;
}

/**
 * Compiles the mutated schema with Ajv. Our own validator judges instead if Ajv cannot compile it: a reference has no target, or Ajv cannot resolve a
 * `$dynamicRef` that the mutant moved.
 */
function createJudge({ model, schemas, schema }: MutatedDocument, mutant: Mutant): (instance: Json) => boolean {
  try {
    return compileAjv(followTargets(editSchemas(schemas, mutant.edits), [model]), schema, "quick");
  } catch (error) {
    if (!(error instanceof MissingRefError) && !isDynamic(schemas)) throw error;
    const mutatedModel = mutateModel(model, mutant);
    return (instance) => isValid(mutatedModel, instance);
  }
}

/** Returns the verdict of a judge; undefined if it fails, as when a pattern of the mutant may never finish. */
export function judgeSafely(judge: (instance: Json) => boolean, instance: Json): boolean | undefined {
  try {
    return judge(instance);
  } catch {
    return undefined;
  }
}
