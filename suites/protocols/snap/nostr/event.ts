import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { addressFor, type Network } from "../rules/address.ts";
import { outputKey, type TestKey } from "../rules/keys.ts";
import { sign, verify } from "../rules/signature.ts";

/** The kinds of events: a message that relays only forward, a message that relays store, and a card. */
export const kinds = { ephemeral: 21339, stored: 4339, card: 31337 } as const;

/** A signed event according to NIP-01. */
export interface NostrEvent {
  id: string;
  pubkey: string;
  created_at: number;
  kind: number;
  tags: string[][];
  content: string;
  sig: string;
}

type UnsignedEvent = Pick<NostrEvent, "created_at" | "kind" | "tags" | "content">;

/** Signs an event with the internal key, as Nostr requires. */
export function signEvent({ secret, internal }: TestKey, unsigned: UnsignedEvent): NostrEvent {
  const id = computeId({ ...unsigned, pubkey: internal });
  return { ...unsigned, id, pubkey: internal, sig: sign(hexToBytes(id), secret) };
}

function computeId({ pubkey, created_at, kind, tags, content }: UnsignedEvent & { pubkey: string }): string {
  const text = JSON.stringify([0, pubkey, created_at, kind, tags, content]);
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}

/** Returns the value as an event, or undefined if its form, id or signature is wrong. */
export function eventIn(value: Json | undefined): NostrEvent | undefined {
  if (!isEvent(value)) return undefined;
  const event = value as unknown as NostrEvent;
  if (computeId(event) !== event.id) return undefined;
  try {
    return verify(event.sig, hexToBytes(event.id), hexToBytes(event.pubkey)) ? event : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(value: Json | undefined): value is JsonObject {
  if (!isObject(value)) return false;
  const { id, pubkey, created_at, kind, tags, content, sig } = value;
  const isTag = (tag: Json): boolean => Array.isArray(tag) && tag.every((item) => typeof item === "string");
  return (
    [id, pubkey].every((hex) => typeof hex === "string" && /^[0-9a-f]{64}$/.test(hex)) &&
    typeof sig === "string" &&
    /^[0-9a-f]{128}$/.test(sig) &&
    Number.isSafeInteger(created_at) &&
    Number.isSafeInteger(kind) &&
    typeof content === "string" &&
    Array.isArray(tags) &&
    tags.every(isTag)
  );
}

/** Returns the address of the party that signs events with this key. Undefined for an invalid key. */
export function addressOf(pubkey: string, network: Network): string | undefined {
  try {
    return addressFor(outputKey(hexToBytes(pubkey)), network);
  } catch {
    return undefined;
  }
}

/** Returns the first value of each tag with this name. */
export function tagValues({ tags }: NostrEvent, name: string): string[] {
  return tags.filter(([tagName]) => tagName === name).map(([, value = ""]) => value);
}
