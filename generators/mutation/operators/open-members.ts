import type { Keyword, Node } from "../../model/model.ts";
import type { Operator } from "../mutant.ts";

/** Mutants of an object: undeclared members are refused, or one member is not checked. */
export const openMembersOperator: Operator = {
  name: "members",
  *mutate(node, model) {
    const properties = node.keywords.find((keyword) => keyword.kind === "properties");
    const patternProperties = node.keywords.find((keyword) => keyword.kind === "patternProperties");
    if (properties?.kind !== "properties") return;
    const isClosed = node.keywords.some(
      ({ kind }) => kind === "additionalProperties" || kind === "unevaluatedProperties",
    );
    if (!isClosed) {
      const site = `${node.location}/additionalProperties`;
      const keyword: Keyword = {
        kind: "additionalProperties",
        site,
        names: properties.entries.map(([name]) => name),
        patterns:
          patternProperties?.kind === "patternProperties"
            ? patternProperties.entries.map(([source, regexp]) => [source, regexp])
            : [],
        node: site,
      };
      const falseNode: Node = { location: site, resource: node.resource, always: false, keywords: [] };
      yield {
        effect: "stronger",
        site: properties.site,
        keyword: "additionalProperties",
        says: "undeclared members are refused",
        edits: [{ at: site, value: false }],
        nodes: [{ ...node, keywords: [...node.keywords, keyword] }, falseNode],
      };
    }
    for (const [name, location] of properties.entries) {
      const member = model.nodes.get(location);
      if (member === undefined || member.always !== undefined || member.keywords.length === 0) continue;
      yield {
        effect: "weaker",
        site: location,
        keyword: "properties",
        says: `${name} may be anything`,
        edits: [{ at: location, value: {} }],
        nodes: [{ ...member, keywords: [] }],
      };
    }
  },
};
