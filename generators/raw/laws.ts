import { parse, tokenize } from "@humanwhocodes/momoa";
import { equal, isObject, type Json, type Protocol, pointer, readJson, type Vector } from "../../schemas/index.ts";
import type { VectorBreach } from "../laws.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { yamlEditions } from "./yaml.ts";

/**
 * Checks the verdicts of raw vectors with independent parsers. Every parser reads a valid text as its parent's value, except at `at`. Parsers refuse an
 * invalid text, unless a rule forbids more than RFC 8259 or the schema refuses the value. At least one parser reads a disputed text.
 */
export function rawLaw(
  protocol: Protocol,
  oracle: Oracle,
  parents: ReadonlyMap<string, Json>,
  vectors: readonly Vector[],
): VectorBreach[] {
  const accepts = (value: Json): boolean => oracle.judge(value).verdict === "valid";
  const yaml = protocol.profile.text?.yaml === true;
  return vectors.flatMap((vector): VectorBreach[] => {
    if (vector.data !== undefined) return [];
    const parent = parents.get(vector.parent ?? "");
    if (parent === undefined)
      return [{ id: vector.id, law: "parent", why: "its parent is not among the valid vectors" }];
    const source = vector.raw === undefined ? Buffer.from(vector.base64 ?? "", "base64") : Buffer.from(vector.raw);
    const asYaml = (): boolean => yaml && yamlEditions(source, accepts).length > 0;
    const whyWrong = (): string | undefined => {
      if (vector.valid === undefined) return whyNotOpen(vector, source, asYaml);
      if (vector.valid) return whyNotValid(vector, source, parent, accepts);
      return whyNotInvalid(vector, source, accepts, asYaml);
    };
    const why = whyWrong();
    return why === undefined ? [] : [{ id: vector.id, law: "verdict", why }];
  });
}

function whyNotValid(
  { at }: Vector,
  source: Uint8Array,
  parent: Json,
  accepts: (value: Json) => boolean,
): string | undefined {
  for (const [name, read] of Object.entries(readers))
    if (attempt(read, source) === undefined) return `${name} refuses it`;
  const value = attempt(readers["JSON.parse"], source) as Json;
  const isAlike = equal(value, parent) || (at !== undefined && equal(blank(value, at), blank(parent, at)));
  if (!isAlike) return "it does not mean what its parent does";
  return accepts(value) ? undefined : "the schema refuses what it means";
}

function whyNotInvalid(
  { rule }: Vector,
  source: Uint8Array,
  accepts: (value: Json) => boolean,
  asYaml: () => boolean,
): string | undefined {
  const [byJsonParse, byMomoa, byReadJson] = Object.values(readers).map((read) => attempt(read, source));
  if (byJsonParse === undefined && byMomoa === undefined && byReadJson === undefined)
    return asYaml() ? "a YAML reader accepts it" : undefined;
  if (byJsonParse === undefined || byMomoa === undefined) return "one parser reads it and another does not";
  if (byReadJson === undefined) return rule === undefined ? "no rule says more than RFC 8259 does" : undefined;
  return accepts(byJsonParse) ? "every parser reads it, and the schema accepts what it means" : undefined;
}

function whyNotOpen({ readings = [] }: Vector, source: Uint8Array, asYaml: () => boolean): string | undefined {
  if (new Set(readings.map(({ verdict }) => verdict)).size < 2) return "all its readings are the same";
  const [first, second, third] = source;
  const withoutMark = first === 0xef && second === 0xbb && third === 0xbf ? source.subarray(3) : source;
  return attempt(readers["JSON.parse"], withoutMark) !== undefined || asYaml() ? undefined : "no parser reads it";
}

type TextRange = [start: number, end: number];

/** Independent parsers. Each throws for a text that it cannot read. */
const readers = {
  "JSON.parse": (source: Uint8Array): Json => JSON.parse(decodeBytes(source)) as Json,
  momoa(source: Uint8Array): Json {
    const text = decodeBytes(source);
    const tokens = tokenize(text, { mode: "json", ranges: true }).map(({ range }) =>
      text.slice(...(range as TextRange)),
    );
    // Momoa accepts control characters in strings, which JSON forbids.
    const control = tokens.some((token) => token.startsWith('"') && /[\u0000-\u001f]/.test(token));
    if (control) throw new SyntaxError("a string has a control character");
    parse(text, { mode: "json" });
    return null;
  },
  /** Our parser. It refuses repeated names, half surrogate pairs and byte order marks. */
  readJson: (source: Uint8Array): Json => readJson(source, "vector").value,
} as const;

function attempt(read: (source: Uint8Array) => Json, source: Uint8Array): Json | undefined {
  try {
    return read(source);
  } catch {
    return undefined;
  }
}

function decodeBytes(source: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(source);
}

/** Replaces the part of a value at a location by null. */
function blank(value: Json, at: string): Json {
  const [step, ...rest] = pointer.segments(at);
  if (step === undefined) return null;
  const below = rest.map((segment) => `/${pointer.escaped(segment)}`).join("");
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === step ? blank(item, below) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === step ? blank(member, below) : member]),
  );
}
