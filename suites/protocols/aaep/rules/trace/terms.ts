import type { Sent } from "../../../../../generators/index.ts";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { shortenType } from "../event.ts";

/** The terms of a subscription, from one acceptance to the next. */
export interface SubscriptionTerms {
  requested: JsonObject;
  honored: JsonObject;
}

/** The terms after each message that changes them. */
export function* negotiatedTerms(sent: Iterable<Sent>): Generator<{ from: Sent; terms: SubscriptionTerms }> {
  let requested: JsonObject = {};
  for (const each of sent) {
    const { type, capabilities, honored_capabilities: honored } = each.message;
    if (each.from === "subscriber" && isObject(capabilities)) {
      if (type === "subscription.request") requested = capabilities;
      if (type === "subscription.renegotiate") requested = { ...requested, ...capabilities };
    }
    if (each.from === "producer" && type === "subscription.accepted" && isObject(honored))
      yield { from: each, terms: { requested, honored } };
  }
}

/** A member of the granted terms; a member that the answer omits is granted as requested. */
export function agreedMember({ requested, honored }: SubscriptionTerms, name: string): Json | undefined {
  return honored[name] ?? requested[name];
}

/** The filters of some capabilities; a missing member comes from others. */
export function filtersOf(capabilities: JsonObject, others: JsonObject = {}): TypeFilters {
  const own = isObject(capabilities.event_filters) ? capabilities.event_filters : {};
  const rest = isObject(others.event_filters) ? others.event_filters : {};
  return { include: texts(own.include ?? rest.include), exclude: texts(own.exclude ?? rest.exclude) ?? [] };
}

export interface TypeFilters {
  /** Undefined if the request is unknown. */
  include: readonly string[] | undefined;
  exclude: readonly string[];
}

export function isExcluded({ exclude }: TypeFilters, type: string): boolean {
  return exclude.some((pattern) => covers(pattern, type));
}

/** Without any filter every type is included: the default would exclude events of extensions. */
export function isIncluded({ include }: TypeFilters, type: string): boolean {
  return include === undefined || include.some((pattern) => covers(pattern, type));
}

/** Whether a type in its compact form equals the pattern, or begins with the part before a final `*`. */
export function covers(pattern: string, type: string): boolean {
  const wanted = shortenType(pattern);
  return wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}

/** The texts of a list; undefined if the value is not a list. */
export function texts(list: Json | undefined): string[] | undefined {
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : undefined;
}

/** Whether two language tags match: they are equal, ignoring case, or one is the other with further subtags. */
export function sameLanguage(one: string, other: string): boolean {
  const [short, long] = [one.toLowerCase(), other.toLowerCase()].sort((a, b) => a.length - b.length) as [
    string,
    string,
  ];
  return long === short || long.startsWith(`${short}-`);
}
