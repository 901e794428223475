import { randomBytes } from "node:crypto";
import { canonical, isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { right } from "../policy.ts";
import type { Entry } from "../store.ts";
import { agentOf, hour, keyed, mapped } from "./change.ts";
import { bodies, type HubVariant, inner, replies } from "./variant.ts";

/** The message with its lists in an order of their own. */
function sorted(message: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(message), (_, value: Json) =>
    Array.isArray(value) ? value.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value,
  );
}

/** What came last under the key of an entry. */
const lastUnder = new WeakMap<Entry, JsonObject>();

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** What was read at all. */
const read = new WeakSet<Entry>();

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
  return mapped(message, (value) => (typeof value === "number" ? String(value) : value)) as JsonObject;
}

/** Hubs that break a rule on idempotency keys. */
export const idempotencyVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-IDM-001",
    says: "finds a conflict in an exact repetition while the message is open",
    policy: { isSame: (message, entry) => entry.status !== "open" && right.isSame(message, entry) },
  },
  {
    rule: "AHCP-IDM-001",
    name: "last-payload",
    says: "compares a repetition with the last message under its key, even a refused one",
    policy: {
      isSame(message, entry) {
        const before = lastUnder.get(entry) ?? entry.message;
        lastUnder.set(entry, message);
        return right.isSame(message, { ...entry, message: before });
      },
    },
  },
  {
    rule: "AHCP-IDM-001",
    name: "deleted",
    says: "breaks down over the repetition of a message that was deleted",
    policy: bodies("replay", (body, { entry }) => {
      if (entry?.deleted === true) throw new Error("the message is not there");
      return body;
    }),
  },
  {
    rule: "AHCP-IDM-001",
    name: "empty-key",
    says: "takes an empty key for none",
    policy: { keyOf: (message) => (message.idempotency_key === "" ? undefined : right.keyOf(message)) },
  },
  {
    rule: "AHCP-IDM-001",
    name: "replay-200",
    says: "acknowledges a repetition with 200",
    policy: replies("replay", (reply) => ({ ...reply, status: 200 })),
  },
  {
    rule: "AHCP-IDM-001",
    name: "other-id",
    says: "gives a repetition an id of its own, under which there is nothing",
    policy: bodies("replay", (body) => ({ ...body, id: `msg_${randomBytes(16).toString("base64url")}` })),
  },
  {
    rule: "AHCP-IDM-001",
    name: "freed",
    says: "frees a key once its message has been answered",
    policy: { knowsKeyOf: ({ status }) => status !== "answered" },
  },
  {
    rule: "AHCP-IDM-002",
    says: "repeats the first status to a repetition",
    policy: bodies("replay", (body, { entry }) => ({
      ...body,
      status: entry?.message.type === "notify" ? "delivered" : "open",
    })),
  },
  {
    rule: "AHCP-IDM-002",
    name: "tasks",
    says: "tells the repetition of a task that it is open",
    policy: bodies("replay", (body, { entry }) =>
      entry?.message.type === "task" ? { ...body, status: "open" } : body,
    ),
  },
  {
    rule: "AHCP-IDM-003",
    name: "kept-though-refused",
    says: "keeps a message that it refuses under the key of an ended one",
    policy: {
      isSame(message, entry) {
        const isSame = right.isSame(message, entry);
        if (!isSame && entry.status !== "open") entry.message = message;
        return isSame;
      },
    },
  },
  { rule: "AHCP-IDM-003", says: "compares the key and nothing else", policy: { isSame: () => true } },
  {
    rule: "AHCP-IDM-003",
    name: "deadline",
    says: "takes a message with another deadline for the same",
    policy: {
      isSame: (message, entry) =>
        right.isSame(
          { ...message, expires_at: entry.message.expires_at ?? null },
          {
            ...entry,
            message: { ...entry.message, expires_at: entry.message.expires_at ?? null },
          },
        ),
    },
  },
  {
    rule: "AHCP-IDM-003",
    name: "overwrites",
    says: "keeps the other message under the key of the first, though it refuses it",
    policy: {
      isSame(message, entry) {
        const isSame = right.isSame(message, entry);
        if (!isSame) entry.message = message;
        return isSame;
      },
    },
  },
  {
    rule: "AHCP-IDM-003",
    name: "ended",
    says: "no longer compares payloads once a message has ended",
    policy: { isSame: (message, entry) => entry.status !== "open" || right.isSame(message, entry) },
  },
  {
    rule: "AHCP-IDM-003",
    name: "any-order",
    says: "compares lists without their order",
    policy: { isSame: (message, entry) => right.isSame(sorted(message), { ...entry, message: sorted(entry.message) }) },
  },
  {
    rule: "AHCP-IDM-003",
    name: "folded-key",
    says: "overlooks the case of keys, and finds a conflict between two that differ in it",
    policy: keyed((message, key) => [agentOf(message), String(key).toLowerCase()]),
  },
  {
    rule: "AHCP-IDM-003",
    name: "cut-key",
    says: "keeps the first 255 characters of a key, and finds a conflict between two that differ after them",
    policy: keyed((message, key) => [agentOf(message), String(key).slice(0, 255)]),
  },
  {
    rule: "AHCP-IDM-003",
    name: "normalised-key",
    says: "keeps keys in one Unicode form, and finds a conflict between two that differ in it",
    policy: keyed((message, key) => [agentOf(message), String(key).normalize("NFC")]),
  },
  {
    rule: "AHCP-IDM-003",
    name: "number-key",
    says: "keeps the number with which a key begins, and nothing that follows it",
    policy: keyed((message, key) => [agentOf(message), Number.parseInt(String(key), 10) || key]),
  },
  {
    rule: "AHCP-IDM-003",
    name: "hash",
    says: "compares payloads by a hash of 32 bits",
    policy: { isSame: (message, entry) => keyHash(message) === keyHash(entry.message) },
  },
  {
    rule: "AHCP-IDM-003",
    name: "texts",
    says: 'compares payloads as texts, in which 1 is "1"',
    policy: {
      isSame: (message, entry) => right.isSame(asTexts(message), { ...entry, message: asTexts(entry.message) }),
    },
  },
  { rule: "AHCP-IDM-004", says: "keeps the keys of all agents in one place", policy: keyed((_message, key) => [key]) },
  {
    rule: "AHCP-IDM-004",
    name: "notifies",
    says: "keeps the keys of all agents' notifies in one place",
    policy: {
      keyOf: (message) =>
        message.type === "notify" && typeof message.idempotency_key === "string"
          ? message.idempotency_key
          : right.keyOf(message),
    },
  },
  {
    rule: "AHCP-IDM-004",
    name: "joined",
    says: "joins the key and the name of its agent with nothing between them",
    policy: {
      keyOf(message) {
        const { idempotency_key: key } = message;
        return key === undefined ? undefined : `${key}${inner(message, "agent").id}`;
      },
    },
  },
  {
    rule: "AHCP-IDM-005",
    says: "forgets a key with the run",
    policy: keyed((message, key) => [agentOf(message), inner(message, "agent").run_id ?? null, key]),
  },
  {
    rule: "AHCP-IDM-006",
    says: "forgets a key after twelve hours",
    policy: { knowsKeyOf: ({ acceptedAt }, now) => now - acceptedAt < 12 * hour },
  },
  {
    rule: "AHCP-IDM-007",
    says: "looks for the key some time before it keeps it, and overlooks a repetition in between",
    policy: { gap: (act) => (act === "submit" ? soon() : undefined), seesRace: (isSame) => !isSame },
  },
  {
    rule: "AHCP-IDM-008",
    says: "looks for the key some time before it keeps it, and overlooks a conflict in between",
    policy: { gap: (act) => (act === "submit" ? soon() : undefined), seesRace: (isSame) => isSame },
  },
  {
    rule: "AHCP-IDM-009",
    says: "ignores the key of a notify",
    policy: { keyOf: (message) => (message.type === "notify" ? undefined : right.keyOf(message)) },
  },
  {
    rule: "AHCP-IDM-010",
    says: "merges notifies without a key that are equal",
    policy: {
      keyOf: (message) =>
        message.type === "notify" && message.idempotency_key === undefined
          ? JSON.stringify(message)
          : right.keyOf(message),
    },
  },
  {
    rule: "AHCP-IDM-011",
    says: "keeps the keys of asks and tasks apart",
    policy: keyed((message, key) => [agentOf(message), message.type ?? null, key]),
  },
  { rule: "AHCP-IDM-012", says: "uses a key up though it refused the message", policy: { consumes: true } },
  { rule: "AHCP-IDM-013", says: "looks at the deadline before it looks at the key", policy: { replaysFirst: false } },
  {
    rule: "AHCP-IDM-013",
    name: "unread",
    says: "tells a repetition that its message is open, until somebody has read that it has expired",
    policy: {
      reply(reply, { route, entry }) {
        if (entry === undefined || !isObject(reply.body)) return reply;
        if (route === "read") read.add(entry);
        const isUnread = route === "replay" && entry.status === "expired" && !read.has(entry);
        return isUnread ? { ...reply, body: { ...reply.body, status: "open" } } : reply;
      },
    },
  },
];
