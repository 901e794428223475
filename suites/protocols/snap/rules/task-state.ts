import { type Breach, type Checker, isObject, type Json } from "../../../../schemas/index.ts";
import { objectsIn } from "./places.ts";
import { stepsIn, type TaskStep, terminal } from "./task-log.ts";

/** The states that may directly follow a state. */
const nextStates: Readonly<Record<string, readonly string[]>> = {
  submitted: ["working", "failed", "canceled"],
  working: ["input_required", "completed", "failed", "canceled"],
  input_required: ["working", "failed", "canceled"],
  completed: [],
  failed: [],
  canceled: [],
};

/** Whether a task skips the state `working`, which another rule forbids. */
function skipsTheWork(before: string, state: string): boolean {
  return before === "submitted" && (state === "completed" || state === "input_required");
}

/** Two consecutive states of one task, from answers or from the agent's own list of states. */
interface StatePair {
  before: string;
  state: string;
  at: string;
  /** The exchange that reports the second state. Undefined for a list of states, which is complete; answers may miss states. */
  secondStep?: TaskStep;
}

function* pairsIn(log: Json): Iterable<StatePair> {
  for (const step of stepsIn(log)) {
    const { task, tasks, at } = step;
    const before = task && tasks.get(task.id)?.state;
    if (task && before !== undefined && before !== task.state)
      yield { before, state: task.state, at: `${at}/answer/task/status/state`, secondStep: step };
  }
  const lastStates = new Map<string, string>();
  for (const { value, at } of isObject(log) ? objectsIn({ value: log, at: "" }, "states") : []) {
    const { taskId, state } = value;
    if (typeof taskId !== "string" || typeof state !== "string") continue;
    const before = lastStates.get(taskId);
    lastStates.set(taskId, state);
    if (before !== undefined && before !== state) yield { before, state, at: `${at}/state` };
  }
}

function stateChecker(rule: string, isBreach: (pair: StatePair) => boolean): Checker {
  return {
    rule,
    documents: ["task-log"],
    *check(instance): Iterable<Breach> {
      for (const pair of pairsIn(instance)) {
        const { before, state, at } = pair;
        if (Object.hasOwn(nextStates, before) && Object.hasOwn(nextStates, state) && isBreach(pair))
          yield { at, why: `is ${state} after ${before}` };
      }
    },
  };
}

export const taskStateCheckers: readonly Checker[] = [
  stateChecker("SNAP-TASK-001", ({ before, state, secondStep }) => {
    if (terminal.includes(before)) return false;
    // Answers may miss states, so any state but the first may follow one that is not final.
    return secondStep ? state === "submitted" : !nextStates[before]?.includes(state) && !skipsTheWork(before, state);
  }),
  // Another rule judges the cancellation of a finished task.
  stateChecker(
    "SNAP-TASK-002",
    ({ before, secondStep }) => terminal.includes(before) && secondStep?.method !== "tasks/cancel",
  ),
  stateChecker("SNAP-TASK-003", ({ before, state, secondStep }) => !secondStep && skipsTheWork(before, state)),
  {
    rule: "SNAP-TASK-007",
    documents: ["task-log"],
    *check(instance): Iterable<Breach> {
      for (const { method, knownTask, from, task, taskId, code, at } of stepsIn(instance)) {
        if (method !== "tasks/cancel" || knownTask?.owner !== from || terminal.includes(knownTask.state)) continue;
        if (task?.id === taskId && task !== undefined && !terminal.includes(task.state))
          yield { at: `${at}/answer/task/status/state`, why: `is ${task.state}, although the task was cancelled` };
        if (code === 1001) yield { at: `${at}/answer/error/code`, why: "says that the task does not exist" };
        if (code === 1002)
          yield { at: `${at}/answer/error/code`, why: "says that a running task cannot be cancelled", level: "SHOULD" };
      }
    },
  },
  {
    rule: "SNAP-TASK-008",
    documents: ["task-log"],
    *check(instance): Iterable<Breach> {
      for (const { method, knownTask, from, task, taskId, code, at } of stepsIn(instance)) {
        if (method !== "tasks/cancel" || knownTask?.owner !== from || !terminal.includes(knownTask.state)) continue;
        const isCanceled = knownTask.state === "canceled";
        if (task?.id === taskId && task !== undefined && task.state !== knownTask.state)
          yield {
            at: `${at}/answer/task/status/state`,
            why: `is ${task.state}, although the task was ${knownTask.state}`,
          };
        else if (task !== undefined && !isCanceled)
          yield { at: `${at}/answer`, why: `is the ${knownTask.state} task in place of code 1002`, level: "SHOULD" };
        if (code === 1002 && isCanceled)
          yield { at: `${at}/answer/error/code`, why: "refuses to cancel a canceled task again", level: "SHOULD" };
      }
    },
  },
];
