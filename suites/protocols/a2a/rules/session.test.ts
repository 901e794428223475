import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { session } from "./session.ts";
import { traceCheckers } from "./trace.ts";

const request = (id: Json, method: string): JsonObject => ({ jsonrpc: "2.0", id, method, params: {} });
const task = (state: string): JsonObject => ({ id: "t", contextId: "c", status: { state: `TASK_STATE_${state}` } });
const answer = (id: Json, result: JsonObject): JsonObject => ({ jsonrpc: "2.0", id, result });
const findBreaches = (rule: string, lines: Json[]): string[] => {
  const { value } = session(lines);
  const checker = traceCheckers.find((traceChecker) => traceChecker.rule === rule);
  return [...(checker?.check?.(value, "session") ?? [])].map(({ at }) => at);
};

it("recognizes requests by their method, answers by their request, and events for webhooks", () => {
  const lines = [
    { from: "client", message: request(1, "GetTask") },
    answer(1, task("WORKING")),
    request("1", "SendStreamingMessage"),
    answer("1", { task: task("WORKING") }),
    { jsonrpc: "2.0", id: 1, error: { code: -32001, message: "no" } },
    { statusUpdate: { taskId: "t" } },
    request(2, "NoSuchMethod"),
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

it("reports a new state after a final state, unless the answers may have crossed", () => {
  const later = [
    request(1, "GetTask"),
    answer(1, task("COMPLETED")),
    request(2, "GetTask"),
    answer(2, task("WORKING")),
  ];
  expect(findBreaches("A2A-TASK-011", later)).toEqual(["/3/message/result/status/state"]);
  const crossed = [
    request(1, "GetTask"),
    request(2, "GetTask"),
    answer(2, task("COMPLETED")),
    answer(1, task("WORKING")),
  ];
  expect(findBreaches("A2A-TASK-011", crossed)).toEqual([]);
  const afterWebhook = [request(1, "GetTask"), answer(1, task("COMPLETED")), { task: task("WORKING") }];
  expect(findBreaches("A2A-TASK-011", afterWebhook)).toEqual([]);
});

it("separates the streams of two requests with the same id", () => {
  const stream = [request(1, "SendStreamingMessage"), answer(1, { message: { messageId: "a" } })];
  expect(findBreaches("A2A-STREAM-004", [...stream, ...stream])).toEqual([]);
  expect(findBreaches("A2A-STREAM-004", [...stream, answer(1, { message: { messageId: "b" } })])).toEqual([
    "/2/message/result",
  ]);
});

it("recognizes cards and HTTP+JSON bodies by their members", () => {
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

it("does not blame an agent for repeating a client's faulty message in a history", () => {
  const faulty = { messageId: "m-1", role: "ROLE_USER" };
  const sentMessage: JsonObject = { ...request(1, "SendMessage"), params: { message: faulty } };
  const earlierMessage = { messageId: "m-2", role: "ROLE_USER", parts: [] };
  const agentMessage = { messageId: "a-1", role: "ROLE_AGENT" };
  const recordedAnswer = answer(1, { task: { ...task("COMPLETED"), history: [faulty, earlierMessage, agentMessage] } });
  const { messages } = session([sentMessage, recordedAnswer]);
  expect(messages.at(-1)?.message).toMatchObject({
    result: {
      task: {
        history: [
          { messageId: "m-1", parts: [{ text: "" }] },
          { messageId: "m-2", parts: [{ text: "" }] },
          agentMessage,
        ],
      },
    },
  });
  expect(messages.at(-1)?.message).not.toHaveProperty("result.task.history.2.parts");
  expect(messages[0]?.message).toEqual(sentMessage);
});
