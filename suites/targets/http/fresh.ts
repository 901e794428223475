import { createHash } from "node:crypto";
import { type Freshness, type Json, pointer } from "../../../schemas/index.ts";
import { place } from "./place.ts";

export interface Occasion {
  /** Members that stay as they are. */
  keep: readonly string[];
  seed: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * A copy in which the members that a live server wants unique, or near now, are so. A member that is absent, kept, or of another
 * type than what would be made (null, or a fault) is left alone. The seed decides everything but the time.
 */
export function freshen(instance: Json, entries: readonly Freshness[], { keep, seed, now }: Occasion): Json {
  let fresh = instance;
  for (const entry of entries) {
    const there = pointer.at(entry.at, instance);
    const made = make(entry, seed, now);
    if (typeof there !== typeof made || keep.some((kept) => pointer.related(kept, entry.at))) continue;
    fresh = place(fresh, entry.at, made);
  }
  return fresh;
}

function make({ make: kind, at, prefix = "", offset = 0 }: Freshness, seed: number, now: number): string | number {
  const seconds = Math.floor(now / 1000) + offset;
  switch (kind) {
    case "unix-time":
      return seconds;
    case "date-time":
      return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
    case "token":
      return prefix + letters(drawn(seed, at));
    case "uuid":
      return uuid(drawn(seed, at));
  }
}

/** 32 bytes that only the seed and the place decide. */
function drawn(seed: number, at: string): Buffer {
  return createHash("sha256").update(`${seed} ${at}`).digest();
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** 24 letters and digits. */
function letters(bytes: Buffer): string {
  return [...bytes.subarray(0, 24)].map((byte) => alphabet[byte % alphabet.length]).join("");
}

/** RFC 9562, version 4. */
function uuid(bytes: Buffer): string {
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
