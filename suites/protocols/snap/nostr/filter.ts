import { isObject, type Json } from "../../../../schemas/index.ts";
import type { NostrEvent } from "./event.ts";

/** Whether an event passes a filter of a subscription, according to NIP-01. Only single-letter tags are indexed. */
export function passesFilter(filter: Json | undefined, event: NostrEvent): boolean {
  if (!isObject(filter)) return false;
  return Object.entries(filter).every(([name, wanted]) => matchesFilter(name, wanted, event));
}

function matchesFilter(name: string, wanted: Json, event: NostrEvent): boolean {
  const has = (value: Json): boolean => Array.isArray(wanted) && wanted.includes(value);
  switch (name) {
    case "kinds":
      return has(event.kind);
    case "authors":
      return has(event.pubkey);
    case "ids":
      return has(event.id);
    case "since":
      return typeof wanted === "number" && event.created_at >= wanted;
    case "until":
      return typeof wanted === "number" && event.created_at <= wanted;
    default: {
      const letter = /^#([a-zA-Z])$/.exec(name)?.[1];
      return letter === undefined || event.tags.some(([its, value = ""]) => its === letter && has(value));
    }
  }
}
