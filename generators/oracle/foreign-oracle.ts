import {
  asDoubles,
  besideRef,
  type Decimal,
  decimalIn,
  exactNumbersIn,
  hasStandIn,
  isObject,
  type Json,
  type JsonObject,
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
    const siblingSchemas = withSiblingsApplied(schemas);
    const siblingReason = "applies keywords beside $ref, as later drafts do";
    const withSiblings =
      siblingSchemas === undefined
        ? oracle
        : disputeWhen(oracle, compileAjv(siblingSchemas, id, "lenient"), siblingReason);
    const wideSchemas = widenPatterns(schemas);
    const caseReason = "matches ſ and K (U+212A) when ignoring case";
    const withLetterCase =
      wideSchemas === undefined
        ? withSiblings
        : disputeWhen(withSiblings, compileAjv(wideSchemas, id, "lenient"), caseReason);
    const roundedSchemas = roundNumbers(schemas);
    const doublesReason = "reads the numbers of the schema as doubles";
    if (roundedSchemas === undefined) return withLetterCase;
    const acceptsRounded = compileAjv(roundedSchemas, id, "lenient");
    const exactNumbers = exactNumbersIn(schemas);
    const toDouble = (number: number): number => Number(exactNumbers.get(number) ?? number);
    return disputeWhen(
      disputeAmbiguous(disputeUncertainMultiples(withLetterCase, findRoundedSteps(schemas)), schemas),
      (instance) => acceptsRounded(hasStandIn(instance, exactNumbers) ? replaceNumbers(instance, toDouble) : instance),
      doublesReason,
    );
  } catch (cause) {
    throw unreadableError(id, cause);
  }
}

/** Disputes a verdict if another common way to read the schema gives the opposite one. */
function disputeWhen(oracle: Oracle, otherReading: (instance: Json) => boolean, why: string): Oracle {
  return {
    judge(instance) {
      const judgement = oracle.judge(instance);
      const verdict = otherReading(instance) ? "valid" : "invalid";
      if (judgement.verdict === "disputed" || judgement.verdict === verdict) return judgement;
      return { verdict: "disputed", readings: [...judgement.readings, { verdict, by: ["implementations"], why }] };
    },
  };
}

/** Finds the values of `multipleOf` that no double represents exactly. Of their multiples, only 0 and the value itself are certain. */
function findRoundedSteps(schemas: readonly JsonObject[]): number[] {
  const steps: number[] = [];
  JSON.stringify(schemas, (_, value: Json) => {
    const numbers = isObject(value) ? value[asDoubles] : undefined;
    const step = isObject(value) ? value.multipleOf : undefined;
    if (isObject(numbers ?? null) && Object.hasOwn(numbers as JsonObject, "multipleOf") && typeof step === "number")
      steps.push(step);
    return value;
  });
  return steps;
}

function disputeUncertainMultiples(oracle: Oracle, steps: readonly number[]): Oracle {
  if (steps.length === 0) return oracle;
  const containsUncertainMultiple = (value: Json): boolean =>
    typeof value === "number"
      ? steps.some((step) => Math.abs(value) > Math.abs(step) && isDecimalMultiple(value, step))
      : typeof value === "object" && value !== null && Object.values(value).some(containsUncertainMultiple);
  const why = "keeps the numbers of the schema as they are written";
  return {
    judge(instance) {
      const judgement = oracle.judge(instance);
      const { verdict, readings } = judgement;
      if (verdict === "disputed" || !containsUncertainMultiple(instance)) return judgement;
      const opposite = verdict === "valid" ? "invalid" : "valid";
      return { verdict: "disputed", readings: [...readings, { verdict: opposite, by: ["implementations"], why }] };
    },
  };
}

/**
 * Disputes an instance if one of its doubles is a multiple or an integer and the exact number that it stands for is not, or the
 * reverse. A stand-in double keeps the order of the exact numbers, but not their divisibility.
 */
function disputeAmbiguous(oracle: Oracle, schemas: readonly JsonObject[]): Oracle {
  const exactNumbers = exactNumbersIn(schemas);
  const steps = exactNumbers.size === 0 ? [] : [...new Set([1, ...findKeywordNumbers(schemas, "multipleOf")])];
  const differsFromExact = (double: number, text: string, step: number): boolean =>
    isDecimalMultiple(double, step) !== isMultipleIn(text, exactNumbers.get(step) ?? String(step));
  const ambiguousDoubles = new Set(
    [...exactNumbers].flatMap(([double, text]) =>
      steps.some((step) => differsFromExact(double, text, step)) ? [double] : [],
    ),
  );
  if (ambiguousDoubles.size === 0) return oracle;
  const containsAmbiguousDouble = (value: Json): boolean =>
    typeof value === "number"
      ? ambiguousDoubles.has(value)
      : typeof value === "object" && value !== null && Object.values(value).some(containsAmbiguousDouble);
  const why = "keeps the numbers of the schema as they are written";
  return {
    judge(instance) {
      const judgement = oracle.judge(instance);
      const { verdict, readings } = judgement;
      if (verdict === "disputed" || !containsAmbiguousDouble(instance)) return judgement;
      const opposite = verdict === "valid" ? "invalid" : "valid";
      return { verdict: "disputed", readings: [...readings, { verdict: opposite, by: ["implementations"], why }] };
    },
  };
}

/** Finds the numbers of a keyword in schemas. */
function findKeywordNumbers(schemas: readonly JsonObject[], keyword: string): number[] {
  const numbers: number[] = [];
  const remaining: Json[] = [...schemas];
  for (let part = remaining.pop(); part !== undefined; part = remaining.pop()) {
    if (typeof part !== "object" || part === null) continue;
    const { [keyword]: number } = isObject(part) ? part : {};
    if (typeof number === "number") numbers.push(number);
    remaining.push(...Object.values(part));
  }
  return numbers;
}

/** Whether a number, given by its JSON text, is a multiple of a step. */
function isMultipleIn(text: string, step: string): boolean {
  const [dividend, divisor] = [decimalIn(text), decimalIn(step)];
  if (dividend === undefined || divisor === undefined || divisor.digits === 0n) return false;
  const places = Math.max(dividend.places, divisor.places);
  const scaleDecimal = ({ digits, places: ownPlaces }: Decimal): bigint => digits * 10n ** BigInt(places - ownPlaces);
  return scaleDecimal(dividend) % scaleDecimal(divisor) === 0n;
}

/** Rounds the numbers of schemas to doubles; undefined if all numbers are doubles. */
function roundNumbers(schemas: readonly JsonObject[]): JsonObject[] | undefined {
  if (!mentions(schemas, asDoubles)) return undefined;
  return JSON.parse(JSON.stringify(schemas), (_, value: Json) => {
    if (!isObject(value) || !isObject(value[asDoubles])) return value;
    const { [asDoubles]: numbers, ...others } = value;
    // Two exact numbers may be the same double.
    const { enum: enumValues } = numbers;
    return {
      ...others,
      ...placeNumbers(numbers, others),
      ...(Array.isArray(enumValues) ? { enum: uniqueOf(enumValues) } : {}),
    };
  }) as JsonObject[];
}

/** Moves bounds to the keywords that the loaded schema has. An exclusive draft-04 bound was loaded as `exclusiveMinimum` or `exclusiveMaximum`. */
function placeNumbers(
  numbers: JsonObject,
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject,
): JsonObject {
  const { minimum: minimumDouble, maximum: maximumDouble, ...others } = numbers;
  const isInclusive = (inclusive: Json | undefined, exclusive: Json | undefined): boolean =>
    inclusive !== undefined || exclusive === undefined;
  return {
    ...others,
    ...(minimumDouble === undefined
      ? {}
      : { [isInclusive(minimum, exclusiveMinimum) ? "minimum" : "exclusiveMinimum"]: minimumDouble }),
    ...(maximumDouble === undefined
      ? {}
      : { [isInclusive(maximum, exclusiveMaximum) ? "maximum" : "exclusiveMaximum"]: maximumDouble }),
  };
}

function uniqueOf(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Returns the schemas as read by the many validators that, before 2019-09, apply keywords beside a `$ref`. Undefined if the schemas lack such keywords. */
function withSiblingsApplied(schemas: readonly JsonObject[]): JsonObject[] | undefined {
  if (!mentions(schemas, besideRef)) return undefined;
  return JSON.parse(JSON.stringify(schemas), (_, value: Json) => {
    if (!isObject(value) || !isObject(value[besideRef])) return value;
    const { [besideRef]: siblings, $ref, allOf, ...rest } = value;
    const branches = Array.isArray(allOf) ? allOf : [{ $ref: $ref as string }];
    return { ...rest, allOf: [...branches, siblings as JsonObject] };
  }) as JsonObject[];
}

/** Returns the schemas with patterns that ignore the case of more letters; undefined if the schemas lack such patterns. */
function widenPatterns(schemas: readonly JsonObject[]): JsonObject[] | undefined {
  if (!mentions(schemas, widePattern)) return undefined;
  return JSON.parse(JSON.stringify(schemas), (_, value: Json) =>
    isObject(value) && typeof value[widePattern] === "string" ? { ...value, pattern: value[widePattern] } : value,
  ) as JsonObject[];
}
