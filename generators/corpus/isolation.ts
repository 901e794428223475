import type { UnbrokenAssertion } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import type { Drafts, Subject } from "../drafts/draft.ts";
import { inject } from "../drafts/inject.ts";
import { joinWithCopy } from "../evaluate/model-pair.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import { keywordAt } from "../evaluate/sites.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Location, Model } from "../model/model.ts";
import { type Solution, solve } from "../solve/solve.ts";

/** The reason why a site is not broken, as a kind and a sentence. */
export type UnbrokenReason = Required<Omit<UnbrokenAssertion, "site">>;

/** The faults injected so far, and reasons for the missing ones. */
export interface Faults {
  valid: Drafts;
  invalid: Drafts;
  broken: Set<Location>;
  /** The reasons why sites are not broken, as far as they are known. */
  reasons: Map<Location, UnbrokenReason>;
}

/**
 * Finds an instance that the schema refuses but would accept without the assertion, on any path; `none` is a proof. A search along one place follows only
 * its path, but under `not`, `oneOf` or `unevaluatedProperties` another path may work.
 */
export function findBreakingInstance(model: Model, site: Location): Solution {
  const relaxedSchema = withoutSite(model, site);
  if (relaxedSchema === undefined) return { gaveUp: "it is no assertion of its own" };
  const { model: merged, twin } = joinWithCopy(model, relaxedSchema.model, [relaxedSchema.changed], "open:");
  const schemaFormula = (node: Location, sign: boolean): Formula => ({ op: "schema", node, sign, scope: {} });
  return solve(merged, [schemaFormula(model.root, false), schemaFormula(twin, true)], { budget: 30_000 });
}

/** After this many searches without an answer, no further search starts. */
const maxUnanswered = 8;

/**
 * Searches again, on any path, for each assertion that the searches along its places report as unbreakable. If an instance is found, the fault is injected.
 * If the search gives up, the assertion is recorded as undecided.
 */
export function confirmUnbreakable(
  subject: Subject,
  { valid, invalid, broken, reasons }: Faults,
  places: readonly EvaluationPlace[],
): void {
  const [parent] = valid.all;
  let unansweredCount = 0;
  for (const [site, { kind }] of reasons) {
    if (kind !== "unbreakable" || broken.has(site)) continue;
    const solution: Solution =
      unansweredCount > maxUnanswered || subject.model.effort?.isSpent === true
        ? { gaveUp: "too much is open" }
        : findBreakingInstance(subject.model, site);
    if ("gaveUp" in solution) unansweredCount += 1;
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
