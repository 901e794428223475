import { isObject } from "../../../../../../schemas/index.ts";
import { rightAgentDecisions } from "../policy.ts";
import { freshId } from "../tasks.ts";
import { codes, current, trackCurrent } from "./change.ts";
import { type BrokenAgent, breaks } from "./variant.ts";

/** Agents that break a rule about timestamps and repeated ids. */
export const freshnessVariants: readonly BrokenAgent[] = [
  ...breaks("SNAP-REPLAY-001", {
    "": ["does not remember ids", { remembers: 0 }],
    minute: ["remembers an id for a minute, although its message is valid for two", { remembers: 60_000 }],
    sends: [
      "remembers only the ids of message/send",
      {
        sameness: (message, way) =>
          message.method === "message/send" ? rightAgentDecisions.sameness(message, way) : freshId("key"),
      },
    ],
    stamp: [
      "forgets an id a minute after the time that its message was stamped with",
      {
        ...trackCurrent,
        keeps: (memory) =>
          void memory.set(
            rightAgentDecisions.sameness(current.message, "http"),
            Number(current.message.timestamp) * 1000 + 60_000 - rightAgentDecisions.remembers,
          ),
      },
    ],
    fifty: [
      "forgets all ids when there are more than fifty",
      { keeps: (memory) => void (memory.size > 50 && memory.clear()) },
    ],
    few: [
      "remembers the last three ids",
      {
        keeps(memory) {
          for (const id of [...memory.keys()].slice(0, -3)) memory.delete(id);
        },
      },
      { isCourse: true },
    ],
    streams: [
      "remembers no request for a stream",
      {
        sameness: (message, way) =>
          message.method === "message/stream" ? freshId("key") : rightAgentDecisions.sameness(message, way),
      },
      { isCourse: true },
    ],
    continued: [
      "does not remember messages that continue a task",
      {
        sameness: (message, way) =>
          isObject(message.payload) && "taskId" in message.payload && message.method === "message/send"
            ? freshId("key")
            : rightAgentDecisions.sameness(message, way),
      },
      { isCourse: true },
    ],
  }),
  ...breaks("SNAP-REPLAY-002", {
    "": ["remembers ids regardless of their senders", { sameness: ({ id }) => JSON.stringify(id ?? null) }],
  }),
  ...breaks("SNAP-REPLAY-003", {
    "": [
      "accepts a repeated id if the content differs",
      { sameness: ({ from, id, payload, timestamp }) => JSON.stringify([from, id, payload, timestamp]) },
    ],
    method: [
      "treats the method as a part of the id",
      { sameness: ({ from, id, method }) => JSON.stringify([from, id, method]) },
    ],
    case: [
      "treats ids that differ in case as equal",
      { sameness: ({ from, id }) => JSON.stringify([from, String(id).toLowerCase()]) },
    ],
    cut: [
      "treats ids that begin with the same 64 characters as equal",
      { sameness: ({ from, id }) => JSON.stringify([from, String(id).slice(0, 64)]) },
    ],
  }),
  ...breaks("SNAP-REPLAY-004", {
    "": ["remembers the ids of forged messages", { consumes: true }],
  }),
  ...breaks("SNAP-REPLAY-007", {
    "": [
      "has a separate memory for each transport",
      { sameness: ({ from, id }, way) => JSON.stringify([from, id, way]) },
    ],
  }),
  ...breaks("SNAP-TIME-001", {
    "": ["ignores timestamps", { isFresh: () => true }],
    future: ["accepts messages from tomorrow", { isFresh: (stamp, now) => stamp >= now - 60 }],
    narrow: ["tolerates only ten seconds", { isFresh: (stamp, now) => Math.abs(now - stamp) <= 10 }],
    tasks: [
      "does not check the time of messages about a task",
      {
        isFresh: (stamp, now, message, way) =>
          String(message.method).startsWith("tasks/") || rightAgentDecisions.isFresh(stamp, now, message, way),
      },
    ],
    socket: [
      "does not check the time of messages over WebSocket",
      {
        isFresh: (stamp, now, message, way) =>
          way === "websocket" || rightAgentDecisions.isFresh(stamp, now, message, way),
      },
    ],
  }),
  ...breaks("SNAP-TIME-002", {
    "": ["calls a stale message forged", codes("stale-timestamp", 2001)],
  }),
];
