import { digestOf, equal, type Json } from "../../schemas/index.ts";
import type { KeywordHandler } from "./handler.ts";

interface Sorted {
  plain: ReadonlySet<Json>;
  /** Lists and objects. */
  deep: readonly Json[];
}

const known = new WeakMap<readonly Json[], Sorted>();

/** Lists of values are long where they are made by machines. */
function sortedOut(values: readonly Json[]): Sorted {
  const before = known.get(values);
  if (before !== undefined) return before;
  const isDeep = (value: Json): boolean => typeof value === "object" && value !== null;
  const sorted = { plain: new Set(values.filter((value) => !isDeep(value))), deep: values.filter(isDeep) };
  known.set(values, sorted);
  return sorted;
}

function shortened(text: string): string {
  return text.length > 2000 ? digestOf(text) : text;
}

export const enumeration: KeywordHandler<"enum"> = {
  reads: {
    enum: (site, value) => [
      { kind: "enum", site, values: (value as string[]).map((text) => JSON.parse(text) as Json) },
    ],
  },
  holds({ values }, value, visit) {
    const { plain, deep } = sortedOut(values);
    if (typeof value !== "object" || value === null) return plain.has(value);
    visit.spend(deep.length / 40);
    for (const each of deep) if (equal(each, value)) return true;
    return false;
  },
  assert({ values }, { taking }) {
    taking.todo.push({ op: "in", values });
    return true;
  },
  deny: ({ values }) => ({ op: "out", values }),
  content: ({ values }) => `enum ${shortened(JSON.stringify(values))}`,
};
