import { type InCommon, isObject, type Json, pointer, type Result, type Vector } from "../../../schemas/index.ts";
import type { RunCase } from "./case.ts";

/** The minimum numbers of refused and of accepted messages. With fewer, a separation may be a coincidence. */
const minMessages = 5;

/** The maximum number of separating features that are reported. */
const maxReported = 2;

/** The maximum length of a string that counts as a distinguishing value, such as a name from a list. */
const maxTextLength = 60;

/** A feature of a message: the presence of a member at a place, or its value. All items of a list count as one place. */
interface MessageFeature {
  at: string;
  value?: Json;
}

/** Finds the features that all refused valid messages of a document have and no accepted one has, or the reverse. Returns the shallowest features, without the value of a member if its presence is a feature too. The result is empty if there is an exception, if there are too few messages, or if a message cannot be read. */
export function commonFeatures(cases: readonly RunCase[], results: readonly Result[]): InCommon[] {
  const refusedResults = results.filter(isRefused);
  if (refusedResults.length < minMessages) return [];
  const vectors = new Map(cases.map(({ vector }) => [vector.id, vector]));
  const featuresIn = ({ id }: Result): Map<string, MessageFeature> | undefined => {
    const data = dataOf(vectors.get(id));
    return data === undefined ? undefined : featuresOf(data);
  };
  return [...new Set(refusedResults.map(({ document }) => document))].flatMap((document): InCommon[] => {
    const [refusedFeatures, acceptedFeatures] = [isRefused, isAccepted].map((isInGroup) =>
      results.filter((result) => result.document === document && isInGroup(result)).map(featuresIn),
    ) as [(Map<string, MessageFeature> | undefined)[], (Map<string, MessageFeature> | undefined)[]];
    if (
      refusedFeatures.length < minMessages ||
      acceptedFeatures.length < minMessages ||
      refusedFeatures.includes(undefined) ||
      acceptedFeatures.includes(undefined)
    )
      return [];
    const [refusedMaps, acceptedMaps] = [refusedFeatures, acceptedFeatures] as [
      Map<string, MessageFeature>[],
      Map<string, MessageFeature>[],
    ];
    const counts = { document, refused: refusedMaps.length, accepted: acceptedMaps.length };
    const refusedOnly = featuresOnlyIn(refusedMaps, acceptedMaps);
    if (refusedOnly.length > 0) return [{ ...counts, by: "refused", have: refusedOnly }];
    const acceptedOnly = featuresOnlyIn(acceptedMaps, refusedMaps).filter(({ value }) => value === undefined);
    return acceptedOnly.length > 0 ? [{ ...counts, by: "accepted", have: acceptedOnly }] : [];
  });
}

function isRefused({ verdict, outcome, kind, answer }: Result): boolean {
  return kind === "vector" && verdict === "valid" && outcome === "violates" && answer?.verdict === "rejected";
}

function isAccepted({ verdict, outcome, kind }: Result): boolean {
  return kind === "vector" && verdict === "valid" && outcome === "conforms";
}

/** Returns the features that all messages of a group have and no other message has, at the shallowest places. */
function featuresOnlyIn(
  group: readonly Map<string, MessageFeature>[],
  otherGroup: readonly Map<string, MessageFeature>[],
): MessageFeature[] {
  const [firstMap, ...furtherMaps] = group as [Map<string, MessageFeature>, ...Map<string, MessageFeature>[]];
  const sharedFeatures = [...firstMap]
    .filter(
      ([key]) =>
        furtherMaps.every((features) => features.has(key)) && !otherGroup.some((features) => features.has(key)),
    )
    .map(([, place]) => place);
  const wholePlaces = new Set(sharedFeatures.filter(({ value }) => value === undefined).map(({ at }) => at));
  const reportedFeatures = sharedFeatures.filter(({ at, value }) => value === undefined || !wholePlaces.has(at));
  const minDepth = Math.min(...reportedFeatures.map(depthOf));
  const isBare = ({ value }: MessageFeature): number => Number(value === undefined);
  return reportedFeatures
    .filter((feature) => depthOf(feature) === minDepth)
    .sort((a, b) => isBare(a) - isBare(b))
    .slice(0, maxReported);
}

function depthOf({ at }: MessageFeature): number {
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

function featuresOf(data: Json): Map<string, MessageFeature> {
  const placesByKey = new Map<string, MessageFeature>();
  const noteFeature = (feature: MessageFeature): unknown =>
    placesByKey.set(JSON.stringify([feature.at, feature.value ?? null, "value" in feature]), feature);
  const visit = (value: Json, at: string): void => {
    if (at !== "") noteFeature({ at });
    if (Array.isArray(value)) for (const item of value) visit(item, `${at}/*`);
    else if (isObject(value))
      for (const [name, member] of Object.entries(value)) visit(member as Json, pointer.append(at, name));
    if (at !== "" && isPlain(value)) noteFeature({ at, value });
  };
  visit(data, "");
  return placesByKey;
}

/** Whether a value might be listed in an enumeration, or is empty. */
function isPlain(value: Json): boolean {
  if (typeof value === "string") return value.length <= maxTextLength;
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}
