import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { integerOf, pointerStep, type ReaderNotes } from "../../../packs/twins/json.ts";

/** The rules of form that a check applies. */
export const forms: Readonly<
  Record<"id" | "method" | "address" | "version" | "release" | "sig" | "key" | "slug" | "media", RegExp>
> = {
  id: /^[a-zA-Z0-9_-]+$/,
  method: /^[a-z]+\/[a-z_]+$/,
  address: /^(bc1p|tb1p)[a-z0-9]{58}$/,
  version: /^[0-9]+\.[0-9]+$/,
  release: /^[0-9]+\.[0-9]+\.[0-9]+$/,
  sig: /^[0-9a-f]{128}$/,
  key: /^[0-9a-f]{64}$/,
  slug: /^[a-z0-9-]+$/,
  media: /^[a-z]+\/[a-z0-9_.+-]+$/,
};

/** Surrogate pairs: two UTF-16 units each, but one character. */
const surrogatePairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/** The fault of a document: in its form, or found only by code. */
export interface DocumentFault {
  at: string;
  why: string;
  step: "form" | "code";
}

/** Returns whether a freedom is used to refuse. */
export type Strict = (freedom: string) => boolean;

interface Length {
  min?: number;
  max?: number;
  form?: RegExp;
}

/** Collects the faults of one document. */
export class DocumentCheck {
  faults: DocumentFault[] = [];
  readonly strict: Strict;
  readonly notes: ReaderNotes | undefined;
  readonly #step: DocumentFault["step"];

  constructor(strict: Strict, notes?: ReaderNotes, by: DocumentFault["step"] = "form") {
    this.strict = strict;
    this.notes = notes;
    this.#step = by;
  }

  /** Makes a new check with the same freedoms. */
  emptyCopy(): DocumentCheck {
    return new DocumentCheck(this.strict, this.notes);
  }

  /** Runs a check whose faults all count as found by code. */
  code(judge: (inner: DocumentCheck) => void): void {
    const inner = new DocumentCheck(this.strict, this.notes, "code");
    judge(inner);
    this.faults.push(...inner.faults);
  }

  addFormFault(at: string, why: string): false {
    this.faults.push({ at, why, step: this.#step });
    return false;
  }

  addCodeFault(at: string, why: string): false {
    this.faults.push({ at, why, step: "code" });
    return false;
  }

  /** Makes a check for senders: a receiver may ignore unknown members, but a sender must not add any. */
  forSender(): DocumentCheck {
    const inner = new DocumentCheck(
      (freedom) => freedom === "unknown-members" || this.strict(freedom),
      this.notes,
      this.#step,
    );
    inner.faults = this.faults;
    return inner;
  }

  /** Checks that a value is an object with only these members, apart from permitted extensions and ignored members. */
  object(
    value: Json | undefined,
    at: string,
    allowedNames: string,
    { requiredNames = "", isOpen = false }: { requiredNames?: string; isOpen?: boolean } = {},
  ): value is JsonObject {
    if (!isObject(value)) return this.addFormFault(at, "is not an object");
    for (const name of splitNames(requiredNames))
      if (!Object.hasOwn(value, name)) this.addFormFault(`${at}/${name}`, "is missing");
    if (!this.strict("unknown-members")) return true;
    const knownNames = new Set(splitNames(allowedNames));
    for (const name of Object.keys(value))
      if (!knownNames.has(name) && !(isOpen && name.startsWith("x-")))
        this.addFormFault(`${at}/${pointerStep(name)}`, "is not allowed");
    return true;
  }

  text(value: Json | undefined, at: string, { min = 0, max = Infinity, form }: Length = {}): value is string {
    if (typeof value !== "string") return this.addFormFault(at, "is not a string");
    // Surrogate pairs are counted only near the bounds, where they matter.
    const isFarFromBounds = value.length <= max && value.length >= 2 * min;
    const length = isFarFromBounds ? value.length : value.length - (value.match(surrogatePairs)?.length ?? 0);
    if (length < min || length > max) return this.addFormFault(at, "is too short or too long");
    return form === undefined || form.test(value) ? true : this.addFormFault(at, "does not match the pattern");
  }

  list(
    value: Json | undefined,
    at: string,
    [min, max]: readonly [min: number, max: number],
    each: (item: Json, at: string) => void,
  ): void {
    if (!Array.isArray(value)) return void this.addFormFault(at, "is not a list");
    if (value.length < min || value.length > max) this.addFormFault(at, "has too few or too many items");
    for (const [index, item] of value.entries()) each(item, `${at}/${index}`);
  }

  choice(value: Json | undefined, at: string, choices: readonly string[]): void {
    if (!choices.includes(value as string)) this.addFormFault(at, "is not one of the allowed values");
  }

  id(value: Json | undefined, at: string): boolean {
    return this.text(value, at, { min: 1, max: 128, form: forms.id });
  }

  integer(value: Json | undefined, at: string, min: number, max: number = Infinity): value is number {
    if (typeof value !== "number") return this.addFormFault(at, "is not a number");
    const exactText = this.strict("exact-numbers") ? this.notes?.inexact.get(at) : undefined;
    const isWhole = exactText === undefined ? Number.isInteger(value) : integerOf(exactText) !== undefined;
    if (!isWhole) return this.addFormFault(at, "is not an integer");
    return value >= min && value <= max ? true : this.addFormFault(at, "is out of range");
  }

  /** Checks the members that exist, each with its own judge. */
  members(value: JsonObject, at: string, judges: Readonly<Record<string, (value: Json, at: string) => unknown>>): void {
    for (const [name, judge] of Object.entries(judges))
      if (Object.hasOwn(value, name)) judge(value[name] as Json, `${at}/${name}`);
  }
}

export function splitNames(list: string): string[] {
  return list === "" ? [] : list.split(" ");
}
