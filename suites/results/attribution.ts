import { type Result, type Run, withoutMistake } from "../../schemas/index.ts";

/** The results of a run, with each refusal of a valid message listed under the assertion that its reasons name, by location and keyword: a message contains many assertions, and one mistake refuses it because of one of them. A refusal that names no assertion, several, or a rule is unchanged. */
export function attributeRefusals(run: Run): readonly Result[] {
  if (!run.results.some(isRefusal)) return run.results;
  const sites = sitesIn(run);
  return run.results.map((result) => {
    const site = isRefusal(result) ? namedBy(result, sites) : undefined;
    if (site === undefined || site === result.site) return result;
    // Its description mentions the mistake for which it was made, which is another one.
    return { ...result, site, description: withoutMistake(result.description).text };
  });
}

/** Whether a valid message was refused that is not the vector of a rule. */
function isRefusal({ rule, verdict, outcome, answer }: Result): boolean {
  const isCounted = outcome === "violates" || outcome === "warns";
  return rule === undefined && verdict === "valid" && isCounted && answer?.verdict === "rejected";
}

/** Whether a refusal names the location that the vector is about: such a vector shows the mistake better than a message that merely contains the location. */
export function isAtItsPlace({ at = "", answer }: Result): boolean {
  return at !== "" && (answer?.reasons ?? []).some((reason) => reason.at === at);
}

/** Assertions by document, place and keyword; undefined if there are several. */
type Sites = ReadonlyMap<string, string | undefined>;

function sitesIn({ results }: Run): Sites {
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

function namedBy({ document, site, answer }: Result, sites: Sites): string | undefined {
  const namedPlaces = (answer?.reasons ?? []).map(({ at, keyword }) =>
    at === undefined || keyword === undefined ? undefined : sites.get(keyOf(document, at, keyword)),
  );
  return site !== undefined && namedPlaces.includes(site) ? site : namedPlaces.find((each) => each !== undefined);
}

/** All items of a list count as one place. */
function keyOf(document: string, at: string, keyword: string): string {
  return JSON.stringify([document, at.replace(/\/\d+(?=\/|$)/g, "/*"), keyword]);
}
