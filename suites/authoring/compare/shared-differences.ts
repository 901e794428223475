import { type Compared, type ComparedParty, comparedPartiesOf, type Difference } from "./result.ts";
import { formatPlace } from "./words.ts";

/** A difference, with all documents that have it. */
export interface SharedDifference {
  /** The document of the message, and further documents that differ for the same reason. */
  document: string;
  further: string[];
  difference: Difference;
  whom: readonly ComparedParty[];
}

/** The differences in a report. If several documents differ because of one place, such as a shared definition, they count as one difference. */
export function sharedDifferences(result: Compared): SharedDifference[] {
  const found = new Map<string, SharedDifference>();
  for (const document of result.documents)
    for (const [index, difference] of document.differences.entries()) {
      const whom = comparedPartiesOf(result, document);
      if (!whom.includes(difference.breaks)) continue;
      const { change, asserts, beside, disputed, old, new: now } = difference;
      const places = [old, now].map((place) => (place?.file === undefined ? undefined : formatPlace(place)));
      const isPlaced = places.some((place) => place !== undefined);
      const key = JSON.stringify([change, asserts, beside, disputed, ...(isPlaced ? places : [document.name, index])]);
      const there = found.get(key);
      if (there === undefined) found.set(key, { document: document.name, further: [], difference, whom });
      else if (there.document !== document.name) there.further.push(document.name);
    }
  return [...found.values()];
}
