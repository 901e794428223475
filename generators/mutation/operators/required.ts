import { pointer } from "../../../schemas/index.ts";
import type { KeywordOf, Node } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { FoundMutant, Operator } from "../mutant.ts";

/** A required member that is optional, always or beside another one, and an optional member that is required. */
export const requiredOperator: Operator = {
  name: "required",
  *mutate(node, _model, raw) {
    const keyword = node.keywords.find((each) => each.kind === "required");
    const names = keyword?.kind === "required" ? keyword.names : [];
    if (keyword?.kind === "required") {
      for (const [index, name] of names.entries()) {
        yield {
          effect: "weaker",
          site: `${keyword.site}/${index}`,
          entryOf: keyword.site,
          keyword: "required",
          says: `${name} is optional`,
          edits: [{ at: `${keyword.site}/${index}` }],
          nodes: [withKeyword(node, keyword, { ...keyword, names: names.filter((_, other) => other !== index) })],
        };
      }
    }
    for (const each of node.keywords) if (each.kind === "dependentRequired") yield* optionalDependents(node, each);
    const properties = node.keywords.find((each) => each.kind === "properties");
    if (properties?.kind !== "properties") return;
    const site = `${node.location}/required`;
    for (const [name] of properties.entries) {
      if (names.includes(name)) continue;
      const more = { kind: "required" as const, site, names: [...names, name] };
      yield {
        effect: "stronger",
        site: properties.site,
        keyword: "required",
        says: `${name} is required`,
        edits: [{ at: site, value: [...((raw.required as string[] | undefined) ?? []), name] }],
        nodes: [
          keyword === undefined ? { ...node, keywords: [more, ...node.keywords] } : withKeyword(node, keyword, more),
        ],
      };
    }
  },
};

/** A member that another one requires is optional. A dependency on a single member is left out: removing it is another mistake. */
function* optionalDependents(node: Node, keyword: KeywordOf<"dependentRequired">): Generator<FoundMutant> {
  const { site, entries } = keyword;
  for (const [name, required] of entries)
    for (const [index, other] of required.entries()) {
      if (entries.length === 1 && required.length === 1) continue;
      const remaining = required.filter((_, at) => at !== index);
      const at = pointer.append(site, name);
      const fewer = entries.flatMap((entry): typeof entries =>
        entry[0] !== name ? [entry] : remaining.length === 0 ? [] : [[name, remaining]],
      );
      yield {
        effect: "weaker",
        site,
        keyword: "dependentRequired",
        says: `${other} is optional beside ${name}`,
        edits: [{ at: remaining.length === 0 ? at : `${at}/${index}` }],
        nodes: [withKeyword(node, keyword, { ...keyword, entries: fewer })],
      };
    }
}
