import type { Keyword } from "../model/model.ts";
import type { Place } from "../model/paths.ts";

/**
 * What a keyword asserts, whatever the place: the same bound, list or pattern elsewhere is the same. A keyword that asserts something by
 * other schemas is like no other.
 */
export function contentOf(keyword: Keyword): string {
  switch (keyword.kind) {
    case "type":
      return `type ${[...keyword.types].sort().join()}`;
    case "enum":
      return `enum ${JSON.stringify(keyword.values)}`;
    case "const":
      return `const ${JSON.stringify(keyword.value)}`;
    case "pattern":
      return `pattern ${keyword.source}`;
    case "format":
      return `format ${keyword.format}`;
    case "uniqueItems":
    case "properties":
    case "additionalProperties":
    case "unevaluatedProperties":
      return keyword.kind;
    default:
      return "limit" in keyword ? `${keyword.kind} ${keyword.limit}` : keyword.site;
  }
}

/** The ways to a place and to every place on the way, as keys. */
export function waysTo({ steps }: Place): string[] {
  const keys = steps.map(({ site, key }) => `${site} ${key ?? ""}`);
  return ["", ...keys.map((_, index) => keys.slice(0, index + 1).join("\n"))];
}
