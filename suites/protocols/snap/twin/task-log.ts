import { equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import type { DocumentCheck } from "./check.ts";
import { address } from "./envelope.ts";
import { stepsOf } from "./member-lists.ts";
import { answer, checkCancel, checkGet, sending } from "./payloads.ts";
import type { RecordJudge } from "./records.ts";

const { next, over } = stepsOf("SNAP-TASK-001");

function reaches(from: string, to: string, seen: readonly string[] = []): boolean {
  if (from === to) return true;
  return (next[from] ?? []).some((each) => !seen.includes(each) && reaches(each, to, [...seen, from]));
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
  /** The result of the last request for the task, if no later request was about it. */
  rest?: { state: string; bare: Json; length: Json | undefined; history: Json };
}

interface Book {
  tasks: Map<string, TwinTask>;
  contexts: Map<Json, string>;
  keys: Map<string, string>;
}

export const taskLog: RecordJudge = (check, value) => {
  const book: Book = { tasks: new Map(), contexts: new Map(), keys: new Map() };
  for (const [index, each] of (value.exchanges as unknown as LoggedExchange[]).entries())
    entry(check, each, book, `/exchanges/${index}`);
  const states = new Map<Json, string>();
  for (const [index, each] of ((value.states ?? []) as { taskId: string; state: string }[]).entries()) {
    const earlierState = states.get(each.taskId);
    if (earlierState !== undefined && earlierState !== each.state && !next[earlierState]?.includes(each.state))
      check.beyond(`/states/${index}/state`, `cannot come right after ${earlierState}`);
    states.set(each.taskId, each.state);
  }
};

function entry(
  check: DocumentCheck,
  { from, method, payload, answer: its }: LoggedExchange,
  book: Book,
  at: string,
): void {
  address(check, from, `${at}/from`);
  const judge = method.startsWith("message/") ? sending : method === "tasks/get" ? checkGet : checkCancel;
  judge(check, payload, `${at}/payload`);
  answer(check.ofSender(), its as Json, `${at}/answer`);
  const { taskId } = payload as { taskId?: string };
  const old = taskId === undefined ? undefined : book.tasks.get(taskId);
  const { task, error } = its;
  if (taskId !== undefined && old === undefined) {
    if (task !== undefined) check.beyond(`${at}/answer`, "is a task that there is not");
    else if (![1001, 1007].includes(error?.code ?? 0) && Math.floor((error?.code ?? 0) / 1000) !== 5)
      check.beyond(`${at}/answer`, "does not say that there is no such task");
    if (task === undefined) return;
  }
  if (task === undefined) {
    if (old !== undefined) checkRefused(check, old, { from, method, code: error?.code ?? 0 }, at);
    return;
  }
  if (old !== undefined && task.id !== taskId) check.beyond(`${at}/answer/task/id`, "is another task");
  if (old !== undefined && old.owner !== from && check.strict("task-privacy"))
    check.beyond(`${at}/answer`, "is another's task");
  if (taskId === undefined) checkBegun(check, { from, payload, id: task.id }, book, at);
  const isNew = !book.tasks.has(task.id);
  const known = book.tasks.get(task.id) ?? { owner: from, state: task.status.state, turns: 0, hadHistory: false };
  book.tasks.set(task.id, known);
  // A finished task accepts no more messages, and a message with a known key was already sent before.
  if (method.startsWith("message/") && (isNew || (taskId !== undefined && !over.includes(known.state))))
    known.turns += 1;
  checkMoved(check, known, { method, state: task.status.state, at });
  contextOf(check, known, { context: task.contextId, all: book.contexts, at });
  if (method === "tasks/get") checkAsked(check, known, { task, length: payload.historyLength, at });
  else delete known.rest;
  if (Array.isArray(task.history) && task.history.length > 0) known.hadHistory = true;
  known.state = task.status.state;
}

function checkRefused(
  check: DocumentCheck,
  old: TwinTask,
  { from, method, code }: { from: string; method: string; code: number },
  at: string,
): void {
  const isOver = over.includes(old.state);
  const place = `${at}/answer/error/code`;
  if (code === 1001 && old.owner === from && !(isOver && !check.strict("forgotten-tasks")))
    check.beyond(place, "is for a task that there is");
  if (method === "tasks/cancel") {
    if (code === 1002 && old.state === "canceled" && check.strict("cancel-again")) check.beyond(place, "refuses again");
    if (code === 1002 && !isOver && check.strict("cancel-running")) check.beyond(place, "is for a task that runs");
    const isDone = old.state === "completed" || old.state === "failed";
    if (isDone && code !== 1002 && code !== 1001 && check.strict("refusal-codes")) check.beyond(place, "is not 1002");
  }
  if (method !== "tasks/get") delete old.rest;
}

/** Checks a new task, unless a key shows that it is an earlier one. */
function checkBegun(
  check: DocumentCheck,
  { from, payload, id }: { from: string; payload: JsonObject; id: string },
  { tasks, keys }: Book,
  at: string,
): void {
  const key = payload.idempotencyKey === undefined ? undefined : `${from} ${payload.idempotencyKey}`;
  const earlierTaskId = key === undefined ? undefined : keys.get(key);
  if (tasks.has(id) && earlierTaskId !== id) check.beyond(`${at}/answer/task/id`, "was there before");
  if (key !== undefined && earlierTaskId === undefined) keys.set(key, id);
}

function checkMoved(
  check: DocumentCheck,
  known: TwinTask,
  { method, state, at }: { method: string; state: string; at: string },
): void {
  const earlierState = known.state;
  const place = `${at}/answer/task/status/state`;
  if (!reaches(earlierState, state)) check.beyond(place, `cannot come after ${earlierState}`);
  if (method !== "tasks/cancel") return;
  const wasDone = earlierState === "completed" || earlierState === "failed";
  if (wasDone && check.strict("cancel-done")) check.beyond(`${at}/answer`, "does not refuse");
  if (!wasDone && state !== "canceled" && !(over.includes(state) && !check.strict("cancel-done")))
    check.beyond(place, "is not canceled");
}

function contextOf(
  check: DocumentCheck,
  known: TwinTask,
  { context, all, at }: { context: Json | undefined; all: Book["contexts"]; at: string },
): void {
  const place = `${at}/answer/task/contextId`;
  if (context === undefined) {
    if (check.strict("context-missing")) check.beyond(place, "is missing");
    return;
  }
  if (known.context !== undefined && known.context !== context) check.beyond(place, "is another");
  known.context ??= context;
  const owner = all.get(context);
  if (owner !== undefined && owner !== known.owner) check.beyond(place, "is somebody else's");
  all.set(context, owner ?? known.owner);
}

function checkAsked(
  check: DocumentCheck,
  known: TwinTask,
  { task, length, at }: { task: TaskRecord; length: Json | undefined; at: string },
): void {
  const history = Array.isArray(task.history) ? task.history : [];
  const place = `${at}/answer/task/history`;
  if (typeof length === "number" && history.length > length) check.beyond(place, "is longer than asked for");
  const userTurnCount = history.filter((turn) => isObject(turn) && turn.role === "user").length;
  const isKept = check.strict("history-missing") || history.length > 0 || known.hadHistory;
  if (length === undefined && userTurnCount < known.turns && isKept) check.beyond(place, "is not whole");
  const { state } = task.status;
  const { history: _, ...bare } = task;
  const { rest } = known;
  const rested =
    rest !== undefined && (over.includes(rest.state) || state === rest.state || check.strict("rest-changes"));
  if (rested && !equal(rest.bare, bare)) check.beyond(`${at}/answer/task`, "has changed unasked");
  else if (rested && rest.length === length && !equal(rest.history, history))
    check.beyond(place, "has changed unasked");
  if (over.includes(state) || state === "input_required") known.rest = { state, bare, length, history };
  else delete known.rest;
}
