import { isObject } from "../../../schemas/index.ts";
import type { KeywordOf, Node } from "../../model/model.ts";
import { patternEdits } from "../../regex/edits.ts";
import { guardPattern } from "../../regex/guard.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";

/** Mutants of a name pattern: without an anchor, in another case, with a wider or narrower class or repetition, or without names that have another schema. */
export const namePatternOperator: Operator = {
  name: "name-pattern",
  *mutate(node, _model, raw) {
    const keyword = node.keywords.find((candidate) => candidate.kind === "patternProperties");
    const patternSchemas = raw.patternProperties;
    if (keyword?.kind !== "patternProperties" || !isObject(patternSchemas)) return;
    for (const [source] of keyword.entries) {
      if (!Object.hasOwn(patternSchemas, source)) continue;
      for (const { source: newSource, says, isFineGrained } of [
        ...patternEdits(source),
        ...excludeNames(node, keyword, source),
      ]) {
        if (Object.hasOwn(patternSchemas, newSource)) continue;
        const regexp = guardPattern(new RegExp(newSource, "u"), "refuse");
        const entries = keyword.entries.map((entry): (typeof keyword.entries)[number] =>
          entry[0] === source ? [newSource, regexp, entry[2]] : entry,
        );
        const changed = withKeyword(node, keyword, { ...keyword, entries });
        const additional = changed.keywords.find((candidate) => candidate.kind === "additionalProperties");
        const patterns = entries.map(([entrySource, expression]): [string, RegExp] => [entrySource, expression]);
        yield {
          effect: "other",
          needsOneKill: true,
          ...(isFineGrained === true ? { isFineGrained } : {}),
          site: keyword.site,
          keyword: "patternProperties",
          says: `member names: ${says}`,
          edits: [
            {
              at: keyword.site,
              value: Object.fromEntries(
                Object.entries(patternSchemas).map(([name, value]) => [name === source ? newSource : name, value]),
              ),
            },
          ],
          nodes: [
            additional?.kind === "additionalProperties"
              ? withKeyword(changed, additional, { ...additional, patterns })
              : changed,
          ],
        };
      }
    }
  },
};

/** Yields the pattern without names that another pattern or `properties` matches, as in a reader that uses only the first schema it finds for a member. */
function* excludeNames(
  { keywords }: Node,
  { entries }: KeywordOf<"patternProperties">,
  source: string,
): Generator<{ source: string; says: string; isFineGrained?: true }> {
  const exceptFor = (names: string): string => `^(?!${names})[^]*(?:${source})`;
  for (const [otherSource] of entries.slice(0, maxOthers))
    if (otherSource !== source)
      yield { source: exceptFor(withoutAnchor(otherSource)), says: `names that match ${otherSource} are excluded` };
  const declared = keywords.flatMap((keyword) => (keyword.kind === "properties" ? keyword.entries : []));
  const matchedNames = declared.map(([name]) => name).filter((name) => new RegExp(source, "u").test(name));
  if (matchedNames.length > 0)
    yield {
      source: exceptFor(`(?:${matchedNames.map(escapeLiteral).join("|")})$`),
      says: "names in properties are excluded",
    };
}

/** Makes an equivalent pattern to use after `^`. */
function withoutAnchor(pattern: string): string {
  return /^\^[^|]*$/.test(pattern) ? pattern.slice(1) : `[^]*(?:${pattern})`;
}

/** The maximum number of a schema's patterns that are excluded from another one. */
const maxOthers = 6;

function escapeLiteral(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
