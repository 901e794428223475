import { type HttpReply, isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import {
  type CallName,
  type CallResult,
  describeAnswer,
  isError,
  isInvalid,
  isServerFault,
  isUnrouted,
  wireCall,
} from "./calls.ts";
import { idFor, makeMessage, openTask, unknownId } from "./recipes.ts";
import { checkResults } from "./results.ts";
import { atEachInterface, type InterfaceVisit, openStream, stepFailed } from "./visit.ts";

async function checkRoutes(visit: InterfaceVisit): Promise<void> {
  const { party, context } = visit;
  const task = await openTask(visit, "finishing");
  const id = task.id as Json;
  const createdConfig = party.hasPushes
    ? await visit.call("CreateTaskPushNotificationConfig", { taskId: id, url: "https://hooks.example/a", id: "c-1" })
    : undefined;
  const config = { taskId: id, id: isObject(createdConfig?.result) ? (createdConfig.result.id as Json) : "c-1" };
  const isConfigured = isObject(createdConfig?.result);
  const routedCalls: [CallName, JsonObject][] = [
    ["SendMessage", { message: makeMessage(context) }],
    ["SendStreamingMessage", { message: makeMessage(context) }],
    ["GetTask", { id }],
    ["ListTasks", { pageSize: 1 }],
    ["SubscribeToTask", { id }],
    ["CancelTask", { id }],
    ["GetExtendedAgentCard", {}],
    ...(isConfigured
      ? ([
          ["CreateTaskPushNotificationConfig", { taskId: id, url: "https://hooks.example/a" }],
          ["ListTaskPushNotificationConfigs", { taskId: id }],
          ["GetTaskPushNotificationConfig", config],
          ["DeleteTaskPushNotificationConfig", config],
        ] as [CallName, JsonObject][])
      : []),
  ];
  for (const [operation, params] of routedCalls) {
    const answer = await callRoute(visit, operation, params);
    const { method, path } = wireCall(visit.endpoint, operation, params, 0);
    const why = `there is no route ${method} ${path}: ${answer === undefined ? "" : describeAnswer(answer)}`;
    visit.expect("A2A-REST-001", answer === undefined || !isUnrouted(answer), why);
  }
}

/** Sends a request to a route and returns the answer; undefined for a stream. */
async function callRoute(
  visit: InterfaceVisit,
  operation: CallName,
  params: JsonObject,
): Promise<CallResult | undefined> {
  if (operation !== "SubscribeToTask" && operation !== "SendStreamingMessage") return visit.call(operation, params);
  const stream = await openStream(visit, operation, params);
  stream.cut();
  if (operation === "SendStreamingMessage" || stream.answer === undefined || !isUnrouted(stream.answer))
    return stream.answer;
  const getStream = await openStream(visit, operation, params, { method: "GET" });
  getStream.cut();
  return getStream.answer;
}

/** Checks the media type of a JSON answer, a result or an error. */
function checkMediaType(visit: InterfaceVisit, { reply, error }: CallResult): void {
  if (reply.json === undefined) return;
  const mediaType = reply.headers["content-type"] ?? "";
  const level = /^application\/json\b/i.test(mediaType) ? "SHOULD" : "MUST";
  const subject = error === undefined ? "an answer" : "an error";
  visit.expect(
    "A2A-REST-005",
    /^application\/a2a\+json\b/i.test(mediaType),
    `the media type of ${subject} is "${mediaType}"`,
    level,
  );
}

async function checkMediaTypes(visit: InterfaceVisit): Promise<void> {
  const acceptedTypes: string[] = [];
  const refusedTypes: string[] = [];
  for (const mediaType of ["application/a2a+json", "application/json"]) {
    const answer = await visit.call(
      "SendMessage",
      { message: makeMessage(visit.context) },
      { headers: { "content-type": mediaType } },
    );
    (answer.error === undefined ? acceptedTypes : refusedTypes).push(mediaType);
    if (answer.error === undefined) checkMediaType(visit, answer);
  }
  checkMediaType(visit, await visit.call("GetTask", { id: unknownId(visit.context) }));
  visit.expect(
    "A2A-REST-006",
    refusedTypes.length === 0,
    `a body of the media type ${refusedTypes.join(" and of the media type ")} is refused`,
    acceptedTypes.length > 0 ? "SHOULD" : "MUST",
  );
}

async function checkErrors(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const faultyRequests: [string, CallResult][] = [
    ["a body that is not JSON", await visit.call("SendMessage", {}, { body: "{" })],
    ["an empty body", await visit.call("SendMessage", {}, { body: "" })],
    ["a body that is a list", await visit.call("SendMessage", {}, { body: [] })],
    ["an unknown task", await visit.call("GetTask", { id: unknownId(context) })],
    ["a version that is not offered", await visit.call("GetTask", { id: unknownId(context) }, { version: "99.0" })],
  ];
  for (const [name, answer] of faultyRequests) {
    const { error, reply } = answer;
    const isClientError = error !== undefined && reply.status >= 400 && reply.status < 500 && isObject(error.body);
    visit.expect(
      "A2A-REST-007",
      isClientError,
      `${name} is answered with HTTP ${reply.status}: ${reply.text.slice(0, 160)}`,
    );
  }
}

async function checkBareCancel(visit: InterfaceVisit): Promise<void> {
  const id = unknownId(visit.context);
  const emptyObjectAnswer = await visit.call("CancelTask", { id });
  visit.expect(
    "A2A-REST-008",
    isError(emptyObjectAnswer, "TaskNotFound") || isInvalid(emptyObjectAnswer),
    `a cancel with the body {} is answered with ${describeAnswer(emptyObjectAnswer)}`,
  );
  const bareAnswer = await visit.call(
    "CancelTask",
    { id },
    { body: "", headers: { "content-type": "application/json" } },
  );
  const hasSameStatus = bareAnswer.error?.status === emptyObjectAnswer.error?.status;
  visit.expect(
    "A2A-REST-008",
    hasSameStatus,
    `a cancel without a body is answered with ${describeAnswer(bareAnswer)}`,
    "SHOULD",
  );
}

async function checkDecoding(visit: InterfaceVisit): Promise<void> {
  const { context, endpoint } = visit;
  // If it is decoded twice, it ends with the letter A.
  const contextId = `${idFor(context)} &+ü%41`;
  const sendAnswer = await visit.call("SendMessage", { message: makeMessage(context, { contextId }) });
  const task = isObject(sendAnswer.result) ? sendAnswer.result.task : undefined;
  if (isObject(task) && task.contextId === contextId) {
    const listAnswer = await visit.call("ListTasks", { contextId });
    const ids =
      isObject(listAnswer.result) && Array.isArray(listAnswer.result.tasks)
        ? listAnswer.result.tasks.map((listedTask) => (listedTask as JsonObject).id)
        : [];
    visit.expect(
      "A2A-REST-009",
      ids.includes(task.id as Json),
      `the context "${contextId}" in the query finds ${describeAnswer(listAnswer)}`,
    );
  }
  const storedTask = isObject(task) ? task : await openTask(visit, "finishing");
  const bytes = [...Buffer.from(String(storedTask.id))];
  const encodedBytes = bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`);
  const plainAnswer = await visit.call("GetTask", { id: storedTask.id as Json });
  const needsNoEncoding = encodeURIComponent(String(storedTask.id)) === storedTask.id;
  if (needsNoEncoding && !isObject(plainAnswer.result))
    throw stepFailed(`an existing task cannot be read: ${describeAnswer(plainAnswer)}`);
  const why = `a task whose id a path must encode, ${JSON.stringify(storedTask.id)}, is answered with ${describeAnswer(plainAnswer)}`;
  visit.expect("A2A-REST-009", isObject(plainAnswer.result), why);
  if (!isObject(plainAnswer.result)) return;
  const tenant = endpoint.tenant === undefined ? "" : `/${encodeURIComponent(endpoint.tenant)}`;
  const readAt = (segment: string): Promise<HttpReply> =>
    context.send({ method: "GET", path: `${endpoint.path}${tenant}/tasks/${segment}`, headers: visit.headers() });
  const isStoredTask = ({ json }: HttpReply): boolean => isObject(json) && json.id === storedTask.id;
  const encodedOnce = await readAt(encodedBytes.join(""));
  visit.expect(
    "A2A-REST-009",
    isStoredTask(encodedOnce),
    `a task whose id is percent-encoded is answered with HTTP ${encodedOnce.status}`,
  );
  const [firstByte = "", ...otherBytes] = encodedBytes;
  const encodedTwice = await readAt([encodeURIComponent(firstByte), ...otherBytes].join(""));
  visit.expect("A2A-REST-009", !isStoredTask(encodedTwice), "a task is found by an id that is percent-encoded twice");
}

async function checkQueries(visit: InterfaceVisit): Promise<void> {
  const task = await openTask(visit, "finishing");
  const malformedQueries: [string, CallName, JsonObject][] = [
    ["pageSize=x", "ListTasks", { pageSize: "x" }],
    ["historyLength=1.5", "GetTask", { id: task.id as Json, historyLength: "1.5" }],
    ["includeArtifacts=maybe", "ListTasks", { includeArtifacts: "maybe" }],
  ];
  for (const [name, operation, params] of malformedQueries) {
    const answer = await visit.call(operation, params);
    const why = `${name} is answered with ${describeAnswer(answer)}`;
    visit.expect(
      "A2A-REST-004",
      isInvalid(answer),
      why,
      answer.error === undefined && !isServerFault(answer) ? "SHOULD" : "MUST",
    );
  }
}

export const restScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "rest-results",
    says: "results have the form of their operation",
    rules: ["A2A-SEND-001", "A2A-REST-002", "A2A-JSON-008"],
    binding: "HTTP+JSON",
    play: checkResults,
  }),
  atEachInterface({
    name: "rest-routes",
    says: "there is a route for each operation",
    rules: ["A2A-REST-001"],
    binding: "HTTP+JSON",
    play: checkRoutes,
  }),
  atEachInterface({
    name: "rest-types",
    says: "both media types are accepted, and answers have the media type of the protocol",
    rules: ["A2A-REST-005", "A2A-REST-006"],
    binding: "HTTP+JSON",
    play: checkMediaTypes,
  }),
  atEachInterface({
    name: "rest-errors",
    says: "each error has a matching status and body",
    rules: ["A2A-REST-007"],
    binding: "HTTP+JSON",
    play: checkErrors,
  }),
  atEachInterface({
    name: "rest-cancel",
    says: "a cancellation needs no body",
    rules: ["A2A-REST-008"],
    binding: "HTTP+JSON",
    play: checkBareCancel,
  }),
  atEachInterface({
    name: "rest-encoding",
    says: "encoded paths and values are decoded once",
    rules: ["A2A-REST-009"],
    binding: "HTTP+JSON",
    play: checkDecoding,
  }),
  atEachInterface({
    name: "rest-queries",
    says: "malformed values of a query are refused",
    rules: ["A2A-REST-004"],
    binding: "HTTP+JSON",
    play: checkQueries,
  }),
];
