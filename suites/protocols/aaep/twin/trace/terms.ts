import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { objectOrEmpty, type ReportFault, stringsIn } from "../../../../packs/twins/say.ts";
import { agreedFilters, type Filters, isDelivered } from "../filters.ts";
import { judgeGrant } from "../handshake.ts";
import type { Item, ParsedRecording } from "./items.ts";

/** The terms that an acceptance grants. */
export interface Grant {
  index: number;
  id: unknown;
  rate: number | undefined;
  filters: Filters;
  verbosity: string | undefined;
  languages: readonly string[];
}

/** Facts about a subscription. Members that end in `At` are indexes of messages. */
export interface TwinTerms {
  on: string;
  firstIndex: number;
  requestedAt: number | undefined;
  grants: Grant[];
  closedAt: number | undefined;
  /** Whether the producer closed it, so that no event was in transit. */
  isClosedByProducer: boolean;
  rejectedAt: number | undefined;
  /** The subscriber's declarations, each with the index of its request. */
  declarations: { index: number; capabilities: JsonObject }[];
}

const criticalEvents = ["session.errored", "awaiting.confirmation", "awaiting.clarification", "handoff.requested"];

/** Whether filters may exclude events of one of these types. */
export function isHidden({ grants }: TwinTerms, ...names: string[]): boolean {
  return names.some(
    (name) =>
      !criticalEvents.includes(name) && grants.some(({ filters }) => !isDelivered(filters, `aaep:agent.${name}`)),
  );
}

export function grantAt({ grants }: TwinTerms, index: number): Grant | undefined {
  return grants.findLast((grant) => grant.index < index);
}

export function declaredAt({ declarations }: TwinTerms, index: number): JsonObject | undefined {
  return declarations.findLast((declaration) => declaration.index < index)?.capabilities;
}

/** Follows each subscription from its request to its close, and judges the answers to its requests. */
export function termsOf(
  report: ReportFault,
  reportHandshake: ReportFault,
  { items, subscriptions }: ParsedRecording,
): TwinTerms[] {
  const allTerms: TwinTerms[] = [];
  for (const on of subscriptions) {
    const itemsOfSubscription = items.filter((item) => item.on === on);
    const initialTerms = {
      requestedAt: undefined,
      closedAt: undefined,
      isClosedByProducer: false,
      rejectedAt: undefined,
      grants: [],
      declarations: [],
    };
    const terms: TwinTerms = { on, firstIndex: itemsOfSubscription[0]?.index ?? 0, ...initialTerms };
    let openRequest: { request: JsonObject; isFirst: boolean } | undefined;
    for (const item of itemsOfSubscription) {
      const { message, from, index } = item;
      const { type, capabilities } = message;
      if (from === "subscriber" && type === "subscription.request") {
        openRequest = { request: message, isFirst: true };
        terms.requestedAt ??= index;
        terms.declarations.push({ index, capabilities: objectOrEmpty(capabilities) });
      } else if (from === "subscriber" && type === "subscription.renegotiate" && isObject(capabilities)) {
        const mergedCapabilities = { ...terms.declarations.at(-1)?.capabilities, ...capabilities };
        openRequest = { request: { capabilities: mergedCapabilities }, isFirst: false };
        terms.declarations.push({ index, capabilities: mergedCapabilities });
      } else if (from === "producer" && type === "subscription.accepted") {
        noteAcceptance({ report, reportPair: reportHandshake }, terms, { item, openRequest }, allTerms);
        openRequest = undefined;
      } else if (type === "subscription.rejected") terms.rejectedAt ??= index;
      else if (type === "subscription.close" && terms.closedAt === undefined) {
        terms.closedAt = index;
        terms.isClosedByProducer = from === "producer";
      }
    }
    allTerms.push(terms);
  }
  return allTerms;
}

/** A message that accepts terms, and the open request if it was recorded. */
interface AcceptedTerms {
  item: Item;
  openRequest: { request: JsonObject; isFirst: boolean } | undefined;
}

function noteAcceptance(
  { report, reportPair }: { report: ReportFault; reportPair: ReportFault },
  terms: TwinTerms,
  { item, openRequest }: AcceptedTerms,
  otherTerms: readonly TwinTerms[],
): void {
  const { index, message } = item;
  const { aaep_version = "1.0.0", subscription_id: id } = message;
  const honored = objectOrEmpty(message.honored_capabilities);
  const requested = objectOrEmpty(openRequest?.request.capabilities ?? terms.declarations.at(-1)?.capabilities);
  if (openRequest !== undefined)
    judgeGrant(
      reportPair,
      openRequest.isFirst ? openRequest.request : { ...openRequest.request, aaep_version },
      message,
    );
  const previousGrant = terms.grants.at(-1);
  if (previousGrant !== undefined && previousGrant.id !== id && openRequest?.isFirst !== true)
    report("changes the subscription_id");
  const isShared = otherTerms.some(
    (subscription) =>
      subscription.grants.at(-1)?.id === id &&
      (subscription.closedAt ?? Infinity) > index &&
      subscription.rejectedAt === undefined,
  );
  if (isShared) report("reuses the subscription_id of another live subscription");
  const rate = honored.max_events_per_second ?? requested.max_events_per_second;
  const verbosity = honored.preferred_verbosity ?? requested.preferred_verbosity;
  const languages = honored.languages ?? requested.languages;
  terms.grants.push({
    index,
    id,
    rate: typeof rate === "number" ? rate : undefined,
    filters: agreedFilters(requested, honored),
    verbosity: requested.preferred_verbosity !== undefined && typeof verbosity === "string" ? verbosity : undefined,
    languages: languages === undefined ? ["en-US"] : stringsIn(languages),
  });
}
