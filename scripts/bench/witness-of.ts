import {
  type AdoptedSchema,
  adoptSchema,
  compileAjv,
  compileHyperjump,
  compileModel,
  isValid,
  type Model,
  type Solution,
  solve,
} from "../../generators/index.ts";
import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";

/** The validator that confirms an instance: Ajv, our evaluator if Ajv cannot compile the schema, or Hyperjump if Ajv refuses the instance. */
export type Confirmer = "Ajv" | "our evaluator" | "Hyperjump";

/** The result for one schema. Times are in milliseconds. */
export interface WitnessReport {
  outcome: "found" | "none" | "gave up" | "refers to a missing schema" | "unreadable";
  /** The validator that confirmed the instance. */
  by?: Confirmer;
  /** The refusal of the instance, with the validator that decided it. */
  refused?: string;
  /** Whether Ajv accepts the instance with the unchanged schema; undefined if Ajv cannot compile it. */
  acceptsUnchanged?: boolean;
  why?: string;
  /** The parts of the schema that were read differently from the text. */
  notes: string[];
  /** The time to read and compile the schema. */
  loading: number;
  /** The time to look for a witness. */
  solving: number;
}

interface WitnessSearch {
  adopted: AdoptedSchema;
  model: Model;
  solution: Solution;
  loading: number;
  solving: number;
}

/**
 * Looks for a valid instance of one schema and confirms it. Keywords beside a `$ref` count at first, to satisfy validators
 * that do not ignore them; only if that fails, the draft is read literally.
 */
export async function witnessOf(schema: Json, address: string, library: Record<string, Json>): Promise<WitnessReport> {
  const adoptionOptions = { library: (uri: string) => library[uri] };
  const startedAt = performance.now();
  try {
    let witness = await search(adoptSchema(schema, address, { ...adoptionOptions, besideRef: true }));
    const notes = [...witness.adopted.notes];
    if (witness.adopted.hasAssertionsBesideRef && !("found" in witness.solution)) {
      const { loading, solving } = witness;
      const literalSearch = await search(adoptSchema(schema, address, adoptionOptions));
      witness = {
        ...literalSearch,
        loading: loading + literalSearch.loading,
        solving: solving + literalSearch.solving,
      };
      if ("found" in literalSearch.solution)
        notes.push("keywords beside $ref are ignored, since nothing would be valid otherwise");
    }
    const { solution, loading, solving } = witness;
    const times = { notes, loading, solving };
    if ("none" in solution) return { outcome: "none", ...times };
    if ("gaveUp" in solution) return { outcome: "gave up", why: solution.gaveUp, ...times };
    const acceptsUnchanged = judgeUnchanged(schema, address, solution.found);
    return {
      outcome: "found",
      ...(await confirmWitness(witness, solution.found)),
      ...(acceptsUnchanged === undefined ? {} : { acceptsUnchanged }),
      ...times,
    };
  } catch (error) {
    const why = (error as Error).message.split("\n")[0] as string;
    const outcome = /cannot resolve (?:the reference|\$ref)/.test(why) ? "refers to a missing schema" : "unreadable";
    return { outcome, why, notes: [], loading: performance.now() - startedAt, solving: 0 };
  }
}

async function search(adopted: AdoptedSchema): Promise<WitnessSearch> {
  const startedAt = performance.now();
  const model = await compileModel([adopted.schema], adopted.id);
  const loadedAt = performance.now();
  const solution = solveModel(model);
  return { adopted, model, solution, loading: loadedAt - startedAt, solving: performance.now() - loadedAt };
}

function solveModel(model: Model): Solution {
  try {
    return solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }]);
  } catch (error) {
    return { gaveUp: String((error as Error).message).split("\n")[0] as string };
  }
}

async function confirmWitness(
  { adopted: { schema, id }, model }: WitnessSearch,
  witness: Json,
): Promise<{ by: Confirmer } | { refused: string }> {
  const witnessText = JSON.stringify(witness).slice(0, 200);
  const ajv = compileSchema(schema, id);
  if (ajv === undefined)
    return isValid(model, witness) ? { by: "our evaluator" } : { refused: `our evaluator refuses ${witnessText}` };
  if (ajv(witness)) return { by: "Ajv" };
  const hyperjump = await compileHyperjump([schema], id);
  return hyperjump(witness) ? { by: "Hyperjump" } : { refused: `Ajv and Hyperjump refuse ${witnessText}` };
}

/** Ajv's verdict on the witness with the original schema, except for its identifier; undefined if Ajv cannot compile it. */
function judgeUnchanged(schema: Json, id: string, witness: Json): boolean | undefined {
  return isObject(schema)
    ? compileSchema({ $schema: "http://json-schema.org/draft-07/schema#", ...schema, $id: id }, id)?.(witness)
    : undefined;
}

function compileSchema(schema: JsonObject, id: string): ((instance: Json) => boolean) | undefined {
  try {
    return compileAjv([schema], id, "lenient");
  } catch {
    return undefined;
  }
}
