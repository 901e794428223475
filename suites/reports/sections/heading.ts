import { placedAssertion, type Result } from "../../../schemas/index.ts";
import type { RenderOptions } from "../format.ts";
import { causeOf, type Group } from "../groups/group.ts";
import { demandOf } from "../wording/demand.ts";
import { facts } from "../wording/phrases.ts";

type Sources = RenderOptions["sourceOf"];

/** What a group of results is called: a rule by its id, an assertion by where it stands in the user's file, where that is known. */
export function headingOf({ name, site }: Pick<Group, "name" | "site">, sourceOf: Sources): string {
  const source = site === undefined ? undefined : sourceOf?.(site);
  return site === undefined || source === undefined ? name : placedAssertion(site, source);
}

/** What a single result is called by: as the group that it is in. */
export function headingOfResult(result: Result, sourceOf: Sources): string {
  const name = causeOf(result);
  const isOfAssertion = result.rule === undefined && result.site !== undefined && name === demandOf(result);
  return headingOf(isOfAssertion ? { name, site: result.site as string } : { name }, sourceOf);
}

/** What is shown of a result that stands under no heading: the assertion that it is about is named where it stands, where that is known. */
export function placedFacts(result: Result, sourceOf: Sources): ReturnType<typeof facts> {
  const { rule, site } = result;
  const source = rule === undefined && site !== undefined ? sourceOf?.(site) : undefined;
  if (site === undefined || source === undefined) return facts(result);
  return [["assertion", placedAssertion(site, source)], ...facts(result)];
}
