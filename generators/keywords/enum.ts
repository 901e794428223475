import { equal, type Json } from "../../schemas/index.ts";
import type { KeywordHandler } from "./handler.ts";

export const enumeration: KeywordHandler<"enum"> = {
  reads: {
    enum: (site, value) => [
      { kind: "enum", site, values: (value as string[]).map((text) => JSON.parse(text) as Json) },
    ],
  },
  holds({ values }, value, visit) {
    visit.toil(values.length / 40);
    for (const each of values) if (equal(each, value)) return true;
    return false;
  },
  assert({ values }, { taking }) {
    taking.todo.push({ op: "in", values });
    return true;
  },
  deny: ({ values }) => ({ op: "out", values }),
  content: ({ values }) => `enum ${JSON.stringify(values)}`,
};
