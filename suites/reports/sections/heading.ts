import { placedAssertion, type Result } from "../../../schemas/index.ts";
import type { RenderOptions } from "../format.ts";
import { causeOf, type ResultGroup } from "../groups/group.ts";
import { demandOf } from "../wording/demand.ts";
import { resultFacts } from "../wording/phrases.ts";

type HeadingSources = RenderOptions["sourceOf"];

/** The name of a group of results: the id of a rule, or the place of an assertion in the user's file, if known. */
export function headingOf({ name, site }: Pick<ResultGroup, "name" | "site">, sourceOf: HeadingSources): string {
  const source = site === undefined ? undefined : sourceOf?.(site);
  return site === undefined || source === undefined ? name : placedAssertion(site, source);
}

/** The heading of the group that a result belongs to. */
export function headingOfResult(result: Result, sourceOf: HeadingSources): string {
  const name = causeOf(result);
  const isOfAssertion = result.rule === undefined && result.site !== undefined && name === demandOf(result);
  return headingOf(isOfAssertion ? { name, site: result.site as string } : { name }, sourceOf);
}

/** The facts about a result that is shown without a heading, with the place of its assertion, if known. */
export function placedFacts(result: Result, sourceOf: HeadingSources): ReturnType<typeof resultFacts> {
  const { rule, site } = result;
  const source = rule === undefined && site !== undefined ? sourceOf?.(site) : undefined;
  if (site === undefined || source === undefined) return resultFacts(result);
  return [["assertion", placedAssertion(site, source)], ...resultFacts(result)];
}
