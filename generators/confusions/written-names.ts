import { equal, type Json, type Protocol, pointer, type Vector } from "../../schemas/index.ts";
import type { RawContext, RawFamily, RawParent, RawProposal, Spot } from "../raw/raw.ts";
import { insert, quoteText } from "../raw/text.ts";
import type { ConfusionJudges } from "./confused-message.ts";
import type { MemberPlace } from "./confusion.ts";
import { occurrences } from "./places.ts";

/** A confusion of readers of JSON texts at one member. Only a text can show it, not a parsed value. */
export interface WrittenConfusion {
  name: string;
  says: string;
  isAt(place: MemberPlace): boolean;
  /** Whether the protocol decides which reading is correct. */
  isDecided(protocol: Protocol): boolean;
  /** JSON Pointers to the members that a vector confuses, if it is a text with a certain verdict. */
  confusedIn(vector: Vector): ReadonlySet<string>;
  /** A text that shows the confusion at a place of a message. */
  text(spot: Spot, others: () => Json | undefined): Omit<RawProposal, "parent" | "detail" | "at"> | undefined;
}

const numeral = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

const pointZeroConfusion: WrittenConfusion = {
  name: "point-zero",
  says: "an integer with a point and a zero is refused",
  isAt: ({ types }) => types.has("integer"),
  isDecided: () => true,
  confusedIn: ({ raw, valid }) => (raw === undefined || valid !== true ? new Set() : pointZeroPlaces(raw)),
  text: ({ value, before, after, at }) =>
    Number.isSafeInteger(value) && value !== 0
      ? {
          text: `${before}${value}.0${after}`,
          says: `spells the integer ${value} of ${at} with a point and a zero`,
          issue: "rewritten",
          tags: ["number-spelling", "confusion"],
        }
      : undefined,
};

/** Lists the places of integers that are written with a point and zeros. */
function pointZeroPlaces(raw: string): Set<string> {
  const paths = new Set<string>();
  const mark = "\u0000spelled";
  const text = raw.replaceAll(numeral, (token) => (/^-?\d+\.0+$/.test(token) ? JSON.stringify(mark) : token));
  let data: Json;
  try {
    data = JSON.parse(text) as Json;
  } catch {
    return paths;
  }
  collectMarks(data, "");
  return paths;

  function collectMarks(value: Json, at: string): void {
    if (value === mark) paths.add(at);
    if (typeof value === "object" && value !== null)
      for (const [name, part] of Object.entries(value)) collectMarks(part as Json, pointer.append(at, name));
  }
}

const repeatedNameConfusion: WrittenConfusion = {
  name: "repeated-name",
  says: "the first or the last of two members with one name is used",
  isAt: () => true,
  // Below MUST, no reader fails.
  isDecided: ({ profile }) => {
    const { invalid, level = "MUST" } = profile.text?.rulings.contradicted ?? {};
    return invalid === true && level === "MUST";
  },
  confusedIn: ({ raw, valid, level, fault, at }) => {
    const isShown = raw !== undefined && valid === false && level === undefined && fault === "repeated-name";
    return new Set(isShown && at !== undefined ? [at] : []);
  },
  text: ({ parent, at }, others) => {
    const { parent: holder, last } = pointer.split(at);
    const end = parent.layout.values.get(holder)?.end;
    const otherValue = end === undefined ? undefined : others();
    if (end === undefined || otherValue === undefined) return undefined;
    return {
      text: insert(parent.layout.text, end - 1, `,${quoteText(last)}:${JSON.stringify(otherValue)}`),
      says: `has the name ${quoteText(last)} twice in ${holder === "" ? "the document" : holder} with different values`,
      issue: "contradicted",
      tags: ["confusion"],
    };
  },
};

export const writtenConfusions: readonly WrittenConfusion[] = [pointZeroConfusion, repeatedNameConfusion];

/** Returns the key of a confusion at a member. */
export function writtenKey({ name }: Pick<WrittenConfusion, "name">, { site }: MemberPlace): string {
  return `${name} ${site}`;
}

/** Returns the keys of the confusions that texts of a document show. */
export function findShownByTexts({ model, places }: ConfusionJudges, vectors: readonly Vector[]): Set<string> {
  const shown = new Set<string>();
  for (const vector of vectors)
    for (const confusion of writtenConfusions) {
      const confused = confusion.confusedIn(vector);
      if (confused.size === 0) continue;
      for (const siteOccurrences of occurrences(model, JSON.parse(vector.raw as string) as Json, places).values())
        for (const { place, at } of siteOccurrences)
          if (confusion.isAt(place) && confused.has(pointer.append(at, place.name)))
            shown.add(writtenKey(confusion, place));
    }
  return shown;
}

/** The maximum number of places in messages tried for each member. */
const maxSpots = 6;
const maxValues = 12;

interface MemberSpots {
  spots: Spot[];
  values: Json[];
}

/** Creates the family of texts that show a confusion at the members where no other vector shows it. */
export function confusionFamily(
  judging: ConfusionJudges,
  confusion: WrittenConfusion,
  shown: ReadonlySet<string>,
  keepsRules: (value: Json) => boolean,
): RawFamily {
  const missingPlaces = [...judging.places.values()].filter(
    (place) => confusion.isAt(place) && !shown.has(writtenKey(confusion, place)),
  );
  return {
    name: confusion.name,
    dependsOnMembers: true,
    *propose(context) {
      if (missingPlaces.length === 0) return;
      const spotsBySite = collectSpots(judging, context);
      const names = new Map<string, number>();
      for (const { site } of missingPlaces) {
        const { spots = [], values = [] } = spotsBySite.get(site) ?? {};
        for (const spot of spots) {
          const proposal = confusion.text(spot, () => findOtherValue(spot, values, context, keepsRules));
          if (proposal === undefined) continue;
          const path = pointer.segments(spot.at).join(".");
          const count = (names.get(path) ?? 0) + 1;
          names.set(path, count);
          yield {
            ...proposal,
            parent: spot.parent,
            at: spot.at,
            detail: "member",
            detailSuffix: count === 1 ? path : `${path}:${count}`,
          };
          break;
        }
      }
    },
  };
}

/** Collects the places of each member in messages, and its values there. */
function collectSpots({ model, places }: ConfusionJudges, { find }: RawContext): Map<string, MemberSpots> {
  const spotsBySite = new Map<string, MemberSpots>();
  const sitesByParent = new Map<RawParent, Map<string, string[]>>();
  find((value, at, spot) => {
    for (const site of sitesAt(spot.parent).get(at) ?? []) {
      const { spots, values } = spotsBySite.get(site) ?? { spots: [], values: [] };
      if (spots.length < maxSpots) spots.push(spot);
      if (values.length < maxValues && !values.some((candidate) => equal(candidate, value))) values.push(value);
      spotsBySite.set(site, { spots, values });
    }
    return false;
  });
  return spotsBySite;

  function sitesAt(parent: RawParent): Map<string, string[]> {
    const sites = sitesByParent.get(parent) ?? new Map<string, string[]>();
    if (sitesByParent.has(parent)) return sites;
    sitesByParent.set(parent, sites);
    for (const [site, siteOccurrences] of occurrences(model, parent.value, places))
      for (const { at, place } of siteOccurrences) {
        const member = pointer.append(at, place.name);
        sites.set(member, [...(sites.get(member) ?? []), site]);
      }
    return sites;
  }
}

/** Finds a different value that is valid at a place. */
function findOtherValue(
  { value, before, after }: Spot,
  values: readonly Json[],
  { accepts }: RawContext,
  keepsRules: (value: Json) => boolean,
): Json | undefined {
  return values.find((each) => {
    if (equal(each, value)) return false;
    const whole = JSON.parse(before + JSON.stringify(each) + after) as Json;
    return accepts(whole) && keepsRules(whole);
  });
}
