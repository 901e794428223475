import { isObject, type JsonObject, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { documentAt } from "../compile/resource.ts";
import type { Location, Model } from "../model/model.ts";
import { mentions } from "./mentions.ts";

/**
 * The schemas with `$ref` for each `$dynamicRef` that leads to one and the same schema in all of these models: Ajv finds dynamic anchors only of
 * schemas that it has come through, and not those of definitions.
 */
export function followTargets(schemas: readonly JsonObject[], models: readonly Model[]): readonly JsonObject[] {
  let found = schemas;
  for (const [site, to] of leadsOf(models)) {
    const there = to === undefined ? undefined : documentAt(found, site);
    if (to === undefined || there === undefined) continue;
    const { document, path } = there;
    const { parent } = pointer.split(path);
    const holder = pointer.at(parent, document);
    // A mutant may have removed it.
    if (!isObject(holder) || typeof holder.$dynamicRef !== "string") continue;
    const $ref = holder.$dynamicRef.includes("#/") ? holder.$dynamicRef : uriOf(to);
    const { allOf = [] } = holder;
    const changed = applyChanges(document, [
      { op: "remove", path },
      "$ref" in holder && Array.isArray(allOf)
        ? { op: "add", path: `${parent}/allOf`, value: [...allOf, { $ref }] }
        : { op: "add", path: `${parent}/$ref`, value: $ref },
    ]);
    found = found.map((each) => (each === document ? (changed as JsonObject) : each));
  }
  return found;
}

/** The target of each `$dynamicRef`, by its location; undefined if that depends on the path or the model. */
function leadsOf(models: readonly Model[]): Map<Location, Location | undefined> {
  const leads = new Map<Location, Location | undefined>();
  for (const { nodes } of models)
    for (const { keywords } of nodes.values())
      for (const keyword of keywords) {
        const { site } = keyword;
        if (!site.endsWith("/$dynamicRef")) continue;
        const to = keyword.kind === "ref" ? keyword.node : undefined;
        leads.set(site, leads.has(site) && leads.get(site) !== to ? undefined : to);
      }
  return leads;
}

function uriOf(location: Location): string {
  const [id, fragment = ""] = location.split("#");
  return `${id}#${encodeURI(fragment)}`;
}

/** Whether there is a reference to follow. Otherwise no model is needed. */
export function isDynamic(schemas: readonly JsonObject[]): boolean {
  return mentions(schemas, "$dynamicRef");
}
