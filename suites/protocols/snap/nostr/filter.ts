import { isObject, type Json } from "../../../../schemas/index.ts";
import type { NostrEvent } from "./event.ts";

/** Whether an event passes a filter of a subscription, according to NIP-01. Only single-letter tags are indexed. */
export function passesFilter(filter: Json | undefined, event: NostrEvent): boolean {
  if (!isObject(filter)) return false;
  return Object.entries(filter).every(([name, condition]) => meetsCondition(name, condition, event));
}

function meetsCondition(name: string, condition: Json, event: NostrEvent): boolean {
  const includes = (value: Json): boolean => Array.isArray(condition) && condition.includes(value);
  switch (name) {
    case "kinds":
      return includes(event.kind);
    case "authors":
      return includes(event.pubkey);
    case "ids":
      return includes(event.id);
    case "since":
      return typeof condition === "number" && event.created_at >= condition;
    case "until":
      return typeof condition === "number" && event.created_at <= condition;
    default: {
      const letter = /^#([a-zA-Z])$/.exec(name)?.[1];
      return letter === undefined || event.tags.some(([tagName, value = ""]) => tagName === letter && includes(value));
    }
  }
}
