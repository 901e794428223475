import type { Json, JsonObject, Source } from "../../../schemas/index.ts";
import type { ComparedDocument, ComparisonPolicy, Difference, VersionComparison } from "./result.ts";

/** One document of a version, ready to be compared. */
export interface LoadedDocument {
  schemas: readonly JsonObject[];
  id: string;
  samples: readonly Json[];
  /** Remarks about parts of its schemas that were not read as written. */
  notes: readonly string[];
  /** Whether formats assert. */
  formats?: "assert";
  /** The file and line of a location in its schemas, if known. */
  source(location: string): Source | undefined;
}

/** A document in two versions, each of which is loaded when it is needed. */
export interface VersionPair extends Pick<ComparedDocument, "name" | "of"> {
  loadOld?: () => Promise<LoadedDocument>;
  loadNew?: () => Promise<LoadedDocument>;
  state?: "added" | "removed";
  differences?: Difference[];
  /** Whether its members are groups, such as those of the query: an absent group is the same as an empty one. */
  isGrouped?: true;
}

/** Why a difference is not breaking by default; undefined if it is. */
export function policyOf(
  { change, old: oldPlace, new: newPlace, also }: Difference,
  { isGrouped }: VersionPair,
  areAsserted: boolean,
): ComparisonPolicy | undefined {
  const location = (change === "refused" ? newPlace : oldPlace)?.location ?? "";
  const isFormat = (pointer: string): boolean => pointer.endsWith("/format");
  if (!areAsserted && isFormat(location) && also.every(isFormat)) return "format";
  const isUnknown = change === "accepted" && location.endsWith("/additionalProperties");
  return isGrouped === true && isUnknown ? "added-parameter" : undefined;
}

/** The input of a comparison: two versions, document by document. */
export interface Pairs extends Pick<VersionComparison, "old" | "new" | "rules"> {
  pairs: readonly VersionPair[];
  notCompared: string[];
}
