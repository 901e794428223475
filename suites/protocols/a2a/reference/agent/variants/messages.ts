import { request } from "undici";
import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { editAt, type ReferenceChange, removeAt } from "../../../../../packs/reference/changes.ts";
import type { ReferenceAgent } from "../agent.ts";
import { interruptedStates } from "../tasks.ts";
import {
  type BrokenA2aAgent,
  breaks,
  type CallCondition,
  changeResults,
  configurationIn,
  isGetting,
  isSending,
  messageIn,
  overBinding,
  refuseCalls,
  replaceError,
  skipCheck,
  taskNamedIn,
} from "./variant.ts";

/** The ids of the messages that each agent has received. Two agents in one process may receive the same ids. */
const receivedIds = new WeakMap<ReferenceAgent, Set<string>>();

/** Tasks that were returned before they were finished. */
const immediateTasks = new WeakSet<object>();

/** Tasks that were created over JSON-RPC. */
const rpcTasks = new WeakSet<object>();

/** Appends a data part to the parts at a path. */
function addData(path: string): ReferenceChange {
  return editAt(path, (parts) => [...(parts as Json[]), { data: { a: 1 }, mediaType: "application/json" }]);
}

const returnsImmediately: CallCondition = (call) => isSending(call) && configurationIn(call).returnImmediately === true;

export const messageVariants: readonly BrokenA2aAgent[] = [
  ...breaks("A2A-JSON-003", {
    "": [
      "writes times with an offset",
      changeResults(
        isGetting,
        editAt("/status/timestamp", (time) => String(time).replace(/Z$/, "+00:00")),
      ),
    ],
  }),
  ...breaks("A2A-JSON-008", {
    "": [
      "sends a message that is null beside its task",
      changeResults(isSending, (result) => ({ message: null, ...result })),
    ],
  }),
  ...breaks("A2A-JSON-010", {
    "": [
      "refuses unknown members",
      refuseCalls("InvalidParams", ({ params }) => JSON.stringify(params).includes('"xNew"')),
    ],
  }),
  ...breaks("A2A-JSON-012", {
    "": [
      "crashes on deeply nested bodies",
      replaceError("InvalidParams", "Internal", (_, { subject }) => subject === "depth"),
    ],
  }),
  ...breaks("A2A-JSON-013", {
    "": [
      "crashes on a number in quotes",
      replaceError("InvalidParams", "Internal", (_, { field }) => field === "configuration.historyLength"),
    ],
  }),
  ...breaks("A2A-PART-006", { "": ["accepts parts of any media type", skipCheck("content")] }),
  ...breaks("A2A-PART-007", {
    "": [
      "sends data to a client that accepts only text",
      changeResults(
        (call) => isSending(call) && configurationIn(call).acceptedOutputModes !== undefined,
        (result) => addData("/message/parts")(addData("/task/artifacts/0/parts")(result)),
      ),
    ],
  }),
  ...breaks("A2A-PART-008", { "": ["accepts malformed parts", skipCheck("parts")] }),
  ...breaks("A2A-MSG-003", {
    "": ["names no context in a message", changeResults(isSending, removeAt("/message/contextId"))],
  }),
  ...breaks("A2A-MSG-004", {
    "": [
      "uses one id for all its messages",
      changeResults(
        isSending,
        editAt("/task/status/message/messageId", () => "m"),
      ),
    ],
  }),
  ...breaks("A2A-MSG-005", {
    "": ["accepts messages without parts", skipCheck("message", ({ params }) => isObject(params.message))],
    ids: ["accepts messages without an id", skipCheck("ids", (call) => messageIn(call).messageId === undefined)],
  }),
  ...breaks("A2A-MSG-006", {
    "": [
      "crashes on a repeated message",
      refuseCalls("Internal", (call, agent) => {
        const { messageId } = messageIn(call);
        if (typeof messageId !== "string" || !isSending(call)) return false;
        const ids = receivedIds.get(agent) ?? new Set();
        receivedIds.set(agent, ids);
        const isKnown = ids.has(messageId);
        ids.add(messageId);
        return isKnown;
      }),
    ],
  }),
  ...breaks("A2A-MSG-007", {
    "": [
      "refuses messages that refer to tasks",
      refuseCalls("InvalidParams", (call) => messageIn(call).referenceTaskIds !== undefined),
    ],
  }),
  ...breaks("A2A-SEND-002", {
    "": ["never waits", { waitsForRest: () => false }],
  }),
  ...breaks("A2A-SEND-003", {
    "": ["answers without the artifacts", changeResults(isSending, removeAt("/task/artifacts"))],
  }),
  ...breaks("A2A-SEND-004", { "": ["always waits", { waitsForRest: () => true }] }),
  ...breaks("A2A-SEND-005", {
    "": [
      "stops working on a task returned immediately when it is read",
      {
        recordMessage(task, message, call) {
          task.history.push(message);
          if (returnsImmediately(call)) immediateTasks.add(task);
        },
        refuseCall(call, agent) {
          const task = isGetting(call) ? taskNamedIn(call, agent) : undefined;
          if (task !== undefined && immediateTasks.has(task)) task.work.abort();
          return undefined;
        },
      },
    ],
  }),
  ...breaks("A2A-SEND-006", {
    "": [
      "does not find a task returned immediately on the first read",
      {
        recordMessage(task, message, call) {
          task.history.push(message);
          if (returnsImmediately(call)) immediateTasks.add(task);
        },
        ...refuseCalls("TaskNotFound", (call, agent) => {
          const task = isGetting(call) ? taskNamedIn(call, agent) : undefined;
          return task !== undefined && immediateTasks.delete(task);
        }),
      },
    ],
  }),
  ...breaks("A2A-SEND-007", {
    "": [
      "ends a stream immediately for a client that does not wait",
      {
        endsStreamAt: (state, { call }) =>
          configurationIn(call).returnImmediately === true || /COMPLETED|FAILED|CANCELED|REJECTED/.test(state),
      },
    ],
  }),
  ...breaks("A2A-AUTH-001", {
    "": [
      "lists tasks for unauthenticated callers",
      skipCheck("credential", ({ operation, params }) => operation === "ListTasks" && params.pageSize === undefined),
    ],
  }),
  ...breaks("A2A-AUTH-002", {
    "": [
      "does not say how to authenticate",
      {
        changeAnswer: (answer) => {
          const { "www-authenticate": _, ...headers } = answer.headers;
          return { ...answer, headers };
        },
      },
    ],
  }),
  ...breaks("A2A-AUTH-003", { "": ["shows other callers' tasks", skipCheck("owner", isGetting)] }),
  ...breaks("A2A-AUTH-004", {
    "": [
      "reveals that a task belongs to another caller",
      {
        refuseCall(call, agent) {
          const task = taskNamedIn(call, agent);
          if (task === undefined || task.owner === call.caller) return undefined;
          return { error: "UnsupportedOperation", message: `the task in ${task.contextId} is that of ${task.owner}` };
        },
      },
    ],
  }),
  ...breaks("A2A-AUTH-005", { "": ["lists every caller's tasks", { isListed: () => true }] }),
  ...breaks("A2A-AUTH-006", {
    "": [
      "does not explain why a task needs authorization",
      changeResults(isSending, (result) =>
        JSON.stringify(result).includes("AUTH_REQUIRED") ? removeAt("/task/status/message")(result) : result,
      ),
    ],
  }),
  ...breaks("A2A-AUTH-007", {
    "": [
      "refuses messages while a task waits for authorization",
      refuseCalls(
        "UnsupportedOperation",
        (call, agent) => isSending(call) && taskNamedIn(call, agent)?.state === interruptedStates[1],
      ),
    ],
  }),
  ...breaks("A2A-AUTH-008", {
    "": ["does not continue a task after its authorization was granted", { continuesAfterGrant: false }],
  }),
  ...breaks("A2A-TEN-002", {
    "": [
      "does not find a task under its tenant if the history is limited",
      refuseCalls(
        "TaskNotFound",
        (call) => isGetting(call) && call.params.tenant !== undefined && call.params.historyLength === 3,
      ),
    ],
  }),
  ...breaks("A2A-TEN-003", { "": ["shows a task under every tenant", skipCheck("tenant", isGetting)] }),
  ...breaks("A2A-EQV-001", {
    "": [
      "does not find tasks from JSON-RPC over HTTP+JSON",
      {
        recordMessage(task, message, { binding }) {
          task.history.push(message);
          if (binding === "JSONRPC") rpcTasks.add(task);
        },
        ...refuseCalls("TaskNotFound", (call, agent) => {
          const task = overBinding("HTTP+JSON", isGetting)(call) ? taskNamedIn(call, agent) : undefined;
          return task !== undefined && rpcTasks.has(task);
        }),
      },
    ],
  }),
  ...breaks("A2A-EQV-002", {
    "": [
      "reports over HTTP+JSON only that a finished task cannot be cancelled",
      replaceError("TaskNotCancelable", "UnsupportedOperation", overBinding("HTTP+JSON")),
    ],
  }),
  ...breaks("A2A-EQV-003", {
    "": [
      "lists pages of tasks for unauthenticated callers over HTTP+JSON",
      skipCheck(
        "credential",
        overBinding("HTTP+JSON", ({ operation, params }) => operation === "ListTasks" && params.pageSize !== undefined),
      ),
    ],
  }),
  ...breaks("A2A-SEC-001", {
    "": [
      "fetches the files of parts",
      {
        recordMessage(task, message) {
          task.history.push(message);
          for (const part of message.parts as JsonObject[])
            if (typeof part.url === "string")
              request(part.url)
                .then(({ body }) => body.dump())
                .catch(() => {});
        },
      },
    ],
  }),
];
