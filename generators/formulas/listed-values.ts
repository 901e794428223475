import { equal, type Json } from "../../schemas/index.ts";

interface SplitValues {
  plain: ReadonlySet<Json>;
  /** Lists and objects. */
  deep: readonly Json[];
}

/** Shorter lists are looked through in no time. */
const minSorted = 16;

const sortedLists = new WeakMap<readonly Json[], SplitValues>();

/** Texts, numbers and the like among values, to be found at once, and the others. Generated schemas have long lists; none changes later. */
export function splitByDepth(values: readonly Json[]): SplitValues {
  const cached = sortedLists.get(values);
  if (cached !== undefined) return cached;
  const sorted = { plain: new Set(values.filter((value) => !isDeep(value))), deep: values.filter(isDeep) };
  sortedLists.set(values, sorted);
  return sorted;
}

/** Whether a value equals one of these. */
export function isListed(value: Json, values: readonly Json[]): boolean {
  if (values.length < minSorted) return values.some((each) => equal(each, value));
  const { plain, deep } = splitByDepth(values);
  return isDeep(value) ? deep.some((each) => equal(each, value)) : plain.has(value);
}

/** Those of the values that are listed in both, in the order of the first list. */
export function intersectLists(values: readonly Json[], others: readonly Json[]): readonly Json[] {
  const [only] = others;
  // One value of a long list is looked up again and again.
  if (others.length === 1 && !isDeep(only as Json) && only !== 0) return isListed(only as Json, values) ? others : [];
  if (values === others) return values;
  if (values.length < minSorted || others.length < minSorted) return values.filter((value) => isListed(value, others));
  // So are the same two long lists.
  const cached = commonValues.get(values)?.get(others);
  if (cached !== undefined) return cached;
  const found = values.filter((value) => isListed(value, others));
  const cachedOfValues = commonValues.get(values) ?? new WeakMap<readonly Json[], readonly Json[]>();
  commonValues.set(values, cachedOfValues.set(others, found));
  return found;
}

const commonValues = new WeakMap<readonly Json[], WeakMap<readonly Json[], readonly Json[]>>();

function isDeep(value: Json): boolean {
  return typeof value === "object" && value !== null;
}
