import { kept } from "../../../../generators/index.ts";
import type { Cases, Json, JsonObject } from "../../../../schemas/index.ts";
import { c } from "./keys.ts";
import { cancelled, got, log, refused, sent, task } from "./logs.ts";
import { added, removed, replaced, said } from "./messages.ts";

const id = "task-12";
const onC = { from: c.address.main };

/** What tasks are tried with, apart from their states. */
export function taskCases(): Cases[] {
  return [opening(), carrying(), unknown(), reading(), history(), owners()];
}

function opening(): Cases {
  const two = log(sent(task(id, "working")), sent(task("task-13", "working")));
  const again = { payload: { idempotencyKey: "again-1" } };
  const repeated = log(sent(task(id, "working"), again), sent(task(id, "working"), again));
  const path = "/exchanges/1/answer/task/id";
  return {
    rule: "SNAP-TASK-004",
    document: "task-log",
    valid: [
      kept("two", "is another than the first", path, two),
      kept("same-key", "is the first again, as the key is the same", path, repeated, true),
      kept(
        "two-senders",
        "is another than the first",
        path,
        log(sent(task(id, "working")), sent(task("task-13", "working", { contextId: "ctx-6" }), onC)),
        true,
      ),
      kept(
        "carried-on",
        "is that of the task that was carried on",
        path,
        log(sent(task(id, "input_required")), sent(task(id, "working"), { payload: { taskId: id } })),
        true,
      ),
    ],
    invalid: [
      replaced("same-task", "is the first again", path, id),
      replaced(
        "other-key",
        "is the first again, and the key is another",
        "/exchanges/1/payload/idempotencyKey",
        "again-2",
        "same-key",
      ),
      removed("no-key", "is the first again, without a key", "/exchanges/1/payload/idempotencyKey", "same-key"),
    ],
  };
}

function carrying(): Cases {
  const on = { payload: { taskId: id } };
  const asked = log(sent(task(id, "input_required")), sent(task(id, "working"), on));
  const path = "/exchanges/1/answer/task/id";
  const third = log(...(asked.exchanges as JsonObject[]), sent(task(id, "working"), on));
  return {
    rule: "SNAP-TASK-005",
    document: "task-log",
    valid: [
      kept("carried-on", "is that of the task named", path, asked),
      kept("twice", "is that of the task named", "/exchanges/2/answer/task/id", third, true),
      kept(
        "refused",
        "is an error",
        "/exchanges/1/answer",
        log(sent(task(id, "input_required")), sent(refused(5002), on)),
        true,
      ),
    ],
    invalid: [
      replaced("opened", "is that of another task", path, "task-13"),
      replaced("opened-later", "is that of another task", "/exchanges/2/answer/task/id", "task-13", "twice"),
    ],
  };
}

function unknown(): Cases {
  const at = "/exchanges/0/answer";
  const known = log(sent(task(id, "working")), got("task-99", refused(1001)));
  const nothing = (exchange: JsonObject): JsonObject => log(exchange);
  const resubscribed: JsonObject = { ...got("nope", refused(1001), { payload: {} }), method: "tasks/resubscribe" };
  return {
    rule: "SNAP-TASK-006",
    document: "task-log",
    valid: [
      kept("get", "says that there is no such task", at, nothing(got("nope", refused(1001)))),
      kept("cancel", "says that there is no such task", at, nothing(cancelled("nope", refused(1001)))),
      kept(
        "send",
        "says that there is no such task",
        at,
        nothing(sent(refused(1001), { payload: { taskId: "nope" } })),
      ),
      kept("resubscribe", "says that there is no such task", at, nothing(resubscribed)),
      kept("another-is-there", "says that there is no such task", "/exchanges/1/answer", known, true),
      kept("overloaded", "says that there were too many requests", at, nothing(got("nope", refused(5002))), true),
    ],
    invalid: [
      replaced("not-cancelable", "says that it cannot be cancelled", at, refused(1002), "cancel"),
      replaced("malformed", "says that the payload is malformed", at, refused(1004)),
      replaced("invented", "is a task", at, { task: task("nope", "working") }),
      replaced("cancelled", "is a task", at, { task: task("nope", "canceled") }, "cancel"),
      replaced("opened", "is a task", at, { task: task("nope", "submitted") }, "send"),
      replaced("resubscribed", "is a task", at, { task: task("nope", "working") }, "resubscribe"),
      replaced("another", "is another task", "/exchanges/1/answer", { task: task(id, "working") }, "another-is-there"),
    ],
  };
}

const turns: Json[] = [
  said,
  { messageId: "turn-2", role: "agent", parts: [{ text: "Which one?" }] },
  { ...said, messageId: "turn-3" },
];

function reading(): Cases {
  const asked = { payload: { historyLength: 1 } };
  const done = log(sent(task(id, "working")), got(id, task(id, "completed")), got(id, task(id, "completed")));
  const waiting = log(
    sent(task(id, "input_required")),
    got(id, task(id, "input_required")),
    got(id, task(id, "input_required", { history: [said] }), asked),
  );
  const running = log(
    sent(task(id, "working")),
    got(id, task(id, "working")),
    got(id, task(id, "working", { artifacts: [] })),
  );
  const once = got(id, task(id, "completed", { history: [said] }), { payload: {} });
  const told = log(sent(task(id, "working")), once, once);
  const emptied = log(
    sent(task(id, "working")),
    got(id, task(id, "completed")),
    got(id, task(id, "completed", { history: [] })),
  );
  const path = "/exchanges/2/answer/task";
  const later = { status: { state: "input_required", timestamp: "2026-01-15T12:01:00Z" } };
  const spoken = log(
    sent(task(id, "working")),
    got(id, task(id, "input_required")),
    sent(task(id, "input_required", later), { payload: { taskId: id } }),
    got(id, task(id, "input_required", later)),
  );
  return {
    rule: "SNAP-TASK-009",
    document: "task-log",
    valid: [
      kept("completed", "is the same as before", path, done),
      kept("more-history", "is the same as before, but for the turns asked for", path, waiting, true),
      kept("running", "has changed, being at work", path, running, true),
      kept("told", "has the same history as before", path, told),
      kept("empty-history", "has an empty history, where it had none", path, emptied, true),
      kept("asked-again", "has changed, as a message came between", path, spoken, true),
    ],
    invalid: [
      replaced("touched", "is later than before", `${path}/status/timestamp`, "2026-01-15T12:00:05Z"),
      added("message", "is there, and was not", `${path}/status/message`, "Read once."),
      replaced(
        "touched-waiting",
        "is later than before",
        `${path}/status/timestamp`,
        "2026-01-15T12:00:05Z",
        "more-history",
      ),
      replaced("history", "has other words than before", `${path}/history/0/messageId`, "turn-9", "told"),
    ],
  };
}

function history(): Cases {
  const path = "/exchanges/2/answer/task/history";
  const opened = [sent(task(id, "input_required")), sent(task(id, "working"), { payload: { taskId: id } })];
  const read = (payload: JsonObject, more: JsonObject): JsonObject =>
    log(...opened, got(id, task(id, "working", more), { payload }));
  const all = read({}, { history: turns });
  const none = read({ historyLength: 0 }, { history: [] });
  const whole = got(id, task(id, "working", { history: turns }), { payload: {} });
  const twice = log(...opened, whole, whole);
  return {
    rule: "SNAP-TASK-010",
    document: "task-log",
    valid: [
      kept("all", "is whole", path, all),
      kept("none", "is empty, as asked for", path, none, true),
      kept("twice", "is whole each time", "/exchanges/3/answer/task/history", twice),
      kept(
        "none-at-all",
        "has no history, as asked for",
        "/exchanges/2/answer/task",
        read({ historyLength: 0 }, {}),
        true,
      ),
      kept("two", "has the two turns asked for", path, read({ historyLength: 2 }, { history: turns.slice(1) }), true),
      kept(
        "more-asked",
        "has three turns, where more were asked for",
        path,
        read({ historyLength: 1000 }, { history: turns }),
      ),
      kept(
        "answer-to-a-message",
        "is short, in the answer to a message",
        "/exchanges/0/answer/task/history",
        log(sent(task(id, "working", { history: [] }))),
        true,
      ),
    ],
    invalid: [
      replaced("one-for-none", "has a turn, where none was asked for", path, turns.slice(0, 1), "none"),
      { ...replaced("three-for-two", "has three turns, where two were asked for", path, turns, "two"), edge: true },
      replaced("cut", "lacks its last turns, though no length was given", path, turns.slice(0, 2)),
      replaced(
        "empty-once",
        "is empty, though another answer has turns",
        "/exchanges/3/answer/task/history",
        [],
        "twice",
      ),
      {
        ...replaced("empty", "is empty, and no other answer has turns", path, []),
        at: "/exchanges/2/answer/task",
        level: "SHOULD",
      },
      {
        ...removed("never", "has no history, and no other answer has one", path),
        at: "/exchanges/2/answer/task",
        level: "SHOULD",
      },
    ],
  };
}

function owners(): Cases {
  const path = "/exchanges/1/answer";
  const opened = sent(task(id, "working"));
  const kinds = { get: got(id, refused(1001), onC), cancel: cancelled(id, refused(1001), onC) };
  return {
    rule: "SNAP-TASK-012",
    document: "task-log",
    valid: [
      kept("get", "says that there is no such task", path, log(opened, kinds.get)),
      kept("cancel", "says that there is no such task", path, log(opened, kinds.cancel)),
      kept("owner", "is the task", path, log(opened, got(id, task(id, "working"))), true),
    ],
    invalid: [
      replaced("shown", "is the task of another", path, { task: task(id, "working") }),
      replaced("cancelled", "is the task of another", path, { task: task(id, "canceled") }, "cancel"),
    ],
  };
}
