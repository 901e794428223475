import { isObject, type Json, type PublishedBound, type PublishedLimits, pointer } from "../../../schemas/index.ts";

/** A message that was refused. */
export interface RefusedMessage {
  message: string | Uint8Array;
  /** The body of the answer that refused it. */
  refusal: string;
  /** The size in bytes of the largest message accepted so far. If it exceeds the published limit, the server does not count every byte. */
  acceptedSize: number;
}

/**
 * Returns the published limit that a message exceeds, in words; undefined if there is none. A limit that the profile does not name
 * counts if the refusal names it.
 */
export function exceededLimit(
  { addresses = [], bounds }: PublishedLimits,
  published: Json | undefined,
  { message, refusal, acceptedSize }: RefusedMessage,
): string | undefined {
  const value = parseMessage(message);
  const unusual = addresses.find(({ at, schemes }) =>
    isUnusualAddress(value === undefined ? undefined : pointer.at(at, value), schemes),
  );
  if (unusual !== undefined)
    return `not accepted by every server: a policy of its own may refuse ${unusual.at}, which is not ${unusual.schemes.join(" or ")}, or holds a user`;
  if (!isObject(published)) return undefined;
  for (const bound of bounds) {
    const limit = pointer.at(bound.published, published);
    if (typeof limit !== "number" || (boundsWholeMessage(bound) && acceptedSize > limit)) continue;
    if (sizeOf(bound, value, message) > limit) return describeExcess(bound.published.slice(1), limit);
  }
  const knownMembers = bounds.map((bound) => bound.published.slice(1));
  const namedLimit = Object.entries(published).find(
    ([name, most]) => typeof most === "number" && !knownMembers.includes(name) && hasWord(refusal, name),
  );
  return namedLimit === undefined ? undefined : `${describeExcess(namedLimit[0], namedLimit[1])}, by its refusal`;
}

/** Returns the size of a message in bytes, as sent or without white space, whichever is smaller: some servers measure the parsed message. */
export function minimumSize(message: string | Uint8Array): number {
  const value = parseMessage(message);
  const bytes = Buffer.byteLength(message);
  return value === undefined ? bytes : Math.min(bytes, bytesOf(value));
}

/** Whether a valid address has a scheme that is not listed, or contains a user or password. */
function isUnusualAddress(address: Json | undefined, schemes: readonly string[]): boolean {
  if (typeof address !== "string" || !/^[a-z][a-z0-9+.-]*:\S+$/i.test(address)) return false;
  const [scheme = ""] = address.toLowerCase().split(":");
  return !schemes.includes(scheme) || /^[^:]+:\/\/[^/?#]*@/.test(address);
}

function describeExcess(name: string, most: Json): string {
  return `beyond the server's published ${name}: ${most}`;
}

function boundsWholeMessage({ at, measure }: PublishedBound): boolean {
  return at === "" && measure === "bytes";
}

function sizeOf(bound: PublishedBound, value: Json | undefined, message: string | Uint8Array): number {
  const { at, measure } = bound;
  if (boundsWholeMessage(bound)) return Math.max(Buffer.byteLength(message), value === undefined ? 0 : bytesOf(value));
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

/** Parses a message. Undefined for text that is not JSON, and for values nested too deeply to be written again. */
function parseMessage(message: string | Uint8Array): Json | undefined {
  try {
    const value = JSON.parse(typeof message === "string" ? message : Buffer.from(message).toString("utf8")) as Json;
    return bytesOf(value) > 0 ? value : undefined;
  } catch {
    return undefined;
  }
}
