import { randomBytes } from "node:crypto";
import { canonical, isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { correctHubPolicy } from "../policy.ts";
import type { StoredMessage } from "../store.ts";
import { agentOf, changeKey, hourMs, mapValues } from "./change.ts";
import { breaks, changeBodies, changeReplies, type HubVariant, memberObject } from "./variant.ts";

/** A copy of the message with its lists sorted. */
function sortLists(message: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(message), (_, value: Json) =>
    Array.isArray(value) ? value.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value,
  );
}

/** The last message that arrived with the key of each entry, accepted or not. */
const lastMessages = new WeakMap<StoredMessage, JsonObject>();

const waitBriefly = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** Messages that an agent has read. */
const readMessages = new WeakSet<StoredMessage>();

function messageHash({ agent, ...message }: JsonObject): number {
  return hashOf(canonical({ ...message, agent: { ...(agent as JsonObject), run_id: "" } }));
}

/** The string hash of Java and other languages. */
function hashOf(text: string): number {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).reduce(
    (hash, unit) => (Math.imul(hash, 31) + unit) | 0,
    0,
  );
}

function withNumbersAsTexts(message: JsonObject): JsonObject {
  return mapValues((value) => (typeof value === "number" ? String(value) : value))(message) as JsonObject;
}

/** Hubs that break a rule on idempotency keys. */
export const idempotencyVariants: readonly HubVariant[] = [
  ...breaks("AHCP-IDM-001", {
    "": [
      "reports a conflict for an exact repetition while the message is open",
      { isSame: (message, entry) => entry.status !== "open" && correctHubPolicy.isSame(message, entry) },
    ],
    "last-payload": [
      "compares a repetition with the last message under its key, even a refused one",
      {
        isSame(message, entry) {
          const lastMessage = lastMessages.get(entry) ?? entry.message;
          lastMessages.set(entry, message);
          return correctHubPolicy.isSame(message, { ...entry, message: lastMessage });
        },
      },
    ],
    deleted: [
      "crashes on the repetition of a deleted message",
      changeBodies("replay", (body, { entry }) => {
        if (entry?.deleted === true) throw new Error("the message is not there");
        return body;
      }),
    ],
    "empty-key": [
      "treats an empty key as no key",
      { keyOf: (message) => (message.idempotency_key === "" ? undefined : correctHubPolicy.keyOf(message)) },
    ],
    "replay-200": [
      "acknowledges a repetition with 200",
      changeReplies("replay", (reply) => ({ ...reply, status: 200 })),
    ],
    "other-id": [
      "answers a repetition with a new id that has no message",
      changeBodies("replay", (body) => ({ ...body, id: `msg_${randomBytes(16).toString("base64url")}` })),
    ],
    freed: ["frees a key once its message has been answered", { knowsKeyOf: ({ status }) => status !== "answered" }],
  }),
  ...breaks("AHCP-IDM-002", {
    "": [
      "answers a repetition with the original status",
      changeBodies("replay", (body, { entry }) => ({
        ...body,
        status: entry?.message.type === "notify" ? "delivered" : "open",
      })),
    ],
    tasks: [
      "answers the repetition of a task with open",
      changeBodies("replay", (body, { entry }) =>
        entry?.message.type === "task" ? { ...body, status: "open" } : body,
      ),
    ],
  }),
  ...breaks("AHCP-IDM-003", {
    "kept-though-refused": [
      "stores a refused message under the key of an ended one",
      {
        isSame(message, entry) {
          const isSame = correctHubPolicy.isSame(message, entry);
          if (!isSame && entry.status !== "open") entry.message = message;
          return isSame;
        },
      },
    ],
    "": ["compares only the key", { isSame: () => true }],
    deadline: [
      "ignores the deadline when it compares messages",
      {
        isSame: (message, entry) =>
          correctHubPolicy.isSame(
            { ...message, expires_at: entry.message.expires_at ?? null },
            {
              ...entry,
              message: { ...entry.message, expires_at: entry.message.expires_at ?? null },
            },
          ),
      },
    ],
    overwrites: [
      "overwrites the first message with the conflicting one that it refuses",
      {
        isSame(message, entry) {
          const isSame = correctHubPolicy.isSame(message, entry);
          if (!isSame) entry.message = message;
          return isSame;
        },
      },
    ],
    ended: [
      "does not compare payloads after a message has ended",
      { isSame: (message, entry) => entry.status !== "open" || correctHubPolicy.isSame(message, entry) },
    ],
    "any-order": [
      "compares lists without their order",
      {
        isSame: (message, entry) =>
          correctHubPolicy.isSame(sortLists(message), { ...entry, message: sortLists(entry.message) }),
      },
    ],
    "folded-key": [
      "ignores case in keys, and reports a conflict if two differ only in case",
      changeKey((message, key) => [agentOf(message), String(key).toLowerCase()]),
    ],
    "cut-key": [
      "compares only the first 255 characters of a key, and reports a conflict if two share them",
      changeKey((message, key) => [agentOf(message), String(key).slice(0, 255)]),
    ],
    "normalised-key": [
      "normalizes keys to NFC, and reports a conflict if two differ only in normalization",
      changeKey((message, key) => [agentOf(message), String(key).normalize("NFC")]),
    ],
    "number-key": [
      "compares only the number at the beginning of a key",
      changeKey((message, key) => [agentOf(message), Number.parseInt(String(key), 10) || key]),
    ],
    hash: [
      "compares payloads by a 32-bit hash",
      { isSame: (message, entry) => messageHash(message) === messageHash(entry.message) },
    ],
    texts: [
      'compares payloads as strings, so that 1 equals "1"',
      {
        isSame: (message, entry) =>
          correctHubPolicy.isSame(withNumbersAsTexts(message), {
            ...entry,
            message: withNumbersAsTexts(entry.message),
          }),
      },
    ],
  }),
  ...breaks("AHCP-IDM-004", {
    "": ["stores the keys of all agents together", changeKey((_message, key) => [key])],
    notifies: [
      "stores the keys of all agents' notifies together",
      {
        keyOf: (message) =>
          message.type === "notify" && typeof message.idempotency_key === "string"
            ? message.idempotency_key
            : correctHubPolicy.keyOf(message),
      },
    ],
    joined: [
      "joins the key and the agent's id without a separator",
      {
        keyOf(message) {
          const { idempotency_key: key } = message;
          return key === undefined ? undefined : `${key}${memberObject(message, "agent").id}`;
        },
      },
    ],
  }),
  ...breaks("AHCP-IDM-005", {
    "": [
      "scopes keys to a run",
      changeKey((message, key) => [agentOf(message), memberObject(message, "agent").run_id ?? null, key]),
    ],
  }),
  ...breaks("AHCP-IDM-006", {
    "": ["forgets a key after twelve hours", { knowsKeyOf: ({ acceptedAt }, now) => now - acceptedAt < 12 * hourMs }],
  }),
  ...breaks("AHCP-IDM-007", {
    "": [
      "looks up a key some time before storing it, and misses a repetition in between",
      { gap: (act) => (act === "submit" ? waitBriefly() : undefined), noticesRace: (isSame) => !isSame },
    ],
  }),
  ...breaks("AHCP-IDM-008", {
    "": [
      "looks up a key some time before storing it, and misses a conflict in between",
      { gap: (act) => (act === "submit" ? waitBriefly() : undefined), noticesRace: (isSame) => isSame },
    ],
  }),
  ...breaks("AHCP-IDM-009", {
    "": [
      "ignores the key of a notify",
      { keyOf: (message) => (message.type === "notify" ? undefined : correctHubPolicy.keyOf(message)) },
    ],
  }),
  ...breaks("AHCP-IDM-010", {
    "": [
      "merges equal notifies without a key",
      {
        keyOf: (message) =>
          message.type === "notify" && message.idempotency_key === undefined
            ? JSON.stringify(message)
            : correctHubPolicy.keyOf(message),
      },
    ],
  }),
  ...breaks("AHCP-IDM-011", {
    "": [
      "stores the keys of asks and tasks separately",
      changeKey((message, key) => [agentOf(message), message.type ?? null, key]),
    ],
  }),
  ...breaks("AHCP-IDM-012", {
    "": ["uses up the key of a refused message", { usesUpKeyOnRefusal: true }],
  }),
  ...breaks("AHCP-IDM-013", {
    "": ["checks the deadline before the key", { replaysFirst: false }],
    unread: [
      "answers a repetition with open until the expired message has been read",
      {
        reply(reply, { route, entry }) {
          if (entry === undefined || !isObject(reply.body)) return reply;
          if (route === "read") readMessages.add(entry);
          const isUnread = route === "replay" && entry.status === "expired" && !readMessages.has(entry);
          return isUnread ? { ...reply, body: { ...reply.body, status: "open" } } : reply;
        },
      },
    ],
  }),
];
