import { pointer } from "../../../schemas/index.ts";
import type { KeywordOf, Node } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator, UnnamedMutant } from "../mutant.ts";

/** Mutants of `required` and `dependentRequired`: a required member is optional, or an optional one is required. */
export const requiredOperator: Operator = {
  name: "required",
  *mutate(node, _model, raw) {
    const keyword = node.keywords.find((candidate) => candidate.kind === "required");
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
          nodes: [
            withKeyword(node, keyword, { ...keyword, names: names.filter((_, otherIndex) => otherIndex !== index) }),
          ],
        };
      }
    }
    for (const dependencies of node.keywords)
      if (dependencies.kind === "dependentRequired") yield* optionalDependents(node, dependencies);
    const properties = node.keywords.find((candidate) => candidate.kind === "properties");
    if (properties?.kind !== "properties") return;
    const site = `${node.location}/required`;
    for (const [name] of properties.entries) {
      if (names.includes(name)) continue;
      const newRequired = { kind: "required" as const, site, names: [...names, name] };
      yield {
        effect: "stronger",
        site: properties.site,
        keyword: "required",
        says: `${name} is required`,
        edits: [{ at: site, value: [...((raw.required as string[] | undefined) ?? []), name] }],
        nodes: [
          keyword === undefined
            ? { ...node, keywords: [newRequired, ...node.keywords] }
            : withKeyword(node, keyword, newRequired),
        ],
      };
    }
  },
};

/** Makes a member optional that another one requires. A single dependency is left out, because removing it is the mutant `keyword-dropped`. */
function* optionalDependents(node: Node, keyword: KeywordOf<"dependentRequired">): Generator<UnnamedMutant> {
  const { site, entries } = keyword;
  for (const [name, required] of entries)
    for (const [index, dependent] of required.entries()) {
      if (entries.length === 1 && required.length === 1) continue;
      const remaining = required.filter((_, otherIndex) => otherIndex !== index);
      const at = pointer.append(site, name);
      const changedEntry: typeof entries = remaining.length === 0 ? [] : [[name, remaining]];
      const newEntries = entries.flatMap((entry) => (entry[0] === name ? changedEntry : [entry]));
      yield {
        effect: "weaker",
        site,
        keyword: "dependentRequired",
        says: `${dependent} is optional beside ${name}`,
        edits: [{ at: remaining.length === 0 ? at : `${at}/${index}` }],
        nodes: [withKeyword(node, keyword, { ...keyword, entries: newEntries })],
      };
    }
}
