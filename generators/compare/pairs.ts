import type { Passage } from "../keywords/handler.ts";
import { subschemasOf } from "../keywords/table.ts";
import {
  type EvaluationStep,
  type KeywordOf,
  type Location,
  type Model,
  type Node,
  nodeAt,
  resolveDynamic,
} from "../model/model.ts";
import { contentOf, followReference, type Numbers } from "./schema-contents.ts";

/** Two different schemas at the same place of two models. */
export interface Pair {
  old: Location;
  new: Location;
  /** The evaluation path to the old schema in its model. */
  steps: readonly EvaluationStep[];
  /** The place in the instance; `*` for any item or member. */
  at: readonly string[];
}

/** The differences between two models, place by place. */
export interface Pairing {
  /** Outermost first, beginning with the pair of the roots. */
  pairs: Pair[];
  /** For each new schema, the first old schema at its place. */
  oldLocations: ReadonlyMap<Location, Location>;
}

const maxPairs = 30_000;

/** Walks through two models in parallel, as far as they differ. */
export function pairModels(old: Model, newer: Model, [oldNumbers, newNumbers]: readonly Numbers[]): Pairing {
  const isAlike = (oldLocation: Location, newLocation: Location) =>
    oldNumbers?.get(oldLocation) === newNumbers?.get(newLocation);
  const first: Pair = { old: old.root, new: newer.root, steps: [], at: [] };
  const pairs = [first];
  const oldLocations = new Map<Location, Location>();
  const knownPairs = new Set([keyOf(first)]);
  for (const pair of pairs) {
    if (!oldLocations.has(pair.new)) oldLocations.set(pair.new, pair.old);
    for (const { step, inside, ...next } of subschemaPairs(old, newer, pair, isAlike)) {
      if (!oldLocations.has(next.new)) oldLocations.set(next.new, next.old);
      if (isAlike(next.old, next.new)) continue;
      if (knownPairs.has(keyOf(next)) || pairs.length >= maxPairs) continue;
      knownPairs.add(keyOf(next));
      const steps = step === undefined ? pair.steps : [...pair.steps, step];
      pairs.push({ ...next, steps, at: inside === undefined ? pair.at : [...pair.at, inside] });
    }
  }
  return { pairs, oldLocations };
}

export function keyOf({ old, new: newer }: Pick<Pair, "old" | "new">): string {
  return `${old} ${newer}`;
}

interface SubschemaPair {
  old: Location;
  new: Location;
  step: EvaluationStep | undefined;
  inside: string | undefined;
}

/** Yields the pairs of subschemas under the keywords that both schemas have. If a schema is only a reference, it is followed on its own side. */
function* subschemaPairs(old: Model, newer: Model, pair: Pair, isAlike: IsAlike): Iterable<SubschemaPair> {
  const [oldNode, newNode] = [nodeAt(old, pair.old), nodeAt(newer, pair.new)];
  const [oldRef, newRef] = [onlyReference(oldNode), onlyReference(newNode)];
  if (oldRef !== undefined || newRef !== undefined) {
    const step = oldRef === undefined ? undefined : { node: pair.old, site: oldRef.site, kind: oldRef.kind };
    yield { old: oldRef?.node ?? pair.old, new: newRef?.node ?? pair.new, step, inside: undefined };
    return;
  }
  for (const keyword of oldNode.keywords) {
    const newKeyword = newNode.keywords.find(({ kind }) => kind === keyword.kind);
    if (newKeyword === undefined) continue;
    const passages = subschemasOf(keyword, (reference) => resolveDynamic(old, reference, {}));
    const newPassages = subschemasOf(newKeyword, (reference) => resolveDynamic(newer, reference, {}));
    const matches = contentOf(keyword).isUnordered
      ? matchBranches(old, newer, { passages, twins: newPassages, isAlike })
      : passages.map((passage) => [passage, newPassages.find(({ key }) => key === passage.key)] as const);
    for (const [{ node, key, segment }, match] of matches) {
      if (match === undefined) continue;
      const { site, kind } = keyword;
      const step = { node: oldNode.location, site, kind, ...(key === undefined ? {} : { key }) };
      yield { old: node, new: match.node, step, inside: segment };
    }
  }
}

type IsAlike = (old: Location, newer: Location) => boolean;

/** Pairs each old branch with the equal new branch, or else with the most similar one. */
function matchBranches(
  old: Model,
  newer: Model,
  {
    passages,
    twins: newPassages,
    isAlike,
  }: { passages: readonly Passage[]; twins: readonly Passage[]; isAlike: IsAlike },
): (readonly [Passage, Passage | undefined])[] {
  const unmatched = new Set(newPassages);
  const takePassage = (match: Passage | undefined): Passage | undefined => {
    if (match !== undefined) unmatched.delete(match);
    return match;
  };
  const equalPassages = new Map(
    passages.map((passage) => [passage, takePassage([...unmatched].find(({ node }) => isAlike(passage.node, node)))]),
  );
  const isSameSize = passages.length === newPassages.length;
  return passages.map((passage) => {
    const equalPassage = equalPassages.get(passage);
    if (equalPassage !== undefined) return [passage, equalPassage] as const;
    const features = featuresOf(old, passage.node);
    const ranked = [...unmatched]
      .map((newPassage) => ({
        twin: newPassage,
        likeness:
          featuresOf(newer, newPassage.node).filter((feature) => features.includes(feature)).length +
          (isSameSize && newPassage.key === passage.key ? 0.5 : 0),
      }))
      .sort((a, b) => b.likeness - a.likeness);
    const [best] = ranked;
    return [passage, takePassage(best !== undefined && best.likeness > 0 ? best.twin : undefined)] as const;
  });
}

/** Lists the features that distinguish a branch from its siblings: its name, and its members with constant values. */
function featuresOf(model: Model, location: Location): string[] {
  const target = followReference(model, location);
  const name = target.slice(target.lastIndexOf("/") + 1);
  const members = nodeAt(model, target).keywords.flatMap((keyword) =>
    keyword.kind === "properties" ? keyword.entries : [],
  );
  const constants = members.flatMap(([member, at]) =>
    nodeAt(model, followReference(model, at)).keywords.flatMap((keyword) =>
      keyword.kind === "const" || keyword.kind === "enum" ? [`${member} ${contentOf(keyword).text}`] : [],
    ),
  );
  return [...(/^\d+$/.test(name) ? [] : [name]), ...constants];
}

function onlyReference({ keywords }: Node): KeywordOf<"ref"> | undefined {
  const [firstKeyword, ...others] = keywords;
  return firstKeyword?.kind === "ref" && others.length === 0 ? firstKeyword : undefined;
}
