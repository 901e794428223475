import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { keyC } from "../../rules/keys.ts";
import type { AgentDecisions } from "./agent.ts";
import { agentHabits } from "./habits.ts";
import { methods, terminal } from "./policy.ts";
import { type AgentChoice, tempos, transports } from "./tempos.ts";
import { isListed, tableStatus } from "./twins.ts";

/** The known members of objects, by the name of the member that holds the object. */
const knownMembers: Readonly<Record<string, readonly string[]>> = {
  payload: ["message", "taskId", "idempotencyKey"],
  message: ["messageId", "role", "parts"],
  parts: ["text", "raw", "url", "data", "mediaType"],
};

/** Whether a payload of message/send, or any part of it, has an unknown member. */
function hasUnknownMember(value: Json | undefined, name: string): boolean {
  if (Array.isArray(value)) return value.some((item) => hasUnknownMember(item, name));
  const knownNames = knownMembers[name];
  if (knownNames === undefined || !isObject(value)) return false;
  return Object.entries(value).some(
    ([member, inner]) => !knownNames.includes(member) || hasUnknownMember(inner, member),
  );
}

function isResponse({ type }: JsonObject): boolean {
  return type === "response";
}

/** Removes the capabilities from a card: `streaming` is the only one. */
const withoutCapabilities: AgentDecisions["card"] = ({ capabilities: _, ...card }) => card;

const freedoms: readonly AgentChoice[] = [
  {
    name: "ignores-unknown-members",
    kind: "freedom",
    freedoms: ["unknown-members"],
    says: "ignores unknown members, at every level",
    policy: ({ respects }) => ({
      respects: (reason, message, transport) =>
        !/\/additionalProperties$/.test(reason.site ?? "") &&
        !(reason.rule === "SNAP-PAY-015" && isObject(message) && hasUnknownMember(message.payload, "payload")) &&
        respects(reason, message, transport),
    }),
  },
  {
    name: "signs-nothing",
    kind: "freedom",
    freedoms: ["signed-responses"],
    says: "leaves its answers unsigned",
    policy: () => ({ signs: (message) => message }),
  },
  {
    name: "without-card",
    kind: "freedom",
    freedoms: ["well-known-card"],
    says: "serves no card",
    policy: () => ({ servesCard: false }),
  },
  {
    name: "http-alone",
    kind: "freedom",
    freedoms: ["transports"],
    says: "can be reached only over HTTP",
    isAlone: true,
  },
  {
    name: "one-response",
    kind: "freedom",
    factor: "streams",
    freedoms: ["streaming"],
    says: "answers a request for a stream with one response",
    // Without streams, a card cannot promise them, and a stream cannot end twice.
    moots: ["breaks-SNAP-CARD-016", "breaks-SNAP-WS-001"],
    policy: ({ card }) => ({
      streams: () => false,
      card: (originalCard, agent) => withoutCapabilities(card(originalCard, agent), agent),
    }),
  },
  {
    name: "without-resuming",
    kind: "freedom",
    factor: "streams",
    freedoms: ["offered-methods", "streaming"],
    says: "streams, but does not resume a lost stream",
    moots: ["breaks-SNAP-TASK-012-following"],
    policy: () => ({ offers: (method) => methods.includes(method) && method !== "tasks/resubscribe" }),
  },
  {
    name: "sends-alone",
    kind: "freedom",
    factor: "streams",
    freedoms: ["offered-methods"],
    says: "offers only message/send",
    // These variants break other methods, or the promise of streams in the card.
    moots: [
      "breaks-SNAP-CARD-016",
      "breaks-SNAP-TIME-001-tasks",
      "breaks-SNAP-SIG-009-reads",
      "breaks-SNAP-RCPT-001-streams",
      "breaks-SNAP-REPLAY-001-sends",
      "breaks-SNAP-REPLAY-003-method",
      "breaks-SNAP-TASK-012-following",
    ],
    policy: ({ card }) => ({
      offers: (method) => method === "message/send",
      card: (originalCard, agent) => withoutCapabilities(card(originalCard, agent), agent),
    }),
  },
  {
    name: "replays-streams",
    kind: "freedom",
    freedoms: ["streaming"],
    says: "repeats all events to a subscriber that resumes a stream",
    policy: () => ({ replays: true }),
  },
  {
    name: "without-keys",
    kind: "freedom",
    freedoms: ["idempotency"],
    says: "opens a task for each message, regardless of its idempotency key",
    policy: () => ({ honoursKeys: false }),
  },
  {
    name: "returns-original",
    kind: "freedom",
    freedoms: ["repeated-request", "deduplicated"],
    says: "answers a repeated message with the first task",
    moots: ["breaks-SNAP-HTTP-003-repeated"],
    policy: () => ({ returnsOriginal: true }),
  },
  {
    name: "consumes-ids",
    kind: "freedom",
    freedoms: ["repeated-request"],
    says: "remembers the id of a message before it has checked the message",
    policy: () => ({ refusedConsumesId: true }),
  },
  {
    name: "a-memory-each-way",
    kind: "freedom",
    freedoms: ["replay-scope"],
    says: "remembers ids separately for each transport",
    moots: ["breaks-SNAP-REPLAY-001-stamp"],
    policy: ({ messageKey }) => ({
      messageKey: (message, transport) => JSON.stringify([messageKey(message, transport), transport]),
    }),
  },
  {
    name: "answers-under-ids-of-requests",
    kind: "freedom",
    freedoms: ["answer-id"],
    says: "gives a response the id of its request",
    policy: ({ editMessage }) => ({
      editMessage(message, about) {
        const edited = editMessage(message, about);
        const { id } = about.request;
        const isUsableId = typeof id === "string" && id !== "";
        return edited !== undefined && isResponse(edited) && isUsableId ? { ...edited, id } : edited;
      },
    }),
  },
  {
    name: "without-contexts",
    kind: "freedom",
    freedoms: ["context-missing"],
    says: "names no context of a task",
    policy: ({ reportTask: baseReport }) => ({
      reportTask(task, ownedTask) {
        const { contextId: _, ...taskWithoutContext } = baseReport(task, ownedTask);
        return taskWithoutContext;
      },
    }),
  },
  {
    name: "without-history",
    kind: "freedom",
    factor: "history",
    freedoms: ["history-missing"],
    says: "returns no history",
    policy: () => ({ history: () => undefined }),
  },
  {
    name: "first-turns",
    kind: "freedom",
    factor: "history",
    freedoms: ["history-turns"],
    says: "returns the first turns of a history if only some are requested",
    policy: () => ({ history: (history, length) => history.slice(0, length ?? history.length) }),
  },
  {
    name: "statuses-of-the-table",
    kind: "freedom",
    freedoms: ["error-status"],
    says: "answers errors with the statuses of the table of their codes",
    policy: ({ http }) => ({
      http(answer, about) {
        const { fault, agent } = about;
        const { status, headers } = http(answer, about);
        const isPlainError =
          fault !== undefined && status === 200 && !/event-stream/.test(headers["content-type"] ?? "");
        return { status: isPlainError ? tableStatus(agent.policy.code(fault.cause)) : status, headers };
      },
    }),
  },
  {
    name: "coarse-codes",
    kind: "freedom",
    freedoms: ["malformed-code", "foreign-key-code", "wrong-recipient-code"],
    says: "has one code for all malformed messages, and others for signatures and recipients",
    policy: ({ code }) => ({
      code(cause) {
        if (["malformed-envelope", "broken-identity", "missing-signature"].includes(cause)) return 1004;
        return cause === "other-recipient" ? 1003 : code(cause);
      },
    }),
  },
  {
    name: "drops-unsolicited",
    kind: "freedom",
    freedoms: ["unsolicited"],
    says: "drops responses and events without an answer",
    policy: ({ editMessage }) => ({
      editMessage: (message, about) =>
        about.fault?.cause === "not-a-request" ? undefined : editMessage(message, about),
    }),
  },
  {
    name: "shares-tasks",
    kind: "freedom",
    freedoms: ["task-privacy"],
    says: "shows its tasks to every sender",
    policy: () => ({ isShown: () => true }),
  },
  {
    name: "cancels-nothing",
    kind: "freedom",
    factor: "cancelling",
    freedoms: ["cancel-running"],
    says: "cancels no tasks",
    policy: () => ({ stateAfterCancel: ({ state }) => (state === "canceled" ? "canceled" : "task-not-cancelable") }),
  },
  {
    name: "cancels-once",
    kind: "freedom",
    factor: "cancelling",
    freedoms: ["cancel-again", "cancel-done"],
    says: "refuses a second cancellation, and answers the cancellation of a finished task with the task",
    policy: () => ({
      stateAfterCancel({ state }) {
        if (state === "canceled") return "task-not-cancelable";
        return terminal.includes(state) ? state : "canceled";
      },
    }),
  },
  {
    name: "takes-any-content",
    kind: "freedom",
    freedoms: ["input-types"],
    says: "accepts content of every type",
    policy: () => ({ acceptsContent: () => true }),
  },
  {
    name: "keeps-a-list",
    kind: "freedom",
    freedoms: ["allow-list"],
    says: "serves only the senders on its list",
    moots: ["breaks-SNAP-VAL-004-sender", "breaks-SNAP-ADDR-001", "breaks-SNAP-ADDR-002"],
    policy: ({ refusalFor }) => ({
      refusalFor: (message, agent, bytes) =>
        isListed(message.from) || Object.values(keyC.address).includes(String(message.from))
          ? refusalFor(message, agent, bytes)
          : { cause: "other-recipient", message: "The sender is not on the list." },
    }),
  },
  {
    name: "later-profile",
    kind: "freedom",
    freedoms: ["a2s-recipient"],
    settings: { a2s: true },
    says: "accepts messages without a recipient",
  },
  {
    name: "says-more-of-faults",
    kind: "freedom",
    freedoms: [],
    says: "adds its own data to every error",
    policy: ({ data }) => ({ data: (fault) => ({ hint: "see the manual", ...data(fault) }) }),
  },
];

/** All choices of a conforming agent that the reference itself does not make. */
export const agentChoices: readonly AgentChoice[] = [...freedoms, ...agentHabits, ...tempos, ...transports];
