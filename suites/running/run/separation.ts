import { type InCommon, isObject, type Json, pointer, type Result, type Vector } from "../../../schemas/index.ts";
import type { RunCase } from "./case.ts";

/** The minimum numbers of refused and of accepted messages for which a separation is not chance. */
const fewest = 5;

/** The maximum number of separating features that are reported. */
const maxReported = 2;

/** The maximum length of a text that counts as a distinguishing value, such as a name from a list. */
const maxTextLength = 60;

/** A visible feature of a message: something present at a place, or a value there. All items of a list count as one place. */
interface VisiblePlace {
  at: string;
  value?: Json;
}

/** The feature that all refused valid messages of a document have and no accepted one has, or the reverse; the shallowest, and the presence of a place before its value. Empty if there is an exception, if there are too few messages, or if one cannot be read. */
export function commonFeatures(cases: readonly RunCase[], results: readonly Result[]): InCommon[] {
  const refusedResults = results.filter(isRefused);
  if (refusedResults.length < fewest) return [];
  const vectors = new Map(cases.map(({ vector }) => [vector.id, vector]));
  const seenIn = ({ id }: Result): Map<string, VisiblePlace> | undefined => {
    const data = dataOf(vectors.get(id));
    return data === undefined ? undefined : seenAt(data);
  };
  return [...new Set(refusedResults.map(({ document }) => document))].flatMap((document): InCommon[] => {
    const [ofRefused, ofAccepted] = [isRefused, isAccepted].map((is) =>
      results.filter((result) => result.document === document && is(result)).map(seenIn),
    ) as [(Map<string, VisiblePlace> | undefined)[], (Map<string, VisiblePlace> | undefined)[]];
    if (
      ofRefused.length < fewest ||
      ofAccepted.length < fewest ||
      ofRefused.includes(undefined) ||
      ofAccepted.includes(undefined)
    )
      return [];
    const [ofGroup, ofOthers] = [ofRefused, ofAccepted] as [Map<string, VisiblePlace>[], Map<string, VisiblePlace>[]];
    const counts = { document, refused: ofGroup.length, accepted: ofOthers.length };
    const only = onlyIn(ofGroup, ofOthers);
    if (only.length > 0) return [{ ...counts, by: "refused", have: only }];
    const missing = onlyIn(ofOthers, ofGroup).filter(({ value }) => value === undefined);
    return missing.length > 0 ? [{ ...counts, by: "accepted", have: missing }] : [];
  });
}

function isRefused({ verdict, outcome, kind, answer }: Result): boolean {
  return kind === "vector" && verdict === "valid" && outcome === "violates" && answer?.verdict === "rejected";
}

function isAccepted({ verdict, outcome, kind }: Result): boolean {
  return kind === "vector" && verdict === "valid" && outcome === "conforms";
}

/** The features common to all of these that none of the others has, at the shallowest places. */
function onlyIn(
  ofGroup: readonly Map<string, VisiblePlace>[],
  ofOthers: readonly Map<string, VisiblePlace>[],
): VisiblePlace[] {
  const [first, ...otherMaps] = ofGroup as [Map<string, VisiblePlace>, ...Map<string, VisiblePlace>[]];
  const sharedPlaces = [...first]
    .filter(([key]) => otherMaps.every((each) => each.has(key)) && !ofOthers.some((each) => each.has(key)))
    .map(([, place]) => place);
  const wholePlaces = new Set(sharedPlaces.filter(({ value }) => value === undefined).map(({ at }) => at));
  const toldPlaces = sharedPlaces.filter(({ at, value }) => value === undefined || !wholePlaces.has(at));
  const least = Math.min(...toldPlaces.map(depth));
  const isBare = ({ value }: VisiblePlace): number => Number(value === undefined);
  return toldPlaces
    .filter((visiblePlace) => depth(visiblePlace) === least)
    .sort((one, other) => isBare(one) - isBare(other))
    .slice(0, maxReported);
}

function depth({ at }: VisiblePlace): number {
  return pointer.segments(at).length;
}

function dataOf(vector: Vector | undefined): Json | undefined {
  if (vector?.data !== undefined) return vector.data;
  const text =
    vector?.raw ?? (vector?.base64 === undefined ? undefined : Buffer.from(vector.base64, "base64").toString());
  try {
    return text === undefined ? undefined : (JSON.parse(text.replace(/^\uFEFF/, "")) as Json);
  } catch {
    return undefined;
  }
}

function seenAt(data: Json): Map<string, VisiblePlace> {
  const placesByKey = new Map<string, VisiblePlace>();
  const note = (visiblePlace: VisiblePlace): unknown =>
    placesByKey.set(
      JSON.stringify([visiblePlace.at, visiblePlace.value ?? null, "value" in visiblePlace]),
      visiblePlace,
    );
  const visit = (value: Json, at: string): void => {
    if (at !== "") note({ at });
    if (Array.isArray(value)) for (const item of value) visit(item, `${at}/*`);
    else if (isObject(value))
      for (const [name, member] of Object.entries(value)) visit(member as Json, pointer.append(at, name));
    if (at !== "" && isPlain(value)) note({ at, value });
  };
  visit(data, "");
  return placesByKey;
}

/** Whether a value might be listed in an enumeration, or is empty. */
function isPlain(value: Json): boolean {
  if (typeof value === "string") return value.length <= maxTextLength;
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}
