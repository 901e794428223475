import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "../../../../../../schemas/index.ts";
import { editAt, removeAt, setAt } from "../../../../../packs/reference/changes.ts";
import type { ReferenceAgent } from "../agent.ts";
import { type A2aTask, isOver } from "../tasks.ts";
import { textOf } from "../work.ts";
import {
  anyCall,
  type BrokenA2aAgent,
  breaks,
  changeResults,
  configurationIn,
  isCancelling,
  isGetting,
  isListing,
  isSending,
  messageIn,
  misreadParams,
  refuseCalls,
  replaceError,
  skipCheck,
  taskNamedIn,
} from "./variant.ts";

/** The contexts that each agent has created. */
const madeContexts = new WeakMap<ReferenceAgent, Set<unknown>>();

/** Creates a context, and remembers it for the agent. */
function makeContext(agent: ReferenceAgent): string {
  const context = randomUUID();
  madeContexts.set(agent, (madeContexts.get(agent) ?? new Set<unknown>()).add(context));
  return context;
}

/** Whether an agent created a context. */
function isOwnContext(agent: ReferenceAgent, context: unknown): boolean {
  return madeContexts.get(agent)?.has(context) === true;
}

/** The task ids that each agent has returned, in order. */
const answeredIds = new WeakMap<ReferenceAgent, string[]>();

/** Running tasks that accepted a message. */
const busyTasks = new WeakSet<A2aTask>();

/** The number of reads of a task. */
const readCounts = new WeakMap<A2aTask, number>();

function countRead(task: A2aTask): number {
  const count = (readCounts.get(task) ?? 0) + 1;
  readCounts.set(task, count);
  return count;
}

/** Whether a message names a context and no task. */
const isInContext = (message: JsonObject): boolean => message.contextId !== undefined && message.taskId === undefined;

/** All paths of a status in a result. */
const statusPaths = ["/status", "/task/status", "/tasks/*/status"];

const withoutTimes = (result: JsonObject): JsonObject =>
  removeAt(...statusPaths.map((path) => `${path}/timestamp`))(result);

const lifeVariants: readonly BrokenA2aAgent[] = [
  ...breaks("A2A-TASK-003", {
    "": [
      "gives every fifth task the id of the task four before it",
      {
        changeResult(result, call, task, agent) {
          if (
            !isSending(call) ||
            task === undefined ||
            Object.keys(messageIn(call)).some((name) => /^(?:task|context)Id$/.test(name))
          )
            return result;
          const ids = [...(answeredIds.get(agent) ?? []), task.id];
          answeredIds.set(agent, ids);
          const reusedId = ids.length % 5 === 0 ? ids.at(-5) : undefined;
          return reusedId === undefined ? result : editAt("/task/id", () => reusedId)(result as JsonObject);
        },
      },
    ],
  }),
  ...breaks("A2A-TASK-004", { "": ["opens a task with the id that a message names", skipCheck("task", isSending)] }),
  ...breaks("A2A-TASK-005", {
    "": ["accepts messages to a finished task", skipCheck("over", isSending)],
    streams: [
      "opens a stream for a message to a task that is over",
      skipCheck("over", ({ operation }) => operation === "SendStreamingMessage"),
    ],
  }),
  ...breaks("A2A-TASK-006", {
    "": [
      "reopens a finished task when it refuses a message",
      {
        refuseCall(call, agent) {
          const task = isSending(call) ? taskNamedIn(call, agent) : undefined;
          if (task === undefined || !isOver(task) || task.owner !== call.caller) return undefined;
          task.state = "TASK_STATE_WORKING";
          return { error: "UnsupportedOperation", message: "the task is over" };
        },
      },
    ],
  }),
  ...breaks("A2A-TASK-007", {
    "": [
      "lists tasks in other contexts",
      changeResults(
        isListing,
        editAt("/tasks/*/contextId", (id) => `${id}-listed`),
      ),
    ],
  }),
  ...breaks("A2A-TASK-008", {
    "": [
      "omits timestamps",
      {
        ...changeResults(() => true, withoutTimes),
        changeItem: (item) => [removeAt("/statusUpdate/status/timestamp", "/task/status/timestamp")(item)],
      },
    ],
  }),
  ...breaks("A2A-TASK-009", {
    "": [
      "opens another task for a message that continues one",
      changeResults(
        (call) => isSending(call) && messageIn(call).taskId !== undefined,
        editAt("/task/id", (id) => `${id}-2`),
      ),
    ],
  }),
  ...breaks("A2A-TASK-010", {
    "": [
      "answers a message to a running task with another task",
      {
        acceptsWhileWorking: true,
        recordMessage(task, message) {
          if (task.state === "TASK_STATE_WORKING") busyTasks.add(task);
          task.history.push(message);
        },
        changeResult: (result, call, task) =>
          isSending(call) && messageIn(call).taskId !== undefined && task !== undefined && busyTasks.has(task)
            ? editAt("/task/id", (id) => `${id}-2`)(result as JsonObject)
            : result,
      },
    ],
  }),
  ...breaks("A2A-TASK-011", {
    "": [
      "shows a running task as new every second time",
      changeResults(isGetting, (result, _, task) =>
        task !== undefined && task.state === "TASK_STATE_WORKING" && countRead(task) % 2 === 0
          ? setAt("/status/state", "TASK_STATE_SUBMITTED")(result)
          : result,
      ),
    ],
  }),
  ...breaks("A2A-TASK-012", {
    "": [
      "refuses messages in contexts that it created",
      {
        chooseContext: (requested, agent) => requested ?? makeContext(agent),
        ...refuseCalls(
          "InvalidParams",
          (call, agent) => isInContext(messageIn(call)) && isOwnContext(agent, messageIn(call).contextId),
        ),
      },
    ],
  }),
  ...breaks("A2A-CTX-001", {
    "": ["leaves the context out of its reply", changeResults(isSending, removeAt("/task/contextId"))],
    items: [
      "shows the context of a task only in updates of its stream",
      {
        ...changeResults(anyCall, removeAt("/task/contextId", "/contextId", "/tasks/*/contextId")),
        changeItem: (item) => [removeAt("/task/contextId")(item)],
      },
    ],
  }),
  ...breaks("A2A-CTX-002", {
    "": [
      "replaces the client's context with its own",
      {
        chooseContext: (requested, agent) =>
          requested !== undefined && isOwnContext(agent, requested) ? requested : makeContext(agent),
      },
    ],
  }),
  ...breaks("A2A-CTX-003", {
    "": [
      "opens another context for a message that names only a task",
      changeResults(
        (call) => isSending(call) && messageIn(call).taskId !== undefined && messageIn(call).contextId === undefined,
        editAt("/task/contextId", (id) => `${id}-2`),
      ),
    ],
  }),
  ...breaks("A2A-CTX-004", { "": ["ignores the context of a message that names a task", skipCheck("context")] }),
  ...breaks("A2A-CTX-005", {
    "": [
      "opens another context for a message in a context that it created",
      {
        chooseContext: (requested, agent) =>
          requested === undefined || isOwnContext(agent, requested) ? makeContext(agent) : requested,
      },
    ],
  }),
];

const readingVariants: readonly BrokenA2aAgent[] = [
  ...breaks("A2A-HIST-001", {
    "": [
      "reads a historyLength of 0 as no limit",
      misreadParams((call) => isGetting(call) && call.params.historyLength === 0, removeAt("/historyLength")),
    ],
    "send-alone": [
      "ignores the historyLength of a message",
      misreadParams(
        (call) => isSending(call) && configurationIn(call).historyLength === 0,
        removeAt("/configuration/historyLength"),
      ),
    ],
  }),
  ...breaks("A2A-HIST-002", {
    "": [
      "returns an empty history for a historyLength of 0",
      changeResults(
        (call) => isGetting(call) && call.params.historyLength === 0,
        (result) => ({ ...result, history: [] }),
      ),
    ],
  }),
  ...breaks("A2A-HIST-003", {
    "": [
      "keeps the first messages of a history",
      changeResults(
        (call) => isGetting(call) && call.params.historyLength === 1,
        (result, _, task) => ({ ...result, history: (task?.history ?? []).slice(0, 1) }),
      ),
    ],
  }),
  ...breaks("A2A-HIST-004", {
    "": [
      "writes the texts of a history in upper case",
      changeResults(
        isGetting,
        editAt("/history/*/parts/*/text", (text) => String(text).toUpperCase()),
      ),
    ],
  }),
  ...breaks("A2A-HIST-005", { "": ["accepts any historyLength", skipCheck("history-length")] }),
  ...breaks("A2A-GET-001", {
    "": ["reports an unknown task as an invalid parameter", replaceError("TaskNotFound", "InvalidParams", isGetting)],
  }),
  ...breaks("A2A-GET-002", {
    "": [
      "adds a read counter to a task",
      changeResults(isGetting, (result, _, task) => ({
        ...result,
        metadata: { reads: task === undefined ? 0 : countRead(task) },
      })),
    ],
  }),
  ...breaks("A2A-GET-003", {
    "": ["crashes on an odd id", refuseCalls("Internal", (call) => isGetting(call) && call.params.id === "__proto__")],
  }),
];

const listVariants: readonly BrokenA2aAgent[] = [
  ...breaks("A2A-LIST-001", {
    "": ["does not report the number of tasks", changeResults(isListing, removeAt("/totalSize"))],
  }),
  ...breaks("A2A-LIST-002", {
    "": [
      "returns a token after the last page",
      changeResults(
        (call) => isListing(call) && call.params.pageSize === 1,
        (result) => ({
          ...result,
          nextPageToken:
            result.nextPageToken === "" ? Buffer.from("1:1:end").toString("base64url") : (result.nextPageToken as Json),
        }),
      ),
    ],
  }),
  ...breaks("A2A-LIST-003", {
    "": [
      "lists the oldest task of a page first",
      changeResults(isListing, (result) => ({ ...result, tasks: [...(result.tasks as Json[])].reverse() })),
    ],
  }),
  ...breaks("A2A-LIST-004", { "": ["uses task counts as page tokens", { pageTokens: "offset" }] }),
  ...breaks("A2A-LIST-005", {
    "": [
      "lists one task more than requested",
      misreadParams((call) => isListing(call) && call.params.pageSize === 1, setAt("/pageSize", 2)),
    ],
  }),
  ...breaks("A2A-LIST-006", {
    "": ["accepts any page size", skipCheck("page-size", ({ params }) => typeof params.pageSize === "number")],
  }),
  ...breaks("A2A-LIST-007", {
    "": [
      "lists tasks with empty artifacts",
      changeResults(
        (call) => isListing(call) && call.params.includeArtifacts !== true,
        editAt("/tasks/*", (task) => ({ ...(task as JsonObject), artifacts: [] })),
      ),
    ],
  }),
  ...breaks("A2A-LIST-008", { "": ["lists no artifacts", misreadParams(isListing, removeAt("/includeArtifacts"))] }),
  ...breaks("A2A-LIST-009", {
    "": [
      "ignores the state in a filter",
      misreadParams(
        (call) => isListing(call) && /^TASK_STATE_(?:COMPLETED|INPUT_REQUIRED)$/.test(String(call.params.status)),
        removeAt("/status"),
      ),
    ],
  }),
  ...breaks("A2A-LIST-010", { "": ["ignores an unknown state in a filter", skipCheck("filter")] }),
  ...breaks("A2A-LIST-011", {
    "": [
      "ignores the time in a filter",
      misreadParams(
        (call) => isListing(call) && !Number.isNaN(Date.parse(String(call.params.statusTimestampAfter))),
        removeAt("/statusTimestampAfter"),
      ),
    ],
  }),
  ...breaks("A2A-LIST-012", {
    "": [
      "reports the number of tasks on a page as the total",
      changeResults(isListing, (result) => ({ ...result, totalSize: (result.tasks as Json[]).length })),
    ],
  }),
  ...breaks("A2A-LIST-013", {
    "": [
      "lists no tasks that failed",
      { isListed: (task, { caller }) => task.owner === caller && task.state !== "TASK_STATE_FAILED" },
    ],
    state: [
      "lists tasks that failed as completed",
      changeResults(
        isListing,
        editAt("/tasks/*/status/state", (state) => (state === "TASK_STATE_FAILED" ? "TASK_STATE_COMPLETED" : state)),
      ),
    ],
  }),
  ...breaks("A2A-LIST-014", { "": ["ignores an unknown page token", skipCheck("page-token")] }),
];

const cancelVariants: readonly BrokenA2aAgent[] = [
  ...breaks("A2A-CAN-001", { "": ["does not cancel", { cancelsTask: () => false }] }),
  ...breaks("A2A-CAN-002", {
    "": ["answers the cancellation of a finished task with the task", skipCheck("over", isCancelling)],
  }),
  ...breaks("A2A-CAN-003", {
    "": [
      "crashes on a second cancellation",
      refuseCalls(
        "Internal",
        (call, agent) => isCancelling(call) && taskNamedIn(call, agent)?.state === "TASK_STATE_CANCELED",
      ),
    ],
  }),
  ...breaks("A2A-CAN-004", {
    "": [
      "reports an unknown task as an invalid parameter of a cancellation",
      replaceError("TaskNotFound", "InvalidParams", isCancelling),
    ],
  }),
  ...breaks("A2A-CAN-005", {
    "": [
      "reports a task as cancelled but lets it finish",
      {
        cancelsTask: (task) => textOf(task.statusMessage ?? {}) !== "Step 3 is done.",
        ...changeResults(isCancelling, (result) => setAt("/status/state", "TASK_STATE_CANCELED")(result)),
      },
    ],
  }),
];

export const taskVariants: readonly BrokenA2aAgent[] = [
  ...lifeVariants,
  ...readingVariants,
  ...listVariants,
  ...cancelVariants,
];
