import { isObject, type Json, type PublishedBound, type PublishedLimits, pointer } from "../../schemas/index.ts";

/**
 * The published limit that a message is over, in words; undefined where it is over none that is known. A limit that the profile does not know
 * counts where the refusal names it.
 */
export function overLimit(
  { bounds }: PublishedLimits,
  published: Json | undefined,
  message: string | Uint8Array,
  refusal: string,
): string | undefined {
  if (!isObject(published)) return undefined;
  const value = parsed(message);
  for (const bound of bounds) {
    const most = pointer.at(bound.published, published);
    if (typeof most === "number" && sizeOf(bound, value, message) > most) return beyond(bound.published.slice(1), most);
  }
  const known = bounds.map((bound) => bound.published.slice(1));
  const other = Object.entries(published).find(
    ([name, most]) => typeof most === "number" && !known.includes(name) && hasWord(refusal, name),
  );
  return other === undefined ? undefined : `${beyond(other[0], other[1])}, by its refusal`;
}

function beyond(name: string, most: Json): string {
  return `beyond the server's published ${name}: ${most}`;
}

function sizeOf({ at, measure }: PublishedBound, value: Json | undefined, message: string | Uint8Array): number {
  if (at === "" && measure === "bytes") return Buffer.byteLength(message);
  const part = value === undefined ? undefined : pointer.at(at, value);
  if (part === undefined) return 0;
  if (measure === "bytes") return bytesOf(part);
  const items = Array.isArray(part) ? part : [];
  return measure === "items" ? items.length : Math.max(0, ...items.map(bytesOf));
}

function bytesOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function hasWord(text: string, name: string): boolean {
  return text.split(/[^\w-]+/).includes(name);
}

function parsed(message: string | Uint8Array): Json | undefined {
  try {
    return JSON.parse(typeof message === "string" ? message : Buffer.from(message).toString("utf8")) as Json;
  } catch {
    return undefined;
  }
}
