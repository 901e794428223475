import { breaksFeature } from "../drafts/content.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import type { TestedElsewhere } from "../drafts/other-documents.ts";
import type { JudgedDraft } from "./judge.ts";
import { minimise, type NeededDrafts } from "./minimise.ts";
import type { Plan } from "./plan.ts";

/**
 * Chooses the drafts to publish. Disputed drafts are always kept, and do not count as kills. Drafts of a named family are always kept too, with their parents; their
 * kills count unless semantic rules may refuse them.
 */
export function findNeeded(
  { model, breaches, watch, foreign }: Subject,
  { valid: [smallest], mutants }: Plan,
  judged: readonly JudgedDraft[],
): NeededDrafts {
  const isPreferred = ({ parent }: Draft): boolean => foreign !== true || parent === undefined || parent === smallest;
  const isDecisive = ({ fault, data }: Draft) => fault !== undefined || (breaches?.(data) ?? []).length === 0;
  const isDisputed = ({ kind }: JudgedDraft) => kind === "disputed";
  const namedDrafts = judged.flatMap(({ draft }) => (draft.named === undefined ? [] : [...parentsOf(draft), draft]));
  const alwaysKept = [...judged.filter(isDisputed).map(({ draft }) => draft), ...namedDrafts];
  const undisputed = judged.filter((judgedDraft) => !isDisputed(judgedDraft)).map(({ draft }) => draft);
  const drafts = undisputed.filter((draft) => draft.named !== "only" || isDecisive(draft));
  return minimise(model, mutants.all, drafts, {
    alwaysKept,
    isDecisive,
    isBest: isPreferred,
    ...(watch === undefined ? {} : { watch }),
  });
}

/** Lists the assertions of the document's own schema that some vector isolates; none for the published sets. */
export function isolatedOwnSites({ foreign, elsewhere }: Subject, { broken }: Plan): string[] {
  return foreign === true ? [...broken].filter((site) => !elsewhere.has(site)) : [];
}

/** Reduces the drafts to the core: one kill of each mutant of the document's own schema, a vector for each of the `ownedSites`, and known mistakes; all with their parents. */
export function reduceToCore(
  { kept, core: chosenCore, kills }: NeededDrafts,
  judged: readonly JudgedDraft[],
  ownedSites: readonly string[],
): NeededDrafts {
  const mistakes = judged.map(({ draft }) => draft).filter(({ tags }) => tags.includes("known-mistake"));
  const core = new Set(chosenCore);
  const shownFeatures = new Set([...core].flatMap(({ features }) => features));
  for (const feature of ownedSites.map(breaksFeature).filter((candidate) => !shownFeatures.has(candidate))) {
    const draft = [...kept].find(({ features }) => features.includes(feature));
    if (draft !== undefined) for (const member of [...parentsOf(draft), draft]) core.add(member);
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

/** Returns the part of a plan that concerns the document's own schema. Other schemas are tested in their own documents. */
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
  return [parent, injected?.parent].filter((parentDraft) => parentDraft !== undefined);
}
