import { equal, type Json } from "../../schemas/index.ts";
import type { KeywordHandler } from "./handler.ts";

export const constant: KeywordHandler<"const"> = {
  isPlain: true,
  readers: { const: (site, value) => [{ kind: "const", site, value: JSON.parse(value as string) as Json }] },
  holds: (keyword, value) => equal(keyword.value, value),
  assert({ value }, { construction }) {
    construction.todo.push({ op: "in", values: [value] });
    return true;
  },
  deny: ({ value }) => ({ op: "out", values: [value] }),
  content: ({ value }) => `const ${JSON.stringify(value)}`,
};
