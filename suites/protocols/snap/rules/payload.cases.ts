import type { Cases, DisputedCase, InvalidCase, Json, JsonObject } from "../../../../schemas/index.ts";
import { done, removed, replaced, said, unsigned } from "./messages.ts";

const missing: JsonObject = { code: 1001, message: "There is no such task." };

/** What the rules on payloads as a whole are tried with. */
export function payloadCases(): Cases[] {
  return [outcomes(), outcomesInEnvelopes(), moments(), codes(), depths(), sizes(), closed()];
}

const both: InvalidCase = {
  name: "both",
  says: "has an error beside its task",
  at: "",
  level: "SHOULD",
  change: [{ op: "add", path: "/error", value: missing }],
};

function outcomes(): Cases {
  return {
    rule: "SNAP-PAY-004",
    document: "tasks-get.response",
    valid: [
      { name: "task", says: "has a task", data: { task: done } },
      { name: "error", says: "has an error", edge: true, data: { error: missing } },
    ],
    invalid: [{ ...removed("empty", "has neither", "/task"), at: "", edge: true }, both],
  };
}

function outcomesInEnvelopes(): Cases {
  const answer = (method: string): JsonObject => unsigned(method, { task: done });
  return {
    rule: "SNAP-PAY-004",
    document: "envelope",
    valid: [
      { name: "sent", says: "has a task", at: "/payload", data: answer("message/send") },
      { name: "streamed", says: "has a task at the end of a stream", at: "/payload", data: answer("message/stream") },
      { name: "resumed", says: "has a task at the end of a stream", at: "/payload", data: answer("tasks/resubscribe") },
      {
        name: "error",
        says: "has an error",
        at: "/payload",
        edge: true,
        data: unsigned("tasks/cancel", { error: missing }),
      },
    ],
    invalid: [
      { ...removed("empty", "has neither a task nor an error", "/payload/task"), at: "/payload" },
      { ...removed("empty-streamed", "has neither a task nor an error", "/payload/task", "streamed"), at: "/payload" },
      { ...removed("empty-resumed", "has neither a task nor an error", "/payload/task", "resumed"), at: "/payload" },
    ],
  };
}

function moments(): Cases {
  const at = "/status/timestamp";
  const task = (timestamp: string): JsonObject => ({ ...done, status: { state: "working", timestamp } });
  const valid = (name: string, says: string, timestamp: string) => ({
    name,
    says,
    at,
    edge: true as const,
    data: task(timestamp),
  });
  const never = (name: string, says: string, timestamp: string): InvalidCase => replaced(name, says, at, timestamp);
  const open = (name: string, says: string, timestamp: string, readings: DisputedCase["readings"]): DisputedCase => ({
    ...replaced(name, says, at, timestamp),
    readings,
  });
  return {
    rule: "SNAP-PAY-010",
    document: "task",
    valid: [
      { name: "plain", says: "is a moment", at, data: task("2026-01-15T12:00:04Z") },
      valid("leap-day", "is on the leap day of a year divided by 4", "2028-02-29T00:00:00Z"),
      valid("leap-century", "is on the leap day of a year divided by 400", "2000-02-29T00:00:00Z"),
      valid("last-second", "is in the last second of a year", "2025-12-31T23:59:59.999999999Z"),
      valid("furthest-offset", "has an offset of nearly a day", "2026-01-15T12:00:04+23:59"),
      valid("thirty-first", "is on the last day of July", "2026-07-31T12:00:00-00:30"),
    ],
    invalid: [
      never("nines", "has nines for all its digits", "2025-99-99T99:99:99Z"),
      never("month-0", "is in no month", "2026-00-15T12:00:00Z"),
      never("month-13", "is in a thirteenth month", "2026-13-15T12:00:00Z"),
      never("day-0", "is on no day", "2026-01-00T12:00:00Z"),
      never("day-32", "is on the 32nd of January", "2026-01-32T12:00:00Z"),
      never("april-31", "is on the 31st of April", "2026-04-31T12:00:00Z"),
      never("february-29", "is on the 29th of February in no leap year", "2026-02-29T12:00:00Z"),
      never("century", "is on the 29th of February of 2100", "2100-02-29T12:00:00Z"),
      never("february-30", "is on the 30th of February in a leap year", "2028-02-30T12:00:00Z"),
      never("hour-25", "is in a 25th hour", "2026-01-15T25:00:00Z"),
      never("past-midnight", "is after the end of its day", "2026-01-15T24:00:01Z"),
      never("minute-60", "is in a 61st minute", "2026-01-15T12:60:00Z"),
      never("second-61", "is in a 62nd second", "2026-12-31T23:59:61Z"),
      never("offset-24", "has an offset of a day", "2026-01-15T12:00:00+24:00"),
      never("offset-minute-60", "has 60 minutes in its offset", "2026-01-15T12:00:00-01:60"),
    ],
    disputed: [
      open("leap-second", "is a second that was put in", "2016-12-31T23:59:60Z", [
        { verdict: "valid", by: ["RFC 3339, 5.6"], why: "a leap second is a moment like any other" },
        { verdict: "invalid", by: ["SNAP-PAY-010"], why: "the clocks of most machines have no such second" },
      ]),
      open("midnight-24", "is the end of its day", "2026-01-15T24:00:00Z", [
        { verdict: "valid", by: ["ISO 8601"], why: "hour 24 is the end of a day" },
        { verdict: "invalid", by: ["RFC 3339, 5.6"], why: "hours end at 23" },
      ]),
      open("minus-zero", "has an offset of minus nothing", "2026-01-15T12:00:00-00:00", [
        { verdict: "valid", by: ["RFC 3339, 4.3"], why: "it says that the local offset is unknown" },
        { verdict: "invalid", by: ["ISO 8601"], why: "an offset of nothing is not negative" },
      ]),
    ],
  };
}

function codes(): Cases {
  const error = (code: number): JsonObject => ({ code, message: "Out of order." });
  return {
    rule: "SNAP-PAY-013",
    document: "error",
    valid: [
      { name: "payload", says: "is in the list", at: "/code", data: error(1004) },
      { name: "last", says: "is the last of the list", at: "/code", edge: true, data: error(5005) },
      { name: "last-of-range", says: "is the last of its range", at: "/code", edge: true, data: error(2006) },
    ],
    invalid: [
      replaced("unlisted", "is in a range, and not in the list", "/code", 1999),
      ...[1000, 1008, 2007, 3000, 3006, 4007, 5006].map((code) => ({
        ...replaced(`code-${code}`, "is beside the list", "/code", code),
        edge: true as const,
      })),
    ],
  };
}

/** As many objects, or lists, one within the other. */
function nested(levels: number, isList = false): JsonObject {
  let inner: Json = isList ? [] : {};
  for (let level = 2; level < levels; level += 1) inner = isList ? [inner] : { in: inner };
  return { in: inner };
}

/** A request whose payload has four levels above the data. */
function saying(data: JsonObject): JsonObject {
  return { message: { ...said, parts: [{ data }] } };
}

function depths(): Cases {
  const at = "/message/parts/0/data";
  const readings: DisputedCase["readings"] = [
    {
      verdict: "valid",
      by: ["position"],
      why: "where counting starts is not said, and it may start below the payload",
    },
    { verdict: "invalid", by: ["position"], why: "where counting starts is not said, and a leaf may be a level too" },
  ];
  return {
    rule: "SNAP-PAY-018",
    document: "message-send.request",
    valid: [
      { name: "flat", says: "has no level of its own", at, data: saying({ spans: 3 }) },
      { name: "eight-levels", says: "makes eight levels", at, edge: true, data: saying(nested(4)) },
      {
        name: "wide",
        says: "has many members and few levels",
        at,
        data: saying({ spans: Array.from({ length: 30 }, () => [{}]) }),
      },
    ],
    invalid: [
      replaced("twenty-levels", "makes twenty levels", at, nested(16)),
      replaced("twenty-levels-of-lists", "makes twenty levels of lists", at, nested(16, true)),
      replaced("last-member", "makes twenty levels by its last member", at, { first: 1, last: nested(15) }),
    ],
    disputed: [
      {
        ...replaced("ten-levels", "makes ten levels and a number below", at, {
          ...nested(5),
          in: { in: { in: { in: { in: 1 } } } },
        }),
        readings,
      },
      { ...replaced("eleven-levels", "makes eleven levels", at, nested(7)), readings },
    ],
  };
}

function sizes(): Cases {
  const at = "/fill/times";
  const start = saying({ note: "x" });
  const frame = Buffer.byteLength(JSON.stringify(start)) - 1;
  const large = (text: string, times: number): JsonObject => ({
    document: "message-send.request",
    start,
    fill: { at: "/message/parts/0/data/note", text, times },
  });
  // The data stay below their own limit, which is as large: what is too much is the payload as a whole.
  const spread: JsonObject = {
    document: "message-send.request",
    start: { message: { ...said, parts: [{ text: "x" }] } },
    fill: { at: "/message/parts/0/text", text: "x", times: 900_000 },
  };
  return {
    rule: "SNAP-PAY-018",
    document: "large",
    valid: [
      { name: "text", says: "makes a payload of 900 kilobytes", at, data: spread },
      {
        name: "a-million-bytes",
        says: "makes a payload of a million bytes",
        at,
        edge: true,
        data: large("x", 1e6 - frame),
      },
      {
        name: "quotes",
        says: "makes a payload of 900 kilobytes, in which each quote is escaped",
        at,
        data: { ...spread, fill: { at: "/message/parts/0/text", text: '"', times: 450_000 } },
      },
      {
        name: "angles",
        says: "makes a payload of 900 kilobytes, nearly all of a sign that only HTML escapes",
        at,
        data: { ...spread, fill: { at: "/message/parts/0/text", text: "<", times: 900_000 } },
      },
    ],
    invalid: [
      replaced("two-megabytes", "makes a payload of two megabytes", at, 2_097_152),
      replaced("escaped", "makes a payload of 1.2 megabytes, of which half are escapes", at, 600_000, "quotes"),
    ],
  };
}

/** A member that prose knows and the schemas do not. */
function closed(): Cases {
  const answered = unsigned("message/send", {
    task: { ...done, artifacts: [{ artifactId: "plan-1", parts: [{ text: "Span by span." }] }] },
  });
  return {
    rule: "SNAP-PAY-003",
    document: "envelope",
    valid: [{ name: "task", says: "has a task alone", at: "/payload", data: answered }],
    invalid: [],
    disputed: [
      {
        name: "deduplicated",
        says: "says that the message had come before",
        change: [{ op: "add", path: "/payload/deduplicated", value: true }],
        readings: [
          {
            verdict: "valid",
            by: ["SNAP-REPLAY-005"],
            why: "a duplicate is answered with the original task and this member",
          },
          { verdict: "invalid", by: ["SNAP-PAY-003"], why: "the schema of the payload is closed" },
        ],
      },
    ],
  };
}
