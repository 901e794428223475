import { type Change, type Json, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { formatHolds } from "../formats/check.ts";
import { doubtOf } from "../formats/doubtful-times.ts";
import { formats } from "../formats/table.ts";
import type { Keyword, Location, Model } from "../model/model.ts";
import { endTexts } from "../regex/end-texts.ts";
import { longestTexts } from "./operators/length.ts";

/** The maximum number of base instances, of rounds for each, and of instances with each value. The last equals the kills that most mutants need. */
const maxima = { bases: 4, rounds: 10, turns: 2 };

/** The maximum number of characters of a base instance and of a value, so that vectors stay readable. */
const maxLengths = { base: 20_000, value: 1000 };

/** The largest integer that every reader distinguishes from its neighbours. RFC 8259, 6, lets readers refuse larger ones. */
const largestInteger = Number.MAX_SAFE_INTEGER;

/** A value that an overly strict reader may refuse, and its location. */
interface PackedValue {
  at: string;
  value: Json;
}

/** A valid instance, and the keywords that apply to each of its scalars, by location. */
interface PackedBase {
  data: Json;
  keywordsAt: ReadonlyMap<string, readonly Keyword[]>;
}

/**
 * Makes valid instances that break no rule, each with many values that an overly strict reader refuses: the extremes of patterns, the largest integers, and
 * the special values of other instances. A few of them are enough for a document if its schemas are tested value by value elsewhere.
 */
export function packValues(subject: Subject, valid: readonly Draft[]): Draft[] {
  const keepingRules = valid.filter(({ data }) => keepsRules(subject, data));
  const testedSites = new Set<Location>();
  const drafts: Draft[] = [];
  for (const base of chooseBases(subject.model, keepingRules)) {
    for (const values of planRounds(base, keepingRules, testedSites)) {
      const { data, packedValues } = packTogether(subject, base.data, values);
      if (packedValues.length > 1) drafts.push(draftOf(data, packedValues, drafts.length + 1));
    }
    for (const site of sitesOf(base)) testedSites.add(site);
  }
  return drafts;
}

function keepsRules({ breaches }: Subject, data: Json): boolean {
  return (breaches?.(data) ?? []).length === 0;
}

/** Picks instances that together cover the most keywords, the one with the most first. */
function chooseBases(model: Model, keepingRules: readonly Draft[]): PackedBase[] {
  const candidates = keepingRules.filter(
    ({ tags, data }) => !tags.includes("forcing") && sizeOf(data) <= maxLengths.base,
  );
  const bases = candidates.map(({ data }) => ({ data, keywordsAt: findKeywords(model, data) }));
  const coveredSites = new Set<Location>();
  const chosen: PackedBase[] = [];
  while (chosen.length < maxima.bases) {
    const gains = bases.map((base) => [...sitesOf(base)].filter((site) => !coveredSites.has(site)).length);
    const best = bases[gains.indexOf(Math.max(1, ...gains))];
    if (best === undefined) break;
    chosen.push(best);
    for (const site of sitesOf(best)) coveredSites.add(site);
  }
  return chosen;
}

function sizeOf(value: Json): number {
  return JSON.stringify(value).length;
}

function sitesOf({ keywordsAt }: PackedBase): ReadonlySet<Location> {
  return new Set([...keywordsAt.values()].flatMap((keywords) => keywords.map(({ site }) => site)));
}

/** Finds the keywords that apply to each scalar of an instance, by location. */
function findKeywords(model: Model, data: Json): ReadonlyMap<string, readonly Keyword[]> {
  const keywordsAt = new Map<string, Keyword[]>();
  isValid(model, data, {
    observe: (keyword, at, value) => {
      if (typeof value !== "object" || value === null) keywordsAt.set(at, [...(keywordsAt.get(at) ?? []), keyword]);
    },
  });
  return keywordsAt;
}

/** Plans which values are tried together. In each round every location gets its next value; a second series of rounds gives each value other neighbours. */
function planRounds(
  { data, keywordsAt }: PackedBase,
  keepingRules: readonly Draft[],
  testedSites: ReadonlySet<Location>,
): PackedValue[][] {
  const otherValues = new Map<string, Json[]>();
  for (const draft of keepingRules) {
    const value = pointer.at(draft.at, draft.data);
    if (draft.at !== "" && value !== undefined)
      otherValues.set(draft.at, [...(otherValues.get(draft.at) ?? []), value]);
  }
  const turns: PackedValue[][][] = Array.from({ length: maxima.turns }, () => []);
  let placeCount = 0;
  for (const [at, keywords] of keywordsAt) {
    if (keywords.every(({ site }) => testedSites.has(site))) continue;
    const candidates = [...extremeValues(keywords), ...(otherValues.get(at) ?? [])];
    const presentText = JSON.stringify(pointer.at(at, data));
    const texts = new Set(candidates.map((value) => JSON.stringify(value)).filter((text) => text !== presentText));
    const values = [...texts].filter(({ length }) => length <= maxLengths.value);
    const firstValues = values.slice(0, maxima.rounds);
    if (firstValues.length > 0) placeCount += 1;
    for (const [turn, rounds] of turns.entries())
      for (const [index, text] of firstValues.entries()) {
        const round = (index + turn * placeCount) % firstValues.length;
        rounds[round] ??= [];
        rounds[round].push({ at, value: JSON.parse(text) as Json });
      }
  }
  return turns.flat();
}

/** Lists extreme values of a pattern, a format, a length or a type. */
function extremeValues(keywords: readonly Keyword[]): Json[] {
  const isUnrestricted = keywords.every(({ kind }) => kind === "type" || kind === "maxLength");
  return keywords.flatMap((keyword): Json[] => {
    if (keyword.kind === "type" && keyword.types.includes("string") && isUnrestricted) return [""];
    if (keyword.kind === "pattern") return endTexts(keyword.source);
    if (keyword.kind === "maxLength") return longestTexts(keyword.limit);
    if (keyword.kind === "format") return certainTexts(keyword.format);
    return keyword.kind === "type" && keyword.types.includes("integer") ? [largestInteger] : [];
  });
}

/** Lists sample strings that have the format according to every validator. */
function certainTexts(format: string): string[] {
  const samples = Object.hasOwn(formats, format) ? (formats[format]?.valid ?? []) : [];
  return samples.flatMap(({ value }) =>
    doubtOf(format, value) === undefined && formatHolds(format, value) === true ? [value] : [],
  );
}

/** Puts as many of the values into the instance as possible without making it invalid or breaking a rule. */
function packTogether(
  subject: Subject,
  data: Json,
  values: readonly PackedValue[],
): { data: Json; packedValues: readonly PackedValue[] } {
  const change = values.map(({ at, value }): Change => ({ op: "replace", path: at, value }));
  const packed = applyChanges(data, change);
  if (packed !== undefined && isValid(subject.model, packed, { withoutDoubt: true }) && keepsRules(subject, packed))
    return { data: packed, packedValues: values };
  if (values.length < 2) return { data, packedValues: [] };
  const half = Math.ceil(values.length / 2);
  const first = packTogether(subject, data, values.slice(0, half));
  const second = packTogether(subject, first.data, values.slice(half));
  return { data: second.data, packedValues: [...first.packedValues, ...second.packedValues] };
}

function draftOf(data: Json, packed: readonly PackedValue[], number: number): Draft {
  const names = packed.map(({ at }) => `\`${pointer.segments(at).join(".")}\``);
  const places = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const description = `has unusual values, all of them allowed, in ${places}`;
  return {
    data,
    name: ["", "together", String(number)],
    at: "",
    says: "has many unusual values at once",
    description,
    tags: ["forcing"],
    packed: true,
    features: [],
    uniqueFeatures: [],
  };
}
