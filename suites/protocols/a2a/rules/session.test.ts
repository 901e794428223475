import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { session } from "./session.ts";
import { traceCheckers } from "./trace.ts";

const asked = (id: Json, method: string): JsonObject => ({ jsonrpc: "2.0", id, method, params: {} });
const task = (state: string): JsonObject => ({ id: "t", contextId: "c", status: { state: `TASK_STATE_${state}` } });
const said = (id: Json, result: JsonObject): JsonObject => ({ jsonrpc: "2.0", id, result });
const breaches = (rule: string, lines: Json[]): string[] => {
  const { value } = session(lines);
  const checker = traceCheckers.find((traceChecker) => traceChecker.rule === rule);
  return [...(checker?.check?.(value, "session") ?? [])].map(({ at }) => at);
};

it("finds the document of each message: requests by method, answers by their request, events of webhooks", () => {
  const lines = [
    { from: "client", message: asked(1, "GetTask") },
    said(1, task("WORKING")),
    asked("1", "SendStreamingMessage"),
    said("1", { task: task("WORKING") }),
    { jsonrpc: "2.0", id: 1, error: { code: -32001, message: "no" } },
    { statusUpdate: { taskId: "t" } },
    asked(2, "NoSuchMethod"),
  ];
  expect(session(lines).messages.map(({ document, from }) => `${from} ${document}`)).toEqual([
    "client rpc.get-task.request",
    "agent rpc.get-task.response",
    "client rpc.send-streaming-message.request",
    "agent rpc.send-streaming-message.item",
    "agent rpc.failure",
    "agent push",
  ]);
});

it("accuses an agent of a state after the end, unless answers may have crossed", () => {
  const later = [asked(1, "GetTask"), said(1, task("COMPLETED")), asked(2, "GetTask"), said(2, task("WORKING"))];
  expect(breaches("A2A-TASK-011", later)).toEqual(["/3/message/result/status/state"]);
  const crossed = [asked(1, "GetTask"), asked(2, "GetTask"), said(2, task("COMPLETED")), said(1, task("WORKING"))];
  expect(breaches("A2A-TASK-011", crossed)).toEqual([]);
  const called = [asked(1, "GetTask"), said(1, task("COMPLETED")), { task: task("WORKING") }];
  expect(breaches("A2A-TASK-011", called)).toEqual([]);
});

it("separates streams with the same request id", () => {
  const one = [asked(1, "SendStreamingMessage"), said(1, { message: { messageId: "a" } })];
  expect(breaches("A2A-STREAM-004", [...one, ...one])).toEqual([]);
  expect(breaches("A2A-STREAM-004", [...one, said(1, { message: { messageId: "b" } })])).toEqual(["/2/message/result"]);
});

it("finds the documents of cards, and of bodies over HTTP+JSON", () => {
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
  const lines = [
    { supportedInterfaces: [] },
    { message },
    task("WORKING"),
    { tasks: [], nextPageToken: "" },
    { message: { ...message, role: "ROLE_AGENT" } },
  ];
  const { messages, value } = session(lines as unknown as Json[]);
  expect(messages.map(({ document, from }) => `${from} ${document}`)).toEqual([
    "agent card",
    "client rest.send-message.request",
    "agent rest.get-task.response",
    "agent rest.list-tasks.response",
    "agent push",
  ]);
  expect(value).toHaveLength(1);
});

it("does not accuse an agent that repeats a client's faulty message in a history", () => {
  const faulty = { messageId: "m-1", role: "ROLE_USER" };
  const given: JsonObject = { ...asked(1, "SendMessage"), params: { message: faulty } };
  const before = { messageId: "m-2", role: "ROLE_USER", parts: [] };
  const own = { messageId: "a-1", role: "ROLE_AGENT" };
  const answer = said(1, { task: { ...task("COMPLETED"), history: [faulty, before, own] } });
  const { messages } = session([given, answer]);
  expect(messages.at(-1)?.message).toMatchObject({
    result: {
      task: {
        history: [{ messageId: "m-1", parts: [{ text: "" }] }, { messageId: "m-2", parts: [{ text: "" }] }, own],
      },
    },
  });
  expect(messages.at(-1)?.message).not.toHaveProperty("result.task.history.2.parts");
  expect(messages[0]?.message).toEqual(given);
});
