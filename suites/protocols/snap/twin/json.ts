import type { Json } from "../../../../schemas/index.ts";
import { NotJson } from "../../../packs/twins/json.ts";

/** Serializes a value by RFC 8785. Throws NotJson for a value without a canonical form. */
export function canonicalText(value: Json): string {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new NotJson("a number that exceeds the range of doubles");
  if (typeof value === "string" && !value.isWellFormed()) throw new NotJson("half a surrogate pair");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${canonicalText(name)}:${canonicalText(value[name] as Json)}`).join(",")}}`;
}

/** Counts the levels of nesting: 0 for a scalar, 1 for a flat list or object. */
export function levelsOf(value: Json): number {
  if (value === null || typeof value !== "object") return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

/** Counts the bytes of a value as compact JSON. */
export function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
