import type { Checker, PublishedOrder, RuledProtocol, RuleFamily } from "../../schemas/index.ts";

/** Lists the checkers of a document's rules, in order. */
export function checkersOf(families: readonly RuleFamily[], document: string): Checker[] {
  return families.flatMap(({ checkers }) => checkers.filter(({ documents }) => documents.includes(document)));
}

/** Stands for all documents that are not listed, in a published order. */
export const everyDocument = "*";

/** The name that distinguishes one case of a document from all others. */
interface CaseName {
  rule: string;
  name: string;
}

/** Sorts results for the cases of a document: listed cases in the order of publication, then the others in their original order. */
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
  const ranks = ranksIn(listed);
  const rankOf = (each: T): number => {
    const { rule, name } = nameOf(each);
    return ranks.get(`${rule}/${name}`) ?? ranks.get(rule) ?? listed.length;
  };
  return results
    .map((each) => ({ each, rank: rankOf(each) }))
    .sort((first, second) => first.rank - second.rank)
    .map(({ each }) => each);
}

function ranksIn(listed: PublishedOrder[string]): ReadonlyMap<string, number> {
  return new Map(listed.map((each, index) => [each, index]));
}
