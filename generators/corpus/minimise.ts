import type { Draft } from "../drafts/draft.ts";
import type { Watch } from "../drafts/work-progress.ts";
import type { Model } from "../model/model.ts";
import { type Witness, Witnesses, witnessOf } from "../mutation/kills.ts";
import { type Mutant, requiredKills } from "../mutation/mutant.ts";

/** A requirement on the set: this many of these drafts. */
interface Requirement {
  count: number;
  drafts: readonly Draft[];
}

/** The kills that a mutant needs: their number, the drafts that can kill it, and whether these decide or other rules may refuse them. */
interface KillRequirement extends Requirement {
  decided: boolean;
  /** Further drafts that kill it and decide. They do not replace any other. */
  extra: readonly Draft[];
}

export interface NeededDrafts {
  kept: ReadonlySet<Draft>;
  /** The drafts needed to kill each mutant of this document once, with their parents, for a run with less time. */
  core: ReadonlySet<Draft>;
  /** How often the kept drafts kill each mutant, counted up to two. A mutant is absent if there was no time to count. */
  kills: ReadonlyMap<Mutant, number>;
}

export interface MinimiseOptions {
  /** Drafts that stay in any case. If they are among the drafts, their kills count. */
  settled?: readonly Draft[];
  /** Whether a vector that kills also decides. Otherwise semantic rules may refuse it. */
  decides?: (draft: Draft) => boolean;
  /** Whether a draft is preferred among several with one unique feature. The default is the first. */
  isBest?: (draft: Draft) => boolean;
  watch?: Watch;
}

/** The maximum number of drafts examined for one mutant: every evaluation passes through the root of a large schema. */
const maxKillers = 100;

/**
 * The drafts that a set needs: the first with each unique feature, one for each other feature, as many deciding kills of each mutant as it should have
 * if there are so many, the `settled` drafts, and the parents of all these. None of them is superfluous.
 */
export function minimise(
  model: Model,
  mutants: readonly Mutant[],
  drafts: readonly Draft[],
  { settled = [], decides = () => true, isBest = () => true, watch = () => true }: MinimiseOptions = {},
): NeededDrafts {
  const settledDrafts = new Set(settled);
  const uniqueRequirements = requirementsOf(listByKey(drafts, (draft) => draft.uniqueFeatures));
  const featureRequirements = requirementsOf(listByKey(drafts, (draft) => draft.features));
  // Drafts that stay in any case come first, because only a limited number of killers is examined.
  const settledFirst = drafts.filter((draft) => settledDrafts.has(draft));
  const inOrder = [...settledFirst, ...drafts.filter((draft) => !settledDrafts.has(draft))];
  const kills = findKills(model, mutants, { drafts: inOrder, decides, watch });
  // A draft is kept unless it is known to be superfluous.
  if (kills.length < mutants.length)
    return {
      kept: new Set([...settled, ...drafts]),
      core: new Set(),
      kills: new Map(kills.map((debt, index) => [mutants[index] as Mutant, Math.min(decidingDrafts(debt).length, 2)])),
    };
  const kept = new Set<Draft>();
  for (const draft of settled) keepDraft(kept, draft);
  // The first draft is nearest to the root: an assertion that occurs at many places is tested in full at one of them.
  for (const { drafts } of uniqueRequirements)
    if (!drafts.some((draft) => kept.has(draft))) keepDraft(kept, drafts.find(isBest) ?? (drafts[0] as Draft));
  cover(kept, [...featureRequirements, ...kills]);
  prune(kept, [...uniqueRequirements, ...featureRequirements, ...kills], settledDrafts);
  const countKills = (debt: KillRequirement) => decidingDrafts(debt).filter((draft) => kept.has(draft)).length;
  const core = new Set<Draft>();
  cover(
    core,
    kills.flatMap((debt, index) => killOnce(debt, mutants[index], kept)),
  );
  return {
    kept,
    core,
    kills: new Map(kills.map((debt, index) => [mutants[index] as Mutant, Math.min(countKills(debt), 2)])),
  };
}

function decidingDrafts({ drafts, extra, decided }: KillRequirement): readonly Draft[] {
  return decided ? [...drafts, ...extra] : extra;
}

/** The requirement to kill a mutant of the document's own schema once. Fine-grained mutants are left out. */
function killOnce(
  { drafts, count, decided }: KillRequirement,
  mutant: Mutant | undefined,
  among: ReadonlySet<Draft>,
): Requirement[] {
  return mutant?.isFromElsewhere === true || mutant?.isFineGrained === true || count === 0 || !decided
    ? []
    : [{ count: 1, drafts: drafts.filter((draft) => among.has(draft)) }];
}

/** Adds a draft and its parent; returns the new ones. */
function keepDraft(kept: Set<Draft>, draft: Draft): Draft[] {
  // Parents come before their children, so going back through the set meets the children first.
  const added = [draft.parent, draft].filter((each) => each !== undefined && !kept.has(each)) as Draft[];
  for (const each of added) kept.add(each);
  return added;
}

function requirementsOf(found: ReadonlyMap<string, Draft[]>): Requirement[] {
  return [...found.values()].map((drafts) => ({ count: 1, drafts }));
}

/** For each mutant, as time permits, the drafts that kill it: deciding drafts, or else one other. */
function findKills(
  model: Model,
  mutants: readonly Mutant[],
  { drafts, decides, watch }: { drafts: readonly Draft[]; decides: (draft: Draft) => boolean; watch: Watch },
): KillRequirement[] {
  const total = drafts.length + mutants.length;
  const witnesses = new Witnesses<Witness & { draft: Draft }>(model);
  for (const [done, draft] of drafts.entries()) {
    if (!watch({ stage: "choosing", done, total })) return [];
    witnesses.add({ ...witnessOf(model, draft.data), draft });
  }
  const deciding = new Set(drafts.filter(decides));
  const requirements: KillRequirement[] = [];
  for (const [index, mutant] of mutants.entries()) {
    if (!watch({ stage: "choosing", done: drafts.length + index, total })) break;
    // In a schema's own document each value has its own vector, so that a refusal identifies the refused value.
    const isOwn = mutant.isFromElsewhere !== true && mutant.isFineGrained !== true;
    const killers = (isAsked: (draft: Draft) => boolean): Draft[] =>
      witnesses
        .findKillers(mutant, maxKillers, { isEligible: (each) => isAsked(each.draft) })
        .map(({ draft }) => draft);
    const isExtra = (draft: Draft): boolean => isOwn && draft.packed === true;
    const killersThatDecide = killers((draft) => deciding.has(draft) && !isExtra(draft));
    const extra = isOwn ? killers((draft) => deciding.has(draft) && isExtra(draft)) : [];
    if (killersThatDecide.length > 0) {
      requirements.push({
        count: Math.min(killersThatDecide.length, requiredKills(mutant)),
        drafts: killersThatDecide,
        decided: true,
        extra,
      });
      continue;
    }
    const undecided = killers((draft) => !deciding.has(draft));
    requirements.push({ count: Math.min(undecided.length, 1), drafts: undecided, decided: false, extra });
  }
  return requirements;
}

/** Groups items by their keys. */
function listByKey<K, T>(items: readonly T[], keysOf: (thing: T) => Iterable<K>): Map<K, T[]> {
  const found = new Map<K, T[]>();
  for (const thing of items)
    for (const key of new Set(keysOf(thing))) {
      const known = found.get(key);
      if (known === undefined) found.set(key, [thing]);
      else known.push(thing);
    }
  return found;
}

/** How many drafts of each requirement are kept, and the requirements that each draft helps to fulfil. */
function countFulfilled(
  kept: ReadonlySet<Draft>,
  requirements: readonly Requirement[],
): { paid: Map<Requirement, number>; pays: Map<Draft, Requirement[]> } {
  const fulfilled = new Map(requirements.map((debt) => [debt, debt.drafts.filter((draft) => kept.has(draft)).length]));
  return { paid: fulfilled, pays: listByKey(requirements, ({ drafts }) => drafts) };
}

/** Adds drafts one by one: each time the draft that helps with the most open requirements, of equals the cheapest, of these the first. */
function cover(kept: Set<Draft>, requirements: readonly Requirement[]): void {
  const { paid: fulfilled, pays: requirementsByDraft } = countFulfilled(kept, requirements);
  const isOpen = (debt: Requirement) => (fulfilled.get(debt) ?? 0) < debt.count;
  const gains = new Map<Draft, number>();
  const gain = (draft: Draft, more: number) => {
    if (!kept.has(draft)) gains.set(draft, (gains.get(draft) ?? 0) + more);
  };
  for (const debt of requirements) if (isOpen(debt)) for (const draft of debt.drafts) gain(draft, 1);
  const sizes = new Map<Draft, number>();
  const size = (draft: Draft) => {
    const known = sizes.get(draft) ?? sizeOf(draft);
    sizes.set(draft, known);
    return known;
  };
  const cost = (draft: Draft) =>
    size(draft) + (draft.parent === undefined || kept.has(draft.parent) ? 0 : size(draft.parent));
  while (true) {
    const most = [...gains.values()].reduce((one, other) => Math.max(one, other), 0);
    if (most === 0) return;
    const best = [...gains].filter(([, each]) => each === most).map(([draft]) => ({ draft, cost: cost(draft) }));
    for (const added of keepDraft(kept, best.reduce((one, other) => (other.cost < one.cost ? other : one)).draft)) {
      gains.delete(added);
      for (const debt of requirementsByDraft.get(added) ?? []) {
        const wasOpen = isOpen(debt);
        fulfilled.set(debt, (fulfilled.get(debt) ?? 0) + 1);
        if (wasOpen && !isOpen(debt)) for (const draft of debt.drafts) gain(draft, -1);
      }
    }
  }
}

/** A draft made only to kill a mutant counts double, because a draft of a family says more. */
function sizeOf({ data, tags }: Draft): number {
  return JSON.stringify(data).length * (tags.includes("forcing") ? 2 : 1);
}

/** Removes superfluous drafts, the last ones first. */
function prune(kept: Set<Draft>, requirements: readonly Requirement[], settled: ReadonlySet<Draft>): void {
  const { paid: fulfilled, pays: requirementsByDraft } = countFulfilled(kept, requirements);
  const children = new Map<Draft, number>();
  const count = ({ parent }: Draft, more: number) => {
    if (parent !== undefined) children.set(parent, (children.get(parent) ?? 0) + more);
  };
  for (const draft of kept) count(draft, 1);
  for (const draft of [...kept].reverse()) {
    const ownRequirements = requirementsByDraft.get(draft) ?? [];
    const isNeeded =
      (children.get(draft) ?? 0) > 0 || ownRequirements.some((debt) => (fulfilled.get(debt) ?? 0) <= debt.count);
    if (settled.has(draft) || isNeeded) continue;
    kept.delete(draft);
    count(draft, -1);
    for (const debt of ownRequirements) fulfilled.set(debt, (fulfilled.get(debt) ?? 0) - 1);
  }
}
