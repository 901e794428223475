import type { Keyword, Location, Model, Node } from "./model.ts";

/** The model without one assertion, a keyword or one entry of `required`, and the schema it was taken from; undefined for other sites. */
export function withoutSite(model: Model, site: Location): { model: Model; changed: Location } | undefined {
  for (const node of model.nodes.values()) {
    const changed = changedNode(node, site);
    if (changed !== undefined)
      return { model: { ...model, nodes: new Map(model.nodes).set(node.location, changed) }, changed: node.location };
  }
  return undefined;
}

function changedNode(node: Node, site: Location): Node | undefined {
  if (node.always === false && node.location === site) return { ...node, always: true };
  const keyword = node.keywords.find((each) => each.site === site || isEntry(each, site));
  if (keyword === undefined) return undefined;
  const keywords = node.keywords.flatMap((each): Keyword[] => {
    if (each !== keyword) return [each];
    if (each.kind !== "required" || each.site === site) return [];
    const index = Number(site.slice(each.site.length + 1));
    return [{ ...each, names: each.names.filter((_, other) => other !== index) }];
  });
  return { ...node, keywords };
}

function isEntry(keyword: Keyword, site: Location): boolean {
  return (
    keyword.kind === "required" &&
    site.startsWith(`${keyword.site}/`) &&
    /^[0-9]+$/.test(site.slice(keyword.site.length + 1))
  );
}
