import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import { blameFor } from "../drafts/blame.ts";
import { type Draft, masking, type Subject } from "../drafts/draft.ts";
import { isTooLong } from "../drafts/inject.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { confuseMember, isSurely, type Judging, keyOf, shownBy } from "./confused-message.ts";
import type { Confusion } from "./confusion.ts";
import { type Occurrence, occurrences, withObjects } from "./places.ts";

/** Why no vector shows a confusion at a member. */
export const untoldReasons = {
  alike: "the schema accepts both: every message that was tried gets the same verdict",
  entangled: "a message that would show it is refused for another reason too, or its verdict is in doubt",
  unreached: "no valid vector has room for the member",
  disputed:
    "a message that would show it is disputed: a reading of the protocol or a validator gives the other verdict",
  open: "the protocol leaves it to the reader, or asks it as advice",
  unwritten: "only a text shows it, and no text of the document has room for it",
} as const;
export type UntoldReason = keyof typeof untoldReasons;

export interface Untold {
  confusion: string;
  site: string;
  why: UntoldReason;
}

export interface Found {
  valid: Draft[];
  invalid: Draft[];
  untold: Untold[];
}

/** A place for a member in a valid message. */
interface ConfusionRoom extends Occurrence {
  parent: Draft;
}

/** The number of messages tried for each member, and of objects near each. */
const maxRooms = 12;
const maxNear = 16;

/** Vectors for the confusions that no other vector shows, made from valid drafts. */
export function missingFor(
  subject: Subject,
  judging: Judging,
  {
    confusions,
    told,
    parents,
  }: { confusions: readonly Confusion[]; told: ReadonlySet<string>; parents: readonly Draft[] },
): Found {
  const found: Found = { valid: [], invalid: [], untold: [] };
  const lengths = new Map(parents.map((each) => [each, JSON.stringify(each.data).length]));
  const shortFirst = [...parents].sort((a, b) => (lengths.get(a) ?? 0) - (lengths.get(b) ?? 0));
  const rooms = roomsIn(judging, shortFirst);
  const taken = new Set(told);
  for (const place of judging.places.values())
    for (const confusion of confusions) {
      const key = keyOf(confusion, place);
      if (!confusion.isAt(place) || taken.has(key)) continue;
      const all = rooms.get(place.site) ?? [];
      const shown = all.length === 0 ? "unreached" : showing(subject, judging, confusion, all);
      if (typeof shown === "string") {
        found.untold.push({ confusion: confusion.name, site: place.site, why: shown });
        continue;
      }
      // One message may show several confusions, and several members.
      const isValidOne = shown.fault === undefined;
      const { data } = shown;
      for (const each of shownBy(judging, confusions, [{ id: "", valid: isValidOne, data }], taken).keys())
        taken.add(each);
      (isValidOne ? found.valid : found.invalid).push(shown);
    }
  return found;
}

/** For each member, the first messages with it and without it, alternately. */
function roomsIn({ model, places }: Judging, parents: readonly Draft[]): Map<string, ConfusionRoom[]> {
  const withIt = new Map<string, ConfusionRoom[]>();
  const withoutIt = new Map<string, ConfusionRoom[]>();
  for (const parent of parents)
    for (const [site, all] of occurrences(model, parent.data, places)) {
      const [first] = all;
      if (first === undefined) continue;
      const object = pointer.at(first.at, parent.data);
      const side = isObject(object) && Object.hasOwn(object, first.place.name) ? withIt : withoutIt;
      const there = side.get(site) ?? [];
      if (there.length < maxRooms / 2) side.set(site, [...there, { ...first, parent }]);
    }
  const sites = new Set([...withIt.keys(), ...withoutIt.keys()]);
  return new Map([...sites].map((site) => [site, [...(withIt.get(site) ?? []), ...(withoutIt.get(site) ?? [])]]));
}

/** The first message that a reader with the confusion judges differently. */
function showing(
  subject: Subject,
  judging: Judging,
  confusion: Confusion,
  rooms: readonly ConfusionRoom[],
): Draft | UntoldReason {
  let why: UntoldReason = "alike";
  // Drafts that break one assertion come before drafts that break several, and drafts without a rule's objection before the others.
  let best: { draft: Draft; rank: number } | undefined;
  for (const room of rooms) {
    const { parent, place, at } = room;
    const object = pointer.at(at, parent.data);
    if (!isObject(object)) continue;
    let near = 0;
    for (const candidate of confusion.shows(object as JsonObject, place)) {
      near += 1;
      if (near > maxNear) break;
      const data = withObjects(parent.data, at, candidate);
      const draft = draftConfusion(subject, judging, confusion, room, data);
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
  judging: Judging,
  confusion: Confusion,
  { parent, place, at }: ConfusionRoom,
  data: Json,
): Draft | "entangled" | "open" | undefined {
  const own = new Map([[place.site, place]]);
  const other = confuseMember(
    confusion,
    data,
    occurrences(judging.model, data, own).get(place.site) ?? [{ place, at }],
  );
  if (other === undefined || isTooLong(data)) return undefined;
  const { effort: _, ...free } = judging.model;
  const meant = isValid(free, data);
  if (other === "refused" ? !meant : isValid(free, other.data) === meant) return undefined;
  // RFC 7493, 2.2: a reader need not preserve integers above 2^53, so a correct one may refuse them.
  if (meant && holdsUnsafe(data)) return "open";
  // A reader with the confusion would refuse or accept it for another reason.
  if (!isSurely(judging, data, meant) || (other !== "refused" && !isSurely(judging, other.data, !meant)))
    return "entangled";
  const member = pointer.append(at, place.name);
  const head = {
    data,
    name: [member, confusion.name],
    at: member,
    says: confusion.shown,
    shows: [],
    tells: [],
    tags: ["confusion"],
  };
  if (meant) return head;
  const change = changeBetween(parent.data, data);
  const alone = blameFor(subject, data, "nowhere");
  const blame = alone?.alone === true ? alone : blameFor(subject, data, "anywhere");
  if (blame === undefined) return "entangled";
  const { site, place: way, route } = blame;
  if (masking(subject, { site, route, place: way }, data).length > 0) return "entangled";
  const told = { ...head, place: way, route, fault: confusion.name, parent, change };
  return blame === alone ? { ...told, site } : { ...told, because: site };
}

/** Whether a message has an integer that a double cannot distinguish from its neighbours. */
function holdsUnsafe(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUnsafe);
}
