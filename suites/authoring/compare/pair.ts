import type { Json, JsonObject, Source } from "../../../schemas/index.ts";
import type { Compared, ComparedDocument, Difference, Policy } from "./result.ts";

/** One document of a version, as it can be compared. */
export interface LoadedDocument {
  schemas: readonly JsonObject[];
  id: string;
  samples: readonly Json[];
  /** What in its schemas was not read as it stands. */
  notes: readonly string[];
  /** Formats assert in it. */
  formats?: "assert";
  /** Where a location in its schemas stands, where that is known. */
  source(location: string): Source | undefined;
}

/** A document in two versions: each loaded when it is its turn, or what is known of it already. */
export interface Pair extends Pick<ComparedDocument, "name" | "of"> {
  before?: () => Promise<LoadedDocument>;
  now?: () => Promise<LoadedDocument>;
  state?: "added" | "removed";
  differences?: Difference[];
  /** Its members are groups, such as those of the query: absent is the same as empty. */
  isGrouped?: true;
}

/** Why a difference is no break unless that is wanted; undefined where it is one. */
export function policyOf(
  { change, old, new: now, also }: Difference,
  { isGrouped }: Pair,
  areAsserted: boolean,
): Policy | undefined {
  const location = (change === "refused" ? now : old)?.location ?? "";
  const isFormat = (each: string): boolean => each.endsWith("/format");
  if (!areAsserted && isFormat(location) && also.every(isFormat)) return "format";
  const isUnknown = change === "accepted" && location.endsWith("/additionalProperties");
  return isGrouped === true && isUnknown ? "added-parameter" : undefined;
}

/** What is compared: two versions, document by document. */
export interface Pairs extends Pick<Compared, "old" | "new"> {
  pairs: readonly Pair[];
  notCompared: string[];
}
