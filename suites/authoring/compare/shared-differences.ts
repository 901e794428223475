import { type ComparedParty, comparedPartiesOf, type Difference, type VersionComparison } from "./result.ts";
import { formatPlace } from "./words.ts";

/** A difference, with all documents that have it. */
export interface SharedDifference {
  /** The document of the message, and further documents that differ for the same reason. */
  document: string;
  further: string[];
  difference: Difference;
  comparedParties: readonly ComparedParty[];
}

/** Lists the differences in a report. If several documents differ because of one place, such as a shared definition, they count as one difference. */
export function sharedDifferences(result: VersionComparison): SharedDifference[] {
  const differencesByKey = new Map<string, SharedDifference>();
  for (const document of result.documents)
    for (const [index, difference] of document.differences.entries()) {
      const comparedParties = comparedPartiesOf(result, document);
      if (!comparedParties.includes(difference.breaks)) continue;
      const { change, asserts, beside, disputed, old: oldPlace, new: newPlace } = difference;
      const places = [oldPlace, newPlace].map((place) => (place?.file === undefined ? undefined : formatPlace(place)));
      const hasPlace = places.some((place) => place !== undefined);
      const key = JSON.stringify([change, asserts, beside, disputed, ...(hasPlace ? places : [document.name, index])]);
      const sharedDifference = differencesByKey.get(key);
      if (sharedDifference === undefined)
        differencesByKey.set(key, { document: document.name, further: [], difference, comparedParties });
      else if (sharedDifference.document !== document.name) sharedDifference.further.push(document.name);
    }
  return [...differencesByKey.values()];
}
