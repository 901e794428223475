import type { Breach, Checker } from "../../../../../schemas/index.ts";
import type { Event } from "./event.ts";
import { findExcess } from "./rate.ts";
import { onRecording, type Recording, type SubscriptionStream } from "./recording.ts";
import { filtersOf, isExcluded, type SubscriptionTerms } from "./terms.ts";

/** Checks of the rate of events, and of events that the granted terms exclude. */
export const paceCheckers: readonly Checker[] = [
  onRecording("AAEP-BP-001", function* ({ streams }) {
    for (const stream of streams) for (const span of spansOf(stream)) yield* findBusySeconds(span, "requested");
  }),
  onRecording("AAEP-BP-011", findExcluded),
];

/** Events under the same terms. */
interface PacedEvents {
  terms: SubscriptionTerms;
  events: Event[];
}

/** Groups the events that count towards a rate by the terms in force. Critical events do not count. */
function spansOf({ events }: SubscriptionStream): PacedEvents[] {
  const spans = new Map<SubscriptionTerms, Event[]>();
  for (const event of events) {
    if (event.terms === undefined || event.isCritical || event.time === undefined) continue;
    const span = spans.get(event.terms);
    if (span === undefined) spans.set(event.terms, [event]);
    else span.push(event);
  }
  return [...spans].map(([terms, span]) => ({ terms, events: span.sort((a, b) => (a.time ?? 0) - (b.time ?? 0)) }));
}

/** Finds the first event that exceeds the requested or the granted rate. */
function* findBusySeconds({ terms, events }: PacedEvents, side: keyof SubscriptionTerms): Generator<Breach> {
  const rate = terms[side].max_events_per_second;
  if (typeof rate !== "number" || !(rate > 0)) return;
  const firstExcess = findExcess(
    events.map(({ time = 0 }) => time),
    rate,
  );
  if (firstExcess === undefined) return;
  const why = `exceeds the rate: ${firstExcess.why}`;
  yield { at: events[firstExcess.index]?.at ?? "", why, ...(firstExcess.isClear ? {} : { level: "SHOULD" }) };
}

/** Finds events that only the granted terms exclude. Other rules compare with the requested terms. */
function* findExcluded({ streams }: Recording): Generator<Breach> {
  for (const stream of streams) {
    for (const span of spansOf(stream)) {
      const [requestedExcess] = findBusySeconds(span, "requested");
      const [grantedExcess] = findBusySeconds(span, "honored");
      const isMoreSerious =
        requestedExcess === undefined || (requestedExcess.level === "SHOULD" && grantedExcess?.level === undefined);
      if (grantedExcess !== undefined && isMoreSerious) yield grantedExcess;
    }
    for (const { type, at, isCritical, terms } of stream.events) {
      if (isCritical || terms === undefined || isExcluded(filtersOf(terms.requested), type)) continue;
      if (isExcluded(filtersOf(terms.honored), type))
        yield { at: `${at}/type`, why: `is ${type}, which the terms exclude` };
    }
  }
}
