import { add } from "../../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../../schemas/index.ts";
import { stampAt } from "./says.ts";
import { numbered, on, onBoth, place, session } from "./session.ts";

const plain = session("start think update update complete");
const two = session("start think complete start think complete");
const counted = numbered(plain);
const copied = onBoth(plain);
const atOnce = numbered(session("start think update update complete", { update: { timestamp: stampAt(4) } }));
const ahead = [...on("a", plain), ...on("b", plain)];
const again = [...plain.slice(0, 3), plain[2] as JsonObject, ...plain.slice(3)];

/** Fine when compared as instants: the texts of the times fall. */
const zones = session("start think complete", {
  think: { timestamp: "2026-01-15T09:30:02.000Z" },
  complete: { timestamp: "2026-01-15T08:30:02.500-01:00" },
});
/** Two times within one second. */
const close = session("start think complete", {
  think: { timestamp: "2026-01-15T09:30:02.400Z" },
  complete: { timestamp: "2026-01-15T09:30:02.500Z" },
});
const agents = session("start think update complete", {
  update: { producer: { agent_id: "tide-clerk" }, timestamp: "2026-01-15T09:29:00Z" },
});
const swapped = (trace: readonly JsonObject[], path: string, other: string) => [
  { op: "replace" as const, path, value: trace[Number(other.slice(1))] as JsonObject },
  { op: "replace" as const, path: other, value: trace[Number(path.slice(1))] as JsonObject },
];

export const orderCases: readonly Cases[] = [
  {
    rule: "AAEP-ENV-012",
    document: "session",
    valid: [
      { name: "own-ids", says: "has an id for each event, over two sessions", data: two },
      {
        name: "ids-in-two-cases",
        says: "has ids that differ in case alone",
        edge: true,
        data: session("start think update complete", {
          think: { event_id: "evt_e14a" },
          update: { event_id: "evt_E14a" },
        }),
      },
      { name: "delivered-again", says: "has one event twice, unchanged", edge: true, data: again },
      {
        name: "copies",
        says: "has each event once on either subscription, in other words",
        edge: true,
        data: copied.map((each, index) =>
          index === 5
            ? { ...each, message: { ...(each.message as JsonObject), summary_normal: "One of three quays searched." } }
            : each,
        ),
      },
    ],
    invalid: [
      {
        name: "id-of-the-event-before",
        says: "is the id of the event before",
        from: "own-ids",
        change: add(place(two, "state.changed", "event_id"), "evt_1"),
      },
      {
        name: "id-from-an-earlier-session",
        says: "is the id of an event of the session before",
        from: "own-ids",
        change: add(place(two, "state.changed", "event_id", 2), "evt_2"),
      },
      {
        name: "delivered-again-otherwise",
        says: "means another event than before, with the same id",
        from: "delivered-again",
        at: "/3/message/event_id",
        change: add("/3/message/progress/step", 2),
      },
      {
        name: "copy-of-another-time",
        says: "is the id of a copy of another time",
        from: "copies",
        at: "/5/message/event_id",
        change: add("/5/message/timestamp", stampAt(4)),
      },
    ],
  },
  {
    rule: "AAEP-ENV-017",
    document: "session",
    valid: [
      { name: "rising", says: "has times that rise", data: plain },
      {
        name: "equal-times",
        says: "has two events of one time",
        edge: true,
        data: session("start think complete", { think: { timestamp: stampAt(1) } }),
      },
      { name: "other-zone", says: "has times that rise as instants, and fall as texts", edge: true, data: zones },
      { name: "within-a-second", says: "has times that rise within a second", data: close },
      { name: "two-agents", says: "has two agents, each with a clock of its own", edge: true, data: agents },
      {
        name: "two-sessions",
        says: "has a session whose events are older than those of the session before",
        edge: true,
        data: [
          ...session("start complete", {
            start: { session_id: "sess_9", event_id: "evt_91", timestamp: stampAt(90) },
            complete: { session_id: "sess_9", event_id: "evt_92", timestamp: stampAt(91) },
          }),
          ...session("start complete"),
        ],
      },
    ],
    invalid: [
      {
        name: "a-millisecond-back",
        says: "is a millisecond before the event that was sent before",
        from: "other-zone",
        change: add(place(zones, "session.completed", "timestamp"), "2026-01-15T08:30:01.999-01:00"),
      },
      {
        name: "later-text",
        says: "is later as a text, and earlier as an instant",
        from: "other-zone",
        change: add(place(zones, "session.completed", "timestamp"), "2026-01-15T10:30:01+01:00"),
      },
      {
        name: "a-microsecond-back",
        says: "is a microsecond before the event that was sent before",
        from: "other-zone",
        change: add(place(zones, "session.completed", "timestamp"), "2026-01-15T09:30:01.999999Z"),
      },
      {
        name: "back-within-a-second",
        says: "is before the event that was sent before, within one second",
        from: "within-a-second",
        change: add(place(close, "session.completed", "timestamp"), "2026-01-15T09:30:02.300Z"),
      },
      {
        name: "placeholder",
        says: "is the epoch",
        from: "rising",
        change: add(place(plain, "session.completed", "timestamp"), "1970-01-01T00:00:00Z"),
      },
    ],
  },
  {
    rule: "AAEP-TRN-003",
    document: "session",
    valid: [
      { name: "in-order", says: "has its events in the order of their numbers", data: counted },
      { name: "of-one-time", says: "has two events of one time in the order of their numbers", data: atOnce },
      { name: "two-in-step", says: "has each event on both subscriptions, in one order", edge: true, data: copied },
      {
        name: "one-ahead",
        says: "has a subscription that gets all its events before the other",
        edge: true,
        data: ahead,
      },
    ],
    invalid: [
      {
        name: "two-exchanged",
        says: "arrives after the event with the next number",
        from: "in-order",
        at: "/3/message",
        change: swapped(counted, "/2", "/3"),
      },
      {
        name: "two-of-one-time-exchanged",
        says: "arrives after the event with the next number, of the same time",
        from: "of-one-time",
        at: "/3/message",
        change: swapped(atOnce, "/2", "/3"),
      },
      {
        name: "unlike-the-other-subscription",
        says: "arrives after an event that came later on the other subscription, and is newer",
        from: "one-ahead",
        at: "/8/message",
        change: swapped(ahead, "/7", "/8"),
      },
    ],
  },
];
