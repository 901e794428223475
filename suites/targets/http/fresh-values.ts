import { hash } from "node:crypto";
import { type Document, type Freshness, type Json, pointer } from "../../../schemas/index.ts";
import { replaceValueAt } from "../../base/http/replacement.ts";

export interface Occasion {
  /** The places of members that are not changed. */
  keep: readonly string[];
  seed: number;
  /** The time in milliseconds since the epoch. */
  now: number;
  /** Finds a value of this kind that the schema accepts at that place of the message; undefined if there is none. By default, the generated value is used. */
  fitting?: Fitting | undefined;
}

/** A value, and the JSON Pointers of its places: the place of the entry, and others with the same value. */
export interface Fit {
  value: Json;
  places: readonly string[];
}

export type Fitting = (message: Json, entry: Freshness, made: Json, seed: number) => Fit | undefined;

/** The fresh members of a document itself, and of its carrier. */
export interface Freshnesses {
  own: readonly Freshness[];
  carrier: readonly Freshness[];
}

const freshnessesOf = new WeakMap<Document, Freshnesses>();

export function freshIn(document: Document): Freshnesses {
  const knownFreshnesses = freshnessesOf.get(document);
  if (knownFreshnesses !== undefined) return knownFreshnesses;
  const { fresh = [] } = document;
  const entriesFor = (part: "carrier" | undefined) => fresh.filter((entry) => entry.in === part);
  const parts = { own: entriesFor(undefined), carrier: entriesFor("carrier") };
  freshnessesOf.set(document, parts);
  return parts;
}

/** Returns a copy with fresh values for members that a live server requires to be unique or recent. A member that is missing, kept, or not of the type of the fresh value (null, or a fault) is not changed. The seed determines everything except the time. */
export function refreshValues(
  instance: Json,
  entries: readonly Freshness[],
  { keep, seed, now, fitting }: Occasion,
): Json {
  let fresh = instance;
  for (const entry of entries) {
    if (entry.make === "signature" || keep.some((keptPlace) => pointer.areRelated(keptPlace, entry.at))) continue;
    if (typeof pointer.at(entry.at, fresh) !== (entry.make === "unix-time" ? "number" : "string")) continue;
    const made = makeFreshValue(entry, seed, now);
    const fit =
      fitting === undefined
        ? { value: made, places: [entry.at] }
        : fitting(fresh, entry, made, seedFor(seed, entry.at));
    // An old value is better than a fault that the vector does not have.
    for (const place of fit?.places ?? []) fresh = replaceValueAt(fresh, place, () => (fit as Fit).value);
  }
  return fresh;
}

export function makeFreshValue(
  { make: kind, at, prefix = "", offset = 0 }: Freshness,
  seed: number,
  now: number,
): string | number {
  const seconds = Math.floor(now / 1000) + offset;
  switch (kind) {
    case "unix-time":
      return seconds;
    case "date-time":
      return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
    case "token":
      return prefix + drawValue(seed, at).slice(0, 24);
    case "uuid":
      return uuid(drawValue(seed, at));
    case "signature":
      throw new Error("a signature can only be made after all other values");
  }
}

/** Returns 64 hexadecimal digits that depend only on the seed and the place. */
function drawValue(seed: number, at: string): string {
  return hash("sha256", `${seed} ${at}`, "hex");
}

export function seedFor(seed: number, at: string): number {
  return Number.parseInt(drawValue(seed, at).slice(0, 8), 16);
}

/** Formats digits as a UUID of version 4 (RFC 9562). */
function uuid(digits: string): string {
  const variant = "89ab"[Number.parseInt(digits[16] as string, 16) % 4];
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, `$1-$2-4$3-${variant}$4-$5`);
}
