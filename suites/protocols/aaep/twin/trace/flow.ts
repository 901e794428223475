import { object, type Say } from "../../../../packs/twins/say.ts";
import { matches } from "../filters.ts";
import { isAkin } from "../language.ts";
import type { Item, Recorded } from "./items.ts";
import { type Grant, grantAt, saidAt, type Terms } from "./terms.ts";

/** Judges the events of a subscription, and their rate, by its terms. */
export function flow(say: Say, { items, gaps }: Recorded, terms: Terms): void {
  const own = items.filter(({ on }) => on === terms.on);
  const events = own.filter(({ isEvent }) => isEvent);
  for (const [place, grant] of terms.grants.entries()) {
    const until = terms.grants[place + 1]?.index ?? Number.POSITIVE_INFINITY;
    pace(
      say,
      grant,
      events.filter(({ index }) => index > grant.index && index < until),
    );
  }
  for (const event of events) {
    const grant = grantAt(terms, event.index);
    if (grant !== undefined) judgeDelivery(say, event, grant);
    if (terms.closed !== undefined && event.index > terms.closed)
      say("comes after the close", ...(terms.isClosedByProducer ? [] : ["events-in-flight"]));
  }
  const isMissed = (from: number, to: number): boolean =>
    gaps.some((gap) => gap.index > from && gap.index < to && (gap.on ?? terms.on) === terms.on);
  const isFirstSeen = (index: number): boolean => !isMissed(Number.NEGATIVE_INFINITY, index);
  const [first] = own.filter(({ from }) => from === "subscriber");
  const isNegotiated = terms.requested !== undefined || terms.grants.length > 0;
  if (first !== undefined && isNegotiated && first.message.type !== "subscription.request" && isFirstSeen(first.index))
    say("sends something before its request");
  for (const item of own)
    if (item.from === "subscriber" && String(item.message.type).endsWith(".reply")) reply(say, item, terms, isMissed);
}

type IsMissed = (from: number, to: number) => boolean;

function reply(say: Say, { message, index }: Item, terms: Terms, isMissed: IsMissed): void {
  const grant = grantAt(terms, index);
  // It may have been granted another id in a gap.
  if (grant !== undefined && message.subscription_id !== grant.id && !isMissed(grant.index, index))
    say("replies under another subscription_id");
  const said = saidAt(terms, index);
  if (said === undefined) return;
  const support =
    message.type === "confirmation.reply" ? said.supports_confirmation_reply : said.supports_clarification_reply;
  if (support !== true)
    say("replies although it said that it would not", ...(support === false ? [] : ["unsaid-support"]));
}

function judgeDelivery(say: Say, { message, type, name }: Item, { filters, verbosity, languages }: Grant): void {
  if (message.urgency !== "critical") {
    if ((filters.exclude ?? []).some((each) => matches(each, type))) say("sends what is excluded");
    else if (filters.include?.some((each) => matches(each, type)) === false)
      say("sends what is not included", "beyond-inclusion");
  }
  if (verbosity !== undefined && name !== undefined && name !== "output.streaming") {
    const isOther = message.verbosity !== undefined && message.verbosity !== verbosity;
    if (isOther || message[`summary_${verbosity}`] === undefined)
      say("is worded otherwise than preferred", "preferred-wording");
  }
  const { primary_language: language } = object(message.localization_hints);
  if (typeof language === "string" && !languages.some((each) => isAkin(each, language)))
    say("is in a language that was not agreed on", "agreed-languages");
}

/** The figures 2R + 1, a fifth of R, and 1.1·R·T + R over 10 s are from position A24 (`positions.json`), and concern the bucket of clause 5.6.1. */
function pace(say: Say, { rate }: Grant, events: readonly Item[]): void {
  if (rate === undefined) return;
  const times = events.flatMap(({ time, message }) =>
    time === undefined || message.urgency === "critical" ? [] : [time / 1e6],
  );
  for (const [from, start] of times.entries()) {
    const burst = times.filter((time, index) => index >= from && time < start + 1).length;
    if (burst > 2 * rate + 1) say("sends too many events in a second");
    else if (burst > rate + Math.max(1, Math.ceil(0.2 * rate))) say("sends many events in a second", "small-bursts");
    for (const [to, end] of times.entries())
      if (end - start >= 10 && to - from + 1 > 1.1 * rate * (end - start) + rate)
        say("sends too many events over time");
  }
}
