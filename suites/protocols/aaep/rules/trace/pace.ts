import type { Breach, Checker } from "../../../../../schemas/index.ts";
import type { Event } from "./event.ts";
import { excess } from "./rate.ts";
import { onRecording, type Recording, type SubscriptionStream } from "./recording.ts";
import { filtersOf, isExcluded, type SubscriptionTerms } from "./terms.ts";

/** The rate of events, and events outside of the granted terms. */
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

/** The events that count for a rate: critical events do not. */
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

/** Finds seconds with more events than one side of the terms allows. */
function* findBusySeconds({ terms, events }: PacedEvents, side: keyof SubscriptionTerms): Generator<Breach> {
  const rate = terms[side].max_events_per_second;
  if (typeof rate !== "number" || !(rate > 0)) return;
  const found = excess(
    events.map(({ time = 0 }) => time),
    rate,
  );
  if (found === undefined) return;
  const why = `is one too many: ${found.why}`;
  yield { at: events[found.index]?.at ?? "", why, ...(found.isGrave ? {} : { level: "SHOULD" }) };
}

/** Compares with the granted terms. Another rule compares with the requested ones. */
function* findExcluded({ streams }: Recording): Generator<Breach> {
  for (const stream of streams) {
    for (const span of spansOf(stream)) {
      const [requested] = findBusySeconds(span, "requested");
      const [honored] = findBusySeconds(span, "honored");
      const isGraver = requested === undefined || (requested.level === "SHOULD" && honored?.level === undefined);
      if (honored !== undefined && isGraver) yield honored;
    }
    for (const { type, at, isCritical, terms } of stream.events) {
      if (isCritical || terms === undefined || isExcluded(filtersOf(terms.requested), type)) continue;
      if (isExcluded(filtersOf(terms.honored), type))
        yield { at: `${at}/type`, why: `is ${type}, which the terms exclude` };
    }
  }
}
