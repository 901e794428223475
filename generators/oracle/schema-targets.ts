import { isObject, type JsonObject, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { documentAt } from "../compile/resource.ts";
import type { Location, Model } from "../model/model.ts";
import { mentions } from "./mentions.ts";

/**
 * Puts a `$ref` in place of each `$dynamicRef` that has the same target in all of these models. Ajv finds only the dynamic anchors of schemas on its
 * path, and not those of definitions.
 */
export function followTargets(schemas: readonly JsonObject[], models: readonly Model[]): readonly JsonObject[] {
  let rewritten = schemas;
  for (const [site, target] of targetsOf(models)) {
    const position = target === undefined ? undefined : documentAt(rewritten, site);
    if (target === undefined || position === undefined) continue;
    const { document, path } = position;
    const { parent } = pointer.split(path);
    const holder = pointer.at(parent, document);
    // A mutant may have removed the reference.
    if (!isObject(holder) || typeof holder.$dynamicRef !== "string") continue;
    const $ref = holder.$dynamicRef.includes("#/") ? holder.$dynamicRef : uriOf(target);
    const { allOf = [] } = holder;
    const changed = applyChanges(document, [
      { op: "remove", path },
      "$ref" in holder && Array.isArray(allOf)
        ? { op: "add", path: `${parent}/allOf`, value: [...allOf, { $ref }] }
        : { op: "add", path: `${parent}/$ref`, value: $ref },
    ]);
    rewritten = rewritten.map((schema) => (schema === document ? (changed as JsonObject) : schema));
  }
  return rewritten;
}

/** Lists the target of each `$dynamicRef`, by its location. Undefined if it depends on the path or the model. */
function targetsOf(models: readonly Model[]): Map<Location, Location | undefined> {
  const targets = new Map<Location, Location | undefined>();
  for (const { nodes } of models)
    for (const { keywords } of nodes.values())
      for (const keyword of keywords) {
        const { site } = keyword;
        if (!site.endsWith("/$dynamicRef")) continue;
        const target = keyword.kind === "ref" ? keyword.node : undefined;
        targets.set(site, targets.has(site) && targets.get(site) !== target ? undefined : target);
      }
  return targets;
}

function uriOf(location: Location): string {
  const [id, fragment = ""] = location.split("#");
  return `${id}#${encodeURI(fragment)}`;
}

/** Whether the schemas contain a `$dynamicRef`. Otherwise no model is needed. */
export function isDynamic(schemas: readonly JsonObject[]): boolean {
  return mentions(schemas, "$dynamicRef");
}
