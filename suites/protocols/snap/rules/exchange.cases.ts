import { kept } from "../../../../generators/index.ts";
import type { Cases, Change, InvalidCase, Json, JsonObject } from "../../../../schemas/index.ts";
import { b, c } from "./keys.ts";
import { between, done, removed, replaced, request, response, said, signedBy } from "./messages.ts";

const artifact = { artifactId: "plan-1", parts: [{ text: "Span by span." }] };
const whole: JsonObject = { ...done, artifacts: [artifact] };

/** What a request and its answers are tried with. */
export function exchangeCases(): Cases[] {
  const plain = {
    request: request("message/send", { message: said }),
    answers: [response("message/send", { task: done })],
  };
  const first = event("evt-1", { taskId: "task-12", progress: 0.5 });
  const second = event("evt-2", { taskId: "task-12", artifact });
  const streamed = {
    request: request("message/stream", { message: said }),
    answers: [first, second, response("message/stream", { task: whole })],
  };
  const resumed = {
    request: request("tasks/resubscribe", { taskId: "task-12" }),
    answers: [
      event("evt-3", { taskId: "task-12" }, "tasks/resubscribe"),
      response("tasks/resubscribe", { task: done }),
    ],
  };
  return [
    answers(plain),
    payloads(plain),
    signing(plain),
    ends(streamed, resumed),
    items(streamed),
    misplaced(plain, streamed),
    wholes(streamed, resumed),
  ];
}

function event(id: string, payload: JsonObject, method = "message/stream"): JsonObject {
  return response(method, payload, { id, type: "event" });
}

interface Recorded extends JsonObject {
  request: JsonObject;
  answers: JsonObject[];
}

/** The record with other answers. */
function answeredBy(recorded: Recorded, ...answers: JsonObject[]): Recorded {
  return { ...recorded, answers };
}

function refused(streamed: Recorded): Recorded {
  return answeredBy(streamed, response("message/stream", { error: { code: 2001, message: "No." } }));
}

/** Another member in an answer, and the signature that it calls for. */
function inAnswer(recorded: Recorded, index: number, member: string, value: Json): Change[] {
  const signed = signedBy(b, { ...(recorded.answers[index] as JsonObject), [member]: value });
  return [
    { op: "replace", path: `/answers/${index}/${member}`, value },
    { op: "replace", path: `/answers/${index}/sig`, value: signed.sig },
  ];
}

function answers(plain: Recorded): Cases {
  const wrong = (name: string, says: string, member: string, value: Json): InvalidCase => ({
    name,
    says,
    change: inAnswer(plain, 0, member, value),
  });
  const unsigned = answeredBy(plain, response("message/send", { task: done }, { sig: undefined }));
  return {
    rule: "SNAP-RCPT-003",
    document: "exchange",
    valid: [
      kept("response", "is a response of the agent that was asked", "/answers/0", plain),
      kept("unsigned", "is a response without a signature", "/answers/0", unsigned, true),
      kept(
        "refused",
        "is a response with an error",
        "/answers/0",
        answeredBy(plain, response("message/send", { error: { code: 1004, message: "No." } })),
        true,
      ),
    ],
    invalid: [
      wrong("other-method", "is not that of the request", "method", "tasks/get"),
      wrong("other-recipient", "is not the agent that asked", "to", c.address.main),
      wrong("to-itself", "is the agent that answers", "to", b.address.main),
      {
        name: "other-sender",
        says: "is not the agent that was asked",
        at: "/answers/0/from",
        change: between(plain, answeredBy(plain, response("message/send", { task: done }, { from: c.address.main }))),
      },
      { name: "request", says: "is request", at: "/answers/0/type", change: inAnswer(plain, 0, "type", "request") },
      removed("nothing", "is missing", "/answers/0"),
      { ...wrong("same-id", "is that of the request", "id", String(plain.request.id)), level: "SHOULD" },
    ],
  };
}

/** Advice to sign, which a requester may insist on. */
function signing(plain: Recorded): Cases {
  return {
    rule: "SNAP-SIG-012",
    document: "exchange",
    valid: [kept("signed", "is signed", "/answers/0", plain)],
    invalid: [{ ...removed("unsigned", "is not signed", "/answers/0/sig"), at: "/answers/0", level: "NOTE" }],
  };
}

function payloads(plain: Recorded): Cases {
  const got = {
    request: request("tasks/get", { taskId: "task-12" }),
    answers: [response("tasks/get", { task: done })],
  };
  const cancelled = {
    request: request("tasks/cancel", { taskId: "task-12" }),
    answers: [response("tasks/cancel", { error: { code: 1002, message: "Done." } })],
  };
  const wrong = (name: string, says: string, from: string, recorded: Recorded, payload: JsonObject): InvalidCase => ({
    name,
    says,
    from,
    change: inAnswer(recorded, 0, "payload", payload),
  });
  const { timestamp: _timestamp, ...timeless } = done.status as JsonObject;
  return {
    rule: "SNAP-RCPT-004",
    document: "exchange",
    valid: [
      kept("message-send", "fits the schema of its method", "/answers/0/payload", plain),
      kept("tasks-get", "fits the schema of its method", "/answers/0/payload", got),
      kept("tasks-cancel", "is an error", "/answers/0/payload", cancelled, true),
    ],
    invalid: [
      wrong("bare-task", "is the task itself", "tasks-get", got, done),
      wrong("no-time", "has a status without a time", "message-send", plain, { task: { ...done, status: timeless } }),
      wrong("text-code", "has an error whose code is a text", "tasks-cancel", cancelled, {
        error: { code: "1002", message: "Done." },
      }),
      wrong("message", "is a message in place of a task", "message-send", plain, { message: said }),
    ],
  };
}

function ends(streamed: Recorded, resumed: Recorded): Cases {
  const [first, , last] = streamed.answers as [JsonObject, JsonObject, JsonObject];
  return {
    rule: "SNAP-STREAM-001",
    document: "exchange",
    valid: [
      kept("events", "are events and a response", "/answers", streamed),
      kept(
        "no-event",
        "are a response alone",
        "/answers",
        answeredBy(streamed, response("message/stream", { task: done })),
        true,
      ),
      kept("refused", "are an error alone", "/answers", refused(streamed), true),
      kept("resumed", "are an event and a response", "/answers", resumed),
    ],
    invalid: [
      { ...removed("no-response", "is missing, which is the response", "/answers/2"), edge: true },
      removed("resumed-no-response", "is missing, which is the response", "/answers/1", "resumed"),
      {
        name: "nothing",
        says: "are missing altogether",
        from: "no-event",
        at: "/answers",
        change: [{ op: "remove", path: "/answers/0" }],
      },
      {
        name: "event-after",
        says: "is an event after the response",
        at: "/answers/3",
        change: [{ op: "add", path: "/answers/-", value: signedBy(b, { ...first, id: "evt-4" }) }],
        edge: true,
      },
      {
        name: "two-responses",
        says: "is a second response",
        at: "/answers/3",
        change: [{ op: "add", path: "/answers/-", value: signedBy(b, { ...last, id: "ans-71" }) }],
      },
    ],
  };
}

function items(streamed: Recorded): Cases {
  const bare = answeredBy(streamed, ...streamed.answers.map(({ sig: _sig, ...rest }) => rest));
  const [first] = streamed.answers as [JsonObject];
  return {
    rule: "SNAP-STREAM-002",
    document: "exchange",
    valid: [
      kept("signed", "repeat the method, and are signed", "/answers", streamed),
      kept("unsigned", "repeat the method, and are not signed", "/answers", bare, true),
    ],
    invalid: [
      replaced("other-method", "is not that of the request", "/answers/0/method", "tasks/resubscribe", "unsigned"),
      replaced("last-other-method", "is not that of the request", "/answers/2/method", "message/send", "unsigned"),
      replaced("zeros", "is made of zeros", "/answers/1/sig", "0".repeat(128)),
      replaced("foreign", "was made by somebody else", "/answers/0/sig", signedBy(c, first).sig as string),
      {
        ...replaced("changed", "was changed after signing", "/answers/0/payload/progress", 1),
        involves: ["/answers/0/sig"],
      },
    ],
  };
}

function misplaced(plain: Recorded, streamed: Recorded): Cases {
  const got = {
    request: request("tasks/get", { taskId: "task-12" }),
    answers: [response("tasks/get", { task: done })],
  };
  const before = (method: string): Pick<InvalidCase, "change" | "involves"> => ({
    change: [{ op: "add", path: "/answers/0", value: event("evt-5", { taskId: "task-12" }, method) }],
    involves: ["/answers/1"],
  });
  return {
    rule: "SNAP-STREAM-003",
    document: "exchange",
    valid: [
      kept("response", "are a response", "/answers", plain),
      kept("get", "are a response", "/answers", got),
      kept("stream", "are events, for a method with a stream", "/answers", streamed, true),
    ],
    invalid: [
      { name: "event-first", says: "is an event before the response", ...before("message/send") },
      { name: "event-first-of-get", says: "is an event before the response", from: "get", ...before("tasks/get") },
      {
        name: "event-after",
        says: "is an event after the response",
        at: "/answers/1",
        change: [{ op: "add", path: "/answers/-", value: event("evt-5", { taskId: "task-12" }, "message/send") }],
      },
    ],
  };
}

function wholes(streamed: Recorded, resumed: Recorded): Cases {
  const { timestamp: _timestamp, ...timeless } = whole.status as JsonObject;
  const [first, second] = streamed.answers as [JsonObject, JsonObject];
  const failed = answeredBy(
    streamed,
    first,
    second,
    response("message/stream", { task: { ...done, status: { ...(done.status as JsonObject), state: "failed" } } }),
  );
  const last = (name: string, says: string, payload: JsonObject): InvalidCase => ({
    name,
    says,
    change: inAnswer(streamed, 2, "payload", payload),
  });
  return {
    rule: "SNAP-STREAM-006",
    document: "exchange",
    valid: [
      kept("whole", "is the whole task", "/answers/2/payload", streamed),
      kept("refused", "is an error", "/answers/0/payload", refused(streamed), true),
      kept("resumed", "is the whole task", "/answers/1/payload", resumed),
    ],
    invalid: [
      {
        name: "resumed-no-time",
        says: "has a status without a time",
        from: "resumed",
        change: inAnswer(resumed, 1, "payload", { task: { ...done, status: timeless } }),
      },
      last("no-time", "has a status without a time", { task: { ...whole, status: timeless } }),
      last("no-artifact", "lacks the artifact that an event brought", { task: done }),
      last("other-artifact", "has another artifact than an event brought", {
        task: { ...whole, artifacts: [{ ...artifact, artifactId: "plan-2" }] },
      }),
      last("event-payload", "is what an event has", { taskId: "task-12" }),
    ],
    disputed: [
      {
        name: "failed",
        says: "is a task that failed, without what it had begun",
        at: "/answers/2/payload",
        change: between(streamed, failed),
        readings: [
          { verdict: "valid", by: ["SNAP-STREAM-006"], why: "what failed has no result" },
          { verdict: "invalid", by: ["SNAP-STREAM-006"], why: "the whole task has whatever its events brought" },
        ],
      },
    ],
  };
}
