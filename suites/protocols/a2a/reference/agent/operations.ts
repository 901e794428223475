import { randomUUID } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { type AgentCall, AgentRefusal, type ReferenceAgent } from "./agent.ts";
import { extendedCardOf, offeredFeatures } from "./card.ts";
import { checkConfig, checkFilter, checkHistory, checkId, checkMessage } from "./checks.ts";
import { pushTo } from "./push.ts";
import { type A2aTask, agentMessage, isOver, isResting, makeTask, moveTask, presentTask } from "./tasks.ts";
import { messageTexts, workAt } from "./work.ts";

/** The result of an operation. */
export interface OperationResult {
  result: Json;
  task?: A2aTask;
}

/** Carries out an operation that does not stream. Throws a refusal. */
export async function carryOut(agent: ReferenceAgent, call: AgentCall): Promise<OperationResult> {
  switch (call.operation) {
    case "SendMessage":
      return sendMessage(agent, call);
    case "GetTask": {
      const task = findNamedTask(agent, call, "id");
      return { result: presentTask(task, { historyLength: checkHistory(agent, call) }), task };
    }
    case "ListTasks":
      return { result: listTasks(agent, call) };
    case "CancelTask":
      return cancelTask(agent, call);
    case "GetExtendedAgentCard":
      return { result: extendedCardOf(agent) };
    default:
      return carryOutOnConfig(agent, call);
  }
}

/** Finds the task that a request names. Throws a refusal if it is unknown or hidden from the caller. */
export function findNamedTask(agent: ReferenceAgent, call: AgentCall, name: "id" | "taskId"): A2aTask {
  return findTask(agent, call, checkId(agent, call, name));
}

function findTask({ store, policy }: ReferenceAgent, call: AgentCall, id: string): A2aTask {
  if (!store.tasks.has(id) && !policy.makesCheck("task", call))
    makeTask(store, { id, contextId: randomUUID(), owner: call.caller, tenant: tenantOf(call) });
  const task = store.tasks.get(id);
  const belongsToOtherCaller = task !== undefined && task.owner !== call.caller && policy.makesCheck("owner", call);
  const belongsToOtherTenant =
    task !== undefined && task.tenant !== tenantOf(call) && policy.makesCheck("tenant", call);
  if (task === undefined || belongsToOtherCaller || belongsToOtherTenant)
    throw new AgentRefusal("TaskNotFound", `there is no task ${id.slice(0, 80)}`);
  return task;
}

function tenantOf({ params }: AgentCall): string {
  return typeof params.tenant === "string" ? params.tenant : "";
}

/** Handles a message up to its result: a reply, or a new or continued task before its work begins. */
export function beginMessage(
  agent: ReferenceAgent,
  call: AgentCall,
): { reply: JsonObject } | { task: A2aTask; begin(): void } {
  const message = checkMessage(agent, call);
  const { configuration } = call.params;
  const inlineConfig = isObject(configuration) ? configuration.taskPushNotificationConfig : undefined;
  if (
    inlineConfig !== undefined &&
    !offeredFeatures(agent).pushNotifications &&
    agent.policy.makesCheck("capability", call)
  )
    throw new AgentRefusal("PushNotificationNotSupported", "push notifications are not offered");
  const config = inlineConfig === undefined ? undefined : checkConfig(agent, call, inlineConfig);
  const continuedTask =
    typeof message.taskId === "string" && message.taskId !== "" ? findContinuedTask(agent, call, message) : undefined;
  if (continuedTask === undefined && agent.policy.readText(message) === messageTexts.replying) {
    const contextId = agent.policy.chooseContext(message.contextId as string | undefined, agent);
    const { taskId: _, ...reply } = agentMessage({ id: "", contextId }, "Hello.");
    return { reply };
  }
  const task = continuedTask ?? openTask(agent, call, message);
  if (config !== undefined) addConfig(agent, task, config);
  const storedMessage = { ...message, taskId: task.id, contextId: task.contextId };
  agent.policy.recordMessage(task, storedMessage, call);
  const beginWork = (): void => void workAt(agent, task, message);
  return { task, begin: beginWork };
}

function openTask(agent: ReferenceAgent, call: AgentCall, message: JsonObject): A2aTask {
  const requestedContext =
    typeof message.contextId === "string" && message.contextId !== "" ? message.contextId : undefined;
  const { chooseContext, createTaskId } = agent.policy;
  const facts = {
    id: createTaskId(),
    contextId: chooseContext(requestedContext, agent),
    owner: call.caller,
    tenant: tenantOf(call),
  };
  return makeTask(agent.store, facts);
}

function findContinuedTask(agent: ReferenceAgent, call: AgentCall, message: JsonObject): A2aTask {
  const { makesCheck, acceptsWhileWorking } = agent.policy;
  const task = findTask(agent, call, String(message.taskId));
  const { contextId } = message;
  if (typeof contextId === "string" && contextId !== "" && contextId !== task.contextId && makesCheck("context", call))
    throw new AgentRefusal("InvalidParams", "message.contextId is not that of the task", "message.contextId");
  if (isOver(task) && makesCheck("over", call))
    throw new AgentRefusal("UnsupportedOperation", `the task is over: ${task.state}`);
  if (!isResting(task) && !acceptsWhileWorking && makesCheck("running", call))
    throw new AgentRefusal("UnsupportedOperation", "the task is at work");
  return task;
}

async function sendMessage(agent: ReferenceAgent, call: AgentCall): Promise<OperationResult> {
  const outcome = beginMessage(agent, call);
  if ("reply" in outcome) return { result: { message: outcome.reply } };
  const { task, begin } = outcome;
  const rest = awaitRest(task);
  begin();
  if (agent.policy.waitsForRest(call)) await rest;
  const { configuration } = call.params;
  const historyLength = isObject(configuration) ? (configuration.historyLength as number | undefined) : undefined;
  return { result: { task: presentTask(task, { historyLength }) }, task };
}

/** Resolves when a task next ends or is interrupted. */
function awaitRest(task: A2aTask): Promise<void> {
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
  const { pageSize, contextId, status, after, historyLength, includesArtifacts } = checkFilter(agent, call);
  const { policy, store } = agent;
  const matchingTasks = [...store.tasks.values()]
    .filter((task) => policy.isListed(task, call) && task.tenant === tenantOf(call))
    .filter((task) => contextId === undefined || task.contextId === contextId)
    .filter((task) => status === undefined || task.state === status)
    .filter((task) => after === undefined || task.changedAt >= after)
    .sort((task, otherTask) => policy.compareTasks(task, otherTask));
  const { pageToken } = call.params;
  const hasPageToken = typeof pageToken === "string" && pageToken !== "" && policy.pageTokens === "cursor";
  const mark = hasPageToken ? parsePageToken(agent, call, pageToken) : undefined;
  const skipped = policy.pageTokens === "offset" ? Number(pageToken ?? 0) : 0;
  const remainingTasks =
    mark === undefined ? matchingTasks.slice(skipped) : matchingTasks.filter((task) => isAfterMark(task, mark));
  const page = remainingTasks.slice(0, pageSize);
  const lastTask = page.at(-1);
  const hasNextPage = lastTask !== undefined && remainingTasks.length > pageSize;
  const isByOffset = policy.pageTokens === "offset" && skipped + pageSize > 0;
  const nextToken = isByOffset || lastTask === undefined ? String(skipped + pageSize) : tokenAt(lastTask);
  return {
    tasks: page.map((task) => presentTask(task, { historyLength, artifacts: includesArtifacts })),
    nextPageToken: hasNextPage ? nextToken : "",
    pageSize: page.length,
    totalSize: matchingTasks.length,
  };
}

type PageMark = Pick<A2aTask, "changedAt" | "number">;

function isAfterMark({ changedAt, number }: PageMark, mark: PageMark): boolean {
  return changedAt < mark.changedAt || (changedAt === mark.changedAt && number < mark.number);
}

function tokenAt({ changedAt, number }: PageMark): string {
  return Buffer.from(`${changedAt}:${number}:end`).toString("base64url");
}

function parsePageToken({ policy }: ReferenceAgent, call: AgentCall, token: string): PageMark | undefined {
  const [, changedAt, number] = /^(\d+):(\d+):end$/.exec(Buffer.from(token, "base64url").toString("utf8")) ?? [];
  if (changedAt !== undefined && number !== undefined) return { changedAt: Number(changedAt), number: Number(number) };
  if (policy.makesCheck("page-token", call))
    throw new AgentRefusal("InvalidParams", "pageToken is unknown", "pageToken");
  return undefined;
}

function cancelTask(agent: ReferenceAgent, call: AgentCall): OperationResult {
  const task = findNamedTask(agent, call, "id");
  const isSecondCancel = agent.policy.acceptsSecondCancel && task.state === "TASK_STATE_CANCELED";
  if (isOver(task) && !isSecondCancel && agent.policy.makesCheck("over", call))
    throw new AgentRefusal("TaskNotCancelable", `the task is over: ${task.state}`);
  if (agent.policy.cancelsTask(task)) {
    moveTask(task, "TASK_STATE_CANCELED");
    task.work.abort();
  }
  return { result: presentTask(task), task };
}

/** Copies a configuration for an answer. */
function copyConfig(config: JsonObject): JsonObject {
  return structuredClone(config);
}

function addConfig(agent: ReferenceAgent, task: A2aTask, config: JsonObject): JsonObject {
  const { tenant: _, ...configMembers } = config;
  const id = typeof config.id === "string" && config.id !== "" ? config.id : randomUUID();
  const storedConfig = { ...configMembers, id, taskId: task.id };
  task.configs.set(id, storedConfig);
  pushTo(agent, task, storedConfig);
  return storedConfig;
}

function carryOutOnConfig(agent: ReferenceAgent, call: AgentCall): OperationResult {
  const task = findNamedTask(agent, call, "taskId");
  if (call.operation === "CreateTaskPushNotificationConfig")
    return { result: copyConfig(addConfig(agent, task, checkConfig(agent, call, call.params))), task };
  if (call.operation === "ListTaskPushNotificationConfigs") {
    const configs = [...task.configs.values()].map(copyConfig);
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
  return { result: copyConfig(config), task };
}
