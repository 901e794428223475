import { breaksFeature } from "../drafts/content.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import type { TestedElsewhere } from "../drafts/other-documents.ts";
import type { JudgedDraft } from "./judge.ts";
import { minimise, type NeededDrafts } from "./minimise.ts";
import type { Plan } from "./plan.ts";

/**
 * The drafts that are published. Disputed vectors stay and kill nothing. Drafts of a named family stay too, with their parents, and their mutants need
 * no other kill unless other rules may refuse the drafts.
 */
export function findNeeded(
  { model, breaches, watch, foreign }: Subject,
  { valid: [least], mutants }: Plan,
  judged: readonly JudgedDraft[],
): NeededDrafts {
  const isPreferred = ({ parent }: Draft): boolean => foreign !== true || parent === undefined || parent === least;
  const decides = ({ fault, data }: Draft) => fault !== undefined || (breaches?.(data) ?? []).length === 0;
  const isDisputed = ({ kind }: JudgedDraft) => kind === "disputed";
  const named = judged.flatMap(({ draft }) => (draft.named === undefined ? [] : [...parentsOf(draft), draft]));
  const settled = [...judged.filter(isDisputed).map(({ draft }) => draft), ...named];
  const counts = judged.filter((judgedDraft) => !isDisputed(judgedDraft)).map(({ draft }) => draft);
  const drafts = counts.filter((draft) => draft.named !== "only" || decides(draft));
  return minimise(model, mutants.all, drafts, {
    settled,
    decides,
    isBest: isPreferred,
    ...(watch === undefined ? {} : { watch }),
  });
}

/** The assertions in a user's own schema that some vector isolates. */
export function ownedBy({ foreign, elsewhere }: Subject, { broken }: Plan): string[] {
  return foreign === true ? [...broken].filter((site) => !elsewhere.has(site)) : [];
}

/** The core: with a vector for each of these assertions, and known mistakes with their parents. Of the mutants it has those of the document's own schema, each killed once. */
export function onlyCore(
  { kept, core: chosen, kills }: NeededDrafts,
  judged: readonly JudgedDraft[],
  owned: readonly string[],
): NeededDrafts {
  const mistakes = judged.map(({ draft }) => draft).filter(({ tags }) => tags.includes("known-mistake"));
  const core = new Set(chosen);
  const shown = new Set([...core].flatMap(({ features }) => features));
  for (const feature of owned.map(breaksFeature).filter((each) => !shown.has(each))) {
    const draft = [...kept].find(({ features }) => features.includes(feature));
    if (draft !== undefined) for (const each of [...parentsOf(draft), draft]) core.add(each);
  }
  const ownKills = [...kills].filter(
    ([{ isFromElsewhere, isFineGrained }]) => isFromElsewhere !== true && isFineGrained !== true,
  );
  return {
    kept: new Set([...core, ...mistakes.flatMap((draft) => [...parentsOf(draft), draft])]),
    core,
    kills: new Map(ownKills.map(([mutant, count]) => [mutant, Math.min(count, 1)])),
  };
}

/** The part of a plan that concerns the document's own schema. Other schemas are tested at their own documents. */
export function planForOwnSchema(
  planned: Plan,
  kills: NeededDrafts["kills"],
  elsewhere: TestedElsewhere = new Set(),
): Plan {
  const { broken, mutants } = planned;
  return {
    ...planned,
    broken: new Set([...broken].filter((site) => !elsewhere.has(site))),
    mutants: { ...mutants, all: mutants.all.filter((mutant) => kills.has(mutant)) },
  };
}

function parentsOf({ parent, injected }: Draft): Draft[] {
  return [parent, injected?.parent].filter((each) => each !== undefined);
}
