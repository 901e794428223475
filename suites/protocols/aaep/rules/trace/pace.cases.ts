import { add } from "../../../../../generators/index.ts";
import type { Cases, Change, Json, JsonObject } from "../../../../../schemas/index.ts";
import type { Members } from "../messages.ts";
import { another, session, timed, under } from "./session.ts";

/** A session of some events, each at its time; the two messages of the handshake come before. */
const paced = (wanted: number, honored: number, times: readonly number[], urgency?: string): JsonObject[] =>
  timed(
    under(
      { max_events_per_second: wanted },
      { max_events_per_second: honored },
      `start think ${"update ".repeat(times.length - 3)}complete`,
      urgency === undefined ? {} : { update: { urgency } },
    ),
    (index) => times[index - 2] ?? 0,
  );

/** One more event just before the end. */
const oneMore = (trace: readonly JsonObject[], seconds: number): Change[] => {
  const { timestamp } = (trace.at(-1) as JsonObject).message as JsonObject;
  const more = another(session("start think update complete"), "progress.updated", { timestamp });
  return add(`/${trace.length - 1}`, timed([more], () => seconds)[0] as JsonObject);
};
const spread = (count: number, seconds: number): number[] =>
  Array.from({ length: count }, (_, index) => (index * seconds) / (count - 1));
const atOnce = (count: number): number[] => Array.from({ length: count }, (_, index) => index / 10);
const steady = paced(1, 1, spread(6, 6));
const burst = paced(3, 3, atOnce(7));
const overTheSecond = paced(
  3,
  3,
  atOnce(7).map((time) => 0.7 + time),
);
/** Five questions are asked at once. */
const asking = (): JsonObject[] => {
  const rate = { max_events_per_second: 1 };
  const trace = under(rate, rate, "start think wait ask cancel");
  const more = [2, 3, 4, 5].map((number) =>
    another(trace, "awaiting.confirmation", {
      event_id: `evt_ask${number}`,
      reply_token: `rpl_${number}`,
      action: `Book berth E1${number}.`,
    }),
  );
  const times = [0, 0, 0, 2, 4, 6, 6.1, 6.2, 6.3, 6.4, 8];
  return timed(trace.toSpliced(6, 0, ...more), (index) => times[index] ?? 8);
};
const shifted = paced(3, 3, [...atOnce(7).map((time) => time * 1.5), 1]);
const drifting = paced(1, 1, spread(13, 10.92));
const fourAtOnce = paced(3, 3, atOnce(4));
const critical = paced(1, 1, [...atOnce(8)], "critical");
const lower = paced(5, 2, atOnce(5));
const three = paced(5, 2, atOnce(3));
const filters = (event_filters: Json): Members => ({ event_filters });
const progressless = filters({ exclude: ["aaep:agent.progress.*"] });
const update = another(session("start think update complete"), "progress.updated", {
  timestamp: "2026-01-15T09:30:05Z",
});
const honoredOnly = under({}, progressless, "start think complete");

export const paceCases: readonly Cases[] = [
  {
    rule: "AAEP-BP-001",
    document: "session",
    valid: [
      { name: "steady", says: "sends less than one event a second", data: steady },
      { name: "burst", says: "sends seven events within a second, at three a second", edge: true, data: burst },
      {
        name: "burst-and-one-a-second-later",
        says: "sends an eighth event exactly a second after the first",
        edge: true,
        data: shifted,
      },
      {
        name: "drifting",
        says: "sends 13 events in a little less than eleven seconds, at one a second",
        edge: true,
        data: drifting,
      },
      {
        name: "four-at-once",
        says: "sends four events within a second, at three a second",
        edge: true,
        data: fourAtOnce,
      },
      { name: "critical", says: "sends critical events beyond the rate", edge: true, data: critical },
      { name: "five-questions", says: "asks five questions within a second, at one event a second", data: asking() },
      {
        name: "burst-over-the-second",
        says: "sends seven events within a second that begins between two of the clock's, at three a second",
        data: overTheSecond,
      },
    ],
    invalid: [
      {
        name: "eight-over-the-second",
        says: "is the eighth event within a second that begins between two of the clock's, at three a second",
        from: "burst-over-the-second",
        at: "/9",
        change: oneMore(overTheSecond, 1.25),
      },
      {
        name: "eight-within-a-second",
        says: "is the eighth event within a second, at three a second",
        from: "burst",
        at: "/9",
        change: oneMore(burst, 0.55),
      },
      {
        name: "eighth-a-millisecond-early",
        says: "is the eighth event within a second, by a millisecond",
        from: "burst-and-one-a-second-later",
        at: "/9",
        change: add("/9/time", "2026-01-15T09:30:00.999Z"),
      },
      {
        name: "one-more-over-ten-seconds",
        says: "is one too many over eleven seconds",
        from: "drifting",
        at: "/14",
        change: oneMore(drifting, 10.5),
      },
      {
        name: "five-within-a-second",
        says: "is the fifth event within a second, at three a second",
        from: "four-at-once",
        at: "/6",
        change: oneMore(fourAtOnce, 0.25),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-BP-011",
    document: "session",
    valid: [
      {
        name: "five-at-once",
        says: "sends five events within a second, where two a second were honoured of five",
        edge: true,
        data: lower,
      },
      {
        name: "three-at-once",
        says: "sends three events within a second, where two a second were honoured of five",
        edge: true,
        data: three,
      },
      {
        name: "excluded-later",
        says: "sends what the producer excludes only after it",
        edge: true,
        data: under({}, {}, "start think update complete").toSpliced(
          5,
          0,
          {
            from: "subscriber",
            message: { type: "subscription.renegotiate", subscription_id: "sub_p4", capabilities: {} },
          },
          honoredOnly[1] as JsonObject,
        ),
      },
      { name: "excluded-by-the-producer", says: "sends nothing of what the producer excluded", data: honoredOnly },
      {
        name: "critical",
        says: "sends a critical event of a type that the producer excluded",
        edge: true,
        data: under({}, filters({ exclude: ["aaep:agent.awaiting.*"] }), "start think wait ask reject think complete"),
      },
    ],
    invalid: [
      {
        name: "six-at-once",
        says: "is the sixth event within a second, where two a second were honoured of five",
        from: "five-at-once",
        at: "/7",
        change: oneMore(lower, 0.35),
      },
      {
        name: "four-at-once",
        says: "is the fourth event within a second, where two a second were honoured of five",
        from: "three-at-once",
        at: "/5",
        change: oneMore(three, 0.15),
        level: "SHOULD",
      },
      {
        name: "excluded-and-sent",
        says: "is of a type that the producer excluded",
        from: "excluded-by-the-producer",
        change: add("/4", update),
      },
    ],
  },
];
