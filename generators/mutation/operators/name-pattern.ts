import { isObject } from "../../../schemas/index.ts";
import type { KeywordOf, Node } from "../../model/model.ts";
import { patternEdits } from "../../regex/edits.ts";
import { guardPattern } from "../../regex/guard.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";

/** A pattern of names without an anchor, in another case, with a wider or narrower class or repetition, or without names that have another schema. */
export const namePattern: Operator = {
  name: "name-pattern",
  *mutate(node, _model, raw) {
    const keyword = node.keywords.find((each) => each.kind === "patternProperties");
    const written = raw.patternProperties;
    if (keyword?.kind !== "patternProperties" || !isObject(written)) return;
    for (const [source] of keyword.entries) {
      if (!Object.hasOwn(written, source)) continue;
      for (const { source: other, says, fine } of [...patternEdits(source), ...excludeNames(node, keyword, source)]) {
        if (Object.hasOwn(written, other)) continue;
        const regexp = guardPattern(new RegExp(other, "u"), "refuse");
        const entries = keyword.entries.map((entry): (typeof keyword.entries)[number] =>
          entry[0] === source ? [other, regexp, entry[2]] : entry,
        );
        const changed = withKeyword(node, keyword, { ...keyword, entries });
        const rest = changed.keywords.find((each) => each.kind === "additionalProperties");
        const patterns = entries.map(([each, expression]): [string, RegExp] => [each, expression]);
        yield {
          effect: "other",
          single: true,
          ...(fine === true ? { fine } : {}),
          site: keyword.site,
          keyword: "patternProperties",
          says: `member names: ${says}`,
          edits: [
            {
              at: keyword.site,
              value: Object.fromEntries(
                Object.entries(written).map(([name, value]) => [name === source ? other : name, value]),
              ),
            },
          ],
          nodes: [rest?.kind === "additionalProperties" ? withKeyword(changed, rest, { ...rest, patterns }) : changed],
        };
      }
    }
  },
};

/** The pattern for fewer names. A reader that uses only one schema for a member finds the schema of another pattern, or of `properties`, first. */
function* excludeNames(
  { keywords }: Node,
  { entries }: KeywordOf<"patternProperties">,
  source: string,
): Generator<{ source: string; says: string; fine?: true }> {
  const exceptFor = (names: string): string => `^(?!${names})[^]*(?:${source})`;
  for (const [other] of entries.slice(0, maxOthers))
    if (other !== source)
      yield { source: exceptFor(withoutAnchor(other)), says: `names that match ${other} are excluded` };
  const declared = keywords.flatMap((keyword) => (keyword.kind === "properties" ? keyword.entries : []));
  const both = declared.map(([name]) => name).filter((name) => new RegExp(source, "u").test(name));
  if (both.length > 0)
    yield { source: exceptFor(`(?:${both.map(literal).join("|")})$`), says: "names in properties are excluded" };
}

/** A pattern that matches a text from the start if the given one matches it anywhere. Automata match only from the start. */
function withoutAnchor(pattern: string): string {
  return /^\^[^|]*$/.test(pattern) ? pattern.slice(1) : `[^]*(?:${pattern})`;
}

/** The maximum number of a schema's patterns that are combined with each other. */
const maxOthers = 6;

function literal(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
