import { asDoubles, besideRef, isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { compileAjv } from "./ajv.ts";
import { type Oracle, oracleFor } from "./oracle.ts";
import { unreadable } from "./unreadable.ts";

/** Compiles a user's schema with both validators. Throws a usage error when one of them cannot. */
export async function foreignOracle(schemas: readonly JsonObject[], id: string): Promise<Oracle> {
  try {
    const oracle = await oracleFor(schemas, id, "lenient");
    const kept = withBeside(schemas);
    const beside = "counts what stands beside a $ref, as later drafts do";
    const one = kept === undefined ? oracle : disputing(oracle, compileAjv(kept, id, "lenient"), beside);
    const rounded = inDoubles(schemas);
    const doubles = "reads the bounds of the schema as doubles";
    return rounded === undefined ? one : disputing(one, compileAjv(rounded, id, "lenient"), doubles);
  } catch (cause) {
    throw unreadable(id, cause);
  }
}

/**
 * What stands beside a `$ref` counts for nothing before 2019-09, and validators that count it are many; so are those that read numbers as doubles: where such a
 * reading decides, neither is accused.
 */
function disputing(oracle: Oracle, counting: (instance: Json) => boolean, why: string): Oracle {
  return {
    judge(instance) {
      const judgement = oracle.judge(instance);
      const verdict = counting(instance) ? "valid" : "invalid";
      if (judgement.verdict === "disputed" || judgement.verdict === verdict) return judgement;
      return { verdict: "disputed", readings: [...judgement.readings, { verdict, by: ["implementations"], why }] };
    },
  };
}

/** The schemas with their bounds as doubles; undefined where all bounds are. */
function inDoubles(schemas: readonly JsonObject[]): JsonObject[] | undefined {
  const text = JSON.stringify(schemas);
  if (!text.includes(JSON.stringify(asDoubles))) return undefined;
  return JSON.parse(text, (_, value: Json) => {
    if (!isObject(value) || !isObject(value[asDoubles])) return value;
    const { [asDoubles]: bounds, ...rest } = value;
    return { ...rest, ...bounds };
  }) as JsonObject[];
}

/** The schemas as those read them who count what stands beside a `$ref`; undefined where nothing does. */
function withBeside(schemas: readonly JsonObject[]): JsonObject[] | undefined {
  const text = JSON.stringify(schemas);
  if (!text.includes(JSON.stringify(besideRef))) return undefined;
  return JSON.parse(text, (_, value: Json) => {
    if (!isObject(value) || !isObject(value[besideRef])) return value;
    const { [besideRef]: beside, $ref, allOf, ...rest } = value;
    const others = Array.isArray(allOf) ? allOf : [{ $ref: $ref as string }];
    return { ...rest, allOf: [...others, beside as JsonObject] };
  }) as JsonObject[];
}
