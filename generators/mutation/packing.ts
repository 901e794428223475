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

/** The maximum number of base instances, of rounds for each, and of instances with each value. The last is the number of kills that a mutant should have. */
const maxima = { bases: 4, rounds: 10, turns: 2 };

/** Characters; a larger vector is unreadable. */
const maxLengths = { base: 20_000, value: 1000 };

/** The largest integer that every reader distinguishes from its neighbours. RFC 8259, 6, lets readers refuse larger ones. */
const large = Number.MAX_SAFE_INTEGER;

/** A value that a too strict reader may refuse, and its location. */
interface PackedValue {
  at: string;
  value: Json;
}

/** A valid instance, and the keywords that concern each of its values. */
interface PackedBase {
  data: Json;
  keywordsAt: ReadonlyMap<string, readonly Keyword[]>;
}

/**
 * Valid instances that break no rule, each with many values that a too strict reader refuses: the extremes of patterns, the largest integers, and special
 * values of other such instances at their own locations. So a few of them are enough for a document with schemas that are tested value by value elsewhere.
 */
export function packValues(subject: Subject, valid: readonly Draft[]): Draft[] {
  const keepingRules = valid.filter(({ data }) => keepsRules(subject, data));
  const known = new Set<Location>();
  const found: Draft[] = [];
  for (const base of chooseBases(subject.model, keepingRules)) {
    for (const values of planRounds(base, keepingRules, known)) {
      const { data, taken: packed } = packTogether(subject, base.data, values);
      if (packed.length > 1) found.push(draftOf(data, packed, found.length + 1));
    }
    for (const site of sitesOf(base)) known.add(site);
  }
  return found;
}

function keepsRules({ breaches }: Subject, data: Json): boolean {
  return (breaches?.(data) ?? []).length === 0;
}

/** Instances that together have the most keywords, the one with the most first. */
function chooseBases(model: Model, keepingRules: readonly Draft[]): PackedBase[] {
  const whole = keepingRules.filter(({ tags, data }) => !tags.includes("forcing") && sizeOf(data) <= maxLengths.base);
  const all = whole.map(({ data }) => ({ data, keywordsAt: findKeywords(model, data) }));
  const seen = new Set<Location>();
  const found: PackedBase[] = [];
  while (found.length < maxima.bases) {
    const gains = all.map((base) => [...sitesOf(base)].filter((site) => !seen.has(site)).length);
    const best = all[gains.indexOf(Math.max(1, ...gains))];
    if (best === undefined) break;
    found.push(best);
    for (const site of sitesOf(best)) seen.add(site);
  }
  return found;
}

function sizeOf(value: Json): number {
  return JSON.stringify(value).length;
}

function sitesOf({ keywordsAt }: PackedBase): ReadonlySet<Location> {
  return new Set([...keywordsAt.values()].flatMap((keywords) => keywords.map(({ site }) => site)));
}

/** The keywords that concern each scalar of an instance, by its location. */
function findKeywords(model: Model, data: Json): ReadonlyMap<string, readonly Keyword[]> {
  const found = new Map<string, Keyword[]>();
  isValid(model, data, {
    observe: (keyword, at, value) => {
      if (typeof value !== "object" || value === null) found.set(at, [...(found.get(at) ?? []), keyword]);
    },
  });
  return found;
}

/** The values that are tried together: at each location the first value in the first round, the second in the second; then again with other neighbours. */
function planRounds(
  { data, keywordsAt }: PackedBase,
  keepingRules: readonly Draft[],
  known: ReadonlySet<Location>,
): PackedValue[][] {
  const others = new Map<string, Json[]>();
  for (const draft of keepingRules) {
    const value = pointer.at(draft.at, draft.data);
    if (draft.at !== "" && value !== undefined) others.set(draft.at, [...(others.get(draft.at) ?? []), value]);
  }
  const turns: PackedValue[][][] = Array.from({ length: maxima.turns }, () => []);
  let place = 0;
  for (const [at, keywords] of keywordsAt) {
    if (keywords.every(({ site }) => known.has(site))) continue;
    const all = [...extremeValues(keywords), ...(others.get(at) ?? [])];
    const own = JSON.stringify(pointer.at(at, data));
    const texts = new Set(all.map((value) => JSON.stringify(value)).filter((text) => text !== own));
    const values = [...texts].filter(({ length }) => length <= maxLengths.value);
    const tried = values.slice(0, maxima.rounds);
    if (tried.length > 0) place += 1;
    for (const [turn, found] of turns.entries())
      for (const [index, text] of tried.entries()) {
        const round = (index + turn * place) % tried.length;
        found[round] ??= [];
        found[round].push({ at, value: JSON.parse(text) as Json });
      }
  }
  return turns.flat();
}

/** Extreme values of a pattern, a format, a length or a type. */
function extremeValues(keywords: readonly Keyword[]): Json[] {
  const isFree = keywords.every(({ kind }) => kind === "type" || kind === "maxLength");
  return keywords.flatMap((keyword): Json[] => {
    if (keyword.kind === "type" && keyword.types.includes("string") && isFree) return [""];
    if (keyword.kind === "pattern") return endTexts(keyword.source);
    if (keyword.kind === "maxLength") return longestTexts(keyword.limit);
    if (keyword.kind === "format") return certainTexts(keyword.format);
    return keyword.kind === "type" && keyword.types.includes("integer") ? [large] : [];
  });
}

/** Texts that have a format according to every validator. */
function certainTexts(format: string): string[] {
  const samples = Object.hasOwn(formats, format) ? (formats[format]?.valid ?? []) : [];
  return samples.flatMap(({ value }) =>
    doubtOf(format, value) === undefined && formatHolds(format, value) === true ? [value] : [],
  );
}

/** The instance with as many of the values as leave it valid and break no rule, and these values. */
function packTogether(
  subject: Subject,
  data: Json,
  values: readonly PackedValue[],
): { data: Json; taken: readonly PackedValue[] } {
  const change = values.map(({ at, value }): Change => ({ op: "replace", path: at, value }));
  const packed = applyChanges(data, change);
  if (packed !== undefined && isValid(subject.model, packed, { withoutDoubt: true }) && keepsRules(subject, packed))
    return { data: packed, taken: values };
  if (values.length < 2) return { data, taken: [] };
  const half = Math.ceil(values.length / 2);
  const first = packTogether(subject, data, values.slice(0, half));
  const second = packTogether(subject, first.data, values.slice(half));
  return { data: second.data, taken: [...first.taken, ...second.taken] };
}

function draftOf(data: Json, taken: readonly PackedValue[], number: number): Draft {
  const names = taken.map(({ at }) => `\`${pointer.segments(at).join(".")}\``);
  const listed = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const description = `has unusual values, all of them allowed, in ${listed}`;
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
