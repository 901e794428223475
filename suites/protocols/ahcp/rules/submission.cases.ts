import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { confirm, notify, select, task } from "./messages.ts";

function taken(message: JsonObject, status: string, members: JsonObject = {}): JsonObject {
  const id = "msg_7f2a";
  return { message, ack: { id, status, poll_url: `https://hub.example/v1/messages/${id}` }, ...members };
}

const at = "/ack/status";

export const submissionCases: Cases[] = [
  {
    rule: "AHCP-ACK-003",
    document: "submission",
    valid: [
      { name: "ask", says: "is open, for an ask", at, data: taken(select, "open") },
      { name: "task", says: "is open, for a task", at, data: taken(task, "open", { replay: false }) },
      { name: "notify", says: "is delivered, for a notify", at, data: taken(notify, "delivered") },
      {
        name: "keyed-notify",
        says: "is delivered, for a notify with a key and a deadline",
        at,
        edge: true,
        data: taken({ ...notify, idempotency_key: "k", expires_at: "2026-03-02T06:00:00Z" }, "delivered"),
      },
      {
        name: "replay",
        says: "is answered, as the ask is by the time it is sent again",
        at,
        edge: true,
        data: taken(confirm, "answered", { replay: true }),
      },
    ],
    invalid: [
      {
        name: "delivered-ask",
        says: "is delivered, for an ask",
        change: [{ op: "replace", path: at, value: "delivered" }],
      },
      {
        name: "delivered-task",
        from: "task",
        says: "is delivered, for a task",
        change: [{ op: "replace", path: at, value: "delivered" }],
      },
      {
        name: "open-notify",
        from: "notify",
        says: "is open, for a notify",
        change: [{ op: "replace", path: at, value: "open" }],
      },
      {
        name: "open-notify-with-deadline",
        from: "keyed-notify",
        says: "is open, for a notify that has a deadline",
        change: [{ op: "replace", path: at, value: "open" }],
      },
    ],
  },
];
