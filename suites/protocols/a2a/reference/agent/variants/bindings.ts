import { isObject, type Json } from "../../../../../../schemas/index.ts";
import { editAt, removeAt, setAt } from "../../../../../packs/reference/changes.ts";
import { errors } from "../../../errors.ts";
import type { AgentAnswer } from "../agent.ts";
import {
  type BrokenA2aAgent,
  breaks,
  changeBodies,
  changeResults,
  isGetting,
  isListing,
  isOperation,
  isSending,
  overBinding,
  refuseCalls,
  replaceError,
  skipCheck,
} from "./variant.ts";

const isRpc = overBinding("JSONRPC");
const isRest = overBinding("HTTP+JSON");
const isDeleting = isOperation("DeleteTaskPushNotificationConfig");

/** The code of an error in the body of an answer, in either binding. */
function codeIn({ body }: AgentAnswer): Json | undefined {
  return isObject(body) && isObject(body.error) ? body.error.code : undefined;
}

export const bindingVariants: readonly BrokenA2aAgent[] = [
  ...breaks("A2A-RPC-002", {
    "": [
      "answers with a result and an error that is null",
      changeBodies(isRpc, (body) => (body.error === undefined ? { ...body, error: null } : body)),
    ],
  }),
  ...breaks("A2A-RPC-003", {
    "": [
      "returns the id as a string",
      changeBodies(
        isRpc,
        editAt("/id", (id) => String(id)),
      ),
    ],
    errors: [
      "answers errors without the id",
      changeBodies(isRpc, (body) =>
        isObject(body.error) && body.error.code === errors.TaskNotFound.code ? { ...body, id: null } : body,
      ),
    ],
  }),
  ...breaks("A2A-RPC-004", {
    "": ["does not implement a method", refuseCalls("MethodNotFound", overBinding("JSONRPC", isDeleting))],
  }),
  ...breaks("A2A-RPC-005", {
    "": ["matches method names case-insensitively", skipCheck("method")],
  }),
  ...breaks("A2A-RPC-006", {
    "": ["reports a body that is not JSON as an invalid request", replaceError("JSONParse", "InvalidRequest", isRpc)],
  }),
  ...breaks("A2A-RPC-007", {
    "": [
      "reports JSON that is not a request as an unknown method",
      replaceError("InvalidRequest", "MethodNotFound", isRpc),
    ],
  }),
  ...breaks("A2A-RPC-008", {
    "": [
      "crashes on params that are not an object",
      replaceError(
        "InvalidParams",
        "Internal",
        ({ binding }, { field }) => binding === "JSONRPC" && field === "params",
      ),
    ],
  }),
  ...breaks("A2A-RPC-009", {
    "": [
      "sends JSON with the media type text/plain",
      {
        changeAnswer: (answer, call) =>
          call.binding === "JSONRPC" && answer.headers["content-type"] === "application/json"
            ? { ...answer, headers: { ...answer.headers, "content-type": "text/plain" } }
            : answer,
      },
    ],
  }),
  ...breaks("A2A-RPC-010", {
    "": [
      "answers ListTasks with only the list of tasks",
      changeResults(overBinding("JSONRPC", isListing), ({ tasks }) => tasks as Json),
    ],
  }),
  ...breaks("A2A-RPC-011", {
    "": [
      "crashes on a batch",
      {
        changeAnswer: (answer, { binding }) =>
          binding === "JSONRPC" && JSON.stringify(answer.body ?? null).includes("not a request object")
            ? { ...answer, status: 500 }
            : answer,
      },
    ],
  }),
  ...breaks("A2A-SEND-001", {
    "": [
      "answers a message with a bare task",
      changeResults(isSending, (result) => (result.task ?? result.message) as Json),
    ],
  }),
  ...breaks("A2A-REST-001", {
    "": ["has no route to delete a configuration", refuseCalls("MethodNotFound", overBinding("HTTP+JSON", isDeleting))],
  }),
  ...breaks("A2A-REST-002", {
    "": [
      "answers a list of tasks with only the tasks",
      changeResults(overBinding("HTTP+JSON", isListing), ({ tasks }) => tasks as Json),
    ],
  }),
  ...breaks("A2A-REST-004", {
    "": [
      "ignores unreadable values of a query",
      skipCheck(
        "page-size",
        overBinding("HTTP+JSON", ({ params }) => params.pageSize === "x"),
      ),
    ],
  }),
  ...breaks("A2A-REST-005", {
    "": [
      "answers with the media type application/json",
      {
        changeAnswer: (answer, call) =>
          call.binding === "HTTP+JSON" && answer.headers["content-type"] === "application/a2a+json"
            ? { ...answer, headers: { ...answer.headers, "content-type": "application/json" } }
            : answer,
      },
    ],
    errors: [
      "answers errors with the media type application/problem+json",
      {
        changeAnswer: (answer, call) =>
          call.binding === "HTTP+JSON" && answer.status >= 400
            ? { ...answer, headers: { ...answer.headers, "content-type": "application/problem+json" } }
            : answer,
      },
    ],
  }),
  ...breaks("A2A-REST-006", {
    "": [
      "refuses bodies of the type application/json",
      refuseCalls(
        "InvalidParams",
        overBinding(
          "HTTP+JSON",
          ({ headers, operation }) => operation === "SendMessage" && headers["content-type"] === "application/json",
        ),
      ),
    ],
  }),
  ...breaks("A2A-REST-007", {
    "": [
      "answers a body that is not JSON with 200",
      {
        changeAnswer: (answer, call) =>
          call.binding === "HTTP+JSON" && JSON.stringify(answer.body ?? null).includes("the body is not JSON")
            ? { ...answer, status: 200 }
            : answer,
      },
    ],
  }),
  ...breaks("A2A-REST-008", {
    "": [
      "refuses a cancel without a body",
      refuseCalls(
        "InvalidParams",
        overBinding("HTTP+JSON", ({ operation, size }) => operation === "CancelTask" && size === 0),
      ),
    ],
  }),
  ...breaks("A2A-REST-009", {
    "": ["does not decode its paths", { decodePathPart: (part) => part }],
    twice: ["decodes its paths twice", { decodePathPart: (part) => decodeURIComponent(decodeURIComponent(part)) }],
  }),
  ...breaks("A2A-ERR-001", {
    "": [
      "answers an unknown task with 400",
      {
        changeAnswer: (answer, call) =>
          call.binding === "HTTP+JSON" && codeIn(answer) === 404
            ? {
                ...answer,
                status: 400,
                body: setAt("/error/status", "INVALID_ARGUMENT")(setAt("/error/code", 400)(answer.body as never)),
              }
            : answer,
      },
    ],
  }),
  ...breaks("A2A-ERR-002", {
    "": [
      "sends errors with an empty message",
      changeBodies(
        () => true,
        editAt("/error/message", () => ""),
      ),
    ],
  }),
  ...breaks("A2A-ERR-003", {
    "": [
      "sends the details of an error as an object",
      changeBodies(
        isRpc,
        editAt("/error/data", (data) => (Array.isArray(data) ? (data[0] ?? {}) : data)),
      ),
    ],
  }),
  ...breaks("A2A-ERR-004", {
    "": [
      "names another domain in its errors",
      changeBodies(
        isRest,
        editAt("/error/details/0/domain", () => "a2aproject.org"),
      ),
    ],
    missing: [
      "sends errors without a reason",
      changeBodies(
        (call) => isRest(call) && isGetting(call),
        editAt("/error/details", () => []),
      ),
    ],
  }),
  ...breaks("A2A-ERR-005", {
    "": [
      "sends JSON-RPC errors without a reason",
      changeBodies(
        isRpc,
        editAt("/error/data", (data) =>
          Array.isArray(data) ? data.filter((detail) => !isObject(detail) || detail.reason === undefined) : data,
        ),
      ),
    ],
  }),
  ...breaks("A2A-ERR-006", {
    "": [
      "does not name the invalid parameter",
      {
        changeFault: ({ error, message }) => ({ error, message: error === "InvalidParams" ? "bad request" : message }),
      },
    ],
  }),
  ...breaks("A2A-ERR-007", {
    "": [
      "sends the JSON-RPC code over HTTP+JSON",
      changeBodies(
        isRest,
        editAt("/error/code", () => -32001),
      ),
    ],
    word: ["omits the name of the status", changeBodies(isRest, removeAt("/error/status"))],
  }),
  ...breaks("A2A-ERR-008", {
    "": [
      "reports an invalid id with an undefined code",
      changeBodies(
        (call) => isRpc(call) && call.operation === "CancelTask",
        editAt("/error/code", (code) => (code === errors.InvalidParams.code ? 7 : code)),
      ),
    ],
  }),
];
