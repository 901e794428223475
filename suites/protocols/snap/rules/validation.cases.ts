import type { Cases, InvalidCase, Json, JsonObject, ValidCase } from "../../../../schemas/index.ts";
import { a, b } from "./keys.ts";
import {
  added,
  done,
  ignorable,
  mistaken,
  noon,
  removed,
  replaced,
  request,
  said,
  signedBy,
  unsigned,
} from "./messages.ts";
import { resigning } from "./resigning.ts";
import { spoiltAddresses } from "./spoilt.ts";

/** What the two steps of validation, and what follows them, are tried with. */
export function validationCases(): Cases[] {
  return [payloads(), ...reports()];
}

function payloads(): Cases {
  const sent = request("message/send", { message: said });
  const got = request("tasks/get", { taskId: "task-12", historyLength: 1000 });
  const task = unsigned("tasks/cancel", { task: done });
  const artifacts = [{ artifactId: "plan-1", parts: [{ text: "Span by span." }], partial: false }];
  const changed = (
    name: string,
    says: string,
    from: string,
    parent: JsonObject,
    path: string,
    value?: Json,
  ): InvalidCase => ({
    name,
    says,
    from,
    at: path,
    change: resigning(parent, value === undefined ? { op: "remove", path } : { op: "add", path, value }),
  });
  return {
    rule: "SNAP-VAL-001",
    document: "envelope",
    valid: [
      { name: "message-send", says: "fits the schema of its method", at: "/payload", data: sent },
      {
        name: "tasks-get",
        says: "has a history as long as it may be asked for",
        at: "/payload",
        edge: true,
        data: got,
      },
      { name: "tasks-cancel", says: "fits the schema of an answer", at: "/payload", data: task },
      {
        name: "unknown-method",
        says: "belongs to a method without schema",
        at: "/payload",
        edge: true,
        data: request("bridge/open", {}),
      },
    ],
    invalid: [
      { ...changed("empty", "is missing", "message-send", sent, "/payload/message"), edge: true },
      {
        ...{ name: "capital-letter", says: "is there under a name with a capital letter alone", from: "message-send" },
        ...{ at: "/payload/message" },
        change: resigning(
          sent,
          { op: "remove", path: "/payload/message" },
          { op: "add", path: "/payload/Message", value: said },
        ),
      },
      changed("one-more", "is one more than may be asked for", "tasks-get", got, "/payload/historyLength", 1001),
      replaced("unknown-state", "is no state", "/payload/task/status/state", "paused", "tasks-cancel"),
      removed("no-time", "is missing", "/payload/task/status/timestamp", "tasks-cancel"),
      replaced("error-without-text", "lacks its message", "/payload", { error: { code: 1001 } }, "tasks-cancel"),
    ],
    disputed: [
      changed("other-method", "belongs to tasks/get", "message-send", sent, "/payload/historyLength", 1),
      changed(
        "extension",
        "is an extension, which only the envelope may have",
        "message-send",
        sent,
        "/payload/x-note",
        1,
      ),
      changed("context", "is chosen by the requester", "message-send", sent, "/payload/contextId", "ctx-5"),
      changed("metadata", "is known to other protocols alone", "message-send", sent, "/payload/metadata", {}),
      {
        ...added("partial", "is known in events alone", "/payload/task/artifacts", artifacts, "tasks-cancel"),
        at: "/payload/task/artifacts/0/partial",
      },
    ].map(ignorable),
  };
}

function record(message: JsonObject, outcome: string, more: JsonObject = {}): JsonObject {
  return { message, now: noon, seen: [], outcome, ...more };
}

function valid(name: string, says: string, data: JsonObject, edge?: true): ValidCase {
  return { name, says, at: "/outcome", data, ...(edge === undefined ? {} : { edge }) };
}

function wrong(from: string, outcome: string): InvalidCase {
  return replaced(`${from}-${outcome}`, `is ${outcome}`, "/outcome", outcome, from);
}

function reports(): Cases[] {
  const sent = request("message/send", { message: said });
  const { sig: _sig, ...unsignedRequest } = sent;
  const stale = { now: noon + 61 };
  const seen = [{ from: a.address.main, id: String(sent.id) }];
  const withParts = (...parts: JsonObject[]): JsonObject => request("message/send", { message: { ...said, parts } });
  const [{ value: piped } = { value: "" }] = mistaken(sent, "pipes") as { value: Json }[];
  return [
    {
      rule: "SNAP-VAL-001",
      document: "validation",
      valid: [
        valid("accepted", "is that all is right", record(sent, "accepted")),
        valid("envelope", "is the envelope, which lacks a signature", record(unsignedRequest, "envelope")),
        valid(
          "payload",
          "is the payload, which lacks its message",
          record(request("message/send", {}), "payload"),
          true,
        ),
        valid(
          "envelope-first",
          "is the envelope, before the payload",
          record({ ...unsignedRequest, payload: {} }, "envelope"),
          true,
        ),
      ],
      invalid: [
        wrong("accepted", "envelope"),
        wrong("accepted", "payload"),
        wrong("envelope", "accepted"),
        wrong("envelope", "code"),
        wrong("payload", "accepted"),
        wrong("payload", "envelope"),
        wrong("payload", "code"),
        { ...wrong("envelope-first", "payload"), edge: true },
      ],
    },
    {
      rule: "SNAP-VAL-002",
      document: "validation",
      valid: [
        valid("accepted", "is that all is right", record(sent, "accepted")),
        valid("last-second", "is that all is right, 60 seconds on", record(sent, "accepted", { now: noon + 60 }), true),
        valid(
          "id-of-another",
          "is that all is right, though another has used the id",
          record(sent, "accepted", { seen: [{ from: b.address.main, id: String(sent.id) }] }),
          true,
        ),
        valid(
          "another-id",
          "is that all is right, though the sender has used another id",
          record(sent, "accepted", { seen: [{ from: a.address.main, id: "msg-69" }] }),
          true,
        ),
        valid("stale", "is the code, for the time", record(sent, "code", stale)),
        valid("repeated", "is the code, for the id", record(sent, "code", { seen })),
        valid("signature", "is the code, for the signature", record({ ...sent, sig: piped as string }, "code")),
        valid(
          "checksum",
          "is the code, for the checksum of an address",
          record(request("message/send", { message: said }, { to: spoiltAddresses.changedEnd }), "code"),
        ),
        valid(
          "networks",
          "is the code, for the networks",
          record(request("message/send", { message: said }, { to: b.address.test }), "code"),
        ),
        valid("parts", "is the code, for a part with two contents", record(withParts({ text: "", data: {} }), "code")),
        valid(
          "no-content",
          "is the code, for a part without content",
          record(withParts({ mediaType: "text/plain" }), "code"),
        ),
        valid("second-part", "is the code, for the second of two parts", record(withParts({ text: "" }, {}), "code")),
      ],
      invalid: [
        wrong("accepted", "code"),
        wrong("last-second", "code"),
        wrong("id-of-another", "code"),
        wrong("another-id", "code"),
        ...["stale", "repeated", "signature", "checksum", "networks", "parts", "no-content", "second-part"].map(
          (name) => wrong(name, "accepted"),
        ),
      ],
    },
    {
      rule: "SNAP-VAL-003",
      document: "validation",
      valid: [
        valid(
          "stream",
          "is that all is right, without a schema for the payload",
          record(request("message/stream", { message: said }), "accepted"),
        ),
        valid(
          "resubscribe",
          "is that all is right, without a schema for the payload",
          record(request("tasks/resubscribe", { taskId: "task-12" }), "accepted"),
        ),
        valid(
          "event",
          "is that all is right, without a schema for the payload",
          record(unsigned("message/stream", { taskId: "task-12" }, { type: "event" }), "accepted"),
        ),
        valid(
          "unknown-method",
          "is that all is right, without a schema for the payload",
          record(request("bridge/open", { span: 2 }), "accepted"),
          true,
        ),
        valid(
          "forged-stream",
          "is the code, for the signature",
          record(signedBy(b, request("message/stream", { message: said })), "code"),
        ),
      ],
      invalid: ["stream", "resubscribe", "event", "unknown-method", "forged-stream"].map((name) =>
        wrong(name, "payload"),
      ),
    },
  ];
}
