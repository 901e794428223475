import {
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../../schemas/index.ts";
import { keyC } from "../../rules/keys.ts";
import { exchangesOf } from "../exchanges.ts";
import { ask, messageOf, type Peer, peerOf, request, sendAccepted } from "../parties.ts";

/** A rule that code decides for each message, and the messages that can break it. */
interface MessageRule {
  rule: string;
  /** Completes "no message of the agent has …". */
  needs: string;
  applies(message: JsonObject): boolean;
}

const withPart =
  (member?: string) =>
  (message: JsonObject): boolean =>
    partsIn(message.payload).some((part) => member === undefined || member in part);

const rules: readonly MessageRule[] = [
  { rule: "SNAP-PART-001", needs: "a part", applies: withPart() },
  { rule: "SNAP-PART-004", needs: "a part with raw content", applies: withPart("raw") },
  { rule: "SNAP-PART-005", needs: "a part with a URL", applies: withPart("url") },
  { rule: "SNAP-PART-007", needs: "a part with raw content", applies: withPart("raw") },
  { rule: "SNAP-PAY-010", needs: "a task", applies: ({ payload }) => isObject(payload) && isObject(payload.task) },
  { rule: "SNAP-PAY-013", needs: "an error", applies: ({ payload }) => isObject(payload) && isObject(payload.error) },
  { rule: "SNAP-PAY-018", needs: "a payload", applies: ({ payload }) => isObject(payload) },
];

/** Finds the parts of all artifacts and turns in a payload. */
function partsIn(value: Json | undefined): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(partsIn);
  if (!isObject(value)) return [];
  const ownParts = Array.isArray(value.parts) ? value.parts.filter(isObject) : [];
  const { task, artifact, artifacts, history } = value;
  return [...ownParts, ...[task, artifact, artifacts, history].flatMap(partsIn)];
}

/** How many messages of one shape are judged. The first few show every fault of that shape. */
const samplesPerShape = 3;

/** Describes the shape of a message: its members and their types, but not their values. */
function shapeOf(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join()}]`;
  if (!isObject(value)) return typeof value === "string" && value.length > 100_000 ? "long" : typeof value;
  const members = Object.entries(value).map(([name, member]) => `${name}:${shapeOf(member)}`);
  return `{${members.sort().join()}}`;
}

/** Selects messages that the agent has sent in this run, a few of each shape. */
function messagesOf(context: ScenarioContext): JsonObject[] {
  const counts = new Map<string, number>();
  return exchangesOf(context).flatMap(({ messages }) =>
    messages.filter((message) => {
      const error = isObject(message.payload) && isObject(message.payload.error) ? message.payload.error.code : "";
      const shape = `${message.method} ${error} ${shapeOf(message)}`;
      const count = (counts.get(shape) ?? 0) + 1;
      counts.set(shape, count);
      return count <= samplesPerShape;
    }),
  );
}

/** Sends contents of every kind. An agent that stores messages repeats them in the history of the task. */
async function sendContents(context: ScenarioContext, peer: Peer): Promise<void> {
  const parts: readonly JsonObject[] = [
    { data: { bridge: "open", spans: [1, 2] } },
    { url: "https://example.org/plan" },
    { raw: "AAAA", mediaType: "image/png" },
  ];
  await sendAccepted(context, peer, { method: "message/send", payload: messageOf(context) });
  const anotherPeer = { ...peer, identity: keyC.address[peer.network] };
  await ask(context, peer, await request(context, anotherPeer, "message/send", messageOf(context)));
  for (const part of parts) {
    const { message, ...members } = messageOf(context) as { message: JsonObject };
    const payload = { ...members, message: { ...message, parts: [message.parts, part].flat() as Json } };
    const { task } = await ask(context, peer, await request(context, peer, "message/send", payload));
    if (task?.id !== undefined)
      await ask(context, peer, await request(context, peer, "tasks/get", { taskId: task.id }));
  }
}

export const heldScenarios: readonly Scenario[] = [
  {
    name: "messages-held",
    says: "every message of the agent in any scenario follows the rules on messages",
    rules: rules.map(({ rule }) => rule),
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      await sendContents(context, peer);
      const messages = messagesOf(context);
      const brokenRules = new Set<string>();
      for (const message of messages) {
        const applicableRules = rules.filter(({ rule, applies }) => !brokenRules.has(rule) && applies(message));
        if (applicableRules.length === 0) continue;
        for (const { rule, at, why, level } of await context.violations("envelope", message)) {
          if (rule === undefined || level === "NOTE" || level === "MAY") continue;
          if (brokenRules.has(rule) || !applicableRules.some((messageRule) => messageRule.rule === rule)) continue;
          if (level === "MUST") brokenRules.add(rule);
          const texts = { texts: [JSON.stringify(message)] };
          context.expect(rule, false, `an answer to ${message.method}: ${at} ${why}`, level, texts);
        }
      }
      for (const { rule, needs, applies } of rules) {
        if (messages.some(applies)) context.expect(rule, true, "");
        else context.skip(rule, `no message of the agent has ${needs}`);
      }
    },
  },
];
