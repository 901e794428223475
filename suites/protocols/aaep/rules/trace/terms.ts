import type { Sent } from "../../../../../generators/index.ts";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { shortenType } from "../event.ts";

/** The terms of a subscription, which apply from one acceptance to the next. */
export interface SubscriptionTerms {
  requested: JsonObject;
  honored: JsonObject;
}

/** Yields the terms after each acceptance. */
export function* negotiatedTerms(sent: Iterable<Sent>): Generator<{ acceptance: Sent; terms: SubscriptionTerms }> {
  let requested: JsonObject = {};
  for (const sentMessage of sent) {
    const { type, capabilities, honored_capabilities: honored } = sentMessage.message;
    if (sentMessage.from === "subscriber" && isObject(capabilities)) {
      if (type === "subscription.request") requested = capabilities;
      if (type === "subscription.renegotiate") requested = { ...requested, ...capabilities };
    }
    if (sentMessage.from === "producer" && type === "subscription.accepted" && isObject(honored))
      yield { acceptance: sentMessage, terms: { requested, honored } };
  }
}

/** Returns a member of the agreed terms. If the answer omits it, it is granted as requested. */
export function agreedMember({ requested, honored }: SubscriptionTerms, name: string): Json | undefined {
  return honored[name] ?? requested[name];
}

/** Reads the filters in capabilities. The fallback supplies missing members. */
export function filtersOf(capabilities: JsonObject, fallback: JsonObject = {}): TypeFilters {
  const ownFilters = isObject(capabilities.event_filters) ? capabilities.event_filters : {};
  const fallbackFilters = isObject(fallback.event_filters) ? fallback.event_filters : {};
  return {
    include: stringsIn(ownFilters.include ?? fallbackFilters.include),
    exclude: stringsIn(ownFilters.exclude ?? fallbackFilters.exclude) ?? [],
  };
}

export interface TypeFilters {
  /** Undefined if the request is unknown. */
  include: readonly string[] | undefined;
  exclude: readonly string[];
}

export function isExcluded({ exclude }: TypeFilters, type: string): boolean {
  return exclude.some((pattern) => covers(pattern, type));
}

/** Whether filters include a type. Filters without a known list include every type. */
export function isIncluded({ include }: TypeFilters, type: string): boolean {
  return include === undefined || include.some((pattern) => covers(pattern, type));
}

/** Whether a type in its short form equals the pattern, or begins with the part before a final `*`. */
export function covers(pattern: string, type: string): boolean {
  const shortPattern = shortenType(pattern);
  return shortPattern.endsWith("*") ? type.startsWith(shortPattern.slice(0, -1)) : type === shortPattern;
}

/** Returns the strings of a list. Undefined if the value is not a list. */
export function stringsIn(list: Json | undefined): string[] | undefined {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : undefined;
}

/** Whether two language tags match: they are equal, ignoring case, or one is the other with further subtags. */
export function isSameLanguage(tag: string, otherTag: string): boolean {
  const [shorterTag, longerTag] = [tag.toLowerCase(), otherTag.toLowerCase()].sort((a, b) => a.length - b.length) as [
    string,
    string,
  ];
  return longerTag === shorterTag || longerTag.startsWith(`${shorterTag}-`);
}
