import { digestOf, equal, type Json } from "../../schemas/index.ts";
import { splitByDepth } from "../formulas/listed-values.ts";
import type { KeywordHandler } from "./handler.ts";

/** The contents of lists, which are needed for each value made from them. */
const contents = new WeakMap<readonly Json[], string>();

function digestIfLong(text: string): string {
  return text.length > 2000 ? digestOf(text) : text;
}

export const enumeration: KeywordHandler<"enum"> = {
  reads: {
    enum: (site, value) => [
      { kind: "enum", site, values: (value as string[]).map((text) => JSON.parse(text) as Json) },
    ],
  },
  holds({ values }, value, visit) {
    const { plain, deep } = splitByDepth(values);
    if (typeof value !== "object" || value === null) return plain.has(value);
    visit.spend(deep.length / 40);
    for (const each of deep) if (equal(each, value)) return true;
    return false;
  },
  assert({ values }, { construction: taking }) {
    taking.todo.push({ op: "in", values });
    return true;
  },
  deny: ({ values }) => ({ op: "out", values }),
  content: ({ values }) => {
    const cached = contents.get(values);
    if (cached !== undefined) return cached;
    const content = `enum ${digestIfLong(JSON.stringify(values))}`;
    contents.set(values, content);
    return content;
  },
};
