import { remove, set } from "../../../../generators/index.ts";
import type { Cases, Json, JsonObject } from "../../../../schemas/index.ts";
import { assignment, status, uuid } from "./messages.ts";
import { answer, recording } from "./recording.ts";

const document = "exchange";

const busyWith = (task: string): JsonObject => status("busy", { context: { current_task: task } });

export const exchangeCases: readonly Cases[] = [
  {
    rule: "CONV-BASE-014",
    document,
    valid: [
      {
        name: "all-new",
        data: recording(status("ready"), busyWith("CODE-100"), status("idle")),
        says: "has a new id in each message",
      },
      {
        name: "two-senders",
        data: [
          recording(status("ready"))[0] as Json,
          {
            from: "specialist-test",
            message: { ...status("ready", { sender: "specialist-test" }), message_id: uuid(0) },
          },
        ],
        says: "has one id from two senders",
        edge: true,
      },
      {
        name: "delivered-twice",
        data: [...recording(status("ready")), ...recording(status("ready"))],
        level: "SHOULD",
        says: "has one message twice, which is no second message",
        edge: true,
      },
    ],
    invalid: [
      { name: "again-at-once", says: "is that of the message before", change: set("/1/message/message_id", uuid(0)) },
      { name: "again-later", says: "is that of the first message", change: set("/2/message/message_id", uuid(0)) },
      {
        name: "in-capitals",
        says: "is that of the first message in capitals",
        level: "SHOULD",
        change: set("/2/message/message_id", uuid(0).toUpperCase()),
      },
    ],
  },
  {
    rule: "CONV-ACK-006",
    document,
    valid: [
      {
        name: "to-the-sender",
        data: recording(assignment(), answer("specialist-code", 0, "received")),
        at: "/1/message/recipient",
        says: "sent what is acknowledged",
      },
      {
        name: "of-something-unseen",
        data: recording(assignment(), answer("specialist-code", 99, "received", { recipient: "hub" })),
        at: "/1/message",
        says: "acknowledges what the recording has not",
        edge: true,
      },
    ],
    invalid: [
      { name: "to-the-hub", says: "did not send what is acknowledged", change: set("/1/message/recipient", "hub") },
      {
        name: "to-itself",
        says: "is the one that acknowledges",
        change: set("/1/message/recipient", "specialist-code"),
      },
      {
        name: "of-itself",
        says: "is the acknowledgment itself",
        change: set("/1/message/acknowledging_message_id", uuid(1)),
      },
    ],
  },
  {
    rule: "CONV-ACK-007",
    document,
    valid: [
      {
        name: "level-by-level",
        data: recording(
          assignment(),
          ...["received", "understood", "completed"].map((level) => answer("specialist-code", 0, level)),
        ),
        says: "goes up level by level",
      },
      {
        name: "a-level-skipped",
        data: recording(assignment(), answer("specialist-code", 0, "completed")),
        says: "skips two levels",
        edge: true,
      },
      {
        name: "twice",
        data: recording(
          assignment(),
          answer("specialist-code", 0, "received"),
          answer("specialist-code", 0, "received"),
        ),
        says: "says the same level twice",
        edge: true,
      },
      {
        name: "reconsidered",
        data: recording(
          assignment(),
          answer("specialist-code", 0, "refused", { refused_details: { reason: "No room.", can_reconsider: true } }),
          answer("specialist-code", 0, "understood"),
        ),
        says: "reconsiders a refusal that allowed for it",
      },
      {
        name: "two-agents",
        data: recording(
          assignment({ recipient: "broadcast" }),
          answer("specialist-code", 0, "completed"),
          answer("specialist-test", 0, "received"),
        ),
        says: "has another agent at a lower level",
      },
    ],
    invalid: [
      {
        name: "back-to-received",
        says: "falls back from completed to received",
        at: "/3/message",
        change: [...set("/2/message/message_type", "ack.completed"), ...set("/3/message/message_type", "ack.received")],
      },
      {
        name: "back-to-understood",
        says: "falls back from completed to understood",
        at: "/3/message",
        change: [
          ...set("/2/message/message_type", "ack.completed"),
          ...set("/3/message/message_type", "ack.understood"),
        ],
      },
      {
        name: "after-a-final-refusal",
        from: "reconsidered",
        says: "was final, and something follows",
        at: "/2/message",
        change: set("/1/message/refused_details/can_reconsider", false),
      },
      {
        name: "after-a-refusal",
        from: "reconsidered",
        says: "allowed for nothing, and something follows",
        at: "/2/message",
        change: remove("/1/message/refused_details/can_reconsider"),
      },
    ],
  },
];
