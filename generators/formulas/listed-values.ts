import { equal, type Json } from "../../schemas/index.ts";

interface SplitValues {
  plain: ReadonlySet<Json>;
  /** Lists and objects. */
  deep: readonly Json[];
}

/** Shorter lists are searched directly. */
const minSplit = 16;

const splitLists = new WeakMap<readonly Json[], SplitValues>();

/** Splits values into a set of scalars, for fast lookup, and a list of others. Cached, because generated schemas have long lists, which never change. */
export function splitByDepth(values: readonly Json[]): SplitValues {
  const cached = splitLists.get(values);
  if (cached !== undefined) return cached;
  const split = { plain: new Set(values.filter((value) => !isDeep(value))), deep: values.filter(isDeep) };
  splitLists.set(values, split);
  return split;
}

/** Whether a list contains an equal value. */
export function isListed(value: Json, values: readonly Json[]): boolean {
  if (values.length < minSplit) return values.some((each) => equal(each, value));
  const { plain, deep } = splitByDepth(values);
  return isDeep(value) ? deep.some((each) => equal(each, value)) : plain.has(value);
}

/** Lists the values that both lists contain, in the order of the first list. */
export function intersectLists(values: readonly Json[], others: readonly Json[]): readonly Json[] {
  const [firstOther] = others;
  // A single value is often looked up in a long list.
  if (others.length === 1 && !isDeep(firstOther as Json) && firstOther !== 0)
    return isListed(firstOther as Json, values) ? others : [];
  if (values === others) return values;
  if (values.length < minSplit || others.length < minSplit) return values.filter((value) => isListed(value, others));
  // The same two long lists are often compared.
  const cached = commonValues.get(values)?.get(others);
  if (cached !== undefined) return cached;
  const common = values.filter((value) => isListed(value, others));
  const commonByOther = commonValues.get(values) ?? new WeakMap<readonly Json[], readonly Json[]>();
  commonValues.set(values, commonByOther.set(others, common));
  return common;
}

const commonValues = new WeakMap<readonly Json[], WeakMap<readonly Json[], readonly Json[]>>();

function isDeep(value: Json): boolean {
  return typeof value === "object" && value !== null;
}
