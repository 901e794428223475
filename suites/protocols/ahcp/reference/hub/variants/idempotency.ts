import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { right } from "../policy.ts";
import type { Entry } from "../store.ts";
import { timestamp } from "../time.ts";
import { bodies, type HubVariant, inner } from "./variant.ts";

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

function keyed(scope: (message: JsonObject, key: Json) => Json): HubVariant["policy"] {
  return {
    keyOf: (message) => {
      const key = message.idempotency_key;
      return key === undefined ? undefined : JSON.stringify(scope(message, key));
    },
  };
}

const agentOf = (message: JsonObject): Json => inner(message, "agent").id ?? null;

const trimmed = (message: JsonObject): JsonObject => ({
  ...message,
  idempotency_key: String(message.idempotency_key).trim(),
});

/** The message with its lists in an order of their own. */
function sorted(message: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(message), (_, value: Json) =>
    Array.isArray(value) ? value.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value,
  );
}

/** What came last under the key of an entry. */
const lastUnder = new WeakMap<Entry, JsonObject>();

/** What was read at all. */
const read = new WeakSet<Entry>();

/** How a hub knows a message again, and whether it takes one in time. */
export const idempotencyVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-IDM-001",
    says: "finds a conflict in an exact repetition while the message is open",
    policy: { isSame: (message, entry) => entry.status !== "open" && right.isSame(message, entry) },
  },
  {
    rule: "AHCP-IDM-002",
    says: "repeats the first status to a repetition",
    policy: bodies("replay", (body, { entry }) => ({
      ...body,
      status: entry?.message.type === "notify" ? "delivered" : "open",
    })),
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
    rule: "AHCP-LIF-002",
    name: "repeated",
    says: "opens a cancelled message again when it is repeated",
    policy: bodies("replay", (body, { entry }) => {
      if (entry?.status !== "cancelled") return body;
      entry.status = "open";
      delete entry.envelope;
      return { ...body, status: "open" };
    }),
  },
  {
    rule: "AHCP-IDM-003",
    name: "any-order",
    says: "compares lists without their order",
    policy: { isSame: (message, entry) => right.isSame(sorted(message), { ...entry, message: sorted(entry.message) }) },
  },
  {
    rule: "AHCP-IDM-001",
    name: "last-payload",
    says: "compares a repetition with the last message under its key, also one that was refused",
    policy: {
      isSame(message, entry) {
        const before = lastUnder.get(entry) ?? entry.message;
        lastUnder.set(entry, message);
        return right.isSame(message, { ...entry, message: before });
      },
    },
  },
  { rule: "AHCP-IDM-004", says: "keeps the keys of all agents in one place", policy: keyed((_message, key) => [key]) },
  {
    rule: "AHCP-IDM-003",
    name: "folded-key",
    says: "overlooks the case of keys, and finds a conflict between two that differ in it",
    policy: keyed((message, key) => [agentOf(message), String(key).toLowerCase()]),
  },
  {
    rule: "AHCP-ACK-005",
    name: "trimmed-key",
    says: "keeps keys without the white space around them",
    policy: {
      ...keyed((message, key) => [agentOf(message), String(key).trim()]),
      isSame: (message, entry) => right.isSame(trimmed(message), { ...entry, message: trimmed(entry.message) }),
    },
  },
  {
    rule: "AHCP-ACK-005",
    name: "short-key",
    says: "keeps the first 64 characters of a key, and compares no more of it",
    policy: {
      ...keyed((message, key) => [agentOf(message), String(key).slice(0, 64)]),
      isSame: (message, entry) => {
        const { idempotency_key: key = null } = message;
        return right.isSame(message, { ...entry, message: { ...entry.message, idempotency_key: key } });
      },
    },
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
    rule: "AHCP-IDM-005",
    says: "forgets a key with the run",
    policy: keyed((message, key) => [agentOf(message), inner(message, "agent").run_id ?? null, key]),
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
  { rule: "AHCP-EXP-001", says: "takes a deadline that has passed", policy: { isAhead: () => true } },
  {
    rule: "AHCP-EXP-002",
    says: "compares deadlines without their offset",
    policy: { isAhead: (deadline, now) => deadline.slice(0, 19) > timestamp(now).slice(0, 19) },
  },
  {
    rule: "AHCP-EXP-010",
    says: "counts the time until the deadline from when the agent says that it wrote",
    policy: {
      deadline(message, acceptedAt) {
        const written = right.deadline({ ...message, expires_at: message.created_at ?? null }, acceptedAt);
        const deadline = right.deadline(message, acceptedAt);
        return deadline === undefined || written === undefined ? deadline : acceptedAt + deadline - written;
      },
    },
  },
  {
    rule: "AHCP-EXP-009",
    says: "lets a message expire after 45 seconds that has no deadline",
    policy: {
      deadline: (message, acceptedAt) =>
        message.type === "notify" || message.expires_at !== undefined
          ? right.deadline(message, acceptedAt)
          : acceptedAt + 45_000,
    },
  },
  {
    rule: "AHCP-EXP-007",
    says: "lets no task expire",
    policy: {
      deadline: (message, acceptedAt) => (message.type === "task" ? undefined : right.deadline(message, acceptedAt)),
    },
  },
  {
    rule: "AHCP-EXP-003",
    says: "takes no resolution in the last five seconds",
    policy: { grace: (act) => (act === "resolve" ? -5000 : 0) },
  },
  {
    rule: "AHCP-EXP-004",
    says: "takes a resolution after the deadline, until it has swept",
    policy: { grace: (act) => (act === "cancel" ? 0 : 8000) },
  },
  {
    rule: "AHCP-EXP-008",
    says: "lets an ask be cancelled after the deadline, until it has swept",
    policy: { grace: (act) => (act === "resolve" ? 0 : 8000) },
  },
  {
    rule: "AHCP-EXP-006",
    says: "makes up an answer for an ask that has no default",
    policy: {
      fallback(message) {
        const { options, mode } = inner(message, "request");
        const [first] = Array.isArray(options) ? options : [];
        const madeUp = isObject(first) ? first.value : { confirm: "approve", input: {} }[String(mode)];
        return right.fallback(message) ?? (message.type === "ask" ? madeUp : undefined);
      },
    },
  },
  {
    rule: "AHCP-EXP-005",
    says: "does not say that an answer is the default",
    policy: { envelope: ({ defaulted, ...envelope }) => envelope },
  },
  {
    rule: "AHCP-IDM-003",
    name: "number-key",
    says: "keeps the number with which a key begins, and nothing that follows it",
    policy: keyed((message, key) => [agentOf(message), Number.parseInt(String(key), 10) || key]),
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
