import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { object, type Say, texts } from "../../../../packs/twins/say.ts";
import { agreedFilters, type Filters, isDelivered } from "../filters.ts";
import { pair } from "../handshake.ts";
import type { Item, Recorded } from "./items.ts";

/** The terms that an acceptance grants. */
export interface Grant {
  index: number;
  id: unknown;
  rate: number | undefined;
  filters: Filters;
  verbosity: string | undefined;
  languages: readonly string[];
}

/** The known facts about a subscription. */
export interface Terms {
  on: string;
  first: number;
  requested: number | undefined;
  grants: Grant[];
  closed: number | undefined;
  /** The producer closed it, so that no message was in transit. */
  isClosedByProducer: boolean;
  rejected: number | undefined;
  /** The subscriber's declarations, each with the index of its request. */
  said: { index: number; capabilities: JsonObject }[];
}

const critical = ["session.errored", "awaiting.confirmation", "awaiting.clarification", "handoff.requested"];

/** Whether filters may exclude events of one of these types. */
export function isHidden({ grants }: Terms, ...names: string[]): boolean {
  return names.some(
    (name) => !critical.includes(name) && grants.some(({ filters }) => !isDelivered(filters, `aaep:agent.${name}`)),
  );
}

export function grantAt({ grants }: Terms, index: number): Grant | undefined {
  return grants.findLast((grant) => grant.index < index);
}

export function saidAt({ said }: Terms, index: number): JsonObject | undefined {
  return said.findLast((each) => each.index < index)?.capabilities;
}

/** Follows each subscription from request to close, and judges its answers. */
export function termsOf(say: Say, sayOfPairs: Say, { items, subscriptions }: Recorded): Terms[] {
  const all: Terms[] = [];
  for (const on of subscriptions) {
    const own = items.filter((item) => item.on === on);
    const nothing = {
      requested: undefined,
      closed: undefined,
      isClosedByProducer: false,
      rejected: undefined,
      grants: [],
      said: [],
    };
    const terms: Terms = { on, first: own[0]?.index ?? 0, ...nothing };
    let asked: { request: JsonObject; isFirst: boolean } | undefined;
    for (const item of own) {
      const { message, from, index } = item;
      const { type, capabilities } = message;
      if (from === "subscriber" && type === "subscription.request") {
        asked = { request: message, isFirst: true };
        terms.requested ??= index;
        terms.said.push({ index, capabilities: object(capabilities) });
      } else if (from === "subscriber" && type === "subscription.renegotiate" && isObject(capabilities)) {
        const whole = { ...terms.said.at(-1)?.capabilities, ...capabilities };
        asked = { request: { capabilities: whole }, isFirst: false };
        terms.said.push({ index, capabilities: whole });
      } else if (from === "producer" && type === "subscription.accepted") {
        accept({ say, sayOfPairs }, terms, { item, asked }, all);
        asked = undefined;
      } else if (type === "subscription.rejected") terms.rejected ??= index;
      else if (type === "subscription.close" && terms.closed === undefined) {
        terms.closed = index;
        terms.isClosedByProducer = from === "producer";
      }
    }
    all.push(terms);
  }
  return all;
}

/** A message that accepts terms, with its request, if that was recorded. */
interface AcceptedTerms {
  item: Item;
  asked: { request: JsonObject; isFirst: boolean } | undefined;
}

function accept(
  { say, sayOfPairs }: { say: Say; sayOfPairs: Say },
  terms: Terms,
  { item, asked }: AcceptedTerms,
  others: readonly Terms[],
): void {
  const { index, message } = item;
  const { aaep_version = "1.0.0", subscription_id: id } = message;
  const honored = object(message.honored_capabilities);
  const said = object(asked?.request.capabilities ?? terms.said.at(-1)?.capabilities);
  if (asked !== undefined)
    pair(sayOfPairs, asked.isFirst ? asked.request : { ...asked.request, aaep_version }, message);
  const last = terms.grants.at(-1);
  if (last !== undefined && last.id !== id && asked?.isFirst !== true) say("changes the subscription_id");
  const isShared = others.some(
    (each) => each.grants.at(-1)?.id === id && (each.closed ?? Infinity) > index && each.rejected === undefined,
  );
  if (isShared) say("gives the subscription_id of another live subscription");
  const rate = honored.max_events_per_second ?? said.max_events_per_second;
  const verbosity = honored.preferred_verbosity ?? said.preferred_verbosity;
  const languages = honored.languages ?? said.languages;
  terms.grants.push({
    index,
    id,
    rate: typeof rate === "number" ? rate : undefined,
    filters: agreedFilters(said, honored),
    verbosity: said.preferred_verbosity !== undefined && typeof verbosity === "string" ? verbosity : undefined,
    languages: languages === undefined ? ["en-US"] : texts(languages),
  });
}
