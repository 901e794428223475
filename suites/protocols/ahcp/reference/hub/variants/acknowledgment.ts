import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { right } from "../policy.ts";
import type { Store } from "../store.ts";
import { agentOf, keyed } from "./change.ts";
import { bodies, type HubVariant, inner, replies } from "./variant.ts";

/** Ids that were given since a hub was started. */
const counts = new WeakMap<Store, number>();

const trimmed = (message: JsonObject): JsonObject => ({
  ...message,
  idempotency_key: String(message.idempotency_key).trim(),
});

/** Hubs that break a rule on the acknowledgment of a submission. */
export const acknowledgmentVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-ACK-001",
    says: "acknowledges with 200",
    policy: replies("submit", (reply) => ({ ...reply, status: 200 })),
  },
  {
    rule: "AHCP-ACK-002",
    says: "says more in an acknowledgement than there is room for",
    policy: bodies("submit", (body) => ({ ...body, message: "thank you" })),
  },
  {
    rule: "AHCP-ACK-003",
    says: "calls a notify open at first",
    policy: bodies("submit", (body) => ({ ...body, status: "open" })),
  },
  {
    rule: "AHCP-ACK-004",
    says: "gives a poll URL that leads nowhere",
    policy: {
      reply: (reply, { route }) =>
        (route === "submit" || route === "replay") && isObject(reply.body)
          ? { ...reply, body: { ...reply.body, poll_url: `${reply.body.poll_url}-` } }
          : reply,
    },
  },
  {
    rule: "AHCP-ACK-005",
    name: "restart",
    says: "counts its messages from when it was started",
    policy: {
      idFor(_, { store }) {
        const count = (counts.get(store) ?? 0) + 1;
        counts.set(store, count);
        return `msg_${String(count).padStart(8, "0")}`;
      },
    },
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
    rule: "AHCP-ACK-005",
    says: "gives a task that says how it is verified the id of the message before",
    policy: {
      idFor(message, hub) {
        const before =
          inner(message, "action").verification === undefined ? undefined : [...hub.store.entries.keys()].at(-1);
        return before ?? right.idFor(message, hub);
      },
    },
  },
];
