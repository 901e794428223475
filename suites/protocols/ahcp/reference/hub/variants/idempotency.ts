import { randomBytes } from "node:crypto";
import { canonical, isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { rightHubPolicy } from "../policy.ts";
import type { StoredMessage } from "../store.ts";
import { agentOf, changeKey, hourMs, mapValues } from "./change.ts";
import { bodies, breaks, type HubVariant, memberObject, replies } from "./variant.ts";

/** The message with its lists in an order of their own. */
function sortLists(message: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(message), (_, value: Json) =>
    Array.isArray(value) ? value.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value,
  );
}

/** The last message under the key of an entry. */
const lastUnder = new WeakMap<StoredMessage, JsonObject>();

const waitBriefly = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** The entries that were read at all. */
const read = new WeakSet<StoredMessage>();

function keyHash({ agent, ...message }: JsonObject): number {
  return hashOf(canonical({ ...message, agent: { ...(agent as JsonObject), run_id: "" } }));
}

/** The hash that Java and others have of a text. */
function hashOf(text: string): number {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).reduce(
    (hash, unit) => (Math.imul(hash, 31) + unit) | 0,
    0,
  );
}

function asTexts(message: JsonObject): JsonObject {
  return mapValues((value) => (typeof value === "number" ? String(value) : value))(message) as JsonObject;
}

/** Hubs that break a rule on idempotency keys. */
export const idempotencyVariants: readonly HubVariant[] = [
  ...breaks("AHCP-IDM-001", {
    "": [
      "finds a conflict in an exact repetition while the message is open",
      { isSame: (message, entry) => entry.status !== "open" && rightHubPolicy.isSame(message, entry) },
    ],
    "last-payload": [
      "compares a repetition with the last message under its key, even a refused one",
      {
        isSame(message, entry) {
          const before = lastUnder.get(entry) ?? entry.message;
          lastUnder.set(entry, message);
          return rightHubPolicy.isSame(message, { ...entry, message: before });
        },
      },
    ],
    deleted: [
      "breaks down over the repetition of a message that was deleted",
      bodies("replay", (body, { entry }) => {
        if (entry?.deleted === true) throw new Error("the message is not there");
        return body;
      }),
    ],
    "empty-key": [
      "treats an empty key as none",
      { keyOf: (message) => (message.idempotency_key === "" ? undefined : rightHubPolicy.keyOf(message)) },
    ],
    "replay-200": ["acknowledges a repetition with 200", replies("replay", (reply) => ({ ...reply, status: 200 }))],
    "other-id": [
      "gives a repetition an id of its own, under which there is nothing",
      bodies("replay", (body) => ({ ...body, id: `msg_${randomBytes(16).toString("base64url")}` })),
    ],
    freed: ["frees a key once its message has been answered", { knowsKeyOf: ({ status }) => status !== "answered" }],
  }),
  ...breaks("AHCP-IDM-002", {
    "": [
      "repeats the first status to a repetition",
      bodies("replay", (body, { entry }) => ({
        ...body,
        status: entry?.message.type === "notify" ? "delivered" : "open",
      })),
    ],
    tasks: [
      "answers the repetition of a task that it is open",
      bodies("replay", (body, { entry }) => (entry?.message.type === "task" ? { ...body, status: "open" } : body)),
    ],
  }),
  ...breaks("AHCP-IDM-003", {
    "kept-though-refused": [
      "keeps a message that it refuses under the key of an ended one",
      {
        isSame(message, entry) {
          const isSame = rightHubPolicy.isSame(message, entry);
          if (!isSame && entry.status !== "open") entry.message = message;
          return isSame;
        },
      },
    ],
    "": ["compares the key and nothing else", { isSame: () => true }],
    deadline: [
      "treats a message with another deadline as the same",
      {
        isSame: (message, entry) =>
          rightHubPolicy.isSame(
            { ...message, expires_at: entry.message.expires_at ?? null },
            {
              ...entry,
              message: { ...entry.message, expires_at: entry.message.expires_at ?? null },
            },
          ),
      },
    ],
    overwrites: [
      "keeps the other message under the key of the first, though it refuses it",
      {
        isSame(message, entry) {
          const isSame = rightHubPolicy.isSame(message, entry);
          if (!isSame) entry.message = message;
          return isSame;
        },
      },
    ],
    ended: [
      "no longer compares payloads once a message has ended",
      { isSame: (message, entry) => entry.status !== "open" || rightHubPolicy.isSame(message, entry) },
    ],
    "any-order": [
      "compares lists without their order",
      {
        isSame: (message, entry) =>
          rightHubPolicy.isSame(sortLists(message), { ...entry, message: sortLists(entry.message) }),
      },
    ],
    "folded-key": [
      "overlooks the case of keys, and finds a conflict between two that differ in it",
      changeKey((message, key) => [agentOf(message), String(key).toLowerCase()]),
    ],
    "cut-key": [
      "keeps the first 255 characters of a key, and finds a conflict between two that differ after them",
      changeKey((message, key) => [agentOf(message), String(key).slice(0, 255)]),
    ],
    "normalised-key": [
      "keeps keys in one Unicode form, and finds a conflict between two that differ in it",
      changeKey((message, key) => [agentOf(message), String(key).normalize("NFC")]),
    ],
    "number-key": [
      "keeps the number with which a key begins, and nothing that follows it",
      changeKey((message, key) => [agentOf(message), Number.parseInt(String(key), 10) || key]),
    ],
    hash: [
      "compares payloads by a hash of 32 bits",
      { isSame: (message, entry) => keyHash(message) === keyHash(entry.message) },
    ],
    texts: [
      'compares payloads as texts, in which 1 is "1"',
      {
        isSame: (message, entry) =>
          rightHubPolicy.isSame(asTexts(message), { ...entry, message: asTexts(entry.message) }),
      },
    ],
  }),
  ...breaks("AHCP-IDM-004", {
    "": ["keeps the keys of all agents in one place", changeKey((_message, key) => [key])],
    notifies: [
      "keeps the keys of all agents' notifies in one place",
      {
        keyOf: (message) =>
          message.type === "notify" && typeof message.idempotency_key === "string"
            ? message.idempotency_key
            : rightHubPolicy.keyOf(message),
      },
    ],
    joined: [
      "joins the key and the name of its agent with nothing between them",
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
      "forgets a key with the run",
      changeKey((message, key) => [agentOf(message), memberObject(message, "agent").run_id ?? null, key]),
    ],
  }),
  ...breaks("AHCP-IDM-006", {
    "": ["forgets a key after twelve hours", { knowsKeyOf: ({ acceptedAt }, now) => now - acceptedAt < 12 * hourMs }],
  }),
  ...breaks("AHCP-IDM-007", {
    "": [
      "looks for the key some time before it keeps it, and overlooks a repetition in between",
      { gap: (act) => (act === "submit" ? waitBriefly() : undefined), seesRace: (isSame) => !isSame },
    ],
  }),
  ...breaks("AHCP-IDM-008", {
    "": [
      "looks for the key some time before it keeps it, and overlooks a conflict in between",
      { gap: (act) => (act === "submit" ? waitBriefly() : undefined), seesRace: (isSame) => isSame },
    ],
  }),
  ...breaks("AHCP-IDM-009", {
    "": [
      "ignores the key of a notify",
      { keyOf: (message) => (message.type === "notify" ? undefined : rightHubPolicy.keyOf(message)) },
    ],
  }),
  ...breaks("AHCP-IDM-010", {
    "": [
      "merges notifies without a key that are equal",
      {
        keyOf: (message) =>
          message.type === "notify" && message.idempotency_key === undefined
            ? JSON.stringify(message)
            : rightHubPolicy.keyOf(message),
      },
    ],
  }),
  ...breaks("AHCP-IDM-011", {
    "": [
      "keeps the keys of asks and tasks apart",
      changeKey((message, key) => [agentOf(message), message.type ?? null, key]),
    ],
  }),
  ...breaks("AHCP-IDM-012", {
    "": ["uses a key up though it refused the message", { consumes: true }],
  }),
  ...breaks("AHCP-IDM-013", {
    "": ["looks at the deadline before it looks at the key", { replaysFirst: false }],
    unread: [
      "answers a repetition that its message is open, until its expiry was read",
      {
        reply(reply, { route, entry }) {
          if (entry === undefined || !isObject(reply.body)) return reply;
          if (route === "read") read.add(entry);
          const isUnread = route === "replay" && entry.status === "expired" && !read.has(entry);
          return isUnread ? { ...reply, body: { ...reply.body, status: "open" } } : reply;
        },
      },
    ],
  }),
];
