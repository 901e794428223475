import { isObject, type Json } from "../../../../../../schemas/index.ts";
import type { OwnedTask, RunningAgent } from "../agent.ts";
import { rightAgentDecisions } from "../policy.ts";
import { freshId, openTask } from "../tasks.ts";
import { codes, current, trackCurrent } from "./change.ts";
import { type BrokenAgent, breaks } from "./variant.ts";

/** The messageId of the current message of each agent. */
const currentMessageIds = new WeakMap<RunningAgent, Json | undefined>();

/** The tasks that were read before. */
const readTasks = new WeakSet<OwnedTask>();

/** The parts of the current message of each agent as JSON, if the message opens a task. */
const currentParts = new WeakMap<RunningAgent, string | undefined>();

/** The tasks whose cancellation was requested before. */
const stoppedTasks = new WeakSet<OwnedTask>();

/** Agents that break a rule about tasks and contexts. */
export const taskVariants: readonly BrokenAgent[] = [
  ...breaks("SNAP-CTX-002", {
    "": [
      "continues a task in another context",
      {
        taskToContinue(task) {
          task.contextId = freshId("ctx");
          return task;
        },
      },
    ],
  }),
  ...breaks("SNAP-CTX-003", {
    "": ["has one context for all tasks", { contextFor: () => "ctx-1" }],
    keys: [
      "looks for an idempotency key among those of all senders",
      {
        ...trackCurrent,
        taskToReopen(_owner, { tasks }) {
          const { idempotencyKey: key } = isObject(current.message.payload) ? current.message.payload : {};
          return key === undefined ? undefined : [...tasks.values()].find((task) => task.key === key);
        },
      },
    ],
  }),
  ...breaks("SNAP-CTX-004", {
    "": [
      "returns no context",
      {
        reportTask({ contextId: _, ...task }) {
          return task;
        },
      },
    ],
  }),
  ...breaks("SNAP-CTX-005", {
    "": [
      "moves a cancelled task to another context",
      {
        stateAfterCancel(task) {
          task.contextId = freshId("ctx");
          return rightAgentDecisions.stateAfterCancel(task);
        },
      },
    ],
  }),
  ...breaks("SNAP-TASK-001", {
    "": [
      "submits a task again when it is read",
      {
        onRead(task) {
          if (task.state === "working") task.state = "submitted";
        },
      },
    ],
  }),
  ...breaks("SNAP-TASK-002", {
    "": [
      "fails a completed task when it is read twice",
      {
        onRead(task) {
          if (task.state !== "completed") return;
          if (readTasks.has(task)) task.state = "failed";
          readTasks.add(task);
        },
      },
    ],
    reopens: ["continues a finished task when it gets a message", { isFinal: () => false }],
  }),
  ...breaks("SNAP-TASK-004", {
    "": [
      "has one task for each sender",
      {
        taskToReopen: (owner, { tasks }) =>
          [...tasks.values()].find((task) => task.owner === owner && task.state === "completed"),
      },
    ],
    "message-ids": [
      "treats a message with the messageId of another one as the same",
      {
        beforeChecks({ payload }, agent) {
          const { message } = isObject(payload) ? payload : {};
          currentMessageIds.set(agent, isObject(message) ? message.messageId : undefined);
        },
        taskToReopen: (owner, agent) =>
          [...agent.tasks.values()].find(
            (task) =>
              task.owner === owner && task.history.some(({ messageId }) => messageId === currentMessageIds.get(agent)),
          ),
      },
    ],
    "same-words": [
      "treats a message with the words of another one as the same",
      {
        beforeChecks({ payload }, agent) {
          const { message, taskId } = isObject(payload) ? payload : {};
          const isNew = isObject(message) && taskId === undefined;
          currentParts.set(agent, isNew ? JSON.stringify(message.parts) : undefined);
        },
        taskToReopen: (owner, agent) =>
          [...agent.tasks.values()].find(
            (task) => task.owner === owner && JSON.stringify(task.history[0]?.parts) === currentParts.get(agent),
          ),
      },
    ],
  }),
  ...breaks("SNAP-TASK-005", {
    "": [
      "opens another task instead of continuing one",
      { taskToContinue: (task, agent) => openTask(agent, task.owner) },
    ],
  }),
  ...breaks("SNAP-TASK-006", {
    "": ["calls an unknown task malformed", codes("unknown-task", 1003)],
    opens: [
      "opens every task that is requested",
      {
        unknownTask(taskId, agent) {
          const task = openTask(agent, "");
          agent.tasks.delete(task.id);
          task.id = taskId;
          task.state = "working";
          agent.tasks.set(taskId, task);
          return task;
        },
        isShown: (task, from) => task.owner === "" || rightAgentDecisions.isShown(task, from),
      },
    ],
  }),
  ...breaks("SNAP-TASK-007", {
    "": [
      "continues to work after a cancellation",
      {
        stateAfterCancel: (task) => (task.state === "working" ? "working" : rightAgentDecisions.stateAfterCancel(task)),
      },
    ],
    fails: [
      "calls a cancelled task failed",
      {
        stateAfterCancel: (task) => (task.state === "working" ? "failed" : rightAgentDecisions.stateAfterCancel(task)),
      },
    ],
  }),
  ...breaks("SNAP-TASK-008", {
    "": ["cancels a completed task", { stateAfterCancel: () => "canceled" }],
    insistent: [
      "cancels a completed task on the second request",
      {
        stateAfterCancel(task) {
          const isAgain = stoppedTasks.has(task);
          stoppedTasks.add(task);
          return isAgain ? "canceled" : rightAgentDecisions.stateAfterCancel(task);
        },
      },
      { isCourse: true },
    ],
  }),
  ...breaks("SNAP-TASK-009", {
    "": [
      "renames the artifacts of a task whenever it shows them",
      {
        reportTask(task) {
          const artifacts = Array.isArray(task.artifacts) ? task.artifacts.filter(isObject) : [];
          if (artifacts.length === 0) return task;
          return { ...task, artifacts: artifacts.map((artifact) => ({ ...artifact, name: `${freshId("echo")}.txt` })) };
        },
      },
    ],
  }),
  ...breaks("SNAP-TASK-010", {
    "": ["returns the whole history, regardless of the requested length", { history: (history) => [...history] }],
    asked: [
      "shows a history only if its length is requested",
      {
        history: (history, length) => (length === undefined ? undefined : rightAgentDecisions.history(history, length)),
      },
    ],
  }),
  ...breaks("SNAP-TASK-011", {
    "": ["refuses a known idempotency key", { honoursKeys: "refuses" }],
  }),
  ...breaks("SNAP-TASK-012", {
    "": ["shows its tasks to every sender", { isShown: () => true }],
    following: [
      "lets every sender follow its tasks",
      {
        ...trackCurrent,
        isShown: (task, from) =>
          current.message.method === "tasks/resubscribe" || rightAgentDecisions.isShown(task, from),
      },
    ],
  }),
];
