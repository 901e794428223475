import type { Cases, InvalidCase, Json, JsonObject } from "../../../../schemas/index.ts";
import { asking, notify, select, task } from "./messages.ts";
import { answered, cancelled, completed, declined, expired, expiredTask, fallenBack, storedAs } from "./responses.ts";

const state: Json = { sealed: "k1.Zm9vYg", steps: [1, { done: false }] };

/** Member by member in another order: the same JSON value. */
const stateAgain: Json = { steps: [1, { done: false }], sealed: "k1.Zm9vYg" };

const withState = (message: JsonObject): JsonObject => ({ ...message, state });

function change(name: string, says: string, from: string, path: string, value: Json): InvalidCase {
  return { name, says, from, change: [{ op: "replace", path, value }] };
}

export const storedCases: Cases[] = [
  {
    rule: "AHCP-GET-002",
    document: "get-message",
    valid: [
      {
        name: "answered",
        says: "is an answered ask with its response",
        data: storedAs("answered", select, answered("rye")),
      },
      { name: "open-ask", says: "is an open ask without a response", data: storedAs("open", select) },
      { name: "open-task", says: "is an open task without a response", data: storedAs("open", task) },
      { name: "delivered", says: "is a delivered notify", data: storedAs("delivered", notify) },
      { name: "declined", says: "is a declined ask", data: storedAs("declined", select, declined) },
      { name: "cancelled", says: "is a cancelled ask", data: storedAs("cancelled", select, cancelled) },
      { name: "expired-ask", says: "is an expired ask without default", data: storedAs("expired", select, expired) },
      {
        name: "fallen-back",
        says: "is an expired ask with its default",
        data: storedAs("expired", asking(select, { default_on_expire: "rye" }), fallenBack("rye")),
      },
      { name: "completed", says: "is a completed task", data: storedAs("completed", task, completed) },
      {
        name: "dismissed",
        says: "is a dismissed task",
        data: storedAs("dismissed", task, { ...completed, resolution: "dismissed" }),
      },
      { name: "expired-task", says: "is an expired task", data: storedAs("expired", task, expiredTask) },
      {
        name: "with-state",
        says: "brings back the state, its members in another order",
        at: "/response/state",
        edge: true,
        data: storedAs("answered", withState(select), { ...answered("rye"), state: stateAgain }),
      },
      {
        name: "empty-state",
        says: "is the empty state that was submitted",
        at: "/response/state",
        edge: true,
        data: storedAs("completed", { ...task, state: {} }, { ...completed, state: {} }),
      },
      {
        name: "other-version",
        says: "is the hub's own minor version, as may be",
        at: "/response/ahcp_version",
        data: storedAs("answered", select, { ...answered("rye"), ahcp_version: "0.9" }),
      },
    ],
    invalid: [
      change("open-notify", "is open, which a notify never is", "delivered", "/status", "open"),
      change("delivered-ask", "is delivered, which an ask never is", "open-ask", "/status", "delivered"),
      change("delivered-task", "is delivered, which a task never is", "open-task", "/status", "delivered"),
      {
        name: "completed-ask",
        from: "declined",
        says: "is a task's, and so is the resolution",
        at: "/status",
        change: [
          { op: "replace", path: "/status", value: "completed" },
          { op: "replace", path: "/response/resolution", value: "completed" },
        ],
      },
      {
        name: "declined-task",
        from: "completed",
        says: "is an ask's, and so is the resolution",
        at: "/status",
        change: [
          { op: "replace", path: "/status", value: "declined" },
          { op: "replace", path: "/response/resolution", value: "declined" },
        ],
      },
      {
        name: "notify-with-response",
        from: "delivered",
        says: "answers a notify",
        change: [{ op: "add", path: "/response", value: completed }],
      },
      change("open-with-response", "is open, and there is a response", "answered", "/status", "open"),
      {
        name: "answered-without-response",
        from: "answered",
        says: "has no response although it is answered",
        at: "",
        change: [{ op: "remove", path: "/response" }],
      },
      {
        name: "completed-without-response",
        from: "completed",
        says: "has no response although it is completed",
        at: "",
        change: [{ op: "remove", path: "/response" }],
      },
      change("other-status", "is not the resolution", "answered", "/status", "declined"),
      change("task-of-other-status", "is not the resolution of the task", "completed", "/status", "dismissed"),
      change("other-id", "is another message's", "answered", "/response/in_reply_to", "msg_7f2b"),
      change("id-in-other-case", "differs in case from the id", "answered", "/response/in_reply_to", "MSG_7f2a"),
      change("other-agent", "is another agent", "answered", "/response/agent/id", "oven-watch-2"),
      change("other-run", "is another run of the agent", "answered", "/response/agent/run_id", "run-19"),
      {
        name: "state-lost",
        from: "with-state",
        says: "does not bring back the state",
        at: "/response",
        change: [{ op: "remove", path: "/response/state" }],
      },
      {
        name: "state-from-nowhere",
        from: "answered",
        says: "was never submitted",
        change: [{ op: "add", path: "/response/state", value: {} }],
      },
      change("state-emptied", "is empty, and the one submitted was not", "with-state", "/response/state", {}),
      change("state-reordered", "has a list in another order", "with-state", "/response/state/steps", [
        { done: false },
        1,
      ]),
      change("state-number-as-text", "has a text for a number", "with-state", "/response/state/steps/0", "1"),
      {
        name: "state-member-added",
        from: "with-state",
        says: "has a member more",
        change: [{ op: "add", path: "/response/state/note", value: null }],
      },
    ],
  },
];
