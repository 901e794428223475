import {
  asDoubles,
  besideRef,
  type Decimal,
  decimalIn,
  hasMeant,
  isObject,
  type Json,
  type JsonObject,
  numbersMeant,
  replaceNumbers,
  widePattern,
} from "../../schemas/index.ts";
import { isDecimalMultiple } from "../keywords/multiple-of.ts";
import { compileAjv } from "./ajv.ts";
import { mentions } from "./mentions.ts";
import { type Oracle, oracleFor } from "./oracle.ts";
import { unreadableError } from "./unreadable.ts";

/** Compiles a user's schema with both validators. Throws a usage error when one of them cannot. */
export async function foreignOracle(schemas: readonly JsonObject[], id: string): Promise<Oracle> {
  try {
    const oracle = await oracleFor(schemas, id, "lenient");
    const kept = withBeside(schemas);
    const beside = "counts what stands beside a $ref, as later drafts do";
    const one = kept === undefined ? oracle : disputeWhen(oracle, compileAjv(kept, id, "lenient"), beside);
    const wide = withWidePatterns(schemas);
    const cases = "knows more letters as cases of s and k";
    const two = wide === undefined ? one : disputeWhen(one, compileAjv(wide, id, "lenient"), cases);
    const rounded = inDoubles(schemas);
    const doubles = "reads the numbers of the schema as doubles";
    if (rounded === undefined) return two;
    const judge = compileAjv(rounded, id, "lenient");
    const meant = numbersMeant(schemas);
    const asRead = (number: number): number => Number(meant.get(number) ?? number);
    return disputeWhen(
      separateOracle(tolerateSteps(two, stepsIn(schemas)), schemas),
      (instance) => judge(hasMeant(instance, meant) ? replaceNumbers(instance, asRead) : instance),
      doubles,
    );
  } catch (cause) {
    throw unreadableError(id, cause);
  }
}

/**
 * Before 2019-09, keywords beside a `$ref` have no effect, but many validators apply them. Many also read numbers as doubles. If such a reading decides,
 * neither reader is wrong.
 */
function disputeWhen(oracle: Oracle, counting: (instance: Json) => boolean, why: string): Oracle {
  return {
    judge(instance) {
      const judgement = oracle.judge(instance);
      const verdict = counting(instance) ? "valid" : "invalid";
      if (judgement.verdict === "disputed" || judgement.verdict === verdict) return judgement;
      return { verdict: "disputed", readings: [...judgement.readings, { verdict, by: ["implementations"], why }] };
    },
  };
}

/** Steps that no double represents: of their multiples, only 0 and the step itself are known. */
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

function tolerateSteps(oracle: Oracle, steps: readonly number[]): Oracle {
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

/**
 * Disputes a vector if a double is a multiple of a step, or an integer, and the number that it represents is not. Doubles that
 * replace numbers are like these only in their order.
 */
function separateOracle(oracle: Oracle, schemas: readonly JsonObject[]): Oracle {
  const meant = numbersMeant(schemas);
  const steps = meant.size === 0 ? [] : [...new Set([1, ...valuesOf(schemas, "multipleOf")])];
  const isApart = (double: number, text: string, step: number): boolean =>
    isDecimalMultiple(double, step) !== isMultipleIn(text, meant.get(step) ?? String(step));
  const odd = new Set(
    [...meant].flatMap(([double, text]) => (steps.some((step) => isApart(double, text, step)) ? [double] : [])),
  );
  if (odd.size === 0) return oracle;
  const isOdd = (value: Json): boolean =>
    typeof value === "number"
      ? odd.has(value)
      : typeof value === "object" && value !== null && Object.values(value).some(isOdd);
  const why = "keeps the numbers of the schema as they are written";
  return {
    judge(instance) {
      const judgement = oracle.judge(instance);
      const { verdict, readings } = judgement;
      if (verdict === "disputed" || !isOdd(instance)) return judgement;
      const other = verdict === "valid" ? "invalid" : "valid";
      return { verdict: "disputed", readings: [...readings, { verdict: other, by: ["implementations"], why }] };
    },
  };
}

/** The numbers of a keyword in schemas. */
function valuesOf(schemas: readonly JsonObject[], keyword: string): number[] {
  const found: number[] = [];
  const open: Json[] = [...schemas];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each !== "object" || each === null) continue;
    const { [keyword]: own } = isObject(each) ? each : {};
    if (typeof own === "number") found.push(own);
    open.push(...Object.values(each));
  }
  return found;
}

/** Whether a number, given by its JSON text, is a multiple of a step. */
function isMultipleIn(text: string, step: string): boolean {
  const [one, other] = [decimalIn(text), decimalIn(step)];
  if (one === undefined || other === undefined || other.digits === 0n) return false;
  const places = Math.max(one.places, other.places);
  const scaleDecimal = ({ digits, places: own }: Decimal): bigint => digits * 10n ** BigInt(places - own);
  return scaleDecimal(one) % scaleDecimal(other) === 0n;
}

/** The schemas with their numbers as doubles; undefined if all numbers are doubles. */
function inDoubles(schemas: readonly JsonObject[]): JsonObject[] | undefined {
  if (!mentions(schemas, asDoubles)) return undefined;
  return JSON.parse(JSON.stringify(schemas), (_, value: Json) => {
    if (!isObject(value) || !isObject(value[asDoubles])) return value;
    const { [asDoubles]: numbers, ...rest } = value;
    // One double may represent two numbers.
    const { enum: listed } = numbers;
    return { ...rest, ...moveNumbers(numbers, rest), ...(Array.isArray(listed) ? { enum: uniqueOf(listed) } : {}) };
  }) as JsonObject[];
}

/** The numbers under their keywords: a draft-04 bound with a boolean is a separate bound since then. */
function moveNumbers(
  numbers: JsonObject,
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject,
): JsonObject {
  const { minimum: least, maximum: most, ...others } = numbers;
  const isAt = (own: Json | undefined, other: Json | undefined): boolean => own !== undefined || other === undefined;
  return {
    ...others,
    ...(least === undefined ? {} : { [isAt(minimum, exclusiveMinimum) ? "minimum" : "exclusiveMinimum"]: least }),
    ...(most === undefined ? {} : { [isAt(maximum, exclusiveMaximum) ? "maximum" : "exclusiveMaximum"]: most }),
  };
}

function uniqueOf(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** The schemas for readers that apply keywords beside a `$ref`; undefined if there are none. */
function withBeside(schemas: readonly JsonObject[]): JsonObject[] | undefined {
  if (!mentions(schemas, besideRef)) return undefined;
  return JSON.parse(JSON.stringify(schemas), (_, value: Json) => {
    if (!isObject(value) || !isObject(value[besideRef])) return value;
    const { [besideRef]: beside, $ref, allOf, ...rest } = value;
    const others = Array.isArray(allOf) ? allOf : [{ $ref: $ref as string }];
    return { ...rest, allOf: [...others, beside as JsonObject] };
  }) as JsonObject[];
}

/** The schemas with patterns that ignore the case of more letters; undefined without such a pattern. */
function withWidePatterns(schemas: readonly JsonObject[]): JsonObject[] | undefined {
  if (!mentions(schemas, widePattern)) return undefined;
  return JSON.parse(JSON.stringify(schemas), (_, value: Json) =>
    isObject(value) && typeof value[widePattern] === "string" ? { ...value, pattern: value[widePattern] } : value,
  ) as JsonObject[];
}
