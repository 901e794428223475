import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { type CallName, type CallResult, describeAnswer, isError } from "./calls.ts";
import { idFor, makeMessage, unknownId } from "./recipes.ts";
import { checkResults } from "./results.ts";
import { atEachInterface, type InterfaceVisit, openStream } from "./visit.ts";

/** Sends a JSON-RPC request object unchanged. */
function callRaw(visit: InterfaceVisit, body: Json | string): Promise<CallResult> {
  return visit.call("GetTask", { id: "x" }, { body });
}

async function checkIds(visit: InterfaceVisit): Promise<void> {
  for (const id of ["abc", "", "1", 1, 0, 9007199254740991]) {
    for (const answer of [
      await visit.call("ListTasks", { pageSize: 1 }, { id }),
      await visit.call("GetTask", { id: unknownId(visit.context) }, { id }),
    ]) {
      const { json } = answer.reply;
      const returnedId = isObject(json) ? json.id : undefined;
      visit.expect(
        "A2A-RPC-003",
        returnedId === id,
        `the id ${JSON.stringify(id)} is returned as ${JSON.stringify(returnedId)}`,
      );
      const isResponse =
        isObject(json) && Object.hasOwn(json, "result") !== Object.hasOwn(json, "error") && json.jsonrpc === "2.0";
      visit.expect(
        "A2A-RPC-002",
        isResponse,
        `the answer is not a response of JSON-RPC 2.0: ${answer.reply.text.slice(0, 160)}`,
      );
      const mediaType = answer.reply.headers["content-type"] ?? "";
      const isJson = /^application\/json\s*(?:;|$)/i.test(mediaType);
      const level = /^application\/a2a\+json\b/i.test(mediaType) ? "SHOULD" : "MUST";
      visit.expect("A2A-RPC-009", isJson, `the media type of an answer is "${mediaType}"`, level);
    }
  }
}

const plausibleParams = (visit: InterfaceVisit): Record<CallName, JsonObject> => {
  const id = unknownId(visit.context);
  return {
    SendMessage: { message: makeMessage(visit.context) },
    SendStreamingMessage: { message: makeMessage(visit.context, { taskId: id }) },
    GetTask: { id },
    ListTasks: { pageSize: 1 },
    CancelTask: { id },
    SubscribeToTask: { id },
    CreateTaskPushNotificationConfig: { taskId: id, url: "https://hooks.example/a" },
    GetTaskPushNotificationConfig: { taskId: id, id: "c-1" },
    ListTaskPushNotificationConfigs: { taskId: id },
    DeleteTaskPushNotificationConfig: { taskId: id, id: "c-1" },
    GetExtendedAgentCard: {},
  };
};

/** Calls an operation and returns the answer; undefined for a stream. Does not wait for the items of a stream. */
async function callOperation(
  visit: InterfaceVisit,
  operation: CallName,
  params: JsonObject,
): Promise<CallResult | undefined> {
  if (operation !== "SendStreamingMessage" && operation !== "SubscribeToTask") return visit.call(operation, params);
  const stream = await openStream(visit, operation, params);
  stream.cut();
  return stream.answer;
}

async function checkMethods(visit: InterfaceVisit): Promise<void> {
  for (const [operation, params] of Object.entries(plausibleParams(visit)) as [CallName, JsonObject][]) {
    const answer = await callOperation(visit, operation, params);
    const isKnown = answer === undefined || !isError(answer, "MethodNotFound");
    visit.expect("A2A-RPC-004", isKnown, `the method ${operation} is unknown`);
  }
  for (const method of ["NoSuchMethod", "sendMessage", "SENDMESSAGE"]) {
    const answer = await callRaw(visit, {
      jsonrpc: "2.0",
      id: "n-1",
      method,
      params: { message: makeMessage(visit.context) },
    });
    visit.expect(
      "A2A-RPC-005",
      isError(answer, "MethodNotFound"),
      `the method ${method} is answered with ${describeAnswer(answer)}`,
    );
  }
}

async function checkMalformedRequests(visit: InterfaceVisit): Promise<void> {
  for (const text of ["{", '{"jsonrpc":"2.0",}']) {
    const answer = await callRaw(visit, text);
    const { json } = answer.reply;
    const hasNoId = !isObject(json) || json.id === null || json.id === undefined;
    const why = `${text} is not JSON, and is answered with ${describeAnswer(answer)}`;
    visit.expect("A2A-RPC-006", isError(answer, "JSONParse") && hasNoId, why);
  }
  for (const [text, value] of [
    ["5", 5],
    ['"x"', "x"],
    ["{}", {}],
    ["a request without a method", { jsonrpc: "2.0", id: "q-1", params: {} }],
    ["a request whose method is 5", { jsonrpc: "2.0", id: "q-2", method: 5, params: {} }],
    ["a request of JSON-RPC 1.0", { jsonrpc: "1.0", id: "q-3", method: "GetTask", params: { id: "x" } }],
  ] as [string, Json][]) {
    const answer = await callRaw(visit, JSON.stringify(value));
    const isNearError = isError(answer, "InvalidParams") || (typeof value !== "object" && isError(answer, "JSONParse"));
    const why = `${text} is not a request, and is answered with ${describeAnswer(answer)}`;
    visit.expect("A2A-RPC-007", isError(answer, "InvalidRequest"), why, isNearError ? "SHOULD" : "MUST");
  }
}

async function checkParams(visit: InterfaceVisit): Promise<void> {
  const malformedCalls: [string, JsonObject][] = [
    ["params that are a list", { method: "GetTask", params: [] }],
    ["GetTask without params", { method: "GetTask" }],
    ["GetTask without an id", { method: "GetTask", params: {} }],
    ["GetTask whose id is 5", { method: "GetTask", params: { id: 5 } }],
    ["SendMessage whose message is a string", { method: "SendMessage", params: { message: "x" } }],
  ];
  for (const [name, members] of malformedCalls) {
    const answer = await callRaw(visit, { jsonrpc: "2.0", id: idFor(visit.context), ...members });
    const isExpectedError =
      isError(answer, "InvalidParams") ||
      (members.params !== undefined &&
        isObject(members.params) &&
        members.params.id === 5 &&
        isError(answer, "TaskNotFound"));
    const why = `${name} is answered with ${describeAnswer(answer)}`;
    visit.expect("A2A-RPC-008", isExpectedError, why, isError(answer, "InvalidRequest") ? "SHOULD" : "MUST");
  }
}

async function checkBatches(visit: InterfaceVisit): Promise<void> {
  const singleCall = { jsonrpc: "2.0", id: "b-1", method: "GetTask", params: { id: unknownId(visit.context) } };
  const { id: _, ...notification } = singleCall;
  for (const body of [[singleCall, { ...singleCall, id: "b-2" }], notification] as Json[]) {
    const { reply } = await callRaw(visit, body);
    const subject = Array.isArray(body) ? "a batch" : "a notification";
    visit.expect("A2A-RPC-011", reply.status < 500, `${subject} is answered with HTTP ${reply.status}`, "MUST");
  }
}

export const rpcScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "rpc-ids",
    says: "each answer is a response with the id of its request",
    rules: ["A2A-RPC-002", "A2A-RPC-003", "A2A-RPC-009"],
    binding: "JSONRPC",
    play: checkIds,
  }),
  atEachInterface({
    name: "rpc-methods",
    says: "the agent implements exactly the methods of the protocol",
    rules: ["A2A-RPC-004", "A2A-RPC-005"],
    binding: "JSONRPC",
    play: checkMethods,
  }),
  atEachInterface({
    name: "rpc-texts",
    says: "invalid JSON and invalid requests are refused with different errors",
    rules: ["A2A-RPC-006", "A2A-RPC-007"],
    binding: "JSONRPC",
    play: checkMalformedRequests,
  }),
  atEachInterface({
    name: "rpc-params",
    says: "malformed params are refused as invalid parameters",
    rules: ["A2A-RPC-008"],
    binding: "JSONRPC",
    play: checkParams,
  }),
  atEachInterface({
    name: "rpc-batches",
    says: "batches and notifications do not cause a server fault",
    rules: ["A2A-RPC-011"],
    binding: "JSONRPC",
    play: checkBatches,
  }),
  atEachInterface({
    name: "rpc-results",
    says: "results have the form of their operation",
    rules: ["A2A-SEND-001", "A2A-RPC-010", "A2A-JSON-008"],
    binding: "JSONRPC",
    play: checkResults,
  }),
];
