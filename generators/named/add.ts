import { applyChanges } from "../changes/patch.ts";
import { blameFor } from "../drafts/blame.ts";
import { breaks } from "../drafts/content.ts";
import type { Draft, Drafts, Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Candidate } from "./candidate.ts";

/** The maximum length of a candidate's JSON text. */
const maxLength = 20_000;

/**
 * Adds the instance of a candidate, to be accepted or refused. If the same instance exists, it joins the family. Instances that are refused for several
 * reasons are added only if the candidate allows it.
 */
export function add(subject: Subject, valid: Drafts, invalid: Drafts, candidate: Candidate): void {
  const { model } = subject;
  const { parent, change, family } = candidate;
  const data = applyChanges(parent.data, change);
  if (data === undefined || JSON.stringify(data).length > maxLength) return;
  const { at, fault, detail, description, tags = [] } = candidate;
  const name = [at, fault, ...(detail === undefined ? [] : [detail])];
  const same = valid.find(data) ?? invalid.find(data);
  if (same !== undefined) {
    joinFamily(same, family);
    // An instance that was made to kill a mutant gets the name of the family.
    if (same.fault !== undefined && same.name.at(-1)?.endsWith("-elsewhere") === true)
      Object.assign(same, { name, at, fault, description, parent, change });
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
  const { site, place, route, alone } = blame;
  const about = alone ? { site, features: [breaks(site)] } : { because: site };
  invalid.add({ ...draft, ...about, place, route, fault, parent, change });
}

function joinFamily(draft: Draft, family: string): void {
  if (!draft.tags.includes(family)) draft.tags.push(family);
  draft.named ??= "also";
}
