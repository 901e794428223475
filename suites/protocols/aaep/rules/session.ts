import {
  isObject,
  type Json,
  type JsonObject,
  type RecordedReader,
  type SessionMessage,
  type SessionReader,
  type SessionRecord,
} from "../../../../schemas/index.ts";
import { compact } from "./event.ts";
import { entryOf } from "./trace/entry.ts";

/** An invalid reply is not a reply: its question stays open. */
const replies = new Set<unknown>(["confirmation.reply", "clarification.reply"]);

/** The content of a recorded line, with its index. */
interface RecordedEntry {
  entry: Json;
  line: number;
}

/** All rules on messages and sequences apply to the messages of scenarios. */
export const isHeldLive = true;

/** Scenarios provoke breaches of these rules: they ask for very large messages, for languages that a producer does not have, or for none. */
export const provoked: readonly string[] = ["AAEP-ENV-036", "AAEP-I18N-006"];

export const session: SessionReader = (lines, { partial = false, gaps = new Set(), ignored } = {}) => {
  const last = Math.max(0, lines.length - 1);
  const gapAt = (place: number): RecordedEntry[] => [
    ...(partial && (place === 0 || place === lines.length)
      ? [{ entry: { gap: "the recording is a part" }, line: place }]
      : []),
    ...(gaps.has(place) ? [{ entry: { gap: "the recorded text cannot be read" }, line: place }] : []),
  ];
  const items: RecordedEntry[] = [
    ...lines.flatMap((line, index): RecordedEntry[] => {
      const entry = entryOf(line);
      const said = isObject(entry) && ignored?.has(index) ? { ...entry, message: {} } : entry;
      return [...gapAt(index), { entry: said, line: index }];
    }),
    ...gapAt(lines.length),
  ];
  const entries = items.map(({ entry }) => entry);
  return {
    document: "session",
    value: entries,
    at: "",
    ...(items.length === lines.length ? {} : { lines: items.map(({ line }) => Math.min(line, last)) }),
    messages: items.flatMap(({ entry, line }, index) => messageIn(entry, line, index)),
    records: handshakes(items),
    hasGaps: entries.some((entry) => isObject(entry) && typeof entry.gap === "string"),
  };
};

/** The messages of this protocol: those of agents, manifests and subscriptions. */
const ownTypes = /^(?:aaep:|subscription\.|confirmation\.reply$|clarification\.reply$)/;

/** An event of an extension also has a number within its session. */
function isOfExtension({ type, session_id: session }: JsonObject): boolean {
  return typeof session === "string" && /^[A-Za-z][\w.-]*:/.test(String(type));
}

/** After the end of a connection, or after a frame without a message, messages may be missing. */
export const recorded: RecordedReader = ({ from, to, message, text }) => {
  const isProducer = from === "producer" || from === "target";
  const subscription = isProducer ? to : from;
  const said = isObject(message) && message.jsonrpc === "2.0" ? (message.params ?? message.result ?? null) : message;
  if (isObject(said) && (ownTypes.test(compact(String(said.type))) || isOfExtension(said)))
    return [{ from: isProducer ? "producer" : "subscriber", subscription, message: said }];
  const isLost = text !== undefined && (isProducer || text.startsWith("("));
  return isLost ? [{ gap: text.slice(0, 100), subscription }] : [];
};

function messageIn(entry: Json, line: number, index: number): SessionMessage[] {
  if (!isObject(entry) || !isObject(entry.message)) return [];
  const { from, message } = entry;
  const sender = typeof from === "string" ? { from } : {};
  return [{ message, line, at: `/${index}/message`, ...sender, ignorable: replies.has(message.type) }];
}

/** Each acceptance, together with its request on the same subscription. If new terms do not name a member, it keeps its earlier value. */
function handshakes(items: readonly RecordedEntry[]): SessionRecord[] {
  const asked = new Map<string, { request: JsonObject; line: number; isAnswered?: true }>();
  return items.flatMap(({ entry, line }) => {
    if (!isObject(entry)) return [];
    const { message, subscription } = entry;
    const on = typeof subscription === "string" ? subscription : "";
    // The requests in the gap are unknown.
    if (typeof entry.gap === "string") asked.clear();
    if (!isObject(message)) return [];
    const { request, line: from, isAnswered } = asked.get(on) ?? {};
    if (message.type === "subscription.request") asked.set(on, { request: message, line });
    if (message.type === "subscription.renegotiate" && request !== undefined && isObject(message.capabilities)) {
      const before = isObject(request.capabilities) ? request.capabilities : {};
      asked.set(on, { request: { ...request, capabilities: { ...before, ...message.capabilities } }, line });
    }
    if (message.type !== "subscription.accepted" || request === undefined || from === undefined || isAnswered)
      return [];
    asked.set(on, { request, line: from, isAnswered: true });
    return [{ document: "handshake", value: { request, accepted: message }, lines: { request: from, accepted: line } }];
  });
}
