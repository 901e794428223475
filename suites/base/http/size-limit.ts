import { isObject, type Json, type PublishedBound, type PublishedLimits, pointer } from "../../../schemas/index.ts";

/** A message that was refused. */
export interface RefusedMessage {
  message: string | Uint8Array;
  /** Body of the answer. */
  refusal: string;
  /** Minimum size in bytes of the largest accepted message: a server that accepts more than it publishes counts only some bytes. */
  taken: number;
}

/**
 * The published limit that a message exceeds, in words; undefined if it exceeds no known limit. A limit that the profile does not name
 * counts if the refusal names it.
 */
export function overLimit(
  { addresses = [], bounds }: PublishedLimits,
  published: Json | undefined,
  { message, refusal, taken }: RefusedMessage,
): string | undefined {
  const value = parseMessage(message);
  const oddAddress = addresses.find(({ at, schemes }) =>
    isOdd(value === undefined ? undefined : pointer.at(at, value), schemes),
  );
  if (oddAddress !== undefined)
    return `not accepted by every server: a policy of its own may refuse ${oddAddress.at}, which is not ${oddAddress.schemes.join(" or ")}, or holds a user`;
  if (!isObject(published)) return undefined;
  for (const bound of bounds) {
    const limit = pointer.at(bound.published, published);
    if (typeof limit !== "number" || (isWhole(bound) && taken > limit)) continue;
    if (sizeOf(bound, value, message) > limit) return describeExcess(bound.published.slice(1), limit);
  }
  const knownMembers = bounds.map((bound) => bound.published.slice(1));
  const other = Object.entries(published).find(
    ([name, most]) => typeof most === "number" && !knownMembers.includes(name) && hasWord(refusal, name),
  );
  return other === undefined ? undefined : `${describeExcess(other[0], other[1])}, by its refusal`;
}

/** Bytes of a message, as it is or without white space: some servers count the parsed message. */
export function leastBytes(message: string | Uint8Array): number {
  const value = parseMessage(message);
  const bytes = Buffer.byteLength(message);
  return value === undefined ? bytes : Math.min(bytes, bytesOf(value));
}

/** Whether an address that can be read has another scheme, or a user or password in it. */
function isOdd(address: Json | undefined, schemes: readonly string[]): boolean {
  if (typeof address !== "string" || !/^[a-z][a-z0-9+.-]*:\S+$/i.test(address)) return false;
  const [scheme = ""] = address.toLowerCase().split(":");
  return !schemes.includes(scheme) || /^[^:]+:\/\/[^/?#]*@/.test(address);
}

function describeExcess(name: string, most: Json): string {
  return `beyond the server's published ${name}: ${most}`;
}

function isWhole({ at, measure }: PublishedBound): boolean {
  return at === "" && measure === "bytes";
}

function sizeOf(bound: PublishedBound, value: Json | undefined, message: string | Uint8Array): number {
  const { at, measure } = bound;
  if (isWhole(bound)) return Math.max(Buffer.byteLength(message), value === undefined ? 0 : bytesOf(value));
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

/** Undefined for a text that is not JSON, and for values nested too deeply to write again. */
function parseMessage(message: string | Uint8Array): Json | undefined {
  try {
    const value = JSON.parse(typeof message === "string" ? message : Buffer.from(message).toString("utf8")) as Json;
    return bytesOf(value) > 0 ? value : undefined;
  } catch {
    return undefined;
  }
}
