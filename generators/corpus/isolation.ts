import type { UnbrokenAssertion } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import type { Drafts, Subject } from "../drafts/draft.ts";
import { inject } from "../drafts/inject.ts";
import { evaluateBeside } from "../evaluate/model-pair.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import { keywordAt } from "../evaluate/sites.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Location, Model } from "../model/model.ts";
import { type Solution, solve } from "../solve/solve.ts";

/** Why a site is not broken, as a kind and a sentence. */
export type UnbrokenReason = Required<Omit<UnbrokenAssertion, "site">>;

/** The faults injected so far, and reasons for the missing ones. */
export interface Faults {
  valid: Drafts;
  invalid: Drafts;
  broken: Set<Location>;
  /** Why a site is not broken, if that is known. */
  reasons: Map<Location, UnbrokenReason>;
}

/**
 * An instance that the schema refuses but would accept without the assertion, by any path; `none` is proven. A search along one place follows only its
 * path. Under `not`, `oneOf` or `unevaluatedProperties` another path may work.
 */
export function findBreaking(model: Model, site: Location): Solution {
  const relaxed = withoutSite(model, site);
  if (relaxed === undefined) return { gaveUp: "it is no assertion of its own" };
  const { model: both, twin } = evaluateBeside(model, relaxed.model, [relaxed.changed], "open:");
  const schema = (node: Location, sign: boolean): Formula => ({ op: "schema", node, sign, scope: {} });
  return solve(both, [schema(model.root, false), schema(twin, true)], { budget: 30_000 });
}

/** After this many searches without an answer, no further one is started. */
const maxOpen = 8;

/**
 * Repeats the search for every assertion that the searches along its places call unbreakable. If it can be broken, the fault is injected. If this search
 * ends without an answer, only that is recorded.
 */
export function confirmUnbreakable(
  subject: Subject,
  { valid, invalid, broken, reasons }: Faults,
  places: readonly EvaluationPlace[],
): void {
  const [parent] = valid.all;
  let unanswered = 0;
  for (const [site, { kind }] of reasons) {
    if (kind !== "unbreakable" || broken.has(site)) continue;
    const solution: Solution =
      unanswered > maxOpen || subject.model.effort?.isSpent === true
        ? { gaveUp: "too much is open" }
        : findBreaking(subject.model, site);
    if ("gaveUp" in solution) unanswered += 1;
    if ("none" in solution) continue;
    const budget = "gaveUp" in solution ? " within the budget, which proves nothing" : "";
    reasons.set(site, { kind: "undecided", why: `no way to break it alone was found${budget}` });
    const holder = keywordAt(subject.model, site)?.node;
    const place = places.find(({ node }) => node === holder);
    if ("gaveUp" in solution || parent === undefined || place === undefined) continue;
    const change = changeBetween(parent.data, solution.found);
    const at = change.length === 1 ? (change[0]?.path ?? "") : "";
    const proposal = { fault: "broken", site, at, change, says: "breaks it alone" };
    if (inject(subject, invalid, { place, parent, proposal })) broken.add(site);
  }
}
