import { type Breach, type Checker, equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { saysState, stepsIn, type TaskStep, terminal } from "./task-log.ts";

function stepChecker(rule: string, judge: (step: TaskStep) => Iterable<Breach>): Checker {
  return {
    rule,
    documents: ["task-log"],
    *check(instance) {
      for (const step of stepsIn(instance)) yield* judge(step);
    },
  };
}

export const taskCheckers: readonly Checker[] = [
  stepChecker("SNAP-TASK-004", function* (step) {
    const { task, taskId, payload, tasks, at } = step;
    const earlierTask = task && saysState(step) && taskId === undefined ? tasks.get(task.id) : undefined;
    // A repeated key may return the task that it opened.
    const isRepeated = payload.idempotencyKey !== undefined && payload.idempotencyKey === earlierTask?.key;
    if (earlierTask !== undefined && !isRepeated)
      yield { at: `${at}/answer/task/id`, why: "is that of a task that was there" };
  }),
  stepChecker("SNAP-TASK-005", function* (step) {
    const { task, taskId, knownTask, from, at } = step;
    const isRunning = saysState(step) && knownTask?.owner === from && !terminal.includes(knownTask.state);
    if (isRunning && task !== undefined && task.id !== taskId)
      yield { at: `${at}/answer/task/id`, why: `is ${task.id}, while the message was for ${taskId}` };
  }),
  stepChecker("SNAP-TASK-006", function* ({ taskId, knownTask, task, code, at }) {
    if (taskId === undefined || knownTask !== undefined) return;
    if (task !== undefined) yield { at: `${at}/answer`, why: `is a task, although there is no ${taskId}` };
    // A method that is not offered is refused for that reason, even if it names an unknown task.
    if (code !== undefined && code >= 1000 && code < 2000 && code !== 1001 && code !== 1007)
      yield { at: `${at}/answer/error/code`, why: `is ${code}, although there is no ${taskId}` };
  }),
  stepChecker("SNAP-TASK-009", function* ({ method, knownTask, task, payload, at }) {
    if (method !== "tasks/get" || task === undefined || knownTask?.last.method !== "tasks/get") return;
    const { task: earlierTask, payload: earlierPayload } = knownTask.last;
    const isResting = terminal.includes(task.state) || task.state === "input_required";
    if (!isResting || earlierTask?.id !== task.id || earlierTask.state !== task.state) return;
    const hasSameLength = equal(earlierPayload.historyLength ?? null, payload.historyLength ?? null);
    const withoutIrrelevantHistory = hasSameLength ? withoutEmptyHistory : withoutHistory;
    if (!equal(withoutIrrelevantHistory(earlierTask.json), withoutIrrelevantHistory(task.json)))
      yield { at: `${at}/answer/task`, why: "is not the task that was got before" };
  }),
  {
    rule: "SNAP-TASK-010",
    documents: ["task-log"],
    *check(instance) {
      let firstWithoutHistory: string | undefined;
      const isHistoryShown = [...stepsIn(instance)].some(({ task: reported }) => hasTurns(reported?.json.history));
      for (const step of stepsIn(instance)) {
        if (step.method !== "tasks/get" || step.task === undefined) continue;
        const { history } = step.task.json;
        const isEmpty = !Array.isArray(history) || history.length === 0;
        const breach = isEmpty && !isHistoryShown ? undefined : historyBreach(step, history);
        if (breach !== undefined) yield breach;
        if (step.payload.historyLength === undefined) firstWithoutHistory ??= `${step.at}/answer/task`;
      }
      if (!isHistoryShown && firstWithoutHistory !== undefined)
        yield { at: firstWithoutHistory, why: "has no history, and no other answer has one", level: "SHOULD" };
    },
  },
  stepChecker("SNAP-TASK-012", function* ({ knownTask, from, task, taskId, at }) {
    const isOthersTask =
      knownTask !== undefined && knownTask.owner !== from && task !== undefined && task.id === taskId;
    if (isOthersTask) yield { at: `${at}/answer/task`, why: "is the task of another sender" };
  }),
];

function historyBreach({ payload, knownTask, from, at }: TaskStep, history: Json | undefined): Breach | undefined {
  if (!Array.isArray(history)) return undefined;
  const { historyLength } = payload;
  const historyPath = `${at}/answer/task/history`;
  if (typeof historyLength === "number" && history.length > historyLength)
    return { at: historyPath, why: `has ${history.length} turns, where ${historyLength} were asked for` };
  const userTurns = history.filter((turn) => isObject(turn) && turn.role === "user").length;
  if (historyLength === undefined && knownTask?.owner === from && userTurns < knownTask.turns)
    return { at: historyPath, why: `has ${userTurns} turns of the requester, who took ${knownTask.turns}` };
  return undefined;
}

function hasTurns(history: Json | undefined): boolean {
  return Array.isArray(history) && history.length > 0;
}

/** An empty history means the same as a missing one. */
function withoutEmptyHistory(task: JsonObject): JsonObject {
  return hasTurns(task.history) ? task : withoutHistory(task);
}

function withoutHistory({ history: _history, ...otherMembers }: JsonObject): JsonObject {
  return otherMembers;
}
