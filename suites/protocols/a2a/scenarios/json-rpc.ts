import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { brief, type CallName, type CallResult, isError } from "./calls.ts";
import { idFor, messageOf, unknownId } from "./recipes.ts";
import { shapesResults } from "./results.ts";
import { atEachInterface, type InterfaceVisit, listen } from "./visit.ts";

/** Sends a JSON-RPC request object unchanged. */
function rawCall(visit: InterfaceVisit, body: Json | string): Promise<CallResult> {
  return visit.call("GetTask", { id: "x" }, { body });
}

async function echoesIds(visit: InterfaceVisit): Promise<void> {
  for (const id of ["abc", "", "1", 1, 0, 9007199254740991]) {
    for (const observed of [
      await visit.call("ListTasks", { pageSize: 1 }, { id }),
      await visit.call("GetTask", { id: unknownId(visit.context) }, { id }),
    ]) {
      const { json } = observed.reply;
      const answered = isObject(json) ? json.id : undefined;
      visit.expect(
        "A2A-RPC-003",
        answered === id,
        `the id ${JSON.stringify(id)} is returned as ${JSON.stringify(answered)}`,
      );
      const isEither =
        isObject(json) && Object.hasOwn(json, "result") !== Object.hasOwn(json, "error") && json.jsonrpc === "2.0";
      visit.expect(
        "A2A-RPC-002",
        isEither,
        `the answer is not a response of JSON-RPC 2.0: ${observed.reply.text.slice(0, 160)}`,
      );
      const type = observed.reply.headers["content-type"] ?? "";
      const isPlain = /^application\/json\s*(?:;|$)/i.test(type);
      const level = /^application\/a2a\+json\b/i.test(type) ? "SHOULD" : "MUST";
      visit.expect("A2A-RPC-009", isPlain, `the media type of an answer is "${type}"`, level);
    }
  }
}

const plausible = (visit: InterfaceVisit): Record<CallName, JsonObject> => {
  const id = unknownId(visit.context);
  return {
    SendMessage: { message: messageOf(visit.context) },
    SendStreamingMessage: { message: messageOf(visit.context, { taskId: id }) },
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

/** The answer to a request; undefined for a stream, whose items are not awaited. */
async function answerTo(
  visit: InterfaceVisit,
  operation: CallName,
  params: JsonObject,
): Promise<CallResult | undefined> {
  if (operation !== "SendStreamingMessage" && operation !== "SubscribeToTask") return visit.call(operation, params);
  const heard = await listen(visit, operation, params);
  heard.cut();
  return heard.observed;
}

async function knowsMethods(visit: InterfaceVisit): Promise<void> {
  for (const [operation, params] of Object.entries(plausible(visit)) as [CallName, JsonObject][]) {
    const observed = await answerTo(visit, operation, params);
    const isKnown = observed === undefined || !isError(observed, "MethodNotFound");
    visit.expect("A2A-RPC-004", isKnown, `the method ${operation} is not known`);
  }
  for (const method of ["NoSuchMethod", "sendMessage", "SENDMESSAGE"]) {
    const observed = await rawCall(visit, {
      jsonrpc: "2.0",
      id: "n-1",
      method,
      params: { message: messageOf(visit.context) },
    });
    visit.expect(
      "A2A-RPC-005",
      isError(observed, "MethodNotFound"),
      `the method ${method} is answered with ${brief(observed)}`,
    );
  }
}

async function readsTexts(visit: InterfaceVisit): Promise<void> {
  for (const text of ["{", '{"jsonrpc":"2.0",}']) {
    const observed = await rawCall(visit, text);
    const { json } = observed.reply;
    const isNull = !isObject(json) || json.id === null || json.id === undefined;
    const why = `${text} is not JSON, and is answered with ${brief(observed)}`;
    visit.expect("A2A-RPC-006", isError(observed, "JSONParse") && isNull, why);
  }
  for (const [text, value] of [
    ["5", 5],
    ['"x"', "x"],
    ["{}", {}],
    ["a request without a method", { jsonrpc: "2.0", id: "q-1", params: {} }],
    ["a request whose method is 5", { jsonrpc: "2.0", id: "q-2", method: 5, params: {} }],
    ["a request of JSON-RPC 1.0", { jsonrpc: "1.0", id: "q-3", method: "GetTask", params: { id: "x" } }],
  ] as [string, Json][]) {
    const observed = await rawCall(visit, JSON.stringify(value));
    const isNear = isError(observed, "InvalidParams") || (typeof value !== "object" && isError(observed, "JSONParse"));
    const why = `${text} is not a request, and is answered with ${brief(observed)}`;
    visit.expect("A2A-RPC-007", isError(observed, "InvalidRequest"), why, isNear ? "SHOULD" : "MUST");
  }
}

async function readsParams(visit: InterfaceVisit): Promise<void> {
  const wrong: [string, JsonObject][] = [
    ["params that are a list", { method: "GetTask", params: [] }],
    ["GetTask without params", { method: "GetTask" }],
    ["GetTask without an id", { method: "GetTask", params: {} }],
    ["GetTask whose id is 5", { method: "GetTask", params: { id: 5 } }],
    ["SendMessage whose message is a text", { method: "SendMessage", params: { message: "x" } }],
  ];
  for (const [name, call] of wrong) {
    const observed = await rawCall(visit, { jsonrpc: "2.0", id: idFor(visit.context), ...call });
    const isRight =
      isError(observed, "InvalidParams") ||
      (call.params !== undefined && isObject(call.params) && call.params.id === 5 && isError(observed, "TaskNotFound"));
    const why = `${name} is answered with ${brief(observed)}`;
    visit.expect("A2A-RPC-008", isRight, why, isError(observed, "InvalidRequest") ? "SHOULD" : "MUST");
  }
}

async function bearsBatches(visit: InterfaceVisit): Promise<void> {
  const one = { jsonrpc: "2.0", id: "b-1", method: "GetTask", params: { id: unknownId(visit.context) } };
  const { id: _, ...notification } = one;
  for (const body of [[one, { ...one, id: "b-2" }], notification] as Json[]) {
    const { reply } = await rawCall(visit, body);
    const named = Array.isArray(body) ? "a batch" : "a notification";
    visit.expect("A2A-RPC-011", reply.status < 500, `${named} is answered with HTTP ${reply.status}`, "MUST");
  }
}

export const rpcScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "rpc-ids",
    says: "each answer is a response with the id of its request",
    rules: ["A2A-RPC-002", "A2A-RPC-003", "A2A-RPC-009"],
    binding: "JSONRPC",
    play: echoesIds,
  }),
  atEachInterface({
    name: "rpc-methods",
    says: "only the methods of the protocol are known",
    rules: ["A2A-RPC-004", "A2A-RPC-005"],
    binding: "JSONRPC",
    play: knowsMethods,
  }),
  atEachInterface({
    name: "rpc-texts",
    says: "a text that is not JSON, and JSON that is not a request, get different errors",
    rules: ["A2A-RPC-006", "A2A-RPC-007"],
    binding: "JSONRPC",
    play: readsTexts,
  }),
  atEachInterface({
    name: "rpc-params",
    says: "params that do not fit are refused with that reason",
    rules: ["A2A-RPC-008"],
    binding: "JSONRPC",
    play: readsParams,
  }),
  atEachInterface({
    name: "rpc-batches",
    says: "batches and notifications do no harm",
    rules: ["A2A-RPC-011"],
    binding: "JSONRPC",
    play: bearsBatches,
  }),
  atEachInterface({
    name: "rpc-results",
    says: "results have the form of their operation",
    rules: ["A2A-SEND-001", "A2A-RPC-010", "A2A-JSON-008"],
    binding: "JSONRPC",
    play: shapesResults,
  }),
];
