import { randomUUID } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { type AgentCall, AgentRefusal, type ReferenceAgent } from "./agent.ts";
import { extendedCardOf, promisesOf } from "./card.ts";
import { checkConfig, checkFilter, checkHistory, checkId, checkMessage } from "./checks.ts";
import { pushTo } from "./push.ts";
import { agentMessage, isOver, isResting, type KeptTask, makeTask, moveTask, shownTask } from "./tasks.ts";
import { texts, workAt } from "./work.ts";

/** The result of an operation. */
export interface OperationResult {
  result: Json;
  task?: KeptTask;
}

/** Carries out an operation without a stream. Throws the refusal. */
export async function carryOut(agent: ReferenceAgent, call: AgentCall): Promise<OperationResult> {
  switch (call.operation) {
    case "SendMessage":
      return sendMessage(agent, call);
    case "GetTask": {
      const task = taskNamed(agent, call, "id");
      return { result: shownTask(task, { historyLength: checkHistory(agent, call) }), task };
    }
    case "ListTasks":
      return { result: listTasks(agent, call) };
    case "CancelTask":
      return cancelTask(agent, call);
    case "GetExtendedAgentCard":
      return { result: extendedCardOf(agent) };
    default:
      return carryConfig(agent, call);
  }
}

/** The task that a request names, if its caller may know it. Throws the refusal. */
export function taskNamed(agent: ReferenceAgent, call: AgentCall, name: "id" | "taskId"): KeptTask {
  return taskOf(agent, call, checkId(agent, call, name));
}

function taskOf({ store, policy }: ReferenceAgent, call: AgentCall, id: string): KeptTask {
  if (!store.tasks.has(id) && !policy.checks("task", call))
    makeTask(store, { id, contextId: randomUUID(), owner: call.caller, tenant: tenantOf(call) });
  const task = store.tasks.get(id);
  const isForeign = task !== undefined && task.owner !== call.caller && policy.checks("owner", call);
  const isElsewhere = task !== undefined && task.tenant !== tenantOf(call) && policy.checks("tenant", call);
  if (task === undefined || isForeign || isElsewhere)
    throw new AgentRefusal("TaskNotFound", `there is no task ${id.slice(0, 80)}`);
  return task;
}

function tenantOf({ params }: AgentCall): string {
  return typeof params.tenant === "string" ? params.tenant : "";
}

/** Handles a message up to its result: a message in reply, or a task, new or continued, before its work. */
export function beginMessage(
  agent: ReferenceAgent,
  call: AgentCall,
): { reply: JsonObject } | { task: KeptTask; begin(): void } {
  const message = checkMessage(agent, call);
  const { configuration } = call.params;
  const inline = isObject(configuration) ? configuration.taskPushNotificationConfig : undefined;
  if (inline !== undefined && !promisesOf(agent).pushNotifications && agent.policy.checks("capability", call))
    throw new AgentRefusal("PushNotificationNotSupported", "push notifications are not offered");
  const config = inline === undefined ? undefined : checkConfig(agent, call, inline);
  const known =
    typeof message.taskId === "string" && message.taskId !== "" ? findContinued(agent, call, message) : undefined;
  if (known === undefined && agent.policy.reads(message) === texts.replying) {
    const contextId = agent.policy.contextFor(message.contextId as string | undefined, agent);
    const { taskId: _, ...reply } = agentMessage({ id: "", contextId }, "Hello.");
    return { reply };
  }
  const task = known ?? openTask(agent, call, message);
  if (config !== undefined) addConfig(agent, task, config);
  const said = { ...message, taskId: task.id, contextId: task.contextId };
  agent.policy.takes(task, said, call);
  const begin = (): void => void workAt(agent, task, message);
  return { task, begin };
}

function openTask(agent: ReferenceAgent, call: AgentCall, message: JsonObject): KeptTask {
  const given = typeof message.contextId === "string" && message.contextId !== "" ? message.contextId : undefined;
  const { contextFor, taskId } = agent.policy;
  const facts = { id: taskId(), contextId: contextFor(given, agent), owner: call.caller, tenant: tenantOf(call) };
  return makeTask(agent.store, facts);
}

function findContinued(agent: ReferenceAgent, call: AgentCall, message: JsonObject): KeptTask {
  const { checks, takesMore } = agent.policy;
  const task = taskOf(agent, call, String(message.taskId));
  const { contextId } = message;
  if (typeof contextId === "string" && contextId !== "" && contextId !== task.contextId && checks("context", call))
    throw new AgentRefusal("InvalidParams", "message.contextId is not that of the task", "message.contextId");
  if (isOver(task) && checks("over", call))
    throw new AgentRefusal("UnsupportedOperation", `the task is over: ${task.state}`);
  if (!isResting(task) && !takesMore && checks("running", call))
    throw new AgentRefusal("UnsupportedOperation", "the task is at work");
  return task;
}

async function sendMessage(agent: ReferenceAgent, call: AgentCall): Promise<OperationResult> {
  const begun = beginMessage(agent, call);
  if ("reply" in begun) return { result: { message: begun.reply } };
  const { task, begin } = begun;
  const rests = restOf(task);
  begin();
  if (agent.policy.waits(call)) await rests;
  const { configuration } = call.params;
  const historyLength = isObject(configuration) ? (configuration.historyLength as number | undefined) : undefined;
  return { result: { task: shownTask(task, { historyLength }) }, task };
}

/** Settles when a task that is about to work rests. */
function restOf(task: KeptTask): Promise<void> {
  return new Promise((resolve) => {
    const watcher = (): void => {
      if (!isResting(task)) return;
      task.watchers.delete(watcher);
      resolve();
    };
    task.watchers.add(watcher);
  });
}

function listTasks(agent: ReferenceAgent, call: AgentCall): Json {
  const { pageSize, contextId, status, after, historyLength, artifacts } = checkFilter(agent, call);
  const { policy, store } = agent;
  const all = [...store.tasks.values()]
    .filter((task) => policy.lists(task, call) && task.tenant === tenantOf(call))
    .filter((task) => contextId === undefined || task.contextId === contextId)
    .filter((task) => status === undefined || task.state === status)
    .filter((task) => after === undefined || task.changed >= after)
    .sort((one, other) => policy.order(one, other));
  const { pageToken } = call.params;
  const isMarked = typeof pageToken === "string" && pageToken !== "" && policy.pages === "cursor";
  const mark = isMarked ? markIn(agent, call, pageToken) : undefined;
  const skipped = policy.pages === "offset" ? Number(pageToken ?? 0) : 0;
  const left = mark === undefined ? all.slice(skipped) : all.filter((task) => isPast(task, mark));
  const page = left.slice(0, pageSize);
  const last = page.at(-1);
  return {
    tasks: page.map((task) => shownTask(task, { historyLength, artifacts })),
    nextPageToken:
      last === undefined || left.length <= pageSize
        ? ""
        : skipped + pageSize > 0 && policy.pages === "offset"
          ? String(skipped + pageSize)
          : tokenAt(last),
    pageSize: page.length,
    totalSize: all.length,
  };
}

type PageMark = Pick<KeptTask, "changed" | "serial">;

function isPast({ changed, serial }: PageMark, mark: PageMark): boolean {
  return changed < mark.changed || (changed === mark.changed && serial < mark.serial);
}

function tokenAt({ changed, serial }: PageMark): string {
  return Buffer.from(`${changed}:${serial}:end`).toString("base64url");
}

function markIn({ policy }: ReferenceAgent, call: AgentCall, token: string): PageMark | undefined {
  const [, changed, serial] = /^(\d+):(\d+):end$/.exec(Buffer.from(token, "base64url").toString("utf8")) ?? [];
  if (changed !== undefined && serial !== undefined) return { changed: Number(changed), serial: Number(serial) };
  if (policy.checks("page-token", call)) throw new AgentRefusal("InvalidParams", "pageToken is unknown", "pageToken");
  return undefined;
}

function cancelTask(agent: ReferenceAgent, call: AgentCall): OperationResult {
  const task = taskNamed(agent, call, "id");
  const isAgain = agent.policy.cancelsAgain && task.state === "TASK_STATE_CANCELED";
  if (isOver(task) && !isAgain && agent.policy.checks("over", call))
    throw new AgentRefusal("TaskNotCancelable", `the task is over: ${task.state}`);
  if (agent.policy.cancels(task)) {
    moveTask(task, "TASK_STATE_CANCELED");
    task.stopping.abort();
  }
  return { result: shownTask(task), task };
}

/** The configuration in answers. */
function shownConfig(config: JsonObject): JsonObject {
  return structuredClone(config);
}

function addConfig(agent: ReferenceAgent, task: KeptTask, given: JsonObject): JsonObject {
  const { tenant: _, ...rest } = given;
  const id = typeof given.id === "string" && given.id !== "" ? given.id : randomUUID();
  const config = { ...rest, id, taskId: task.id };
  task.configs.set(id, config);
  pushTo(agent, task, config);
  return config;
}

function carryConfig(agent: ReferenceAgent, call: AgentCall): OperationResult {
  const task = taskNamed(agent, call, "taskId");
  if (call.operation === "CreateTaskPushNotificationConfig")
    return { result: shownConfig(addConfig(agent, task, checkConfig(agent, call, call.params))), task };
  if (call.operation === "ListTaskPushNotificationConfigs") {
    const configs = [...task.configs.values()].map(shownConfig);
    return { result: { configs, nextPageToken: "" }, task };
  }
  const id = checkId(agent, call, "id");
  const config = task.configs.get(id);
  if (call.operation === "DeleteTaskPushNotificationConfig") {
    task.configs.delete(id);
    return { result: {}, task };
  }
  if (config === undefined)
    throw new AgentRefusal(
      "TaskNotFound",
      `the task has no configuration ${id.slice(0, 80)}`,
      undefined,
      "configuration",
    );
  return { result: shownConfig(config), task };
}
