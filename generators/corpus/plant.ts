import { type Json, pointer } from "../../schemas/index.ts";
import { mostPublished } from "../faults/count.ts";
import type { Ground, Proposal } from "../faults/fault.ts";
import { families } from "../faults/index.ts";
import { longestPublished } from "../faults/length.ts";
import { isValid } from "../model/evaluate.ts";
import { enter, type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import type { Place } from "../model/paths.ts";
import type { Formula } from "../solve/formula.ts";
import { solve } from "../solve/solve.ts";
import { changeBetween } from "./change.ts";
import type { Draft, Drafts, Subject } from "./draft.ts";
import { breaking, declaredNames, foreignNames, locate, reach } from "./ground.ts";
import { type Parent, shallow } from "./parent.ts";
import { patched } from "./patch.ts";

/** Plants every fault of every family; returns the sites that were broken. */
export function breakAll(
  subject: Subject,
  drafts: Drafts,
  place: Place,
  keyword: Keyword,
  parent: Parent,
  first: boolean,
): Location[] {
  const { model } = subject;
  const { draft, at } = parent;
  const scope = enter(model, nodeAt(model, place.node), place.scope);
  const value = pointer.at(at, draft.data) as Json;
  const ground: Ground = {
    model,
    keyword,
    scope,
    parent: draft.data,
    at,
    value,
    first,
    foreign: foreignNames(model, place),
    declared: declaredNames(model, place.node),
    solve: (formulas, hint) => localValue(model, place, keyword, formulas, hint),
  };
  const broken: Location[] = [];
  for (const family of families) {
    if (!family.keywords.includes(keyword.kind)) continue;
    for (const proposal of family.propose(ground))
      if (plant(subject, drafts, place, draft, proposal)) broken.push(proposal.site);
  }
  return broken;
}

/** A value for formulas that also keeps to the other keywords of the place, or at least for the formulas alone. */
function localValue(
  model: Model,
  place: Place,
  keyword: Keyword,
  formulas: readonly Formula[],
  hint: Json | undefined,
): Json | undefined {
  const rest: Formula = {
    op: "schema",
    node: place.node,
    sign: true,
    scope: place.scope,
    focus: { steps: [], end: { break: keyword.site } },
  };
  const options = hint === undefined ? {} : { hint };
  for (const attempt of [[rest, ...formulas], formulas]) {
    const solution = solve(model, attempt, { ...options, budget: 20_000 });
    if ("found" in solution) return solution.found;
  }
  return undefined;
}

/** Adds the invalid instance if it breaks this site and nothing else: refused as it is, accepted once the site is gone. */
export function plant({ model }: Subject, drafts: Drafts, place: Place, parent: Draft, proposal: Proposal): boolean {
  const data = patched(parent.data, proposal.change);
  if (data === undefined || JSON.stringify(data).length > 12 * longestPublished) return false;
  if (isValid(model, data) || !isValid(model, data, { without: proposal.site })) return false;
  // Where the validators differ on a format, the vector is kept all the same: the oracles will find it disputed.
  const doubtful = isValid(model, data, { formatDoubt: true });
  drafts.add({
    data,
    name: [proposal.at, proposal.fault, ...(proposal.detail === undefined ? [] : [proposal.detail])],
    at: proposal.at,
    says: proposal.says,
    tags: proposal.tags ?? [],
    site: proposal.site,
    place,
    fault: proposal.fault,
    parent,
    change: proposal.change,
  });
  return !doubtful;
}

function isTooLarge(keyword: Keyword): boolean {
  if (keyword.kind === "maxLength" || keyword.kind === "minLength") return keyword.limit >= longestPublished;
  return "limit" in keyword && /Items|Properties/.test(keyword.kind) && keyword.limit >= mostPublished;
}

/** Leaves it to the solver to break a site when no family could. */
export function generic(
  subject: Subject,
  drafts: Drafts,
  place: Place,
  keyword: Keyword,
  site: Location,
  parent: Draft,
): string | undefined {
  if (isTooLarge(keyword)) return "an instance that breaks it is too large to publish";
  const solution = breaking(subject.model, place, site, parent.data);
  if ("none" in solution) return "no instance breaks it alone";
  if ("gaveUp" in solution) return solution.gaveUp;
  const change = changeBetween(parent.data, solution.found);
  const at = change.length === 1 ? (change[0]?.path ?? "") : (locate(subject.model, place, keyword, parent.data) ?? "");
  const done = plant(subject, drafts, place, parent, {
    fault: "broken",
    detail: keyword.kind,
    site,
    at,
    change,
    says: `breaks ${keyword.kind}`,
  });
  return done ? undefined : "the instances that break it break something else too";
}

/** A schema that is plainly false below a name or index: anything there is too much. */
export function parentless({ model, samples }: Subject, invalid: Drafts, valid: Drafts, place: Place): boolean {
  const solution = breaking(model, place, place.node, samples[0] ?? null);
  if (!("found" in solution)) return false;
  const above: Place = { ...place, steps: place.steps.slice(0, -1), at: place.at.slice(0, -1) };
  const base = reach(model, above, samples);
  if (!("found" in base) || !isValid(model, base.found)) return false;
  const parent = valid.add({
    data: base.found,
    name: [shallow(above, base.found) ?? "", "present"],
    at: "",
    says: "is present",
    tags: [],
  });
  const change = changeBetween(parent.data, solution.found);
  const at = change[0]?.path ?? "";
  return plant({ model, samples, elsewhere: new Set() }, invalid, place, parent, {
    fault: "forbidden-member",
    site: place.node,
    at,
    change,
    says: "must not be here",
  });
}
