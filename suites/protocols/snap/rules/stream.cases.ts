import type { Cases, Change, InvalidCase, Json, JsonObject } from "../../../../schemas/index.ts";
import { done, ignorable, removed, replaced, request, said, unsigned } from "./messages.ts";
import { resigning } from "./resigning.ts";

/** What the rules on payloads without a schema are tried with. */
export function streamCases(): Cases[] {
  return [opened(), resumed(), events()];
}

/** An invalid case of a request, whose signature is made anew. */
function resigned(name: string, says: string, parent: JsonObject, ...changes: Change[]): InvalidCase {
  return { name, says, at: "/payload", change: resigning(parent, ...changes) };
}

function opened(): Cases {
  const plain = request("message/stream", { message: said });
  const put = (path: string, value: Json): Change => ({ op: "add", path, value });
  return {
    rule: "SNAP-PAY-015",
    document: "envelope",
    valid: [
      { name: "message", says: "has what a request of message/send needs", at: "/payload", data: plain },
      {
        name: "all",
        says: "has all that a request of message/send may have",
        at: "/payload",
        edge: true,
        data: request("message/stream", { taskId: "task-12", message: said, idempotencyKey: "again-1" }),
      },
      {
        name: "event",
        says: "is an event, which needs no message",
        at: "/payload",
        edge: true,
        data: unsigned("message/stream", { taskId: "task-12" }, { type: "event" }),
      },
    ],
    invalid: [
      { ...resigned("empty", "is empty", plain, { op: "remove", path: "/payload/message" }), edge: true },
      resigned("task-alone", "names a task only", plain, {
        op: "replace",
        path: "/payload",
        value: { taskId: "task-12" },
      }),
      resigned("text", "has a text for a message", plain, put("/payload/message", "Is the bridge open?")),
      resigned("no-parts", "has a message without parts", plain, put("/payload/message/parts", [])),
      resigned(
        "parts-past-most",
        "has a message of 101 parts",
        plain,
        put("/payload/message/parts", Array(101).fill({ text: "" })),
      ),
      resigned("assistant", "has a message of an unknown role", plain, put("/payload/message/role", "assistant")),
    ],
    disputed: [
      ignorable(
        resigned("context", "has a member that requests do not have", plain, put("/payload/contextId", "ctx-5")),
      ),
    ],
  };
}

function resumed(): Cases {
  const plain = request("tasks/resubscribe", { taskId: "task-12" });
  const put = (value: Json): Change => ({ op: "replace", path: "/payload/taskId", value });
  return {
    rule: "SNAP-PAY-016",
    document: "envelope",
    valid: [
      { name: "task", says: "names a task", at: "/payload", data: plain },
      {
        name: "shortest",
        says: "names a task by one letter",
        at: "/payload",
        edge: true,
        data: request("tasks/resubscribe", { taskId: "t" }),
      },
      {
        name: "longest",
        says: "names a task by 128 characters",
        at: "/payload",
        edge: true,
        data: request("tasks/resubscribe", { taskId: "t".repeat(128) }),
      },
      {
        name: "response",
        says: "is a response, which has a task",
        at: "/payload",
        edge: true,
        data: unsigned("tasks/resubscribe", { task: done }),
      },
    ],
    invalid: [
      resigned("empty", "names no task", plain, { op: "remove", path: "/payload/taskId" }),
      resigned("message", "has a message in place of a task", plain, {
        op: "replace",
        path: "/payload",
        value: { message: said },
      }),
      resigned("number", "names a task by a number", plain, put(12)),
      resigned("nothing", "names a task by an empty text", plain, put("")),
      resigned("foreign-character", "names a task with a character that ids have not", plain, put("task 12")),
      { ...resigned("too-long", "names a task by 129 characters", plain, put("t".repeat(129))), edge: true },
      {
        ...resigned("further-member", "has a member besides", plain, {
          op: "add",
          path: "/payload/message",
          value: said,
        }),
        level: "SHOULD",
      },
    ],
  };
}

function events(): Cases {
  const artifact = { artifactId: "plan-1", parts: [{ text: "Span by span." }] };
  const event = (payload: JsonObject, method = "message/stream"): JsonObject =>
    unsigned(method, payload, { type: "event" });
  const at = "/payload";
  return {
    rule: "SNAP-PAY-017",
    document: "envelope",
    valid: [
      {
        name: "full",
        says: "tells progress in words and figures, and brings an artifact",
        at,
        data: event({ taskId: "task-12", progress: 0.5, message: "Halfway.", artifact }),
      },
      { name: "task-alone", says: "names its task", at, edge: true, data: event({ taskId: "task-12" }) },
      {
        name: "zero",
        says: "tells that nothing is done",
        at,
        edge: true,
        data: event({ taskId: "task-12", progress: 0, message: "" }),
      },
      { name: "percent", says: "counts progress to a hundred", at, data: event({ taskId: "task-12", progress: 50 }) },
      {
        name: "partial",
        says: "brings a part of an artifact",
        at,
        edge: true,
        data: event({ taskId: "task-12", artifact: { ...artifact, partial: true } }),
      },
      { name: "resubscribed", says: "names its task", at, data: event({ taskId: "task-12" }, "tasks/resubscribe") },
    ],
    invalid: [
      { ...removed("no-task", "names no task", "/payload/taskId"), at },
      { ...removed("resubscribed-no-task", "names no task", "/payload/taskId", "resubscribed"), at },
      replaced("task-number", "is a number", "/payload/taskId", 12),
      replaced("task-with-slash", "has a character that ids have not", "/payload/taskId", "task/12"),
      replaced("progress-text", "is a text", "/payload/progress", "0.5"),
      replaced("progress-true", "is true", "/payload/progress", true),
      replaced("progress-null", "is null", "/payload/progress", null),
      replaced("message-object", "is a message", "/payload/message", said),
      removed("artifact-without-parts", "has no parts", "/payload/artifact/parts"),
      replaced("artifact-list", "is a list", "/payload/artifact", [artifact]),
      { ...replaced("partial-text", "is a text", "/payload/artifact/partial", "true", "partial"), edge: true },
      {
        name: "further-member",
        says: "is a member of which nothing is said",
        change: [{ op: "add", path: "/payload/state", value: "working" }],
        level: "SHOULD",
      },
    ],
    disputed: [
      ignorable({
        name: "artifact-with-more",
        says: "is a member that artifacts have not",
        change: [{ op: "add", path: "/payload/artifact/x-note", value: 1 }],
      }),
    ],
  };
}
