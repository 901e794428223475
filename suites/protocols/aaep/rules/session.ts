import {
  isObject,
  type Json,
  type JsonObject,
  type RecordedReader,
  type SessionMessage,
  type SessionReader,
  type SessionRecord,
} from "../../../../schemas/index.ts";
import { shortenType } from "./event.ts";
import { entryOf } from "./trace/entry.ts";

/** Types of replies. A receiver ignores an invalid one, so its question stays open. */
const replyTypes = new Set<unknown>(["confirmation.reply", "clarification.reply"]);

/** The content of a recorded line, with its index. */
interface RecordedEntry {
  entry: Json;
  line: number;
}

/** The messages of scenarios are judged by all rules on messages and sequences. */
export const isHeldLive = true;

/** Rules that scenarios provoke producers to break: they request very large messages, and languages that a producer does not have. */
export const provoked: readonly string[] = ["AAEP-ENV-036", "AAEP-I18N-006"];

export const session: SessionReader = (lines, { partial = false, gaps = new Set(), ignored } = {}) => {
  const lastLine = Math.max(0, lines.length - 1);
  const gapsAt = (lineIndex: number): RecordedEntry[] => [
    ...(partial && (lineIndex === 0 || lineIndex === lines.length)
      ? [{ entry: { gap: "the recording is a part" }, line: lineIndex }]
      : []),
    ...(gaps.has(lineIndex) ? [{ entry: { gap: "the recorded text cannot be read" }, line: lineIndex }] : []),
  ];
  const items: RecordedEntry[] = [
    ...lines.flatMap((line, index): RecordedEntry[] => {
      const entry = entryOf(line);
      const readEntry = isObject(entry) && ignored?.has(index) ? { ...entry, message: {} } : entry;
      return [...gapsAt(index), { entry: readEntry, line: index }];
    }),
    ...gapsAt(lines.length),
  ];
  const entries = items.map(({ entry }) => entry);
  return {
    document: "session",
    value: entries,
    at: "",
    ...(items.length === lines.length ? {} : { lines: items.map(({ line }) => Math.min(line, lastLine)) }),
    messages: items.flatMap(({ entry, line }, index) => messageIn(entry, line, index)),
    records: pairHandshakes(items),
    hasGaps: entries.some((entry) => isObject(entry) && typeof entry.gap === "string"),
  };
};

/** Matches the types of this protocol's messages: those of agents, manifests and subscriptions. */
const protocolTypes = /^(?:aaep:|subscription\.|confirmation\.reply$|clarification\.reply$)/;

/** Whether the message is an event of an extension, which also has a number within its session. */
function isExtensionEvent({ type, session_id: session }: JsonObject): boolean {
  return typeof session === "string" && /^[A-Za-z][\w.-]*:/.test(String(type));
}

/** Reads a recorded frame. After the end of a connection, or a frame without a message of this protocol, messages may be missing. */
export const recorded: RecordedReader = ({ from, to, message, text }) => {
  const isProducer = from === "producer" || from === "target";
  const subscription = isProducer ? to : from;
  const protocolMessage =
    isObject(message) && message.jsonrpc === "2.0" ? (message.params ?? message.result ?? null) : message;
  if (
    isObject(protocolMessage) &&
    (protocolTypes.test(shortenType(String(protocolMessage.type))) || isExtensionEvent(protocolMessage))
  )
    return [{ from: isProducer ? "producer" : "subscriber", subscription, message: protocolMessage }];
  const isUnreadable = text !== undefined && (isProducer || text.startsWith("("));
  return isUnreadable ? [{ gap: text.slice(0, 100), subscription }] : [];
};

function messageIn(entry: Json, line: number, index: number): SessionMessage[] {
  if (!isObject(entry) || !isObject(entry.message)) return [];
  const { from, message } = entry;
  const sender = typeof from === "string" ? { from } : {};
  return [{ message, line, at: `/${index}/message`, ...sender, ignorable: replyTypes.has(message.type) }];
}

/** Pairs each acceptance with the request on the same subscription. A member that new terms omit keeps its earlier value. */
function pairHandshakes(items: readonly RecordedEntry[]): SessionRecord[] {
  const openRequests = new Map<string, { request: JsonObject; line: number; isAnswered?: true }>();
  return items.flatMap(({ entry, line }) => {
    if (!isObject(entry)) return [];
    const { message, subscription } = entry;
    const subscriptionId = typeof subscription === "string" ? subscription : "";
    // A gap may hide requests.
    if (typeof entry.gap === "string") openRequests.clear();
    if (!isObject(message)) return [];
    const { request, line: requestLine, isAnswered } = openRequests.get(subscriptionId) ?? {};
    if (message.type === "subscription.request") openRequests.set(subscriptionId, { request: message, line });
    if (message.type === "subscription.renegotiate" && request !== undefined && isObject(message.capabilities)) {
      const earlierCapabilities = isObject(request.capabilities) ? request.capabilities : {};
      openRequests.set(subscriptionId, {
        request: { ...request, capabilities: { ...earlierCapabilities, ...message.capabilities } },
        line,
      });
    }
    if (message.type !== "subscription.accepted" || request === undefined || requestLine === undefined || isAnswered)
      return [];
    openRequests.set(subscriptionId, { request, line: requestLine, isAnswered: true });
    return [
      { document: "handshake", value: { request, accepted: message }, lines: { request: requestLine, accepted: line } },
    ];
  });
}
