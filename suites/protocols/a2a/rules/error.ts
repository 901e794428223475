import { type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

type ErrorRow = readonly [code: number, status: number, statusIn100: number, statusName: string];

/** The errors of the protocol by reason: JSON-RPC code, HTTP status, HTTP status in release 1.0.0, and status name. */
const errorTable: Readonly<Record<string, ErrorRow>> = {
  TASK_NOT_FOUND: [-32001, 404, 404, "NOT_FOUND"],
  TASK_NOT_CANCELABLE: [-32002, 400, 409, "FAILED_PRECONDITION"],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32003, 400, 400, "FAILED_PRECONDITION"],
  UNSUPPORTED_OPERATION: [-32004, 400, 400, "FAILED_PRECONDITION"],
  CONTENT_TYPE_NOT_SUPPORTED: [-32005, 400, 415, "INVALID_ARGUMENT"],
  INVALID_AGENT_RESPONSE: [-32006, 500, 502, "INTERNAL"],
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: [-32007, 400, 400, "FAILED_PRECONDITION"],
  EXTENSION_SUPPORT_REQUIRED: [-32008, 400, 400, "FAILED_PRECONDITION"],
  VERSION_NOT_SUPPORTED: [-32009, 400, 400, "FAILED_PRECONDITION"],
};

const errorInfoType = "type.googleapis.com/google.rpc.ErrorInfo";
const protocolDomain = "a2a-protocol.org";

const restDocuments = ["rest.failure"];
const rpcDocuments = [
  "rpc-error",
  "rpc.failure",
  ...["send-message", "get-task", "list-tasks", "cancel-task"].map((name) => `rpc.${name}.response`),
  ...["create-push-config", "get-push-config", "list-push-configs", "delete-push-config"].map(
    (name) => `rpc.${name}.response`,
  ),
  "rpc.get-extended-card.response",
  ...["send-streaming-message", "subscribe-to-task"].map((name) => `rpc.${name}.item`),
];

interface ProtocolError {
  at: string;
  error: JsonObject;
  details: readonly Json[];
  /** The member of the error that lists the details. */
  member: "data" | "details";
}

function errorIn(instance: Json, document: string): ProtocolError | undefined {
  const at = document === "rpc-error" ? "" : "/error";
  const error = pointer.at(at, instance);
  if (!isObject(error)) return undefined;
  const member = restDocuments.includes(document) ? "details" : "data";
  const details = error[member];
  return { at, error, member, details: Array.isArray(details) ? details : [] };
}

/** Lists the details of type ErrorInfo, in any domain, each with its location. */
function errorInfosIn({ details, at, member }: ProtocolError): { at: string; info: JsonObject }[] {
  return details.flatMap((detail, index) =>
    isObject(detail) && detail["@type"] === errorInfoType ? [{ at: `${at}/${member}/${index}`, info: detail }] : [],
  );
}

const codesOfReasons: Checker = {
  rule: "A2A-ERR-001",
  documents: [...rpcDocuments, ...restDocuments],
  *check(instance, document) {
    const reported = errorIn(instance, document);
    const code = reported?.error.code;
    if (reported === undefined || typeof code !== "number") return;
    for (const { at, info } of errorInfosIn(reported)) {
      const tableRow =
        info.domain === protocolDomain && typeof info.reason === "string" ? errorTable[info.reason] : undefined;
      if (tableRow === undefined) continue;
      const [rpcCode, status, statusIn100] = tableRow;
      const [expected, expectedIn100] = restDocuments.includes(document) ? [status, statusIn100] : [rpcCode, rpcCode];
      if (code === expected) continue;
      const why = `is ${info.reason}, which has the code ${expected}, not ${code}`;
      yield { at: `${at}/reason`, why, ...(code === expectedIn100 ? { level: "SHOULD" as const } : {}) };
    }
  },
};

const errorMessages: Checker = {
  rule: "A2A-ERR-002",
  documents: [...rpcDocuments, ...restDocuments],
  *check(instance, document) {
    const reported = errorIn(instance, document);
    const message = reported?.error.message;
    if (reported !== undefined && typeof message === "string" && message.trim() === "")
      yield { at: `${reported.at}/message`, why: "is empty" };
  },
};

/** A reason is required only with the status FAILED_PRECONDITION: that status means an error of the protocol, but a 400 may have any cause. */
const reasonsOfErrors: Checker = {
  rule: "A2A-ERR-004",
  documents: restDocuments,
  *check(instance, document) {
    const reported = errorIn(instance, document);
    if (reported === undefined) return;
    const infos = errorInfosIn(reported);
    for (const { at, info } of infos) {
      const isInTable = typeof info.reason === "string" && Object.hasOwn(errorTable, info.reason);
      if (isInTable && info.domain !== protocolDomain)
        yield { at: `${at}/domain`, why: `is ${JSON.stringify(info.domain)}, not "${protocolDomain}"` };
      else if (info.domain === protocolDomain && !isInTable && reported.error.status === "FAILED_PRECONDITION")
        yield { at: `${at}/reason`, why: `is ${JSON.stringify(info.reason)}, which is not an error of the protocol` };
    }
    if (infos.length === 0 && reported.error.status === "FAILED_PRECONDITION")
      yield { at: reported.at, why: "has the status of an error of the protocol but no ErrorInfo" };
  },
};

const errorDetails: Checker = {
  rule: "A2A-ERR-005",
  documents: rpcDocuments,
  *check(instance, document) {
    const reported = errorIn(instance, document);
    const code = reported?.error.code;
    if (reported === undefined || typeof code !== "number" || code < -32009 || code > -32001) return;
    const protocolInfos = errorInfosIn(reported).filter(({ info }) => info.domain === protocolDomain);
    if (protocolInfos.length === 0) yield { at: reported.at, why: "has no ErrorInfo in data" };
  },
};

const statusNames: ReadonlyMap<number, readonly string[]> = new Map([
  [400, ["FAILED_PRECONDITION", "INVALID_ARGUMENT", "OUT_OF_RANGE"]],
  [401, ["UNAUTHENTICATED"]],
  [403, ["PERMISSION_DENIED"]],
  [404, ["NOT_FOUND"]],
  [409, ["ABORTED", "ALREADY_EXISTS", "FAILED_PRECONDITION"]],
  [429, ["RESOURCE_EXHAUSTED"]],
  [500, ["INTERNAL", "UNKNOWN", "DATA_LOSS"]],
  [501, ["UNIMPLEMENTED"]],
  [503, ["UNAVAILABLE"]],
]);

const errorStatuses: Checker = {
  rule: "A2A-ERR-007",
  documents: ["rest-answer", ...restDocuments],
  *check(instance, document) {
    const isAnswer = document === "rest-answer";
    const error = pointer.at(isAnswer ? "/body/error" : "/error", instance);
    if (!isObject(error) || typeof error.code !== "number") return;
    const status = isAnswer ? pointer.at("/status", instance) : error.code;
    const at = isAnswer ? "/body/error" : "/error";
    if (typeof status === "number" && status !== error.code)
      yield { at: `${at}/code`, why: `is ${error.code}, but the HTTP status is ${status}` };
    const expectedNames = statusNames.get(error.code);
    if (error.status === undefined) yield { at, why: "has no status", level: "SHOULD" };
    else if (typeof error.status === "string" && expectedNames !== undefined && !expectedNames.includes(error.status))
      yield { at: `${at}/status`, why: `is "${error.status}", not ${expectedNames.join(" or ")}`, level: "SHOULD" };
  },
};

const definedCodes: Checker = {
  rule: "A2A-ERR-008",
  documents: rpcDocuments,
  *check(instance, document) {
    const reported = errorIn(instance, document);
    const code = reported?.error.code;
    if (reported === undefined || typeof code !== "number" || !Number.isInteger(code)) return;
    const hasMeaning = code === -32700 || (code >= -32603 && code <= -32600) || (code >= -32099 && code <= -32001);
    if (!hasMeaning)
      yield { at: `${reported.at}/code`, why: `is ${code}, which no specification defines`, level: "SHOULD" };
  },
};

export const errorCheckers: readonly Checker[] = [
  codesOfReasons,
  errorMessages,
  reasonsOfErrors,
  errorDetails,
  errorStatuses,
  definedCodes,
];
