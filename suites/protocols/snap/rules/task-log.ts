import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { objectsIn, spots } from "./places.ts";

/** One exchange of a log. */
export interface TaskExchange {
  at: string;
  from: string;
  method: string;
  payload: JsonObject;
  /** The task that the request names. */
  taskId: string | undefined;
  /** The task, or the error code, in the answer. */
  task: ReportedTask | undefined;
  code: number | undefined;
}

/** A task as an answer reports it. */
export interface ReportedTask {
  id: string;
  state: string;
  contextId: string | undefined;
  json: JsonObject;
}

/** What the log has shown about a task so far. */
export interface LoggedTask {
  owner: string;
  state: string;
  contextId: string | undefined;
  /** The idempotency key of the message that opened the task. */
  key: Json | undefined;
  /** The number of accepted messages from its owner. */
  turns: number;
  /** The last exchange about the task. */
  last: TaskExchange;
}

/** An exchange, with all tasks and the requested task as they were known before it. */
export interface TaskStep extends TaskExchange {
  tasks: ReadonlyMap<string, LoggedTask>;
  knownTask: LoggedTask | undefined;
}

/** The final states of a task. */
export const terminal: readonly string[] = ["completed", "failed", "canceled"];

/** Reads the exchanges of a task log in order. Skips entries that are not exchanges. */
export function* stepsIn(log: Json): Iterable<TaskStep> {
  const tasks = new Map<string, LoggedTask>();
  if (!isObject(log)) return;
  for (const { value, at } of objectsIn({ value: log, at: "" }, "exchanges")) {
    const exchange = readExchange(value, at);
    if (exchange === undefined) continue;
    const { taskId, task } = exchange;
    yield { ...exchange, tasks, knownTask: taskId === undefined ? undefined : tasks.get(taskId) };
    if (task !== undefined) tasks.set(task.id, taskAfter(tasks.get(task.id), task, exchange));
    const namedTask = taskId === undefined || taskId === task?.id ? undefined : tasks.get(taskId);
    if (namedTask !== undefined) namedTask.last = exchange;
  }
}

function taskAfter(
  before: LoggedTask | undefined,
  { state, contextId }: ReportedTask,
  exchange: TaskExchange,
): LoggedTask {
  return {
    owner: before?.owner ?? exchange.from,
    state,
    contextId: contextId ?? before?.contextId,
    key: before === undefined ? exchange.payload.idempotencyKey : before.key,
    turns: (before?.turns ?? 0) + (isTurn(exchange, before) ? 1 : 0),
    last: exchange,
  };
}

/** Whether an exchange adds a turn to its task. A finished task need not accept a message, and a repeated key only returns its task. */
function isTurn(exchange: TaskExchange, before: LoggedTask | undefined): boolean {
  if (!saysState(exchange)) return false;
  return before === undefined || (exchange.taskId !== undefined && !terminal.includes(before.state));
}

/** Whether the request sends a message to the agent. */
export function saysState({ method }: TaskExchange): boolean {
  return method === "message/send" || method === "message/stream";
}

function readExchange({ from, method, payload, answer }: JsonObject, at: string): TaskExchange | undefined {
  if (typeof from !== "string" || typeof method !== "string" || !isObject(payload) || !isObject(answer))
    return undefined;
  const { taskId } = payload;
  const code = spots(answer, "/error")[0]?.value.code;
  return {
    at,
    from,
    method,
    payload,
    taskId: typeof taskId === "string" ? taskId : undefined,
    task: spots(answer, "/task").flatMap(({ value }) => readTask(value) ?? [])[0],
    code: typeof code === "number" ? code : undefined,
  };
}

function readTask(json: JsonObject): ReportedTask | undefined {
  const { id, status, contextId } = json;
  const state = isObject(status) ? status.state : undefined;
  if (typeof id !== "string" || typeof state !== "string") return undefined;
  return { id, state, contextId: typeof contextId === "string" ? contextId : undefined, json };
}
