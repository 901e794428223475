import type { Checker, PublishedOrder, RuledProtocol, RuleFamily } from "../../schemas/index.ts";

/** The checkers of a document's rules, in order. */
export function checkersOf(families: readonly RuleFamily[], document: string): Checker[] {
  return families.flatMap(({ checkers }) => checkers.filter(({ documents }) => documents.includes(document)));
}

/** Used in place of a document's name: the order for all documents that are not listed. */
export const everyDocument = "*";

/** The name that distinguishes one case of a document from all others. */
interface CaseName {
  rule: string;
  name: string;
}

/** Results for the cases of a document: listed cases in the order of publication, then the others in their original order. */
export function asPublished<T>(
  { published }: Pick<RuledProtocol, "published">,
  document: string,
  results: readonly T[],
  nameOf: (result: T) => CaseName,
): T[] {
  const listed = [document, everyDocument].flatMap((name) =>
    published !== undefined && Object.hasOwn(published, name) ? [published[name] ?? []] : [],
  )[0];
  if (listed === undefined) return [...results];
  const places = placesIn(listed);
  const placeOf = (each: T): number => {
    const { rule, name } = nameOf(each);
    return places.get(`${rule}/${name}`) ?? places.get(rule) ?? listed.length;
  };
  return results
    .map((each) => ({ each, place: placeOf(each) }))
    .sort(byPlace)
    .map(({ each }) => each);
}

function byPlace({ place: firstPlace }: { place: number }, { place: secondPlace }: { place: number }): number {
  return firstPlace - secondPlace;
}

function placesIn(listed: PublishedOrder[string]): ReadonlyMap<string, number> {
  return new Map(listed.map((each, index) => [each, index]));
}
