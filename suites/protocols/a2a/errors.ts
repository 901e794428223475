/** An error of the protocol, with its representation in each binding. */
export interface TableError {
  /** The `code` of a JSON-RPC error. */
  code: number;
  /** The HTTP status in the REST binding. */
  status: number;
  /** The status in 1.0.0, which has the same wire version. */
  statusIn100?: number;
  /** The `reason` of its ErrorInfo; absent for the errors of JSON-RPC itself. */
  reason?: string;
  /** The `error.status` in the REST binding. */
  statusName: string;
}

const failedPrecondition = { status: 400, statusName: "FAILED_PRECONDITION" };
const invalidArgument = { status: 400, statusName: "INVALID_ARGUMENT" };

/** The name of an error in the specification, without the suffix `Error`. */
export type ErrorName =
  | "TaskNotFound"
  | "TaskNotCancelable"
  | "PushNotificationNotSupported"
  | "UnsupportedOperation"
  | "ContentTypeNotSupported"
  | "InvalidAgentResponse"
  | "ExtendedAgentCardNotConfigured"
  | "ExtensionSupportRequired"
  | "VersionNotSupported"
  | "JSONParse"
  | "InvalidRequest"
  | "MethodNotFound"
  | "InvalidParams"
  | "Internal";

/** All errors that the specification defines. The errors of JSON-RPC itself come last. */
export const errors: Readonly<Record<ErrorName, TableError>> = {
  TaskNotFound: { code: -32001, status: 404, reason: "TASK_NOT_FOUND", statusName: "NOT_FOUND" },
  TaskNotCancelable: { code: -32002, ...failedPrecondition, statusIn100: 409, reason: "TASK_NOT_CANCELABLE" },
  PushNotificationNotSupported: { code: -32003, ...failedPrecondition, reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" },
  UnsupportedOperation: { code: -32004, ...failedPrecondition, reason: "UNSUPPORTED_OPERATION" },
  ContentTypeNotSupported: { code: -32005, ...invalidArgument, statusIn100: 415, reason: "CONTENT_TYPE_NOT_SUPPORTED" },
  InvalidAgentResponse: {
    code: -32006,
    status: 500,
    statusIn100: 502,
    reason: "INVALID_AGENT_RESPONSE",
    statusName: "INTERNAL",
  },
  ExtendedAgentCardNotConfigured: { code: -32007, ...failedPrecondition, reason: "EXTENDED_AGENT_CARD_NOT_CONFIGURED" },
  ExtensionSupportRequired: { code: -32008, ...failedPrecondition, reason: "EXTENSION_SUPPORT_REQUIRED" },
  VersionNotSupported: { code: -32009, ...failedPrecondition, reason: "VERSION_NOT_SUPPORTED" },
  JSONParse: { code: -32700, ...invalidArgument },
  InvalidRequest: { code: -32600, ...invalidArgument },
  MethodNotFound: { code: -32601, status: 404, statusName: "NOT_FOUND" },
  InvalidParams: { code: -32602, ...invalidArgument },
  Internal: { code: -32603, status: 500, statusName: "INTERNAL" },
};

export const errorInfoType = "type.googleapis.com/google.rpc.ErrorInfo";
export const errorDomain = "a2a-protocol.org";
