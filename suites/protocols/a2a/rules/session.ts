import {
  isObject,
  type Json,
  type JsonObject,
  type SessionMessage,
  type SessionReader,
} from "../../../../schemas/index.ts";

/** The operation of each JSON-RPC method, as document names spell it. */
const operationNames: Readonly<Record<string, string>> = {
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

const streamingOperations = new Set(["send-streaming-message", "subscribe-to-task"]);

/** A message with its sender and the name of its operation, in the form that session rules check. */
interface SessionEntry {
  [name: string]: Json;
}

/** Scenarios check their messages against all rules on messages and sequences. */
export const isHeldLive = true;

/**
 * Reads a recording. JSON-RPC requests, their answers and webhook events become entries of the session, in order.
 * Cards, and tasks and messages over HTTP+JSON, are judged only as single messages.
 */
export const session: SessionReader = (lines) => {
  const requestsById = new Map<string, { name: string; id: Json }[]>();
  const clientMessageIds = new Set<string>();
  const entries: SessionEntry[] = [];
  const entryLines: number[] = [];
  const messages: SessionMessage[] = [];
  for (const [line, content] of lines.entries()) {
    for (const [within, part] of messagesOfLine(content)) {
      noteClientMessage(clientMessageIds, part);
      const message = withoutEchoes(part, clientMessageIds);
      const standalone = standaloneDocument(part);
      if (standalone !== undefined) messages.push({ message, line, within, ...standalone });
      const entry = standalone === undefined ? entryOf(part, requestsById) : undefined;
      if (entry === undefined) continue;
      const { document, ...members } = entry;
      messages.push({
        message,
        line,
        within,
        document,
        at: `/${entries.length}/message`,
        from: members.from as string,
      });
      entries.push(members);
      entryLines.push(line);
    }
  }
  return { document: "session", value: entries, at: "", lines: entryLines, messages };
};

/** Records the id of a message that a client sends, over either binding. */
function noteClientMessage(clientMessageIds: Set<string>, { method, params, message }: JsonObject): void {
  const clientMessage = typeof method === "string" && isObject(params) ? params.message : message;
  if (isObject(clientMessage) && clientMessage.role !== "ROLE_AGENT" && typeof clientMessage.messageId === "string")
    clientMessageIds.add(clientMessage.messageId);
}

/** Replaces clients' messages in histories by placeholders, because an agent is not responsible for their faults. */
function withoutEchoes(message: JsonObject, clientMessageIds: ReadonlySet<string>): JsonObject {
  const { result } = message;
  return isObject(result)
    ? { ...message, result: withoutClientMessages(result, clientMessageIds) }
    : withoutClientMessages(message, clientMessageIds);
}

/** Puts placeholders into the history of a task, or of the tasks in a result. */
function withoutClientMessages(value: JsonObject, clientMessageIds: ReadonlySet<string>): JsonObject {
  const { history, task, tasks } = value;
  return {
    ...value,
    ...(Array.isArray(history)
      ? { history: history.map((each) => (isClientMessage(each, clientMessageIds) ? placeholderFor(each) : each)) }
      : {}),
    ...(isObject(task) ? { task: withoutClientMessages(task, clientMessageIds) } : {}),
    ...(Array.isArray(tasks)
      ? { tasks: tasks.map((each) => (isObject(each) ? withoutClientMessages(each, clientMessageIds) : each)) }
      : {}),
  };
}

/** Whether a message in a history came from a client. A message from before the recording is recognized by its role. */
function isClientMessage(message: Json, clientMessageIds: ReadonlySet<string>): message is JsonObject {
  if (!isObject(message)) return false;
  const { messageId, role } = message;
  return (
    role === undefined || role === "ROLE_USER" || (typeof messageId === "string" && clientMessageIds.has(messageId))
  );
}

function placeholderFor({ messageId }: JsonObject): JsonObject {
  const id = typeof messageId === "string" && messageId !== "" ? messageId : "unknown";
  return { messageId: id, role: "ROLE_USER", parts: [{ text: "" }] };
}

/** Returns the document and the sender of a card or an HTTP+JSON body, recognized by its members; undefined for other messages. */
function standaloneDocument(message: JsonObject): { document: string; from: string } | undefined {
  if (Object.hasOwn(message, "jsonrpc") || Object.hasOwn(message, "method")) return undefined;
  if (Array.isArray(message.supportedInterfaces)) return { document: "card", from: "agent" };
  if (isObject(message.message) && message.message.role === "ROLE_USER")
    return { document: "rest.send-message.request", from: "client" };
  if (typeof message.id === "string" && isObject(message.status))
    return { document: "rest.get-task.response", from: "agent" };
  if (Array.isArray(message.tasks)) return { document: "rest.list-tasks.response", from: "agent" };
  return undefined;
}

/** Lists the messages of a line: one, or each message of a batch. If the line names the sender, they are under `message`. */
function messagesOfLine(content: Json): [within: string, message: JsonObject][] {
  if (isObject(content) && typeof content.from === "string" && content.message !== undefined)
    return messagesOfLine(content.message);
  if (Array.isArray(content))
    return content.flatMap((part, index): [string, JsonObject][] => (isObject(part) ? [[`/${index}`, part]] : []));
  return isObject(content) ? [["", content]] : [];
}

function entryOf(
  message: JsonObject,
  requestsById: Map<string, { name: string; id: Json }[]>,
): (SessionEntry & { document: string }) | undefined {
  const { method, id = null } = message;
  const key = JSON.stringify(id);
  if (typeof method === "string") {
    const name = operationNames[method];
    if (name === undefined) return undefined;
    requestsById.set(key, [...(requestsById.get(key) ?? []), { name, id }]);
    return { document: `rpc.${name}.request`, from: "client", operation: name, message };
  }
  if (Object.hasOwn(message, "jsonrpc")) {
    const name = requestsById.get(key)?.at(-1)?.name;
    if (name === undefined)
      return Object.hasOwn(message, "error")
        ? { document: "rpc.failure", from: "agent", operation: "failure", message }
        : undefined;
    const part = streamingOperations.has(name) ? "item" : "response";
    const document = Object.hasOwn(message, "error") ? "rpc.failure" : `rpc.${name}.${part}`;
    return { document, from: "agent", operation: name, message };
  }
  const isEvent = ["task", "message", "statusUpdate", "artifactUpdate"].some((member) =>
    Object.hasOwn(message, member),
  );
  return isEvent ? { document: "push", from: "agent", operation: "push", message } : undefined;
}
