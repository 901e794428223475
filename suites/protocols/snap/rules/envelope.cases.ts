import type { Cases, InvalidCase, JsonObject, ValidCase } from "../../../../schemas/index.ts";
import { a } from "./keys.ts";
import { done, noon, request, response, said, signedBy, unsigned } from "./messages.ts";
import { resigning } from "./resigning.ts";

const largest = Number.MAX_SAFE_INTEGER;

/** What the rules on the envelope itself are tried with. */
export function envelopeCases(): Cases[] {
  return [timestamps(), patterns(), names(), versions(), methods()];
}

function timestamps(): Cases {
  const plain = unsigned("message/send", { task: done });
  const late = request("message/send", { message: said }, { timestamp: largest });
  return {
    rule: "SNAP-ENV-014",
    document: "envelope",
    valid: [
      { name: "today", says: "is a time of today", at: "/timestamp", data: plain },
      {
        name: "largest",
        says: "is the largest integer that is exact",
        at: "/timestamp",
        edge: true,
        data: { ...plain, timestamp: largest },
      },
      { name: "largest-signed", says: "is the largest integer, signed digit by digit", at: "/timestamp", data: late },
      {
        name: "zero",
        says: "is the beginning of time",
        at: "/timestamp",
        edge: true,
        data: { ...plain, timestamp: 0 },
      },
    ],
    invalid: [
      {
        name: "one-more",
        says: "is one more than the largest exact integer",
        edge: true,
        from: "largest",
        change: [{ op: "replace", path: "/timestamp", value: largest + 1 }],
      },
      {
        name: "one-more-signed",
        says: "is one more than the largest exact integer, and signed",
        edge: true,
        from: "largest-signed",
        change: resigning(late, { op: "replace", path: "/timestamp", value: largest + 1 }),
      },
      {
        name: "nanoseconds",
        says: "counts nanoseconds",
        change: [{ op: "replace", path: "/timestamp", value: noon * 1e9 }],
      },
    ],
  };
}

/** Texts whose signature fits, so that only a pattern can refuse them. */
function patterns(): Cases {
  const plain = request("message/send", { message: said });
  const spoilt = (name: string, says: string, member: string, value: string): InvalidCase => ({
    name,
    says,
    at: `/${member}`,
    text: JSON.stringify(member === "sig" ? { ...plain, sig: value } : signedBy(a, { ...plain, [member]: value })),
  });
  const kept = (name: string, says: string, member: string, value: string): ValidCase => ({
    name,
    says,
    at: `/${member}`,
    edge: true,
    text: JSON.stringify(signedBy(a, { ...plain, [member]: value })),
  });
  return {
    rule: "SNAP-ENV-015",
    document: "envelope",
    valid: [
      { name: "plain", says: "has members that fit their patterns", text: JSON.stringify(plain) },
      kept("longest-id", "has as many characters as it may", "id", "m".repeat(128)),
      kept("only-marks", "is of hyphens and underscores", "id", "-_-"),
    ],
    invalid: [
      spoilt("id-and-line-feed", "ends in a line feed", "id", "msg-1\n"),
      spoilt("version-and-line-feed", "ends in a line feed", "version", "0.1\n"),
      spoilt("from-and-line-feed", "ends in a line feed", "from", `${a.address.main}\n`),
      spoilt("to-and-line-feed", "ends in a line feed", "to", `${plain.to}\n`),
      spoilt("method-and-line-feed", "ends in a line feed", "method", "message/send\n"),
      spoilt("sig-and-line-feed", "ends in a line feed", "sig", `${plain.sig}\n`),
      spoilt("arabic-indic-digits", "has digits of another script", "version", "\u0660.\u0661"),
      spoilt("fullwidth-digit", "has a full-width digit", "version", "0.\uff11"),
    ],
  };
}

/** The texts of messages whose signature fits what some readers make of them. */
function names(): Cases {
  const wanted = request("tasks/get", { taskId: "task-12" });
  const told = response("message/send", {
    task: { ...done, status: { ...(done.status as JsonObject), message: "\u{1f309}" } },
  });
  const text = JSON.stringify(wanted);
  const twice = (first: string, second: string): string =>
    text.replace('"taskId":"task-12"', `"taskId":"${first}","taskId":"${second}"`);
  return {
    rule: "SNAP-ENV-016",
    document: "envelope",
    valid: [
      { name: "plain", says: "has each name once", text },
      {
        name: "same-name-elsewhere",
        says: "has one name in two objects",
        at: "/payload/task/id",
        edge: true,
        text: JSON.stringify(told),
      },
      {
        name: "escaped-pair",
        says: "is a surrogate pair of two escapes",
        at: "/payload/task/status/message",
        edge: true,
        text: JSON.stringify(told).replace("\u{1f309}", "\\ud83c\\udf09"),
      },
    ],
    invalid: [
      {
        name: "signed-for-the-last",
        says: "stands there twice, and the signature fits the second",
        at: "/payload/taskId",
        text: twice("task-13", "task-12"),
      },
      {
        name: "signed-for-the-first",
        says: "stands there twice, and the signature fits the first",
        at: "/payload/taskId",
        involves: ["/sig"],
        text: twice("task-12", "task-13"),
      },
      {
        name: "escaped-name",
        says: "stands there twice, once with an escape",
        at: "/payload/taskId",
        text: text.replace('"taskId":"task-12"', '"taskId":"task-12","task\\u0049d":"task-12"'),
      },
      {
        name: "lone-surrogate",
        says: "ends in half a surrogate pair",
        at: "/payload/task/status/message",
        text: JSON.stringify(told).replace("\u{1f309}", "\\ud83c"),
      },
      {
        name: "lone-surrogate-in-name",
        says: "has a name that is half a surrogate pair",
        at: "",
        text: text.replace(/}$/, ',"x-\\udf09":1}'),
      },
    ],
  };
}

/** The schema takes every pair of numbers, while a recipient refuses those that it does not speak. */
function versions(): Cases {
  const plain = unsigned("message/send", { task: done });
  const other = (name: string, value: string) => ({
    name,
    says: `is ${value}`,
    change: [{ op: "replace" as const, path: "/version", value }],
    readings: [
      { verdict: "valid" as const, by: ["SNAP-ENV-005"], why: "the form is that of a version" },
      { verdict: "invalid" as const, by: ["SNAP-VER-002"], why: "who speaks 0.1 alone refuses every other version" },
    ],
  });
  return {
    rule: "SNAP-ENV-005",
    document: "envelope",
    valid: [{ name: "own", says: "is 0.1", at: "/version", data: plain }],
    invalid: [],
    disputed: [other("next-minor", "0.2"), other("next-major", "1.0"), other("long", "7.77")],
  };
}

/** A name of the right form that no agent needs to know. */
function methods(): Cases {
  const plain = request("tasks/get", { taskId: "task-12" });
  const other = (name: string, method: string) => ({
    name,
    says: `is ${method}`,
    change: resigning(plain, { op: "replace", path: "/method", value: method }),
    readings: [
      { verdict: "valid" as const, by: ["SNAP-ENV-009"], why: "the form is that of a method" },
      { verdict: "invalid" as const, by: ["SNAP-RCPT-005"], why: "a method that an agent does not know is refused" },
    ],
  });
  return {
    rule: "SNAP-ENV-009",
    document: "envelope",
    valid: [{ name: "own", says: "is tasks/get", at: "/method", data: plain }],
    invalid: [],
    disputed: [other("tasks-send", "tasks/send"), other("agent-ping", "agent/ping"), other("invented", "myapp/do_it")],
  };
}
