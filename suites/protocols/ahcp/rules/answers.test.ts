import { expect, it } from "vitest";
import type { Json, RecordedMessage } from "../../../../schemas/index.ts";
import { answers } from "./answers.ts";

type HttpLine = [head: string, message?: Json, isPush?: boolean];

/** Reads the lines of an exchange. By default, the hub sends the lines that begin with a status, and the suite sends the others. */
function readLines(...lines: readonly HttpLine[]): (RecordedMessage | undefined)[] {
  const reader = answers();
  return lines.map(([head, message, isPush = head.startsWith("HTTP ")]) => {
    const [from, to] = isPush ? ["hub", "touchstone"] : ["touchstone", "hub"];
    const result = reader({ ms: 0, from, to, head, ...(message === undefined ? {} : { message }) });
    return result as RecordedMessage | undefined;
  });
}

const ask = { type: "ask", agent: { id: "bot" }, idempotency_key: "k" };
const ack = { id: "m", status: "open", poll_url: "http://hub.example/v1/messages/m" };
const acknowledged: HttpLine[] = [
  ["POST /v1/messages", ask],
  ["HTTP 202", ack],
];
const error = { error: { code: "not_found", message: "no" } };

it("reads an answer as the document that belongs to its request", () => {
  const stored = { ...ask, id: "m", status: "open" };
  expect(
    readLines(["POST /v1/messages", ask], ["HTTP 202", ack], ["GET /v1/messages/m?wait=2"], ["HTTP 200", stored]).map(
      (document) => document?.document,
    ),
  ).toEqual([undefined, "submit-ack", undefined, "get-message"]);
});

it("does not mistake a push for a request of the suite", () => {
  const [, , , , , answerToRead] = readLines(
    ...acknowledged,
    ["POST /callback", { resolution: "answered" }, true],
    ["GET /v1/messages/m"],
    ["POST /callback", { resolution: "answered" }, true],
    ["HTTP 404", error],
  );
  expect(answerToRead).toEqual({ message: error });
});

it.each([503, 413, 405, 500])("does not check the body of an answer with status %d", (status) => {
  expect(readLines(...acknowledged, ["GET /v1/messages/m"], [`HTTP ${status}`, { detail: "busy" }])[3]).toBeUndefined();
});

it("accepts a later status in an acknowledgment after the key was repeated", () => {
  const laterAck = { ...ack, status: "answered" };
  const firstAnswers = readLines(["POST /v1/messages", ask], ["HTTP 202", laterAck]);
  expect(firstAnswers[1]?.message).toEqual(laterAck);
  const bothAnswers = readLines(
    ["POST /v1/messages", ask],
    ["POST /v1/messages", ask],
    ["HTTP 202", laterAck],
    ["HTTP 202", ack],
  );
  expect(bothAnswers.slice(2).map((document) => document?.message)).toEqual([ack, ack]);
});
