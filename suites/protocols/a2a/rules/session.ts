import {
  isObject,
  type Json,
  type JsonObject,
  type SessionMessage,
  type SessionReader,
} from "../../../../schemas/index.ts";

/** The names of methods in documents. */
const names: Readonly<Record<string, string>> = {
  SendMessage: "send-message",
  SendStreamingMessage: "send-streaming-message",
  GetTask: "get-task",
  ListTasks: "list-tasks",
  CancelTask: "cancel-task",
  SubscribeToTask: "subscribe-to-task",
  CreateTaskPushNotificationConfig: "create-push-config",
  GetTaskPushNotificationConfig: "get-push-config",
  ListTaskPushNotificationConfigs: "list-push-configs",
  DeleteTaskPushNotificationConfig: "delete-push-config",
  GetExtendedAgentCard: "get-extended-card",
};

const streaming = new Set(["send-streaming-message", "subscribe-to-task"]);

/** A line with the name of its operation, as the rules on sessions judge it. */
interface SessionEntry {
  [name: string]: Json;
}

/** All rules on messages and sequences apply to the messages of scenarios. */
export const isHeldLive = true;

/**
 * Lines are sent messages, or entries: a request over JSON-RPC, its answer, or an event for a webhook. Cards, and tasks and messages over
 * HTTP+JSON, are messages as well, but outside of the sequence.
 */
export const session: SessionReader = (lines) => {
  const asked = new Map<string, { name: string; id: Json }[]>();
  const own = new Set<string>();
  const value: SessionEntry[] = [];
  const places: number[] = [];
  const messages: SessionMessage[] = [];
  for (const [line, given] of lines.entries()) {
    for (const [within, sent] of partsOf(given)) {
      noteOwn(own, sent);
      const message = withoutEchoes(sent, own);
      const alone = aloneIn(sent);
      if (alone !== undefined) messages.push({ message, line, within, ...alone });
      const entry = alone === undefined ? entryOf(sent, asked) : undefined;
      if (entry === undefined) continue;
      const { document, ...rest } = entry;
      messages.push({ message, line, within, document, at: `/${value.length}/message`, from: rest.from as string });
      value.push(rest);
      places.push(line);
    }
  }
  return { document: "session", value, at: "", lines: places, messages };
};

/** Records the id of a message that a client sends, over either binding. */
function noteOwn(own: Set<string>, { method, params, message }: JsonObject): void {
  const sent = typeof method === "string" && isObject(params) ? params.message : message;
  if (isObject(sent) && sent.role !== "ROLE_AGENT" && typeof sent.messageId === "string") own.add(sent.messageId);
}

/** A message with placeholders for the messages of clients in a history: the agent is not responsible for their faults. */
function withoutEchoes(message: JsonObject, own: ReadonlySet<string>): JsonObject {
  const { result } = message;
  return isObject(result) ? { ...message, result: withoutOwn(result, own) } : withoutOwn(message, own);
}

/** The same for a task, or for a result with one task or several. */
function withoutOwn(value: JsonObject, own: ReadonlySet<string>): JsonObject {
  const { history, task, tasks } = value;
  return {
    ...value,
    ...(Array.isArray(history) ? { history: history.map((each) => (isOwn(each, own) ? standInFor(each) : each)) } : {}),
    ...(isObject(task) ? { task: withoutOwn(task, own) } : {}),
    ...(Array.isArray(tasks) ? { tasks: tasks.map((each) => (isObject(each) ? withoutOwn(each, own) : each)) } : {}),
  };
}

/** Whether a message of a history came from a client. It may have been sent before the recording: then its role says so. */
function isOwn(message: Json, own: ReadonlySet<string>): message is JsonObject {
  if (!isObject(message)) return false;
  const { messageId, role } = message;
  return role === undefined || role === "ROLE_USER" || (typeof messageId === "string" && own.has(messageId));
}

function standInFor({ messageId }: JsonObject): JsonObject {
  const id = typeof messageId === "string" && messageId !== "" ? messageId : "unknown";
  return { messageId: id, role: "ROLE_USER", parts: [{ text: "" }] };
}

/** The document of a message outside of JSON-RPC that is not an event, judged by its members. */
function aloneIn(message: JsonObject): { document: string; from: string } | undefined {
  if (Object.hasOwn(message, "jsonrpc") || Object.hasOwn(message, "method")) return undefined;
  if (Array.isArray(message.supportedInterfaces)) return { document: "card", from: "agent" };
  if (isObject(message.message) && message.message.role === "ROLE_USER")
    return { document: "rest.send-message.request", from: "client" };
  if (typeof message.id === "string" && isObject(message.status))
    return { document: "rest.get-task.response", from: "agent" };
  if (Array.isArray(message.tasks)) return { document: "rest.list-tasks.response", from: "agent" };
  return undefined;
}

/** The messages of a line: one, or those of a batch. A line of a recording has them under `message`, beside the sender. */
function partsOf(given: Json): [within: string, message: JsonObject][] {
  if (isObject(given) && typeof given.from === "string" && given.message !== undefined) return partsOf(given.message);
  if (Array.isArray(given))
    return given.flatMap((each, index): [string, JsonObject][] => (isObject(each) ? [[`/${index}`, each]] : []));
  return isObject(given) ? [["", given]] : [];
}

function entryOf(
  message: JsonObject,
  asked: Map<string, { name: string; id: Json }[]>,
): (SessionEntry & { document: string }) | undefined {
  const { method, id = null } = message;
  const key = JSON.stringify(id);
  if (typeof method === "string") {
    const name = names[method];
    if (name === undefined) return undefined;
    asked.set(key, [...(asked.get(key) ?? []), { name, id }]);
    return { document: `rpc.${name}.request`, from: "client", operation: name, message };
  }
  if (Object.hasOwn(message, "jsonrpc")) {
    const name = asked.get(key)?.at(-1)?.name;
    if (name === undefined)
      return Object.hasOwn(message, "error")
        ? { document: "rpc.failure", from: "agent", operation: "failure", message }
        : undefined;
    const part = streaming.has(name) ? "item" : "response";
    const document = Object.hasOwn(message, "error") ? "rpc.failure" : `rpc.${name}.${part}`;
    return { document, from: "agent", operation: name, message };
  }
  const isEvent = ["task", "message", "statusUpdate", "artifactUpdate"].some((each) => Object.hasOwn(message, each));
  return isEvent ? { document: "push", from: "agent", operation: "push", message } : undefined;
}
