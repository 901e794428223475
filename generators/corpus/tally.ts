import { type Document, isObject, type RuledProtocol, type Vector } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { type ConfusionJudges, findShown, keyOf } from "../confusions/confused-message.ts";
import { confusions } from "../confusions/index.ts";
import { draftMissingConfusions, type UnshownReason } from "../confusions/untold-confusions.ts";
import { findShownByTexts, writtenConfusions, writtenKey } from "../confusions/written-names.ts";
import { confusionJudgesOf, draftOf, wantsConfusions } from "./confusable.ts";
import { subjectOf } from "./subject.ts";

/** The number of places at which the vectors of a protocol show one confusion. */
export interface Tally {
  confusion: string;
  says: string;
  /** Members at which it may occur, each counted once for each document. */
  places: number;
  /** Places that vectors made for other purposes show. */
  before: number;
  /** Places that any vector shows. */
  shown: number;
  unshown: { document: string; site: string; why: UnshownReason }[];
}

/** Counts the confusions of JSON libraries that the vectors of a protocol show. `vectorsOf` returns the vectors of a document. */
export async function tallyConfusions(
  protocol: RuledProtocol,
  vectorsOf: (document: Document) => readonly Vector[],
): Promise<Tally[]> {
  const tallies = new Map<string, Tally>(
    [...confusions, ...writtenConfusions].map(({ name, says }) => [
      name,
      { confusion: name, says, places: 0, before: 0, shown: 0, unshown: [] },
    ]),
  );
  for (const document of protocol.profile.documents) {
    if (!wantsConfusions(protocol, document)) continue;
    const model = await compileModel(protocol.schemas, document.schema);
    const subject = subjectOf(protocol, document, model);
    const judges = confusionJudgesOf(subject);
    const vectors = vectorsOf(document);
    const ordinary = vectors.filter(({ tags }) => !tags.includes("confusion"));
    const before = findShown(judges, confusions, ordinary);
    const shown = new Set([...before.keys(), ...findShown(judges, confusions, vectors, new Set(before.keys())).keys()]);
    const parents = vectors.flatMap(({ valid, data, beyond }) =>
      valid === true && data !== undefined && beyond === undefined && isObject(data) ? [draftOf(data)] : [],
    );
    const { unshown: missing } = draftMissingConfusions(subject, judges, { confusions, shown, parents });
    const reasons = new Map(missing.map(({ confusion, site, why }) => [`${confusion} ${site}`, why]));
    for (const confusion of confusions)
      for (const place of judges.places.values()) {
        if (!confusion.appliesTo(place)) continue;
        const key = keyOf(confusion, place);
        countPlace(tallies, confusion.name, { isShownByOrdinary: before.has(key), isShown: shown.has(key) });
        // For a place without a reason, a vector was made, but it is disputed.
        const why = reasons.get(key) ?? "disputed";
        if (!shown.has(key))
          tallies.get(confusion.name)?.unshown.push({ document: document.name, site: place.site, why });
      }
    countTexts(tallies, { protocol, document }, judges, { vectors, ordinary });
  }
  return [...tallies.values()];
}

function countPlace(
  tallies: ReadonlyMap<string, Tally>,
  confusion: string,
  { isShownByOrdinary, isShown }: PlaceResult,
): void {
  const tally = tallies.get(confusion) as Tally;
  tally.places += 1;
  tally.before += Number(isShownByOrdinary);
  tally.shown += Number(isShown);
}

/** Whether vectors made for other purposes, or any vectors, show a confusion at a place. */
interface PlaceResult {
  isShownByOrdinary: boolean;
  isShown: boolean;
}

/** All vectors of a document, and the ordinary ones, which were not made for a confusion. */
interface TalliedVectors {
  vectors: readonly Vector[];
  ordinary: readonly Vector[];
}

/** Counts the confusions that only texts can show. A document that is never sent as a text has none. */
function countTexts(
  tallies: ReadonlyMap<string, Tally>,
  { protocol, document }: { protocol: RuledProtocol; document: Document },
  judging: ConfusionJudges,
  { vectors, ordinary }: TalliedVectors,
): void {
  const before = findShownByTexts(judging, ordinary);
  const shown = findShownByTexts(judging, vectors);
  for (const confusion of writtenConfusions)
    for (const place of judging.places.values()) {
      if (!confusion.isAt(place)) continue;
      const key = writtenKey(confusion, place);
      countPlace(tallies, confusion.name, { isShownByOrdinary: before.has(key), isShown: shown.has(key) });
      const why = confusion.isDecided(protocol) ? "unwritten" : "open";
      const { site } = place;
      if (!shown.has(key)) tallies.get(confusion.name)?.unshown.push({ document: document.name, site, why });
    }
}
