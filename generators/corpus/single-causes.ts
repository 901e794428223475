import {
  type Change,
  type Document,
  equal,
  isObject,
  type Json,
  pointer,
  type RuledProtocol,
  ruleAt,
  type Vector,
  type VectorKind,
} from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { dependsOnFormats } from "../evaluate/deciding-formats.ts";
import { doubtIn } from "../evaluate/doubts.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Location, Model } from "../model/model.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { contentKey } from "../rules/content.ts";
import { withPlaces } from "../rules/involved-places.ts";
import { breachesOf } from "../rules/rule-breaches.ts";
import { alsoBrokenBy } from "./complete-vectors.ts";
import { isSealed } from "./seals.ts";
import { withLevel } from "./vector-levels.ts";

/** The vectors of a document by kind. */
export type VectorsByKind = Record<VectorKind, Vector[]>;

/** The vectors of a document, its validators, and a function that finds the wrong places in an instance. */
interface JudgedVectors {
  model: Model;
  oracle: Oracle;
  placesIn: (instance: Json) => readonly string[];
  vectors: VectorsByKind;
}

/** The maximum number of failed searches for another parent, for one assertion and the same further rules. */
const maxFailed = 2;

/**
 * Moves each invalid vector that breaks a further rule to another parent that keeps this rule after the same change, if there is one. Otherwise a receiver
 * that enforces the further rule would refuse it regardless of the assertion. Ids and changes stay.
 */
export function withSingleCauses(
  protocol: RuledProtocol,
  document: Document,
  { model, oracle, placesIn, vectors }: JudgedVectors,
): VectorsByKind {
  const parents = vectors.valid.filter(({ data, beyond }) => isObject(data) && beyond === undefined);
  const dataById = new Map(vectors.valid.map(({ id, data }) => [id, data]));
  const knownContents = new Set(Object.values(vectors).flat().map(contentKey));
  const breaches = breachesOf(protocol, document);
  const failedSearches = new Map<string, number>();
  const isAdvice = (vector: Vector): boolean =>
    withLevel(protocol, document.name, { ...vector, level: "SHOULD" }).level !== undefined;
  const traitsOf = (vector: Vector, data: Json): boolean[] => [
    isSealed(protocol, data),
    dependsOnFormats(model, data),
    isAdvice({ ...vector, data }),
  ];

  function isEquivalentFault(vector: Vector, site: Location, before: Json, after: Json): boolean {
    return (
      isIsolated(model, site, after) &&
      ruleAt(protocol.rules, site)?.id === vector.rule &&
      doubtIn(model, after) === undefined &&
      equal(traitsOf(vector, before), traitsOf(vector, after)) &&
      oracle.judge(after).verdict === "invalid"
    );
  }

  function moveChange(vector: Vector): Vector {
    const { site, change, data, parent } = vector;
    if (site === undefined || change === undefined || data === undefined || parent === undefined) return vector;
    const furtherRules = alsoBrokenBy(protocol, document, vector);
    const searchKey = `${site} ${furtherRules.join(" ")}`;
    const failures = failedSearches.get(searchKey) ?? 0;
    if (furtherRules.length === 0 || failures >= maxFailed) return vector;
    const parentData = dataById.get(parent);
    for (const newParent of parents) {
      if (newParent.id === parent || parentData === undefined) continue;
      if (!changesAlike(parentData, newParent.data as Json, change)) continue;
      const after = applyChanges(newParent.data as Json, change);
      if (after === undefined || breaches(after, furtherRules).length > 0) continue;
      const { involves: _, ...rest } = vector;
      const movedVector = { ...rest, data: after, parent: newParent.id };
      const isSingleCause =
        !knownContents.has(contentKey(movedVector)) && alsoBrokenBy(protocol, document, movedVector).length === 0;
      if (!isSingleCause || !isEquivalentFault(vector, site, data, after)) continue;
      knownContents.add(contentKey(movedVector));
      return withPlaces(placesIn, [movedVector])[0] ?? vector;
    }
    failedSearches.set(searchKey, failures + 1);
    return vector;
  }

  return { ...vectors, invalid: vectors.invalid.map(moveChange) };
}

/**
 * Whether a change has the same effect on two instances: the changed locations have the same value in both, or are absent in both. A fault depends on the
 * value that it replaces, and a message that shows a confusion has to fit this value.
 */
function changesAlike(first: Json, second: Json, change: readonly Change[]): boolean {
  return change.every(({ path }) => {
    const [before, after] = [pointer.at(path, first), pointer.at(path, second)];
    return before === undefined || after === undefined ? before === after : equal(before, after);
  });
}

function isIsolated(model: Model, site: Location, data: Json): boolean {
  return (
    !isValid(model, data) && !isValid(model, data, { formatDoubt: true }) && isValid(model, data, { without: site })
  );
}
