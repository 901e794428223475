import { type Json, type JsonObject, type Level, pointer, type ScenarioContext } from "../../../../schemas/index.ts";
import { quote } from "../../../base/text/show.ts";
import { findFirstMissing } from "./lost-messages.ts";
import { ask, notify, task } from "./messages.ts";
import { fitMessage } from "./published.ts";
import {
  cancel,
  idOf,
  isAccepted,
  outcomeOf,
  post,
  postLarge,
  redAnswer,
  resolveMessage,
  type Submitted,
  submit,
} from "./steps.ts";

/** The members of a message that must not change while it is open. */
export const steadyMembers: readonly string[] = [
  "id",
  "status",
  "ahcp_version",
  "type",
  "created_at",
  "agent",
  "title",
  "body",
  "priority",
  "tags",
  "context",
  "state",
  "client_ref",
  "idempotency_key",
  "expires_at",
  "sensitive",
  "request",
  "action",
];

/** Optional members with non-ASCII characters, and numbers with all digits of a double. */
export const richMembers: JsonObject = {
  body: "Keep this, Zo\u00eb \u2013 \u{1f600}.",
  priority: "high",
  tags: ["kept"],
  context: [{ kind: "data", data: { kept: [1, null] } }],
  state: { kept: true, numbers: [9007199254740991, 0.1234567890123456], "na\u00efve": "\u65e5\u672c" },
};

/** Longer than the buffer of a single read or write in many programs. */
const longBody = "All of this is kept. ".repeat(500);
/** Longer than the longest line that some programs can read. */
const longState = "So is all of that. ".repeat(5500);

/** The path of the first member that a message has lost or changed since an earlier read. Ignores timestamps. */
export function findChangedMember(laterMessage: JsonObject, earlierMessage: JsonObject): string | undefined {
  for (const name of steadyMembers) {
    const value = earlierMessage[name];
    const changedPath =
      value === undefined || name.endsWith("_at") ? undefined : findFirstMissing(laterMessage[name], value, `/${name}`);
    if (changedPath !== undefined) return changedPath;
  }
  return undefined;
}

/** The status and the Response in a read, without the time, and with `false` for absent flags. */
function outcomeIn(message: JsonObject): Json {
  const { envelope, inner } = outcomeOf(message);
  const { resolved_at: _, edited = false, ...content } = inner;
  const { defaulted = false } = envelope;
  return [message.status ?? null, { ...envelope, defaulted, response: { ...content, edited } }];
}

/** Describes the change of an outcome; undefined if there is none. */
export function describeOutcomeChange(laterMessage: JsonObject, earlierMessage: JsonObject): string | undefined {
  const [later, earlier] = [outcomeIn(laterMessage), outcomeIn(earlierMessage)];
  const changedPath = findFirstMissing(later, earlier) ?? findFirstMissing(earlier, later);
  if (changedPath === undefined) return undefined;
  const [earlierText, laterText] = [earlier, later].map((outcome) =>
    quote(JSON.stringify(pointer.at(changedPath, outcome) ?? null)),
  );
  const name = changedPath.replace(/^\/0/, "/status").replace(/^\/1/, "/response");
  return `${name} was ${earlierText} and is ${laterText}`;
}

/** Adds the optional members of `agent`. */
function withAgentMembers(message: JsonObject): JsonObject {
  return { ...message, agent: { ...(message.agent as JsonObject), project: "kept", labels: { "of-whom": "all" } } };
}

/** Submits messages of several kinds, and ends some of them. */
export async function mixMessages(context: ScenarioContext): Promise<{ open: Submitted[]; ended: Submitted[] }> {
  const members = await fitMessage(context, richMembers);
  const openMessages = [
    await submit(
      context,
      withAgentMembers(
        ask(context, members, {
          default_on_expire: "blue",
          permissions: { allow_edit: false },
          callback: { mode: "pull" },
        }),
      ),
    ),
    await submit(context, task(context, members, { checklist: [{ text: "Look.", done: true }] })),
  ];
  // A hub may refuse large messages.
  for (const largeMembers of [{ body: longBody }, { state: { longer: longState } }]) {
    const largeReply = await postLarge(context, ask(context, largeMembers));
    const id = idOf(largeReply);
    if (isAccepted(largeReply) && id !== undefined) openMessages.push({ id, reply: largeReply });
  }
  const endingCases: [message: JsonObject, ending?: JsonObject][] = [
    [ask(context, members), { ...redAnswer, comment: "As agreed, Zo\u00eb." }],
    [ask(context), { resolution: "declined" }],
    [task(context, members), { resolution: "completed" }],
    [ask(context, members)],
  ];
  const endedMessages: Submitted[] = [];
  for (const [message, ending] of endingCases) {
    const submitted = await submit(context, message);
    if (ending !== undefined) await resolveMessage(context, submitted.id, ending);
    else if (!isAccepted(await cancel(context, submitted.id))) continue;
    endedMessages.push(submitted);
  }
  return { open: openMessages, ended: endedMessages };
}

/** A message with a key that the hub must recognize after a restart. */
export interface KeyedMessage {
  what: string;
  message: JsonObject;
  id: string;
  level?: Level;
}

/** Submits messages with keys. Returns the messages that the hub recognizes by their keys while it runs. */
export async function submitKeyedMessages(context: ScenarioContext): Promise<KeyedMessage[]> {
  const keyedCases: [description: string, message: JsonObject, level?: Level][] = [
    ["an open ask", ask(context)],
    ["a cancelled ask", ask(context)],
    ["a notify", notify(context, { idempotency_key: context.fresh("key") }), "SHOULD"],
  ];
  const recognizedMessages: KeyedMessage[] = [];
  for (const [description, message, level] of keyedCases) {
    const { id } = await submit(context, message);
    if (description === "a cancelled ask") await cancel(context, id);
    if (idOf(await post(context, message)) === id)
      recognizedMessages.push({ what: description, message, id, ...(level === undefined ? {} : { level }) });
  }
  return recognizedMessages;
}
