import { isObject, type Json, type JsonObject, pointer, type Vector } from "../../schemas/index.ts";
import { dependsOnFormats } from "../evaluate/deciding-formats.ts";
import { doubtIn } from "../evaluate/doubts.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Model } from "../model/model.ts";
import type { Confusion, MemberPlace } from "./confusion.ts";
import { type Occurrence, occurrences, withObjects } from "./places.ts";

/** The schema and the rules that decide whether a message is valid. */
export interface ConfusionJudges {
  model: Model;
  places: ReadonlyMap<string, MemberPlace>;
  /** The semantic rules that a message breaks. */
  breaches?: (instance: Json) => string[];
}

/** Whether a correct reader certainly accepts a message, or certainly refuses it by the schema alone. A verdict that depends on formats or is in doubt is not certain. An accepted message breaks no rule of any level. */
export function isCertain({ model, breaches }: ConfusionJudges, data: Json, verdict: boolean): boolean {
  const { effort: _, ...unlimited } = model;
  if (isValid(unlimited, data) !== verdict || isValid(unlimited, data, { formatDoubt: true }) !== verdict) return false;
  if (doubtIn(model, data) !== undefined || dependsOnFormats(model, data)) return false;
  return !verdict || (breaches?.(data) ?? []).length === 0;
}

/** Returns the message after the confusion of each occurrence of a member, or "refused"; undefined if the message stays the same. */
export function confuseMember(
  { decode }: Confusion,
  data: Json,
  memberOccurrences: readonly Occurrence[],
): { data: Json } | "refused" | undefined {
  let result = data;
  let isChanged = false;
  for (const { place, at } of memberOccurrences) {
    const object = pointer.at(at, result);
    if (!isObject(object)) continue;
    const decoded = decode(object as JsonObject, place);
    if (decoded === "refused") return "refused";
    if (decoded === undefined) continue;
    result = withObjects(result, at, decoded);
    isChanged = true;
  }
  return isChanged ? { data: result } : undefined;
}

/** Returns the key of a confusion at a member. */
export function keyOf(confusion: Confusion, { site }: MemberPlace): string {
  return `${confusion.name} ${site}`;
}

/** Finds the confusions that vectors of a document show, by key, each with the id of its first vector. Keys in `known` are left out. */
export function findShown(
  judging: ConfusionJudges,
  confusions: readonly Confusion[],
  vectors: readonly Pick<Vector, "id" | "valid" | "data" | "beyond">[],
  known: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const shown = new Map<string, string>();
  for (const { id, valid, data, beyond } of vectors) {
    if (valid === undefined || data === undefined || beyond !== undefined) continue;
    for (const [, memberOccurrences] of occurrences(judging.model, data, judging.places)) {
      const { place } = memberOccurrences[0] as Occurrence;
      for (const confusion of confusions) {
        const key = keyOf(confusion, place);
        if (!confusion.appliesTo(place) || shown.has(key) || known.has(key)) continue;
        const confused = confuseMember(confusion, data, memberOccurrences);
        if (confused === undefined) continue;
        const isShown = confused === "refused" ? valid : isCertain(judging, confused.data, !valid);
        if (isShown) shown.set(key, id);
      }
    }
  }
  return shown;
}
