import { type Json, pointer } from "../../schemas/index.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { doubtIn } from "../evaluate/doubts.ts";
import type { Model } from "../model/model.ts";

/** The number of candidates for which the semantic rules are checked. */
const maxRuleChecks = 12;

/**
 * Lists suitable valid drafts. Drafts that are known to keep all rules come first. In both groups, minimal, sample and full drafts precede the
 * others, and smaller drafts precede larger ones.
 */
export function parentsWith(
  { breaches, model }: Subject,
  valid: readonly Draft[],
  isSuitable: (instance: Json) => boolean,
): Draft[] {
  const suitable = valid.filter((draft) => isPlain(draft) && isSuitable(draft.data) && !isDoubtful(model, draft));
  const ranked = suitable
    .map((draft) => ({ draft, rank: isBaseDraft(draft) ? 0 : 1, size: JSON.stringify(draft.data).length }))
    .sort((first, second) => first.rank - second.rank || first.size - second.size)
    .map(({ draft }) => draft);
  const [lawful, unchecked]: [Draft[], Draft[]] = [[], []];
  for (const [index, draft] of ranked.entries())
    (index < maxRuleChecks && breaches?.(draft.data).length === 0 ? lawful : unchecked).push(draft);
  return [...lawful, ...unchecked];
}

/** Finds the smallest parent that has a value at a location. */
export function parentAt(subject: Subject, valid: readonly Draft[], at: string): Draft | undefined {
  return parentsWith(subject, valid, (instance) => pointer.has(at, instance))[0];
}

function isPlain({ named, tags }: Draft): boolean {
  return named !== "only" && !tags.includes("forcing");
}

const doubtfulDrafts = new WeakMap<Draft, boolean>();

/** Whether some rule may refuse the instance. Then an instance made from it would show nothing. */
function isDoubtful(model: Model, draft: Draft): boolean {
  const result = doubtfulDrafts.get(draft) ?? doubtIn(model, draft.data) !== undefined;
  doubtfulDrafts.set(draft, result);
  return result;
}

function isBaseDraft({ name: [kind] }: Draft): boolean {
  return kind === "minimal" || kind === "sample" || kind === "full";
}
