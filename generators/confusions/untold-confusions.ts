import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import { blameFor } from "../drafts/blame.ts";
import { type Draft, findMaskingRules, type Subject } from "../drafts/draft.ts";
import { isTooLong } from "../drafts/inject.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type ConfusionJudges, confuseMember, findShown, isCertain, keyOf } from "./confused-message.ts";
import type { Confusion } from "./confusion.ts";
import { type Occurrence, occurrences, withObjects } from "./places.ts";

/** Why no vector shows a confusion at a member. */
export const unshownReasons = {
  alike: "the schema accepts both: every message that was tried gets the same verdict",
  entangled: "a message that would show it is refused for another reason too, or its verdict is in doubt",
  unreached: "no valid vector has room for the member",
  disputed:
    "a message that would show it is disputed: a reading of the protocol or a validator gives the other verdict",
  open: "the protocol leaves it to the reader, or asks it as advice",
  unwritten: "only a text shows it, and no text of the document has room for it",
} as const;
export type UnshownReason = keyof typeof unshownReasons;

export interface UnshownConfusion {
  confusion: string;
  site: string;
  why: UnshownReason;
}

export interface ConfusionDrafts {
  valid: Draft[];
  invalid: Draft[];
  unshown: UnshownConfusion[];
}

/** A place for a member in a valid message. */
interface ConfusionPlace extends Occurrence {
  parent: Draft;
}

/** The maximum number of messages tried for each member. */
const maxMessages = 12;
const maxCandidates = 16;

/** Makes vectors for the confusions that no other vector shows, from valid drafts. */
export function draftMissingConfusions(
  subject: Subject,
  judging: ConfusionJudges,
  {
    confusions,
    shown,
    parents,
  }: { confusions: readonly Confusion[]; shown: ReadonlySet<string>; parents: readonly Draft[] },
): ConfusionDrafts {
  const drafts: ConfusionDrafts = { valid: [], invalid: [], unshown: [] };
  const lengths = new Map(parents.map((parent) => [parent, JSON.stringify(parent.data).length]));
  const shortFirst = [...parents].sort((a, b) => (lengths.get(a) ?? 0) - (lengths.get(b) ?? 0));
  const placesBySite = findPlaces(judging, shortFirst);
  const shownKeys = new Set(shown);
  for (const place of judging.places.values())
    for (const confusion of confusions) {
      const key = keyOf(confusion, place);
      if (!confusion.appliesTo(place) || shownKeys.has(key)) continue;
      const sitePlaces = placesBySite.get(place.site) ?? [];
      const outcome = sitePlaces.length === 0 ? "unreached" : findShowingDraft(subject, judging, confusion, sitePlaces);
      if (typeof outcome === "string") {
        drafts.unshown.push({ confusion: confusion.name, site: place.site, why: outcome });
        continue;
      }
      // One message may show several confusions, and several members.
      const isValidDraft = outcome.fault === undefined;
      const { data } = outcome;
      for (const shownKey of findShown(judging, confusions, [{ id: "", valid: isValidDraft, data }], shownKeys).keys())
        shownKeys.add(shownKey);
      (isValidDraft ? drafts.valid : drafts.invalid).push(outcome);
    }
  return drafts;
}

/** Finds, for each member, the first messages that contain it and the first that lack it. */
function findPlaces({ model, places }: ConfusionJudges, parents: readonly Draft[]): Map<string, ConfusionPlace[]> {
  const present = new Map<string, ConfusionPlace[]>();
  const absent = new Map<string, ConfusionPlace[]>();
  for (const parent of parents)
    for (const [site, siteOccurrences] of occurrences(model, parent.data, places)) {
      const [first] = siteOccurrences;
      if (first === undefined) continue;
      const object = pointer.at(first.at, parent.data);
      const matchingPlaces = isObject(object) && Object.hasOwn(object, first.place.name) ? present : absent;
      const sidePlaces = matchingPlaces.get(site) ?? [];
      if (sidePlaces.length < maxMessages / 2) matchingPlaces.set(site, [...sidePlaces, { ...first, parent }]);
    }
  const sites = new Set([...present.keys(), ...absent.keys()]);
  return new Map([...sites].map((site) => [site, [...(present.get(site) ?? []), ...(absent.get(site) ?? [])]]));
}

/** Finds a message that a reader with the confusion judges differently, or returns why none was found. */
function findShowingDraft(
  subject: Subject,
  judging: ConfusionJudges,
  confusion: Confusion,
  candidates: readonly ConfusionPlace[],
): Draft | UnshownReason {
  let why: UnshownReason = "alike";
  // Drafts that break a single assertion come first, and among them drafts that break no rule.
  let best: { draft: Draft; rank: number } | undefined;
  for (const candidatePlace of candidates) {
    const { parent, place, at } = candidatePlace;
    const object = pointer.at(at, parent.data);
    if (!isObject(object)) continue;
    let triedCount = 0;
    for (const candidate of confusion.propose(object as JsonObject, place)) {
      triedCount += 1;
      if (triedCount > maxCandidates) break;
      const data = withObjects(parent.data, at, candidate);
      const draft = draftConfusion(subject, judging, { ...candidatePlace, confusion, data });
      if (draft === undefined) continue;
      why = draft === "open" ? "open" : "entangled";
      if (typeof draft === "string") continue;
      const rank = (draft.because === undefined ? 0 : 2) + (judging.breaches?.(data).length ? 1 : 0);
      if (rank === 0) return draft;
      if (best === undefined || rank < best.rank) best = { draft, rank };
    }
  }
  return best?.draft ?? why;
}

function draftConfusion(
  subject: Subject,
  judging: ConfusionJudges,
  { confusion, parent, place, at, data }: ConfusionPlace & { confusion: Confusion; data: Json },
): Draft | "entangled" | "open" | undefined {
  const ownPlace = new Map([[place.site, place]]);
  const confused = confuseMember(
    confusion,
    data,
    occurrences(judging.model, data, ownPlace).get(place.site) ?? [{ place, at }],
  );
  if (confused === undefined || isTooLong(data)) return undefined;
  const { effort: _, ...unlimited } = judging.model;
  const isAccepted = isValid(unlimited, data);
  if (confused === "refused" ? !isAccepted : isValid(unlimited, confused.data) === isAccepted) return undefined;
  // RFC 7493, 2.2: a reader need not preserve integers above 2^53, so a correct one may refuse them.
  if (isAccepted && hasUnsafeInteger(data)) return "open";
  // A reader with the confusion would reach its verdict for a different reason.
  if (
    !isCertain(judging, data, isAccepted) ||
    (confused !== "refused" && !isCertain(judging, confused.data, !isAccepted))
  )
    return "entangled";
  const member = pointer.append(at, place.name);
  const head = {
    data,
    name: [member, confusion.name],
    at: member,
    says: confusion.shown,
    features: [],
    uniqueFeatures: [],
    tags: ["confusion"],
  };
  if (isAccepted) return head;
  const change = changeBetween(parent.data, data);
  const isolated = blameFor(subject, data, "nowhere");
  const blame = isolated?.isAlone === true ? isolated : blameFor(subject, data, "anywhere");
  if (blame === undefined) return "entangled";
  const { site, place: faultPlace, route } = blame;
  if (findMaskingRules(subject, { site, route, place: faultPlace }, data).length > 0) return "entangled";
  const faultDraft = { ...head, place: faultPlace, route, fault: confusion.name, parent, change };
  return blame === isolated ? { ...faultDraft, site } : { ...faultDraft, because: site };
}

/** Whether a message has an integer that a double cannot distinguish from its neighbours. */
function hasUnsafeInteger(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnsafeInteger);
}
