import type { Breach, RuleFamily } from "../../../../../schemas/index.ts";
import type { Event } from "./event.ts";
import { paceCases } from "./pace.cases.ts";
import { excess } from "./rate.ts";
import { onRecording, type Recording, type Stream } from "./recording.ts";
import { filtersOf, isExcluded, type Terms } from "./terms.ts";

/** How many events are sent, and what goes beyond the terms that were honoured. */
export const pace: RuleFamily = {
  name: "pace",
  checkers: [
    onRecording("AAEP-BP-001", function* ({ streams }) {
      for (const stream of streams) yield* tooMany(stream, "requested");
    }),
    onRecording("AAEP-BP-011", beyondHonored),
  ],
  cases: paceCases,
};

/** Where a subscription gets more events than the one or the other side of its terms allows. Critical ones do not count. */
function* tooMany({ events }: Stream, side: keyof Terms): Generator<Breach> {
  const spans = new Map<Terms, Event[]>();
  for (const event of events) {
    if (event.terms === undefined || event.isCritical || event.time === undefined) continue;
    const span = spans.get(event.terms);
    if (span === undefined) spans.set(event.terms, [event]);
    else span.push(event);
  }
  for (const [terms, span] of spans) {
    const rate = terms[side].max_events_per_second;
    if (typeof rate !== "number" || !(rate > 0)) continue;
    const inTime = span.sort((a, b) => (a.time ?? 0) - (b.time ?? 0));
    const found = excess(
      inTime.map(({ time = 0 }) => time),
      rate,
    );
    if (found !== undefined)
      yield {
        at: inTime[found.index]?.at ?? "",
        why: `is one too many: ${found.why}`,
        ...(found.isGrave ? {} : { level: "SHOULD" }),
      };
  }
}

/** Against what was honoured, and not against what was requested: that is another rule. */
function* beyondHonored({ streams }: Recording): Generator<Breach> {
  for (const stream of streams) {
    const requested = [...tooMany(stream, "requested")];
    const honored = [...tooMany(stream, "honored")];
    if (!requested.some(({ level }) => level === undefined))
      yield* honored.filter(({ level }) => level === undefined || requested.length === 0);
    for (const { type, at, isCritical, terms } of stream.events) {
      if (isCritical || terms === undefined || isExcluded(filtersOf(terms.requested), type)) continue;
      if (isExcluded(filtersOf(terms.honored), type))
        yield { at: `${at}/type`, why: `is ${type}, which the terms exclude` };
    }
  }
}
