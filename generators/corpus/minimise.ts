import type { Draft } from "../drafts/draft.ts";
import type { Watch } from "../drafts/work-progress.ts";
import type { Model } from "../model/model.ts";
import { type Witness, Witnesses, witnessOf } from "../mutation/kills.ts";
import { type Mutant, requiredKills } from "../mutation/mutant.ts";

/** A requirement on the set: at least `count` of these drafts. */
interface Requirement {
  count: number;
  drafts: readonly Draft[];
}

/** The number of kills that a mutant needs, and the drafts that kill it. If `isDecided` is false, semantic rules may refuse these drafts. */
interface KillRequirement extends Requirement {
  isDecided: boolean;
  /** Decisive drafts that also kill it but do not count towards `count`. */
  packedDrafts: readonly Draft[];
}

export interface NeededDrafts {
  kept: ReadonlySet<Draft>;
  /** The drafts needed to kill each mutant of this document once, with their parents, for a run with less time. */
  core: ReadonlySet<Draft>;
  /** How often the kept drafts kill each mutant, counted up to two. A mutant is absent if there was no time to count. */
  kills: ReadonlyMap<Mutant, number>;
}

export interface MinimiseOptions {
  /** Drafts that are always kept. Their kills count if they are among the drafts. */
  alwaysKept?: readonly Draft[];
  /** Whether a draft is decisive. Otherwise semantic rules may refuse it, whatever the schema says. */
  isDecisive?: (draft: Draft) => boolean;
  /** Whether a draft is preferred among several with the same unique feature. By default, the first is. */
  isBest?: (draft: Draft) => boolean;
  watch?: Watch;
}

/** The maximum number of drafts examined for one mutant, because each evaluation of a large schema is slow. */
const maxKillers = 100;

/**
 * Chooses the drafts that a set needs: the first with each unique feature, one with each other feature, enough decisive kills of each mutant, the
 * `alwaysKept` drafts, and the parents of all these. None of them is superfluous.
 */
export function minimise(
  model: Model,
  mutants: readonly Mutant[],
  drafts: readonly Draft[],
  { alwaysKept = [], isDecisive = () => true, isBest = () => true, watch = () => true }: MinimiseOptions = {},
): NeededDrafts {
  const alwaysKeptDrafts = new Set(alwaysKept);
  const uniqueRequirements = requirementsOf(listByKey(drafts, (draft) => draft.uniqueFeatures));
  const featureRequirements = requirementsOf(listByKey(drafts, (draft) => draft.features));
  // Drafts that are always kept come first, because only a limited number of killers is examined.
  const requiredFirst = drafts.filter((draft) => alwaysKeptDrafts.has(draft));
  const keptFirst = [...requiredFirst, ...drafts.filter((draft) => !alwaysKeptDrafts.has(draft))];
  const kills = findKills(model, mutants, { drafts: keptFirst, isDecisive, watch });
  // If time ran out, no draft is known to be superfluous, so all are kept.
  if (kills.length < mutants.length)
    return {
      kept: new Set([...alwaysKept, ...drafts]),
      core: new Set(),
      kills: new Map(
        kills.map((requirement, index) => [mutants[index] as Mutant, Math.min(decisiveKillers(requirement).length, 2)]),
      ),
    };
  const kept = new Set<Draft>();
  for (const draft of alwaysKept) keepDraft(kept, draft);
  // The first draft is nearest to the root: an assertion that occurs at many places is tested in full at one of them.
  for (const { drafts } of uniqueRequirements)
    if (!drafts.some((draft) => kept.has(draft))) keepDraft(kept, drafts.find(isBest) ?? (drafts[0] as Draft));
  cover(kept, [...featureRequirements, ...kills]);
  prune(kept, [...uniqueRequirements, ...featureRequirements, ...kills], alwaysKeptDrafts);
  const countKills = (requirement: KillRequirement) =>
    decisiveKillers(requirement).filter((draft) => kept.has(draft)).length;
  const core = new Set<Draft>();
  cover(
    core,
    kills.flatMap((requirement, index) => killOnce(requirement, mutants[index], kept)),
  );
  return {
    kept,
    core,
    kills: new Map(kills.map((requirement, index) => [mutants[index] as Mutant, Math.min(countKills(requirement), 2)])),
  };
}

function decisiveKillers({ drafts, packedDrafts, isDecided }: KillRequirement): readonly Draft[] {
  return isDecided ? [...drafts, ...packedDrafts] : packedDrafts;
}

/** Returns the requirement to kill a mutant of the document's own schema once. Fine-grained mutants are left out. */
function killOnce(
  { drafts, count, isDecided }: KillRequirement,
  mutant: Mutant | undefined,
  keptDrafts: ReadonlySet<Draft>,
): Requirement[] {
  return mutant?.isFromElsewhere === true || mutant?.isFineGrained === true || count === 0 || !isDecided
    ? []
    : [{ count: 1, drafts: drafts.filter((draft) => keptDrafts.has(draft)) }];
}

/** Adds a draft and its parent. Returns the new ones. */
function keepDraft(kept: Set<Draft>, draft: Draft): Draft[] {
  // Parents come before their children, so that `prune`, which goes backwards, meets the children first.
  const newDrafts = [draft.parent, draft].filter(
    (candidate) => candidate !== undefined && !kept.has(candidate),
  ) as Draft[];
  for (const newDraft of newDrafts) kept.add(newDraft);
  return newDrafts;
}

function requirementsOf(draftsByKey: ReadonlyMap<string, Draft[]>): Requirement[] {
  return [...draftsByKey.values()].map((drafts) => ({ count: 1, drafts }));
}

/** Finds, as time permits, the drafts that kill each mutant: decisive ones if there are any. Otherwise one other kill is enough. */
function findKills(
  model: Model,
  mutants: readonly Mutant[],
  { drafts, isDecisive, watch }: { drafts: readonly Draft[]; isDecisive: (draft: Draft) => boolean; watch: Watch },
): KillRequirement[] {
  const total = drafts.length + mutants.length;
  const witnesses = new Witnesses<Witness & { draft: Draft }>(model);
  for (const [done, draft] of drafts.entries()) {
    if (!watch({ stage: "choosing", done, total })) return [];
    witnesses.add({ ...witnessOf(model, draft.data), draft });
  }
  const decisiveDrafts = new Set(drafts.filter(isDecisive));
  const requirements: KillRequirement[] = [];
  for (const [index, mutant] of mutants.entries()) {
    if (!watch({ stage: "choosing", done: drafts.length + index, total })) break;
    // In a schema's own document each value has its own vector, so that a refusal identifies the refused value.
    const isOwn = mutant.isFromElsewhere !== true && mutant.isFineGrained !== true;
    const killersAmong = (isEligible: (draft: Draft) => boolean): Draft[] =>
      witnesses
        .findKillers(mutant, maxKillers, { isEligible: (witness) => isEligible(witness.draft) })
        .map(({ draft }) => draft);
    const isPacked = (draft: Draft): boolean => isOwn && draft.packed === true;
    const decisiveKillersOfMutant = killersAmong((draft) => decisiveDrafts.has(draft) && !isPacked(draft));
    const packedDrafts = isOwn ? killersAmong((draft) => decisiveDrafts.has(draft) && isPacked(draft)) : [];
    if (decisiveKillersOfMutant.length > 0) {
      requirements.push({
        count: Math.min(decisiveKillersOfMutant.length, requiredKills(mutant)),
        drafts: decisiveKillersOfMutant,
        isDecided: true,
        packedDrafts,
      });
      continue;
    }
    const otherKillers = killersAmong((draft) => !decisiveDrafts.has(draft));
    requirements.push({
      count: Math.min(otherKillers.length, 1),
      drafts: otherKillers,
      isDecided: false,
      packedDrafts,
    });
  }
  return requirements;
}

/** Groups items by their keys. */
function listByKey<K, T>(items: readonly T[], keysOf: (item: T) => Iterable<K>): Map<K, T[]> {
  const itemsByKey = new Map<K, T[]>();
  for (const item of items)
    for (const key of new Set(keysOf(item))) {
      const group = itemsByKey.get(key);
      if (group === undefined) itemsByKey.set(key, [item]);
      else group.push(item);
    }
  return itemsByKey;
}

/** Counts the kept drafts for each requirement, and lists the requirements to which each draft contributes. */
function countFulfilled(
  kept: ReadonlySet<Draft>,
  requirements: readonly Requirement[],
): { fulfilled: Map<Requirement, number>; requirementsByDraft: Map<Draft, Requirement[]> } {
  const countKept = (drafts: readonly Draft[]): number => drafts.filter((draft) => kept.has(draft)).length;
  const fulfilled = new Map(requirements.map((requirement) => [requirement, countKept(requirement.drafts)]));
  return { fulfilled, requirementsByDraft: listByKey(requirements, ({ drafts }) => drafts) };
}

/** Adds drafts one by one until all requirements are fulfilled: each time the draft that contributes to most open ones, then the cheapest, then the first. */
function cover(kept: Set<Draft>, requirements: readonly Requirement[]): void {
  const { fulfilled, requirementsByDraft } = countFulfilled(kept, requirements);
  const isOpen = (requirement: Requirement) => (fulfilled.get(requirement) ?? 0) < requirement.count;
  const gains = new Map<Draft, number>();
  const addGain = (draft: Draft, change: number) => {
    if (!kept.has(draft)) gains.set(draft, (gains.get(draft) ?? 0) + change);
  };
  for (const requirement of requirements)
    if (isOpen(requirement)) for (const draft of requirement.drafts) addGain(draft, 1);
  const sizes = new Map<Draft, number>();
  const cachedSizeOf = (draft: Draft) => {
    const cachedSize = sizes.get(draft) ?? sizeOf(draft);
    sizes.set(draft, cachedSize);
    return cachedSize;
  };
  const cost = (draft: Draft) =>
    cachedSizeOf(draft) + (draft.parent === undefined || kept.has(draft.parent) ? 0 : cachedSizeOf(draft.parent));
  while (true) {
    const highestGain = [...gains.values()].reduce((first, second) => Math.max(first, second), 0);
    if (highestGain === 0) return;
    const candidates = [...gains]
      .filter(([, gained]) => gained === highestGain)
      .map(([draft]) => ({ draft, cost: cost(draft) }));
    const cheapest = candidates.reduce((first, second) => (second.cost < first.cost ? second : first));
    for (const added of keepDraft(kept, cheapest.draft)) {
      gains.delete(added);
      for (const requirement of requirementsByDraft.get(added) ?? []) {
        const wasOpen = isOpen(requirement);
        fulfilled.set(requirement, (fulfilled.get(requirement) ?? 0) + 1);
        if (wasOpen && !isOpen(requirement)) for (const draft of requirement.drafts) addGain(draft, -1);
      }
    }
  }
}

/** Returns the cost of a draft. A draft made only to kill a mutant counts double, because a draft of a family is clearer. */
function sizeOf({ data, tags }: Draft): number {
  return JSON.stringify(data).length * (tags.includes("forcing") ? 2 : 1);
}

/** Removes superfluous drafts, the last ones first. */
function prune(kept: Set<Draft>, requirements: readonly Requirement[], alwaysKept: ReadonlySet<Draft>): void {
  const { fulfilled, requirementsByDraft } = countFulfilled(kept, requirements);
  const children = new Map<Draft, number>();
  const countChild = ({ parent }: Draft, change: number) => {
    if (parent !== undefined) children.set(parent, (children.get(parent) ?? 0) + change);
  };
  for (const draft of kept) countChild(draft, 1);
  for (const draft of [...kept].reverse()) {
    const ownRequirements = requirementsByDraft.get(draft) ?? [];
    const isNeeded =
      (children.get(draft) ?? 0) > 0 ||
      ownRequirements.some((requirement) => (fulfilled.get(requirement) ?? 0) <= requirement.count);
    if (alwaysKept.has(draft) || isNeeded) continue;
    kept.delete(draft);
    countChild(draft, -1);
    for (const requirement of ownRequirements) fulfilled.set(requirement, (fulfilled.get(requirement) ?? 0) - 1);
  }
}
