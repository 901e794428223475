import { isObject } from "../../../../../../schemas/index.ts";
import { rightAgentDecisions } from "../policy.ts";
import { freshId } from "../tasks.ts";
import { codes, current, trackCurrent } from "./change.ts";
import { type BrokenAgent, breaks } from "./variant.ts";

/** Agents that break a rule about timestamps and repeated ids. */
export const freshnessVariants: readonly BrokenAgent[] = [
  ...breaks("SNAP-REPLAY-001", {
    "": ["does not remember ids", { idMemoryMs: 0 }],
    minute: ["remembers an id for a minute, although its message is valid for two", { idMemoryMs: 60_000 }],
    sends: [
      "remembers only the ids of message/send",
      {
        messageKey: (message, transport) =>
          message.method === "message/send" ? rightAgentDecisions.messageKey(message, transport) : freshId("key"),
      },
    ],
    stamp: [
      "forgets an id a minute after the time that its message was stamped with",
      {
        ...trackCurrent,
        pruneMemory: (memory) =>
          void memory.set(
            rightAgentDecisions.messageKey(current.message, "http"),
            Number(current.message.timestamp) * 1000 + 60_000 - rightAgentDecisions.idMemoryMs,
          ),
      },
    ],
    fifty: [
      "forgets all ids when there are more than fifty",
      { pruneMemory: (memory) => void (memory.size > 50 && memory.clear()) },
    ],
    few: [
      "remembers the last three ids",
      {
        pruneMemory(memory) {
          for (const id of [...memory.keys()].slice(0, -3)) memory.delete(id);
        },
      },
      { isCourse: true },
    ],
    streams: [
      "remembers no request for a stream",
      {
        messageKey: (message, transport) =>
          message.method === "message/stream" ? freshId("key") : rightAgentDecisions.messageKey(message, transport),
      },
      { isCourse: true },
    ],
    continued: [
      "does not remember messages that continue a task",
      {
        messageKey: (message, transport) =>
          isObject(message.payload) && "taskId" in message.payload && message.method === "message/send"
            ? freshId("key")
            : rightAgentDecisions.messageKey(message, transport),
      },
      { isCourse: true },
    ],
  }),
  ...breaks("SNAP-REPLAY-002", {
    "": ["remembers ids regardless of their senders", { messageKey: ({ id }) => JSON.stringify(id ?? null) }],
  }),
  ...breaks("SNAP-REPLAY-003", {
    "": [
      "accepts a repeated id if the content differs",
      { messageKey: ({ from, id, payload, timestamp }) => JSON.stringify([from, id, payload, timestamp]) },
    ],
    method: [
      "treats the method as a part of the id",
      { messageKey: ({ from, id, method }) => JSON.stringify([from, id, method]) },
    ],
    case: [
      "treats ids that differ in case as equal",
      { messageKey: ({ from, id }) => JSON.stringify([from, String(id).toLowerCase()]) },
    ],
    cut: [
      "treats ids that begin with the same 64 characters as equal",
      { messageKey: ({ from, id }) => JSON.stringify([from, String(id).slice(0, 64)]) },
    ],
  }),
  ...breaks("SNAP-REPLAY-004", {
    "": ["remembers the ids of forged messages", { refusedConsumesId: true }],
  }),
  ...breaks("SNAP-REPLAY-007", {
    "": [
      "has a separate memory for each transport",
      { messageKey: ({ from, id }, transport) => JSON.stringify([from, id, transport]) },
    ],
  }),
  ...breaks("SNAP-TIME-001", {
    "": ["ignores timestamps", { isFresh: () => true }],
    future: ["accepts messages from tomorrow", { isFresh: (stamp, now) => stamp >= now - 60 }],
    narrow: ["tolerates only ten seconds", { isFresh: (stamp, now) => Math.abs(now - stamp) <= 10 }],
    tasks: [
      "does not check the time of messages about a task",
      {
        isFresh: (stamp, now, message, transport) =>
          String(message.method).startsWith("tasks/") || rightAgentDecisions.isFresh(stamp, now, message, transport),
      },
    ],
    socket: [
      "does not check the time of messages over WebSocket",
      {
        isFresh: (stamp, now, message, transport) =>
          transport === "websocket" || rightAgentDecisions.isFresh(stamp, now, message, transport),
      },
    ],
  }),
  ...breaks("SNAP-TIME-002", {
    "": ["calls a stale message forged", codes("stale-timestamp", 2001)],
  }),
];
