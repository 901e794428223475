import { equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import type { DocumentCheck } from "./check.ts";
import { checkAddress } from "./envelope.ts";
import { transitionsOf } from "./member-lists.ts";
import { checkCancel, checkGet, checkResponse, checkSend } from "./payloads.ts";
import type { RecordJudge } from "./records.ts";

const { nextStates, finalStates } = transitionsOf("SNAP-TASK-001");

/** Whether a task can get from one state to another, in any number of steps. */
function reaches(from: string, to: string, seen: readonly string[] = []): boolean {
  if (from === to) return true;
  return (nextStates[from] ?? []).some((state) => !seen.includes(state) && reaches(state, to, [...seen, from]));
}

interface LoggedExchange {
  from: string;
  method: string;
  payload: JsonObject;
  answer: { task?: TaskRecord; error?: { code: number } };
}

interface TaskRecord extends JsonObject {
  id: string;
  status: { state: string };
}

/** The facts known about a task. */
interface TwinTask {
  owner: string;
  state: string;
  turns: number;
  context?: Json;
  hadHistory: boolean;
  /** The last answer to tasks/get for a task at rest, unless a later request may have changed the task. */
  lastRead?: { state: string; bare: Json; length: Json | undefined; history: Json };
}

interface TaskLedger {
  tasks: Map<string, TwinTask>;
  contexts: Map<Json, string>;
  keys: Map<string, string>;
}

export const taskLog: RecordJudge = (check, value) => {
  const ledger: TaskLedger = { tasks: new Map(), contexts: new Map(), keys: new Map() };
  for (const [index, each] of (value.exchanges as unknown as LoggedExchange[]).entries())
    checkEntry(check, each, ledger, `/exchanges/${index}`);
  const states = new Map<Json, string>();
  for (const [index, each] of ((value.states ?? []) as { taskId: string; state: string }[]).entries()) {
    const earlierState = states.get(each.taskId);
    if (earlierState !== undefined && earlierState !== each.state && !nextStates[earlierState]?.includes(each.state))
      check.addCodeFault(`/states/${index}/state`, `cannot come right after ${earlierState}`);
    states.set(each.taskId, each.state);
  }
};

function payloadJudgeOf(method: string): typeof checkGet {
  if (method.startsWith("message/")) return checkSend;
  return method === "tasks/get" ? checkGet : checkCancel;
}

function checkEntry(
  check: DocumentCheck,
  { from, method, payload, answer: loggedAnswer }: LoggedExchange,
  ledger: TaskLedger,
  at: string,
): void {
  checkAddress(check, from, `${at}/from`);
  payloadJudgeOf(method)(check, payload, `${at}/payload`);
  checkResponse(check.forSender(), loggedAnswer as Json, `${at}/answer`);
  const { taskId } = payload as { taskId?: string };
  const requestedTask = taskId === undefined ? undefined : ledger.tasks.get(taskId);
  const { task, error } = loggedAnswer;
  if (taskId !== undefined && requestedTask === undefined) {
    if (task !== undefined) check.addCodeFault(`${at}/answer`, "is an unknown task");
    else if (![1001, 1007].includes(error?.code ?? 0) && Math.floor((error?.code ?? 0) / 1000) !== 5)
      check.addCodeFault(`${at}/answer`, "does not report an unknown task");
    if (task === undefined) return;
  }
  if (task === undefined) {
    if (requestedTask !== undefined) checkRefused(check, requestedTask, { from, method, code: error?.code ?? 0 }, at);
    return;
  }
  if (requestedTask !== undefined && task.id !== taskId) check.addCodeFault(`${at}/answer/task/id`, "is another task");
  if (requestedTask !== undefined && requestedTask.owner !== from && check.strict("task-privacy"))
    check.addCodeFault(`${at}/answer`, "is a task of another requester");
  if (taskId === undefined) checkNewTask(check, { from, payload, id: task.id }, ledger, at);
  const isNew = !ledger.tasks.has(task.id);
  const loggedTask = ledger.tasks.get(task.id) ?? {
    owner: from,
    state: task.status.state,
    turns: 0,
    hadHistory: false,
  };
  ledger.tasks.set(task.id, loggedTask);
  // A finished task does not accept messages, and a message with a known key is a repetition.
  if (method.startsWith("message/") && (isNew || (taskId !== undefined && !finalStates.includes(loggedTask.state))))
    loggedTask.turns += 1;
  checkTransition(check, loggedTask, { method, state: task.status.state, at });
  checkContext(check, loggedTask, { context: task.contextId, contexts: ledger.contexts, at });
  if (method === "tasks/get") checkRead(check, loggedTask, { task, length: payload.historyLength, at });
  else delete loggedTask.lastRead;
  if (Array.isArray(task.history) && task.history.length > 0) loggedTask.hadHistory = true;
  loggedTask.state = task.status.state;
}

function checkRefused(
  check: DocumentCheck,
  task: TwinTask,
  { from, method, code }: { from: string; method: string; code: number },
  at: string,
): void {
  const isFinal = finalStates.includes(task.state);
  const place = `${at}/answer/error/code`;
  if (code === 1001 && task.owner === from && !(isFinal && !check.strict("forgotten-tasks")))
    check.addCodeFault(place, "is for a task that exists");
  if (method === "tasks/cancel") {
    if (code === 1002 && task.state === "canceled" && check.strict("cancel-again"))
      check.addCodeFault(place, "refuses again");
    if (code === 1002 && !isFinal && check.strict("cancel-running")) check.addCodeFault(place, "is for a running task");
    const isFinished = task.state === "completed" || task.state === "failed";
    if (isFinished && code !== 1002 && code !== 1001 && check.strict("refusal-codes"))
      check.addCodeFault(place, "is not 1002");
  }
  if (method !== "tasks/get") delete task.lastRead;
}

/** Checks that a task is new, unless its idempotency key was used before. */
function checkNewTask(
  check: DocumentCheck,
  { from, payload, id }: { from: string; payload: JsonObject; id: string },
  { tasks, keys }: TaskLedger,
  at: string,
): void {
  const key = payload.idempotencyKey === undefined ? undefined : `${from} ${payload.idempotencyKey}`;
  const earlierTaskId = key === undefined ? undefined : keys.get(key);
  if (tasks.has(id) && earlierTaskId !== id) check.addCodeFault(`${at}/answer/task/id`, "was there before");
  if (key !== undefined && earlierTaskId === undefined) keys.set(key, id);
}

function checkTransition(
  check: DocumentCheck,
  known: TwinTask,
  { method, state, at }: { method: string; state: string; at: string },
): void {
  const earlierState = known.state;
  const place = `${at}/answer/task/status/state`;
  if (!reaches(earlierState, state)) check.addCodeFault(place, `cannot come after ${earlierState}`);
  if (method !== "tasks/cancel") return;
  const wasFinished = earlierState === "completed" || earlierState === "failed";
  if (wasFinished && check.strict("cancel-done")) check.addCodeFault(`${at}/answer`, "does not refuse");
  if (!wasFinished && state !== "canceled" && !(finalStates.includes(state) && !check.strict("cancel-done")))
    check.addCodeFault(place, "is not canceled");
}

function checkContext(
  check: DocumentCheck,
  known: TwinTask,
  { context, contexts, at }: { context: Json | undefined; contexts: TaskLedger["contexts"]; at: string },
): void {
  const place = `${at}/answer/task/contextId`;
  if (context === undefined) {
    if (check.strict("context-missing")) check.addCodeFault(place, "is missing");
    return;
  }
  if (known.context !== undefined && known.context !== context) check.addCodeFault(place, "is another");
  known.context ??= context;
  const owner = contexts.get(context);
  if (owner !== undefined && owner !== known.owner) check.addCodeFault(place, "belongs to another requester");
  contexts.set(context, owner ?? known.owner);
}

function checkRead(
  check: DocumentCheck,
  known: TwinTask,
  { task, length, at }: { task: TaskRecord; length: Json | undefined; at: string },
): void {
  const history = Array.isArray(task.history) ? task.history : [];
  const place = `${at}/answer/task/history`;
  if (typeof length === "number" && history.length > length) check.addCodeFault(place, "is longer than asked for");
  const userTurnCount = history.filter((turn) => isObject(turn) && turn.role === "user").length;
  const isKept = check.strict("history-missing") || history.length > 0 || known.hadHistory;
  if (length === undefined && userTurnCount < known.turns && isKept) check.addCodeFault(place, "is incomplete");
  const { state } = task.status;
  const { history: _, ...bare } = task;
  const { lastRead } = known;
  const mustBeUnchanged =
    lastRead !== undefined &&
    (finalStates.includes(lastRead.state) || state === lastRead.state || check.strict("rest-changes"));
  if (mustBeUnchanged && !equal(lastRead.bare, bare))
    check.addCodeFault(`${at}/answer/task`, "changed without a request");
  else if (mustBeUnchanged && lastRead.length === length && !equal(lastRead.history, history))
    check.addCodeFault(place, "changed without a request");
  if (finalStates.includes(state) || state === "input_required") known.lastRead = { state, bare, length, history };
  else delete known.lastRead;
}
