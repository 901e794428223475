import { type HttpReply, isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import {
  brief,
  type CallName,
  type CallResult,
  isError,
  isInvalid,
  isServerFault,
  isUnrouted,
  wireCall,
} from "./calls.ts";
import { idFor, messageOf, openTask, unknownId } from "./recipes.ts";
import { shapesResults } from "./results.ts";
import { atEachInterface, type InterfaceVisit, listen, stepFailed } from "./visit.ts";

async function walksRoutes(visit: InterfaceVisit): Promise<void> {
  const { party, context } = visit;
  const task = await openTask(visit, "finishing");
  const id = task.id as Json;
  const made = party.pushes
    ? await visit.call("CreateTaskPushNotificationConfig", { taskId: id, url: "https://hooks.example/a", id: "c-1" })
    : undefined;
  const config = { taskId: id, id: isObject(made?.result) ? (made.result.id as Json) : "c-1" };
  const isConfigured = isObject(made?.result);
  const there: [CallName, JsonObject][] = [
    ["SendMessage", { message: messageOf(context) }],
    ["SendStreamingMessage", { message: messageOf(context) }],
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
  for (const [operation, params] of there) {
    const observed = await askRoute(visit, operation, params);
    const { method, path } = wireCall(visit.endpoint, operation, params, 0);
    const why = `there is no route ${method} ${path}: ${observed === undefined ? "" : brief(observed)}`;
    visit.expect("A2A-REST-001", observed === undefined || !isUnrouted(observed), why);
  }
}

/** The answer at a route; undefined for a stream. */
async function askRoute(
  visit: InterfaceVisit,
  operation: CallName,
  params: JsonObject,
): Promise<CallResult | undefined> {
  if (operation !== "SubscribeToTask" && operation !== "SendStreamingMessage") return visit.call(operation, params);
  const heard = await listen(visit, operation, params);
  heard.cut();
  if (operation === "SendStreamingMessage" || heard.observed === undefined || !isUnrouted(heard.observed))
    return heard.observed;
  const other = await listen(visit, operation, params, { method: "GET" });
  other.cut();
  return other.observed;
}

/** Holds the media type of an answer with JSON, a result or an error, against the rule. */
function judgeType(visit: InterfaceVisit, { reply, error }: CallResult): void {
  if (reply.json === undefined) return;
  const type = reply.headers["content-type"] ?? "";
  const level = /^application\/json\b/i.test(type) ? "SHOULD" : "MUST";
  const what = error === undefined ? "an answer" : "an error";
  visit.expect(
    "A2A-REST-005",
    /^application\/a2a\+json\b/i.test(type),
    `the media type of ${what} is "${type}"`,
    level,
  );
}

async function judgesTypes(visit: InterfaceVisit): Promise<void> {
  const taken: string[] = [];
  const refused: string[] = [];
  for (const type of ["application/a2a+json", "application/json"]) {
    const observed = await visit.call(
      "SendMessage",
      { message: messageOf(visit.context) },
      { headers: { "content-type": type } },
    );
    (observed.error === undefined ? taken : refused).push(type);
    if (observed.error === undefined) judgeType(visit, observed);
  }
  judgeType(visit, await visit.call("GetTask", { id: unknownId(visit.context) }));
  visit.expect(
    "A2A-REST-006",
    refused.length === 0,
    `a body of the type ${refused.join(" and of the type ")} is refused`,
    taken.length > 0 ? "SHOULD" : "MUST",
  );
}

async function refusesBodies(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const tries: [string, CallResult][] = [
    ["a body that is not JSON", await visit.call("SendMessage", {}, { body: "{" })],
    ["an empty body", await visit.call("SendMessage", {}, { body: "" })],
    ["a body that is a list", await visit.call("SendMessage", {}, { body: [] })],
    ["an unknown task", await visit.call("GetTask", { id: unknownId(context) })],
    ["a version that is not offered", await visit.call("GetTask", { id: unknownId(context) }, { version: "99.0" })],
  ];
  for (const [name, observed] of tries) {
    const { error, reply } = observed;
    const isRight = error !== undefined && reply.status >= 400 && reply.status < 500 && isObject(error.body);
    visit.expect("A2A-REST-007", isRight, `${name} is answered with HTTP ${reply.status}: ${reply.text.slice(0, 160)}`);
  }
}

async function cancelsBare(visit: InterfaceVisit): Promise<void> {
  const id = unknownId(visit.context);
  const plain = await visit.call("CancelTask", { id });
  visit.expect(
    "A2A-REST-008",
    isError(plain, "TaskNotFound") || isInvalid(plain),
    `a cancel with the body {} is answered with ${brief(plain)}`,
  );
  const bare = await visit.call("CancelTask", { id }, { body: "", headers: { "content-type": "application/json" } });
  const isSame = bare.error?.status === plain.error?.status;
  visit.expect("A2A-REST-008", isSame, `a cancel without a body is answered with ${brief(bare)}`, "SHOULD");
}

async function decodesPaths(visit: InterfaceVisit): Promise<void> {
  const { context, endpoint } = visit;
  // Decoded twice, its end is the letter A.
  const contextId = `${idFor(context)} &+ü%41`;
  const sent = await visit.call("SendMessage", { message: messageOf(context, { contextId }) });
  const task = isObject(sent.result) ? sent.result.task : undefined;
  if (isObject(task) && task.contextId === contextId) {
    const listed = await visit.call("ListTasks", { contextId });
    const ids =
      isObject(listed.result) && Array.isArray(listed.result.tasks)
        ? listed.result.tasks.map((each) => (each as JsonObject).id)
        : [];
    visit.expect(
      "A2A-REST-009",
      ids.includes(task.id as Json),
      `the context "${contextId}" in the query finds ${brief(listed)}`,
    );
  }
  const own = isObject(task) ? task : await openTask(visit, "finishing");
  const bytes = [...Buffer.from(String(own.id))];
  const encoded = bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`);
  const plain = await visit.call("GetTask", { id: own.id as Json });
  const isPlain = encodeURIComponent(String(own.id)) === own.id;
  if (isPlain && !isObject(plain.result)) throw stepFailed(`a task that there is cannot be read: ${brief(plain)}`);
  const why = `a task whose id a path must encode, ${JSON.stringify(own.id)}, is answered with ${brief(plain)}`;
  visit.expect("A2A-REST-009", isObject(plain.result), why);
  if (!isObject(plain.result)) return;
  const tenant = endpoint.tenant === undefined ? "" : `/${encodeURIComponent(endpoint.tenant)}`;
  const readAt = (segment: string): Promise<HttpReply> =>
    context.send({ method: "GET", path: `${endpoint.path}${tenant}/tasks/${segment}`, headers: visit.headers() });
  const isOwn = ({ json }: HttpReply): boolean => isObject(json) && json.id === own.id;
  const once = await readAt(encoded.join(""));
  visit.expect("A2A-REST-009", isOwn(once), `a task whose id is percent-encoded is answered with HTTP ${once.status}`);
  const [first = "", ...rest] = encoded;
  const twice = await readAt([encodeURIComponent(first), ...rest].join(""));
  visit.expect("A2A-REST-009", !isOwn(twice), "a task is found by an id that is percent-encoded twice");
}

async function readsQueries(visit: InterfaceVisit): Promise<void> {
  const task = await openTask(visit, "finishing");
  const wrong: [string, CallName, JsonObject][] = [
    ["pageSize=x", "ListTasks", { pageSize: "x" }],
    ["historyLength=1.5", "GetTask", { id: task.id as Json, historyLength: "1.5" }],
    ["includeArtifacts=maybe", "ListTasks", { includeArtifacts: "maybe" }],
  ];
  for (const [name, operation, params] of wrong) {
    const observed = await visit.call(operation, params);
    const why = `${name} is answered with ${brief(observed)}`;
    visit.expect(
      "A2A-REST-004",
      isInvalid(observed),
      why,
      observed.error === undefined && !isServerFault(observed) ? "SHOULD" : "MUST",
    );
  }
}

export const restScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "rest-results",
    says: "bodies have the form of their operation",
    rules: ["A2A-SEND-001", "A2A-REST-002", "A2A-JSON-008"],
    binding: "HTTP+JSON",
    play: shapesResults,
  }),
  atEachInterface({
    name: "rest-routes",
    says: "there is a route for each operation",
    rules: ["A2A-REST-001"],
    binding: "HTTP+JSON",
    play: walksRoutes,
  }),
  atEachInterface({
    name: "rest-types",
    says: "both media types are read, and the answer has that of the protocol",
    rules: ["A2A-REST-005", "A2A-REST-006"],
    binding: "HTTP+JSON",
    play: judgesTypes,
  }),
  atEachInterface({
    name: "rest-errors",
    says: "each error has a matching status and body",
    rules: ["A2A-REST-007"],
    binding: "HTTP+JSON",
    play: refusesBodies,
  }),
  atEachInterface({
    name: "rest-cancel",
    says: "a cancellation needs no body",
    rules: ["A2A-REST-008"],
    binding: "HTTP+JSON",
    play: cancelsBare,
  }),
  atEachInterface({
    name: "rest-encoding",
    says: "encoded paths and values are decoded once",
    rules: ["A2A-REST-009"],
    binding: "HTTP+JSON",
    play: decodesPaths,
  }),
  atEachInterface({
    name: "rest-queries",
    says: "malformed values of a query are refused",
    rules: ["A2A-REST-004"],
    binding: "HTTP+JSON",
    play: readsQueries,
  }),
];
