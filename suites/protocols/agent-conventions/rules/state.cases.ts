import type { Cases } from "../../../../schemas/index.ts";
import { status } from "./messages.ts";

const document = "status";
const busy = { context: { current_task: "CODE-100" } };
const blocked = { context: { blocked_reason: "The build server is down." } };

export const stateCases: readonly Cases[] = [
  {
    rule: "CONV-STAT-003",
    document,
    valid: [
      { name: "ready", data: status("ready"), at: "/status", says: "is what the type says" },
      { name: "busy", data: status("busy", busy), at: "/status", says: "is what the type says" },
      { name: "blocked", data: status("blocked", blocked), at: "/status", says: "is what the type says" },
      {
        name: "idle",
        data: status("idle", { context: { previous_status: "ready" } }),
        at: "/status",
        says: "is what the type says, beside another that has passed",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "ready-idle",
        says: "is another than the type says",
        change: [{ op: "replace", path: "/status", value: "idle" }],
      },
      {
        name: "busy-ready",
        from: "busy",
        says: "is another than the type says",
        change: [{ op: "replace", path: "/status", value: "ready" }],
      },
      {
        name: "idle-by-its-type",
        from: "ready",
        at: "/status",
        says: "is another than the type says",
        change: [{ op: "replace", path: "/message_type", value: "status.idle" }],
      },
      {
        name: "type-changed",
        from: "blocked",
        at: "/status",
        says: "is another than the type says",
        change: [{ op: "replace", path: "/message_type", value: "status.ready" }],
      },
    ],
  },
  {
    rule: "CONV-STAT-004",
    document,
    valid: [
      { name: "blocked-for-a-reason", data: status("blocked", blocked), at: "/context", says: "gives a reason" },
      {
        name: "blocked-by",
        data: status("blocked", { context: { blocked_by: {} } }),
        at: "/context",
        says: "names what blocks, if only by an empty object",
        edge: true,
      },
      { name: "busy", data: status("busy", busy), at: "/context", says: "names the task" },
      {
        name: "after-another",
        data: status("ready", { context: { previous_status: "blocked" } }),
        at: "/context/previous_status",
        says: "is another than now",
      },
    ],
    invalid: [
      {
        name: "blocked-bare",
        says: "does not say what blocks",
        change: [{ op: "remove", path: "/context/blocked_reason" }],
      },
      {
        name: "blocked-with-a-task",
        says: "names a task and nothing that blocks it",
        at: "/context",
        change: [{ op: "replace", path: "/context", value: { current_task: "CODE-100" } }],
      },
      { name: "busy-bare", from: "busy", says: "has no context", at: "", change: [{ op: "remove", path: "/context" }] },
      {
        name: "busy-for-a-reason",
        from: "busy",
        says: "does not name the task",
        at: "/context",
        change: [{ op: "replace", path: "/context", value: blocked.context }],
      },
      {
        name: "after-the-same",
        from: "after-another",
        says: "is the same as now",
        change: [{ op: "replace", path: "/context/previous_status", value: "ready" }],
      },
    ],
  },
];
