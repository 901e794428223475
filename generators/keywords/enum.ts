import { digestOf, equal, type Json } from "../../schemas/index.ts";
import { splitByDepth } from "../formulas/listed-values.ts";
import type { KeywordHandler } from "./handler.ts";

/** The `content` of each list. Cached, because every value made from a list needs it. */
const cachedContents = new WeakMap<readonly Json[], string>();

const longestContent = 2000;

/** One unit of work is this many comparisons with an object or array. */
const comparisonsPerUnit = 40;

function digestIfLong(text: string): string {
  return text.length > longestContent ? digestOf(text) : text;
}

export const enumeration: KeywordHandler<"enum"> = {
  readers: {
    enum: (site, value) => [
      { kind: "enum", site, values: (value as string[]).map((text) => JSON.parse(text) as Json) },
    ],
  },
  holds({ values }, value, visit) {
    const { plain, deep } = splitByDepth(values);
    if (typeof value !== "object" || value === null) return plain.has(value);
    visit.spend(deep.length / comparisonsPerUnit);
    for (const listed of deep) if (equal(listed, value)) return true;
    return false;
  },
  assert({ values }, { construction }) {
    construction.todo.push({ op: "in", values });
    return true;
  },
  deny: ({ values }) => ({ op: "out", values }),
  content: ({ values }) => {
    const cached = cachedContents.get(values);
    if (cached !== undefined) return cached;
    const content = `enum ${digestIfLong(JSON.stringify(values))}`;
    cachedContents.set(values, content);
    return content;
  },
};
