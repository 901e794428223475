import { applyChanges } from "../changes/patch.ts";
import { blameFor } from "../drafts/blame.ts";
import { breaksFeature } from "../drafts/content.ts";
import type { Draft, Drafts, Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Candidate } from "./candidate.ts";

/** The maximum length of a candidate's JSON text. */
const maxLength = 20_000;

/**
 * Adds the instance of a candidate as a valid or an invalid draft. An existing draft of the same instance joins the family instead. An instance that
 * breaks several assertions is added only if the candidate allows it.
 */
export function add(subject: Subject, valid: Drafts, invalid: Drafts, candidate: Candidate): void {
  const { model } = subject;
  const { parent, change, family } = candidate;
  const data = applyChanges(parent.data, change);
  if (data === undefined || JSON.stringify(data).length > maxLength) return;
  const { at, fault, detail, description, tags = [] } = candidate;
  const name = [at, fault, ...(detail === undefined ? [] : [detail])];
  const existing = valid.find(data) ?? invalid.find(data);
  if (existing !== undefined) {
    joinFamily(existing, family);
    // An instance that was made to kill a mutant gets the name of the family.
    if (existing.fault !== undefined && existing.name.at(-1)?.endsWith("-elsewhere") === true)
      Object.assign(existing, { name, at, fault, description, parent, change });
    return;
  }
  const draft: Draft = {
    data,
    name,
    at,
    says: "",
    description,
    tags: [...tags, family],
    features: [],
    uniqueFeatures: [],
    named: "only",
  };
  if (isValid(model, data)) {
    if (candidate.refusedOnly === undefined) valid.add({ ...draft, injected: { fault, parent, change } });
    return;
  }
  // There are enough instances on which validators differ because of a format.
  if (isValid(model, data, { formatDoubt: true })) return;
  const blame = blameFor(subject, data, candidate.mayBreakSeveral ?? "nowhere");
  if (blame === undefined) return;
  const { site, place, route, isAlone } = blame;
  const faultMembers = isAlone ? { site, features: [breaksFeature(site)] } : { because: site };
  invalid.add({ ...draft, ...faultMembers, place, route, fault, parent, change });
}

function joinFamily(draft: Draft, family: string): void {
  if (!draft.tags.includes(family)) draft.tags.push(family);
  draft.named ??= "also";
}
