import { canonical, type Json, type JsonObject, type Vector } from "../schemas/index.ts";
import { applyChanges } from "./changes/patch.ts";
import { doubtIn } from "./evaluate/doubts.ts";
import type { Model } from "./model/model.ts";
import { removeSite } from "./mutation/removed-site.ts";
import { compileAjv } from "./oracle/ajv.ts";
import type { Oracle } from "./oracle/oracle.ts";

/** A vector that breaks a law, and how. */
export interface VectorBreach {
  id: string;
  law:
    | "verdict"
    | "doubt"
    | "parent"
    | "change"
    | "one-fault"
    | "undo"
    | "rule"
    | "reading"
    | "content"
    | "beyond"
    | "also"
    | "need"
    | "level"
    | "text"
    | "age";
  why: string;
}

/** The valid vectors that invalid ones name as parents, by id. */
type Parents = ReadonlyMap<string, Json>;

/** Every vector has the verdict on which both oracles agree. On a disputed vector, they or its readings differ. */
export function verdictLaw(oracle: Oracle, vectors: readonly Vector[]): VectorBreach[] {
  return vectors.flatMap((vector): VectorBreach[] => {
    if (vector.data === undefined) return [];
    const { verdict } = oracle.judge(vector.data);
    const statedVerdict = vector.valid === true ? "valid" : "invalid";
    const stated = vector.valid === undefined ? "disputed" : statedVerdict;
    const isOpen = stated === "disputed" && new Set(vector.readings?.map((reading) => reading.verdict)).size > 1;
    if (verdict === stated || isOpen) return [];
    return [{ id: vector.id, law: "verdict", why: `stated ${stated}, the oracles say ${verdict}` }];
  });
}

/** No certain verdict depends on a string with a valid format that a correct reader may refuse. */
export function doubtLaw(model: Model, vectors: readonly Vector[]): VectorBreach[] {
  return vectors.flatMap(({ id, data, valid }): VectorBreach[] => {
    const why = data === undefined || valid === undefined ? undefined : doubtIn(model, data);
    return why === undefined ? [] : [{ id, law: "doubt", why }];
  });
}

/** An invalid vector is its valid parent after the stated change. */
export function parentLaw(oracle: Oracle, parents: Parents, vectors: readonly Vector[]): VectorBreach[] {
  return vectors.flatMap((vector): VectorBreach[] => {
    const breachOf = (law: VectorBreach["law"], why: string): VectorBreach[] => [{ id: vector.id, law, why }];
    if (vector.data === undefined) return [];
    if (vector.parent === undefined || vector.change === undefined)
      return vector.valid === false ? breachOf("parent", "has no parent") : [];
    const parent = parents.get(vector.parent);
    if (parent === undefined) return breachOf("parent", `its parent ${vector.parent} is not among the valid vectors`);
    if (oracle.judge(parent).verdict !== "valid") return breachOf("undo", "its parent is not valid");
    const changed = applyChanges(parent, vector.change);
    if (changed === undefined) return breachOf("change", "its change does not apply to its parent");
    return canonical(changed) === canonical(vector.data)
      ? []
      : breachOf("change", "its change does not lead from its parent to its data");
  });
}

/**
 * An invalid vector breaks exactly one assertion: the schema refuses it, and accepts it without that assertion. Ajv judges by the changed schema, so this
 * does not depend on our own model.
 */
export function oneFaultLaw(
  schemas: readonly JsonObject[],
  schema: string,
  vectors: readonly Vector[],
): VectorBreach[] {
  const bySite = new Map<string, Vector[]>();
  for (const vector of vectors) {
    if (vector.valid !== false || vector.data === undefined || vector.site === undefined) continue;
    bySite.set(vector.site, [...(bySite.get(vector.site) ?? []), vector]);
  }
  return [...bySite].flatMap(([site, siteVectors]) => {
    const accepts = compileAjv(removeSite(schemas, site), schema, "quick");
    return siteVectors
      .filter(({ data }) => !accepts(data as Json))
      .map(({ id }): VectorBreach => ({ id, law: "one-fault", why: `still refused without ${site}` }));
  });
}
