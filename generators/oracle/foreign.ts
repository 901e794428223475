import {
  asDoubles,
  besideRef,
  hasMeant,
  isObject,
  type Json,
  type JsonObject,
  numbersMeant,
  renumbered,
} from "../../schemas/index.ts";
import { isDecimalMultiple } from "../keywords/multiple-of.ts";
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
    const doubles = "reads the numbers of the schema as doubles";
    if (rounded === undefined) return one;
    const judge = compileAjv(rounded, id, "lenient");
    const meant = numbersMeant(schemas);
    const asRead = (number: number): number => Number(meant.get(number) ?? number);
    return disputing(
      vague(one, stepsIn(schemas)),
      (instance) => judge(hasMeant(instance, meant) ? renumbered(instance, asRead) : instance),
      doubles,
    );
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

/** Steps that no double is: of their multiples only 0 and the step itself are known. */
function stepsIn(schemas: readonly JsonObject[]): number[] {
  const found: number[] = [];
  JSON.stringify(schemas, (_, value: Json) => {
    const numbers = isObject(value) ? value[asDoubles] : undefined;
    const step = isObject(value) ? value.multipleOf : undefined;
    if (isObject(numbers ?? null) && Object.hasOwn(numbers as JsonObject, "multipleOf") && typeof step === "number")
      found.push(step);
    return value;
  });
  return found;
}

function vague(oracle: Oracle, steps: readonly number[]): Oracle {
  if (steps.length === 0) return oracle;
  const isVague = (value: Json): boolean =>
    typeof value === "number"
      ? steps.some((step) => Math.abs(value) > Math.abs(step) && isDecimalMultiple(value, step))
      : typeof value === "object" && value !== null && Object.values(value).some(isVague);
  const why = "keeps the numbers of the schema as they are written";
  return {
    judge(instance) {
      const judgement = oracle.judge(instance);
      const { verdict, readings } = judgement;
      if (verdict === "disputed" || !isVague(instance)) return judgement;
      const other = verdict === "valid" ? "invalid" : "valid";
      return { verdict: "disputed", readings: [...readings, { verdict: other, by: ["implementations"], why }] };
    },
  };
}

/** The schemas with their numbers as doubles; undefined where all numbers are. */
function inDoubles(schemas: readonly JsonObject[]): JsonObject[] | undefined {
  const text = JSON.stringify(schemas);
  if (!text.includes(JSON.stringify(asDoubles))) return undefined;
  return JSON.parse(text, (_, value: Json) => {
    if (!isObject(value) || !isObject(value[asDoubles])) return value;
    const { [asDoubles]: numbers, ...rest } = value;
    // Two numbers may be one double.
    const { enum: listed } = numbers;
    return { ...rest, ...numbers, ...(Array.isArray(listed) ? { enum: uniqueOf(listed) } : {}) };
  }) as JsonObject[];
}

function uniqueOf(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
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
