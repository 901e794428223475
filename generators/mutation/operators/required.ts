import { withKeyword } from "../change.ts";
import type { Operator } from "../mutant.ts";

/** A required member that is optional, and an optional one that is required. */
export const required: Operator = {
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
