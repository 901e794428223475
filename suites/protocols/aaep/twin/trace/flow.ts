import { objectOrEmpty, type ReportFault } from "../../../../packs/twins/say.ts";
import { matches } from "../filters.ts";
import { isSameLanguage } from "../language.ts";
import type { Item, ParsedRecording } from "./items.ts";
import { declaredAt, type Grant, grantAt, type TwinTerms } from "./terms.ts";

/** Judges the messages of a subscription by its terms. */
export function judgeSubscription(report: ReportFault, { items, gaps }: ParsedRecording, terms: TwinTerms): void {
  const itemsOfSubscription = items.filter(({ on }) => on === terms.on);
  const events = itemsOfSubscription.filter(({ isEvent }) => isEvent);
  for (const [grantIndex, grant] of terms.grants.entries()) {
    const nextGrant = terms.grants[grantIndex + 1]?.index ?? Number.POSITIVE_INFINITY;
    judgePace(
      report,
      grant,
      events.filter(({ index }) => index > grant.index && index < nextGrant),
    );
  }
  for (const event of events) {
    const grant = grantAt(terms, event.index);
    if (grant !== undefined) judgeDelivery(report, event, grant);
    if (terms.closedAt !== undefined && event.index > terms.closedAt)
      report("sends an event after the close", ...(terms.isClosedByProducer ? [] : ["events-in-flight"]));
  }
  const hasGap = (from: number, to: number): boolean =>
    gaps.some((gap) => gap.index > from && gap.index < to && (gap.on ?? terms.on) === terms.on);
  const hasNoEarlierGap = (index: number): boolean => !hasGap(Number.NEGATIVE_INFINITY, index);
  const [firstMessage] = itemsOfSubscription.filter(({ from }) => from === "subscriber");
  const isNegotiated = terms.requestedAt !== undefined || terms.grants.length > 0;
  if (
    firstMessage !== undefined &&
    isNegotiated &&
    firstMessage.message.type !== "subscription.request" &&
    hasNoEarlierGap(firstMessage.index)
  )
    report("sends a message before its request");
  for (const item of itemsOfSubscription)
    if (item.from === "subscriber" && String(item.message.type).endsWith(".reply"))
      judgeReply(report, item, terms, hasGap);
}

type HasGap = (from: number, to: number) => boolean;

function judgeReply(report: ReportFault, { message, index }: Item, terms: TwinTerms, hasGap: HasGap): void {
  const grant = grantAt(terms, index);
  // A gap may hide an acceptance with another id.
  if (grant !== undefined && message.subscription_id !== grant.id && !hasGap(grant.index, index))
    report("replies under another subscription_id");
  const capabilities = declaredAt(terms, index);
  if (capabilities === undefined) return;
  const isSupported =
    message.type === "confirmation.reply"
      ? capabilities.supports_confirmation_reply
      : capabilities.supports_clarification_reply;
  if (isSupported !== true)
    report("replies without having declared that it would", ...(isSupported === false ? [] : ["unsaid-support"]));
}

function judgeDelivery(
  report: ReportFault,
  { message, type, name }: Item,
  { filters, verbosity, languages }: Grant,
): void {
  if (message.urgency !== "critical") {
    if ((filters.exclude ?? []).some((pattern) => matches(pattern, type))) report("sends an excluded event");
    else if (filters.include?.some((pattern) => matches(pattern, type)) === false)
      report("sends an event that is not included", "beyond-inclusion");
  }
  if (verbosity !== undefined && name !== undefined && name !== "output.streaming") {
    const hasOtherVerbosity = message.verbosity !== undefined && message.verbosity !== verbosity;
    if (hasOtherVerbosity || message[`summary_${verbosity}`] === undefined)
      report("does not have the preferred verbosity", "preferred-wording");
  }
  const { primary_language: language } = objectOrEmpty(message.localization_hints);
  if (typeof language === "string" && !languages.some((tag) => isSameLanguage(tag, language)))
    report("is in a language that was not agreed on", "agreed-languages");
}

/**
 * Judges the rate of events. The figures 2R + 1, a fifth of R, and 1.1·R·T + R over 10 s are from position A24 (`positions.json`)
 * on the bucket of clause 5.6.1.
 */
function judgePace(report: ReportFault, { rate }: Grant, events: readonly Item[]): void {
  if (rate === undefined) return;
  const times = events.flatMap(({ recordedAt, message }) =>
    recordedAt === undefined || message.urgency === "critical" ? [] : [recordedAt / 1e6],
  );
  for (const [startIndex, start] of times.entries()) {
    const burst = times.filter((time, index) => index >= startIndex && time < start + 1).length;
    if (burst > 2 * rate + 1) report("sends too many events in a second");
    else if (burst > rate + Math.max(1, Math.ceil(0.2 * rate))) report("sends many events in a second", "small-bursts");
    for (const [endIndex, end] of times.entries())
      if (end - start >= 10 && endIndex - startIndex + 1 > 1.1 * rate * (end - start) + rate)
        report("sends too many events over time");
  }
}
