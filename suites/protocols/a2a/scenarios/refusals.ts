import { isObject, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { type ErrorName, errorDomain, errorInfoType, errors, type TableError } from "../errors.ts";
import { type CallResult, describeAnswer, detailsOf, isError, type ReportedError } from "./calls.ts";
import { makeFinishedTask, makeMessage, unknownId } from "./recipes.ts";
import { atEachInterface, type InterfaceVisit } from "./visit.ts";

/** Sends requests that the agent must refuse, and returns each answer with the name of the expected error. */
async function collectRefusals(visit: InterfaceVisit): Promise<[ErrorName, CallResult][]> {
  const { context, party } = visit;
  const id = unknownId(context);
  const task = await makeFinishedTask(visit);
  const finished = { id: task.id as string };
  const refusedCalls: [ErrorName, CallResult][] = [
    ["TaskNotFound", await visit.call("GetTask", { id })],
    ["TaskNotFound", await visit.call("CancelTask", { id })],
    ["TaskNotFound", await visit.call("SendMessage", { message: makeMessage(context, { taskId: id }) })],
    ["TaskNotCancelable", await visit.call("CancelTask", finished)],
    [
      "UnsupportedOperation",
      await visit.call("SendMessage", { message: makeMessage(context, { taskId: finished.id }) }),
    ],
    ["VersionNotSupported", await visit.call("GetTask", { id }, { version: "99.0" })],
  ];
  if (!party.hasPushes)
    refusedCalls.push([
      "PushNotificationNotSupported",
      await visit.call("ListTaskPushNotificationConfigs", { taskId: finished.id }),
    ]);
  if (party.requiredExtensions.length > 0)
    refusedCalls.push([
      "ExtensionSupportRequired",
      await visit.call("SendMessage", { message: makeMessage(context) }, { extensions: null }),
    ]);
  return refusedCalls;
}

async function checkErrors(visit: InterfaceVisit): Promise<void> {
  for (const [name, answer] of await collectRefusals(visit)) {
    const { error } = answer;
    if (error === undefined || !isError(answer, name)) continue;
    checkErrorKind(visit, name, answer, error);
    checkErrorForm(visit, answer, error);
  }
}

/** Checks that code, status and reason belong to the same error. */
function checkErrorKind(visit: InterfaceVisit, name: ErrorName, answer: CallResult, error: ReportedError): void {
  const { status, statusIn100, reason }: TableError = errors[name];
  const { binding } = visit.endpoint;
  if (binding === "HTTP+JSON") {
    const hasOlderStatus = error.status === statusIn100;
    const why = `${name}Error has HTTP status ${error.status}, not ${status}`;
    visit.expect("A2A-ERR-001", error.status === status, why, hasOlderStatus ? "SHOULD" : "MUST", answer.evidence);
    checkStatus(visit, answer, error);
  }
  const info = detailsOf(error, binding)
    .filter(isObject)
    .find((detail) => detail["@type"] === errorInfoType);
  const isInfo = info !== undefined && info.reason === reason && info.domain === errorDomain;
  const rule = binding === "HTTP+JSON" ? "A2A-ERR-004" : "A2A-ERR-005";
  visit.expect(
    rule,
    isInfo,
    `${name}Error has ${info === undefined ? "no ErrorInfo" : `the ErrorInfo ${JSON.stringify(info)}`}`,
    answer.evidence,
  );
  const isOtherReason =
    typeof info?.reason === "string" &&
    info.reason !== reason &&
    Object.values(errors).some((tableError: TableError) => tableError.reason === info.reason);
  visit.expect(
    "A2A-ERR-001",
    !isOtherReason,
    `the reason ${info?.reason} belongs to an error other than ${name}Error`,
    answer.evidence,
  );
}

function checkStatus(visit: InterfaceVisit, { evidence }: CallResult, { body, status }: ReportedError): void {
  if (body === undefined) return;
  visit.expect(
    "A2A-ERR-007",
    body.code === status,
    `error.code is ${JSON.stringify(body.code)} and the status ${status}`,
    evidence,
  );
  const statusNames = new Set(
    Object.values(errors)
      .filter((error) => error.status === status)
      .map(({ statusName }) => statusName),
  );
  const isKnownName = statusNames.size === 0 || statusNames.has(String(body.status));
  visit.expect(
    "A2A-ERR-007",
    isKnownName,
    `error.status is ${JSON.stringify(body.status)} and the status ${status}`,
    "SHOULD",
    evidence,
  );
}

/** Checks the members that every error must have. */
function checkErrorForm(visit: InterfaceVisit, { evidence }: CallResult, error: ReportedError): void {
  const { binding } = visit.endpoint;
  const hasMessage = typeof error.message === "string" && error.message.trim() !== "";
  visit.expect("A2A-ERR-002", hasMessage, `an error has the message ${JSON.stringify(error.message)}`, evidence);
  const details = binding === "JSONRPC" ? error.body?.data : error.body?.details;
  const isList =
    details === undefined ||
    (Array.isArray(details) && details.every((detail) => isObject(detail) && typeof detail["@type"] === "string"));
  visit.expect("A2A-ERR-003", isList, `the details of an error are ${JSON.stringify(details)}`, evidence);
}

async function checkParameterNames(visit: InterfaceVisit): Promise<void> {
  const refusedCalls: [string, CallResult][] = [
    ["pageSize", await visit.call("ListTasks", { pageSize: 101 })],
    ["parts", await visit.call("SendMessage", { message: makeMessage(visit.context, { parts: [] }) })],
  ];
  for (const [name, answer] of refusedCalls) {
    if (answer.error === undefined) continue;
    visit.expect(
      "A2A-ERR-006",
      answer.reply.text.toLowerCase().includes(name.toLowerCase()),
      `the error about ${name} does not name it: ${describeAnswer(answer)}`,
    );
  }
}

/** Whether JSON-RPC or the protocol defines a code or reserves it for implementations. */
function isDefinedCode(code: number | undefined): boolean {
  if (code === undefined || !Number.isInteger(code)) return false;
  return [-32700, -32600, -32601, -32602, -32603].includes(code) || (code <= -32001 && code >= -32099);
}

async function checkCodes(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const bodies: (JsonObject | string)[] = [
    "{",
    { jsonrpc: "2.0", id: "k-1" },
    { jsonrpc: "2.0", id: "k-2", method: "NoSuchMethod", params: {} },
    { jsonrpc: "2.0", id: "k-3", method: "CancelTask", params: { id: 5 } },
    { jsonrpc: "2.0", id: "k-4", method: "GetTask", params: { id: unknownId(context) } },
  ];
  for (const body of bodies) {
    const answer = await visit.call("GetTask", {}, { body });
    if (answer.error?.body === undefined) continue;
    visit.expect(
      "A2A-ERR-008",
      isDefinedCode(answer.error.code),
      `an error has the code ${answer.error.code}`,
      "SHOULD",
    );
  }
}

export const refusalScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "errors-written",
    says: "each error has the code, the status and the details of the table",
    rules: ["A2A-ERR-001", "A2A-ERR-002", "A2A-ERR-003", "A2A-ERR-004", "A2A-ERR-005", "A2A-ERR-007"],
    shownBy: { "A2A-ERR-004": "HTTP+JSON", "A2A-ERR-005": "JSONRPC", "A2A-ERR-007": "HTTP+JSON" },
    play: checkErrors,
  }),
  atEachInterface({
    name: "errors-parameter",
    says: "an error about a parameter names it",
    rules: ["A2A-ERR-006"],
    play: checkParameterNames,
  }),
  atEachInterface({
    name: "errors-codes",
    says: "errors have defined codes",
    rules: ["A2A-ERR-008"],
    binding: "JSONRPC",
    play: checkCodes,
  }),
];
