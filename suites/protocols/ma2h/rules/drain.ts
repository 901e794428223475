import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { parseHeader } from "../../ahcp/rules/header.ts";
import { type EntryKind, kinds } from "./kinds.ts";

const headerName = "MA2H-Signature: ";

/** The answer to a drain, entry by entry. */
function* entriesOf(record: Json): Generator<{ entry: JsonObject; at: string }> {
  const messages = isObject(record) && isObject(record.body) ? record.body.messages : undefined;
  for (const [index, entry] of (Array.isArray(messages) ? messages : []).entries())
    if (isObject(entry)) yield { entry, at: `/body/messages/${index}` };
}

const form: Checker = {
  rule: "MA2H-INB-001",
  documents: ["drain"],
  *check(record): Iterable<Breach> {
    if (!isObject(record)) return;
    const { body } = record;
    if (Array.isArray(body)) yield { at: "/body", why: "is the list alone, without the object around it" };
    for (const { entry, at } of entriesOf(record)) {
      const there = kinds.filter(({ member }) => Object.hasOwn(entry, member));
      if (there.length !== 1)
        yield { at, why: there.length === 0 ? "has none of the four kinds" : `has ${there.length} kinds at once` };
      yield* ofSignature(entry, at);
    }
  },
};

function* ofSignature({ signature }: JsonObject, at: string): Iterable<Breach> {
  if (signature === undefined) yield { at, why: "has no signature" };
  if (typeof signature !== "string") return;
  const isNamed = signature.startsWith(headerName);
  if (parseHeader(isNamed ? signature.slice(headerName.length) : signature, true) === undefined)
    yield { at: `${at}/signature`, why: "is not written MA2H-Signature: t=…,jti=…,v1=…" };
  else if (!isNamed) yield { at: `${at}/signature`, why: "lacks the name of the header", level: "SHOULD" };
}

const keys: Checker = {
  rule: "MA2H-ENT-010",
  documents: ["drain"],
  *check(record): Iterable<Breach> {
    const seen = new Map<string, string>();
    for (const { entry, at } of entriesOf(record))
      for (const { member, key, prefix } of kinds) {
        const value = keyOf(entry, { member, key });
        if (value === undefined) continue;
        const place = `${at}/${member}/${key}`;
        if (!value.startsWith(prefix) && !isOld(entry[member]))
          yield { at: place, why: `is "${value}", and keys of this kind begin with ${prefix}` };
        const other = seen.get(value);
        if (other !== undefined) yield { at: place, why: `is the key of ${other} as well` };
        seen.set(value, place);
      }
  },
};

function keyOf(entry: JsonObject, { member, key }: Pick<EntryKind, "member" | "key">): string | undefined {
  const held = entry[member];
  const value = isObject(held) ? held[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Prefixes began with minor 5. */
function isOld(held: Json | undefined): boolean {
  return isObject(held) && typeof held.ma2h_version === "string" && /^0\.[0-4]$/.test(held.ma2h_version);
}

const algorithms: Checker = {
  rule: "MA2H-DSG-004",
  documents: ["drain"],
  *check(record): Iterable<Breach> {
    const published = isObject(record) ? record.signature_algs : undefined;
    if (!Array.isArray(published)) return;
    for (const { entry, at } of entriesOf(record)) {
      if (typeof entry.signature !== "string") continue;
      const header = parseHeader(entry.signature.replace(headerName, ""), true);
      const used = header === undefined ? undefined : byLength[header.v1.length];
      if (used !== undefined && !published.includes(used))
        yield { at: `${at}/signature`, why: `is made by ${used}, which is not published` };
    }
  },
};

const byLength: Readonly<Record<number, string>> = { 32: "hmac-sha256", 64: "ed25519" };

export const drainCheckers: readonly Checker[] = [form, keys, algorithms];
