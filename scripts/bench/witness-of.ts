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

/** If Ajv cannot compile a schema, our evaluator judges; Hyperjump also judges instances that Ajv refuses, since Ajv has faults, too. */
export type Confirmer = "Ajv" | "our evaluator" | "Hyperjump";

/** The result for one schema. Times are in milliseconds. */
export interface Witnessed {
  outcome: "found" | "none" | "gave up" | "refers to what is not there" | "not read";
  /** The validator that confirmed the instance. */
  by?: Confirmer;
  /** The validator that refused the instance, and counts. */
  refused?: string;
  /** Ajv's verdict with the unchanged schema, if it compiles that. */
  asItStands?: boolean;
  why?: string;
  /** The parts of the schema that were read differently from the text. */
  told: string[];
  /** The time to read and compile the schema, and to look for a witness. */
  loading: number;
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
export async function witnessOf(schema: Json, address: string, library: Record<string, Json>): Promise<Witnessed> {
  const options = { library: (uri: string) => library[uri] };
  const started = performance.now();
  try {
    let found = await search(adoptSchema(schema, address, { ...options, besideRef: true }));
    const told = [...found.adopted.notes];
    if (found.adopted.hasAssertionsBesideRef && !("found" in found.solution)) {
      const { loading, solving } = found;
      const other = await search(adoptSchema(schema, address, options));
      found = { ...other, loading: loading + other.loading, solving: solving + other.solving };
      if ("found" in other.solution) told.push("what stands beside $ref is ignored, or nothing would be valid");
    }
    const { solution, loading, solving } = found;
    const times = { told, loading, solving };
    if ("none" in solution) return { outcome: "none", ...times };
    if ("gaveUp" in solution) return { outcome: "gave up", why: solution.gaveUp, ...times };
    const plain = asItStands(schema, address, solution.found);
    return {
      outcome: "found",
      ...(await confirmWitness(found, solution.found)),
      ...(plain === undefined ? {} : { asItStands: plain }),
      ...times,
    };
  } catch (error) {
    const why = (error as Error).message.split("\n")[0] as string;
    const outcome = /cannot resolve (?:the reference|\$ref)/.test(why) ? "refers to what is not there" : "not read";
    return { outcome, why, told: [], loading: performance.now() - started, solving: 0 };
  }
}

async function search(adopted: AdoptedSchema): Promise<WitnessSearch> {
  const started = performance.now();
  const model = await compileModel([adopted.schema], adopted.id);
  const loaded = performance.now();
  const solution = solveModel(model);
  return { adopted, model, solution, loading: loaded - started, solving: performance.now() - loaded };
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
  found: Json,
): Promise<{ by: Confirmer } | { refused: string }> {
  const shown = JSON.stringify(found).slice(0, 200);
  const ajv = compileSchema(schema, id);
  if (ajv === undefined)
    return isValid(model, found) ? { by: "our evaluator" } : { refused: `our evaluator refuses ${shown}` };
  if (ajv(found)) return { by: "Ajv" };
  const hyperjump = await compileHyperjump([schema], id);
  return hyperjump(found) ? { by: "Hyperjump" } : { refused: `Ajv and Hyperjump refuse ${shown}` };
}

/** Ajv's verdict on the original schema, apart from its identifier. */
function asItStands(schema: Json, id: string, found: Json): boolean | undefined {
  return isObject(schema)
    ? compileSchema({ $schema: "http://json-schema.org/draft-07/schema#", ...schema, $id: id }, id)?.(found)
    : undefined;
}

function compileSchema(schema: JsonObject, id: string): ((instance: Json) => boolean) | undefined {
  try {
    return compileAjv([schema], id, "lenient");
  } catch {
    return undefined;
  }
}
