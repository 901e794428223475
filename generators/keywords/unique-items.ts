import { equal, type Json } from "../../schemas/index.ts";
import { ofArrays } from "../formulas/facets.ts";
import type { KeywordHandler } from "./handler.ts";

export const uniqueItems: KeywordHandler<"uniqueItems"> = {
  isPlain: true,
  readers: { uniqueItems: (site, value) => (value === true ? [{ kind: "uniqueItems", site }] : []) },
  holds: (_keyword, value) => !Array.isArray(value) || !hasRepeated(value),
  assert(_keyword, { shape }) {
    shape.array.unique = true;
    return true;
  },
  deny: () =>
    ofArrays((array) => {
      array.repeated = true;
    }),
  exercise: () =>
    ofArrays((array) => {
      array.min = Math.max(array.min, 1);
    }),
  content: ({ kind }) => kind,
};

/** Whether two items are equal. Scalars are compared by a set, so that long lists stay cheap. */
function hasRepeated(items: readonly Json[]): boolean {
  const scalars = new Set<Json>();
  const composites: Json[] = [];
  for (const item of items) {
    if (typeof item === "object" && item !== null) {
      for (const composite of composites) if (equal(item, composite)) return true;
      composites.push(item);
    } else if (scalars.has(item)) return true;
    else scalars.add(item);
  }
  return false;
}
