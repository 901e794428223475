import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { parseHeader } from "../../ahcp/rules/header.ts";
import { type EntryKind, kinds } from "./kinds.ts";

const headerName = "MA2H-Signature: ";

/** The entries in the answer to a drain, with their JSON pointers. */
function* entriesOf(record: Json): Generator<{ entry: JsonObject; at: string }> {
  const messages = isObject(record) && isObject(record.body) ? record.body.messages : undefined;
  for (const [index, entry] of (Array.isArray(messages) ? messages : []).entries())
    if (isObject(entry)) yield { entry, at: `/body/messages/${index}` };
}

const entryFormChecker: Checker = {
  rule: "MA2H-INB-001",
  documents: ["drain"],
  *check(record): Iterable<Breach> {
    if (!isObject(record)) return;
    const { body } = record;
    if (Array.isArray(body)) yield { at: "/body", why: "is the list alone, without the object around it" };
    for (const { entry, at } of entriesOf(record)) {
      const { length: kindCount } = kinds.filter(({ member }) => Object.hasOwn(entry, member));
      if (kindCount !== 1)
        yield { at, why: kindCount === 0 ? "has none of the four kinds" : `has ${kindCount} kinds at once` };
      yield* checkSignature(entry, at);
    }
  },
};

function* checkSignature({ signature }: JsonObject, at: string): Iterable<Breach> {
  if (signature === undefined) yield { at, why: "has no signature" };
  if (typeof signature !== "string") return;
  const isNamed = signature.startsWith(headerName);
  if (parseHeader(isNamed ? signature.slice(headerName.length) : signature, true) === undefined)
    yield { at: `${at}/signature`, why: "is not written MA2H-Signature: t=…,jti=…,v1=…" };
  else if (!isNamed) yield { at: `${at}/signature`, why: "lacks the name of the header", level: "SHOULD" };
}

const keyChecker: Checker = {
  rule: "MA2H-ENT-010",
  documents: ["drain"],
  *check(record): Iterable<Breach> {
    const pointersByKey = new Map<string, string>();
    for (const { entry, at } of entriesOf(record))
      for (const { member, key, prefix } of kinds) {
        const value = keyOf(entry, { member, key });
        if (value === undefined) continue;
        const pointer = `${at}/${member}/${key}`;
        if (!value.startsWith(prefix) && !predatesPrefixes(entry[member]))
          yield { at: pointer, why: `is "${value}", and keys of this kind begin with ${prefix}` };
        const earlierPointer = pointersByKey.get(value);
        if (earlierPointer !== undefined) yield { at: pointer, why: `is the key of ${earlierPointer} as well` };
        pointersByKey.set(value, pointer);
      }
  },
};

function keyOf(entry: JsonObject, { member, key }: Pick<EntryKind, "member" | "key">): string | undefined {
  const payload = entry[member];
  const value = isObject(payload) ? payload[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Whether an entry is older than version 0.5, which introduced the prefixes of keys. */
function predatesPrefixes(payload: Json | undefined): boolean {
  return isObject(payload) && typeof payload.ma2h_version === "string" && /^0\.[0-4]$/.test(payload.ma2h_version);
}

const algorithmChecker: Checker = {
  rule: "MA2H-DSG-004",
  documents: ["drain"],
  *check(record): Iterable<Breach> {
    const published = isObject(record) ? record.signature_algs : undefined;
    if (!Array.isArray(published)) return;
    for (const { entry, at } of entriesOf(record)) {
      if (typeof entry.signature !== "string") continue;
      const header = parseHeader(entry.signature.replace(headerName, ""), true);
      const algorithm = header === undefined ? undefined : algorithmByLength[header.v1.length];
      if (algorithm !== undefined && !published.includes(algorithm))
        yield { at: `${at}/signature`, why: `is made by ${algorithm}, which is not published` };
    }
  },
};

/** The signature algorithms, by the length of their signatures in bytes. */
const algorithmByLength: Readonly<Record<number, string>> = { 32: "hmac-sha256", 64: "ed25519" };

export const drainCheckers: readonly Checker[] = [entryFormChecker, keyChecker, algorithmChecker];
