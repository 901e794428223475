import { type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

/** The errors of the protocol by reason: the code, the statuses with those of release 1.0.0 last, and the word for the status. */
const errors: Readonly<Record<string, readonly [code: number, status: number, former: number, word: string]>> = {
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

const infoType = "type.googleapis.com/google.rpc.ErrorInfo";
const domain = "a2a-protocol.org";

const rest = ["rest.failure"];
const rpc = [
  "rpc-error",
  "rpc.failure",
  ...["send-message", "get-task", "list-tasks", "cancel-task"].map((name) => `rpc.${name}.response`),
  ...["create-push-config", "get-push-config", "list-push-configs", "delete-push-config"].map(
    (name) => `rpc.${name}.response`,
  ),
  "rpc.get-extended-card.response",
  ...["send-streaming-message", "subscribe-to-task"].map((name) => `rpc.${name}.item`),
];

interface FoundError {
  at: string;
  error: JsonObject;
  details: readonly Json[];
  /** The member with the details. */
  member: "data" | "details";
}

function errorIn(instance: Json, document: string): FoundError | undefined {
  const at = document === "rpc-error" ? "" : "/error";
  const error = pointer.at(at, instance);
  if (!isObject(error)) return undefined;
  const member = rest.includes(document) ? "details" : "data";
  const details = error[member];
  return { at, error, member, details: Array.isArray(details) ? details : [] };
}

/** The details that name an error by type, in the protocol's own domain or in any. */
function infosIn({ details, at, member }: FoundError): { at: string; info: JsonObject }[] {
  return details.flatMap((detail, index) =>
    isObject(detail) && detail["@type"] === infoType ? [{ at: `${at}/${member}/${index}`, info: detail }] : [],
  );
}

const isOne: Checker = {
  rule: "A2A-ERR-001",
  documents: [...rpc, ...rest],
  *check(instance, document) {
    const found = errorIn(instance, document);
    const code = found?.error.code;
    if (found === undefined || typeof code !== "number") return;
    for (const { at, info } of infosIn(found)) {
      const row = info.domain === domain && typeof info.reason === "string" ? errors[info.reason] : undefined;
      if (row === undefined) continue;
      const [number, status, former] = row;
      const [due, other] = rest.includes(document) ? [status, former] : [number, number];
      if (code === due) continue;
      const why = `is ${info.reason}, whose code is ${due} and not ${code}`;
      yield { at: `${at}/reason`, why, ...(code === other ? { level: "SHOULD" as const } : {}) };
    }
  },
};

const isTold: Checker = {
  rule: "A2A-ERR-002",
  documents: [...rpc, ...rest],
  *check(instance, document) {
    const found = errorIn(instance, document);
    const message = found?.error.message;
    if (found !== undefined && typeof message === "string" && message.trim() === "")
      yield { at: `${found.at}/message`, why: "says nothing" };
  },
};

/** The reason is required for errors with a status that has one name in the protocol; a 400 may be about anything. */
const isNamed: Checker = {
  rule: "A2A-ERR-004",
  documents: rest,
  *check(instance, document) {
    const found = errorIn(instance, document);
    if (found === undefined) return;
    const infos = infosIn(found);
    for (const { at, info } of infos) {
      const isOurs = typeof info.reason === "string" && Object.hasOwn(errors, info.reason);
      if (isOurs && info.domain !== domain)
        yield { at: `${at}/domain`, why: `is ${JSON.stringify(info.domain)}, not "${domain}"` };
      else if (info.domain === domain && !isOurs && found.error.status === "FAILED_PRECONDITION")
        yield { at: `${at}/reason`, why: `is ${JSON.stringify(info.reason)}, which no error of the table has` };
    }
    if (infos.length === 0 && found.error.status === "FAILED_PRECONDITION")
      yield { at: found.at, why: "is an error of the protocol by its status, and has no ErrorInfo" };
  },
};

const isDetailed: Checker = {
  rule: "A2A-ERR-005",
  documents: rpc,
  *check(instance, document) {
    const found = errorIn(instance, document);
    const code = found?.error.code;
    if (found === undefined || typeof code !== "number" || code < -32009 || code > -32001) return;
    const ours = infosIn(found).filter(({ info }) => info.domain === domain);
    if (ours.length === 0) yield { at: found.at, why: "has no ErrorInfo in data" };
  },
};

const words: ReadonlyMap<number, readonly string[]> = new Map([
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

const hasStatus: Checker = {
  rule: "A2A-ERR-007",
  documents: ["rest-answer", ...rest],
  *check(instance, document) {
    const isAnswer = document === "rest-answer";
    const error = pointer.at(isAnswer ? "/body/error" : "/error", instance);
    if (!isObject(error) || typeof error.code !== "number") return;
    const status = isAnswer ? pointer.at("/status", instance) : error.code;
    const at = isAnswer ? "/body/error" : "/error";
    if (typeof status === "number" && status !== error.code)
      yield { at: `${at}/code`, why: `is ${error.code}, and the status is ${status}` };
    const due = words.get(error.code);
    if (error.status === undefined) yield { at, why: "has no status", level: "SHOULD" };
    else if (typeof error.status === "string" && due !== undefined && !due.includes(error.status))
      yield { at: `${at}/status`, why: `is "${error.status}", not ${due.join(" or ")}`, level: "SHOULD" };
  },
};

const isDefined: Checker = {
  rule: "A2A-ERR-008",
  documents: rpc,
  *check(instance, document) {
    const found = errorIn(instance, document);
    const code = found?.error.code;
    if (found === undefined || typeof code !== "number" || !Number.isInteger(code)) return;
    const isFine = code === -32700 || (code >= -32603 && code <= -32600) || (code >= -32099 && code <= -32001);
    if (!isFine) yield { at: `${found.at}/code`, why: `is ${code}, which nobody defines`, level: "SHOULD" };
  },
};

export const errorCheckers: readonly Checker[] = [isOne, isTold, isNamed, isDetailed, hasStatus, isDefined];
