import { isObject, type Json } from "../../../../../../schemas/index.ts";
import type { Agent, Task } from "../agent.ts";
import { right } from "../policy.ts";
import { fresh, openTask } from "../tasks.ts";
import { codes } from "./checks.ts";
import type { AgentVariant } from "./variant.ts";

/** The id that the last message had within its payload. */
const last = new WeakMap<Agent, Json | undefined>();
/** Of the message that comes, if it is to open a task. */
const words = new WeakMap<Agent, string | undefined>();
const looked = new WeakSet<Task>();
let looks = 0;

/** What becomes of tasks. */
export const taskVariants: readonly AgentVariant[] = [
  {
    rule: "SNAP-TASK-001",
    says: "submits a task anew when it is looked at",
    policy: {
      looks(task) {
        if (task.state === "working") task.state = "submitted";
      },
    },
  },
  {
    rule: "SNAP-TASK-002",
    says: "fails a completed task when it is looked at twice",
    policy: {
      looks(task) {
        if (task.state === "completed" && looked.has(task)) task.state = "failed";
        looked.add(task);
      },
    },
  },
  {
    rule: "SNAP-TASK-002",
    name: "reopens",
    says: "goes on with a task that is over when it is sent a message",
    policy: { isOver: () => false },
  },
  {
    rule: "SNAP-TASK-004",
    says: "has one task for each sender",
    policy: {
      reopens: (owner, { tasks }) =>
        [...tasks.values()].find((task) => task.owner === owner && task.state === "completed"),
    },
  },
  {
    rule: "SNAP-TASK-004",
    name: "message-ids",
    says: "takes a message with the messageId of another for the same",
    policy: {
      before({ payload }, agent) {
        const { message } = isObject(payload) ? payload : {};
        last.set(agent, isObject(message) ? message.messageId : undefined);
      },
      reopens: (owner, agent) =>
        [...agent.tasks.values()].find(
          (task) => task.owner === owner && task.history.some(({ messageId }) => messageId === last.get(agent)),
        ),
    },
  },
  {
    rule: "SNAP-TASK-004",
    name: "same-words",
    says: "takes a message with the words of another for the same",
    policy: {
      before({ payload }, agent) {
        const { message, taskId } = isObject(payload) ? payload : {};
        const isNew = isObject(message) && taskId === undefined;
        words.set(agent, isNew ? JSON.stringify(message.parts) : undefined);
      },
      reopens: (owner, agent) =>
        [...agent.tasks.values()].find(
          (task) => task.owner === owner && JSON.stringify(task.history[0]?.parts) === words.get(agent),
        ),
    },
  },
  {
    rule: "SNAP-TASK-005",
    says: "opens another task when one is to go on",
    policy: { continues: (task, agent) => openTask(agent, task.owner) },
  },
  { rule: "SNAP-TASK-006", says: "calls an unknown task malformed", policy: codes("unknown-task", 1003) },
  {
    rule: "SNAP-TASK-006",
    name: "opens",
    says: "opens whatever task it is asked for",
    policy: {
      unknownTask(taskId, agent) {
        const task = openTask(agent, "");
        agent.tasks.delete(task.id);
        task.id = taskId;
        task.state = "working";
        agent.tasks.set(taskId, task);
        return task;
      },
      isShown: (task, from) => task.owner === "" || right.isShown(task, from),
    },
  },
  {
    rule: "SNAP-TASK-007",
    says: "works on when it is told to stop",
    policy: { cancels: (task) => (task.state === "working" ? "working" : right.cancels(task)) },
  },
  {
    rule: "SNAP-TASK-008",
    says: "cancels what is completed",
    policy: { cancels: () => "canceled" },
  },
  {
    rule: "SNAP-TASK-009",
    says: "renames the artifacts of a task whenever it shows them",
    policy: {
      told(task) {
        looks += 1;
        const artifacts = Array.isArray(task.artifacts) ? task.artifacts.filter(isObject) : [];
        if (artifacts.length === 0) return task;
        return { ...task, artifacts: artifacts.map((artifact) => ({ ...artifact, name: `echo-${looks}.txt` })) };
      },
    },
  },
  {
    rule: "SNAP-TASK-010",
    says: "tells the whole history, however much is asked for",
    policy: { history: (history) => [...history] },
  },
  {
    rule: "SNAP-TASK-011",
    says: "refuses an idempotency key that it knows",
    policy: { honoursKeys: "refuses" },
  },
  { rule: "SNAP-TASK-012", says: "shows its tasks to everybody", policy: { isShown: () => true } },
  {
    rule: "SNAP-CTX-002",
    says: "goes on with a task in another context",
    policy: {
      continues(task) {
        task.contextId = fresh("ctx");
        return task;
      },
    },
  },
  { rule: "SNAP-CTX-003", says: "has one context for all", policy: { contextFor: () => "ctx-1" } },
  {
    rule: "SNAP-CTX-004",
    says: "tells no context",
    policy: {
      told({ contextId: _, ...task }) {
        return task;
      },
    },
  },
  {
    rule: "SNAP-CTX-005",
    says: "moves a task that is to be cancelled to another context",
    policy: {
      cancels(task) {
        task.contextId = fresh("ctx");
        return right.cancels(task);
      },
    },
  },
];
