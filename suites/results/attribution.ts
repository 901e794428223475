import { type Result, type Run, withoutMistake } from "../../schemas/index.ts";

/**
 * Assigns each refusal of a valid message to the assertion that its reasons name, by location and keyword, because many assertions apply to a message
 * and a mistake usually concerns one of them. A refusal is unchanged if it belongs to a rule, if its reasons name its own assertion, or if none of
 * them identifies an assertion. If several do, the first one counts.
 */
export function attributeRefusals(run: Run): readonly Result[] {
  if (!run.results.some(isRefusal)) return run.results;
  const sites = sitesIn(run);
  return run.results.map((result) => {
    const site = isRefusal(result) ? siteNamedBy(result, sites) : undefined;
    if (site === undefined || site === result.site) return result;
    // The description mentions the mistake that the vector was made for, which is a different one.
    return { ...result, site, description: withoutMistake(result.description).text };
  });
}

/** Whether a valid message was refused, unless it is the vector of a rule. */
function isRefusal({ rule, verdict, outcome, answer }: Result): boolean {
  const isCounted = outcome === "violates" || outcome === "warns";
  return rule === undefined && verdict === "valid" && isCounted && answer?.verdict === "rejected";
}

/** Whether a refusal names the location that the vector is about. Such a vector shows the mistake better than a message that merely contains the location. */
export function namesVectorLocation({ at = "", answer }: Result): boolean {
  return at !== "" && (answer?.reasons ?? []).some((reason) => reason.at === at);
}

/** Assertions by document, location and keyword; undefined if several share a key. */
type SitesByKey = ReadonlyMap<string, string | undefined>;

function sitesIn({ results }: Run): SitesByKey {
  const sites = new Map<string, string | undefined>();
  for (const { document, rule, site, at } of results) {
    if (rule !== undefined || site === undefined || at === undefined) continue;
    const keyword = site
      .replace(/\/\d+$/, "")
      .split("/")
      .at(-1) as string;
    const key = keyOf(document, at, keyword);
    sites.set(key, !sites.has(key) || sites.get(key) === site ? site : undefined);
  }
  return sites;
}

function siteNamedBy({ document, site, answer }: Result, sites: SitesByKey): string | undefined {
  const namedSites = (answer?.reasons ?? []).map(({ at, keyword }) =>
    at === undefined || keyword === undefined ? undefined : sites.get(keyOf(document, at, keyword)),
  );
  return site !== undefined && namedSites.includes(site)
    ? site
    : namedSites.find((candidate) => candidate !== undefined);
}

/** The key of an assertion. All items of an array count as one location. */
function keyOf(document: string, at: string, keyword: string): string {
  return JSON.stringify([document, at.replace(/\/\d+(?=\/|$)/g, "/*"), keyword]);
}
