import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import { saysState, stepsIn, type TaskStep, terminal } from "../../rules/task-log.ts";

/** An exchange that must occur before a rule about tasks can conform. */
interface NeededExchange {
  /** Completes "the agent was not seen …". */
  says: string;
  /** Whether a step of the log is such an exchange. */
  is(step: TaskStep): boolean;
}

function isFinal(state: string | undefined): boolean {
  return state !== undefined && terminal.includes(state);
}

/** Returns what was known about the task of an answer before that answer. */
function taskBefore({ task, tasks }: TaskStep) {
  return task === undefined ? undefined : tasks.get(task.id);
}

function opensTask(step: TaskStep): boolean {
  return saysState(step) && step.taskId === undefined && step.task !== undefined;
}

function continuesTask(step: TaskStep): boolean {
  const { knownTask, from, task } = step;
  return saysState(step) && knownTask?.owner === from && !isFinal(knownTask.state) && task !== undefined;
}

const neededExchanges: Readonly<Record<string, NeededExchange>> = {
  "SNAP-TASK-001": { says: "to report a task twice", is: (step) => taskBefore(step) !== undefined },
  "SNAP-TASK-002": { says: "to report a finished task again", is: (step) => isFinal(taskBefore(step)?.state) },
  "SNAP-TASK-004": { says: "to open a second task", is: (step) => opensTask(step) && step.tasks.size > 0 },
  "SNAP-TASK-005": { says: "to continue a task", is: continuesTask },
  "SNAP-TASK-007": {
    says: "to answer the cancellation of a running task",
    is: ({ method, knownTask, task, code }) =>
      method === "tasks/cancel" && knownTask !== undefined && !isFinal(knownTask.state) && (task ?? code) !== undefined,
  },
  "SNAP-TASK-008": {
    says: "to answer the cancellation of a finished task",
    is: ({ method, knownTask }) => method === "tasks/cancel" && isFinal(knownTask?.state),
  },
  "SNAP-TASK-009": {
    says: "to report a resting task twice in a row",
    is: (step) => {
      const { method, knownTask, task } = step;
      const isSecondRead =
        method === "tasks/get" && knownTask?.last.method === "tasks/get" && knownTask.state === task?.state;
      return isSecondRead && (isFinal(knownTask.state) || knownTask.state === "input_required");
    },
  },
  "SNAP-TASK-010": {
    says: "to report a task",
    is: ({ method, task }) => method === "tasks/get" && task !== undefined,
  },
  "SNAP-TASK-012": {
    says: "to answer another sender that named a task",
    is: ({ knownTask, from, task, code }) =>
      knownTask !== undefined && knownTask.owner !== from && (task ?? code) !== undefined,
  },
  "SNAP-CTX-002": {
    says: "to name the context of a task before and after continuing it",
    is: (step) => continuesTask(step) && hasContext(step),
  },
  "SNAP-CTX-003": {
    says: "to name the contexts of two senders",
    is: ({ task, tasks, from }) =>
      task?.contextId !== undefined &&
      [...tasks.values()].some(({ owner, contextId }) => owner !== from && contextId !== undefined),
  },
  "SNAP-CTX-004": { says: "to report a task", is: ({ task }) => task !== undefined },
  "SNAP-CTX-005": { says: "to name the context of a task twice", is: hasContext },
};

function hasContext(step: TaskStep): boolean {
  return step.task?.contextId !== undefined && taskBefore(step)?.contextId !== undefined;
}

/** Says which exchange a rule needs and a log lacks. Undefined if the log has it. */
export function unseenExchange(rule: string, log: JsonObject): string | undefined {
  const { says: neededText, is } = neededExchanges[rule] ?? {};
  if (neededText === undefined || is === undefined) return undefined;
  for (const step of stepsIn(log as Json)) if (is(step)) return undefined;
  return `the agent was not seen ${neededText}`;
}
