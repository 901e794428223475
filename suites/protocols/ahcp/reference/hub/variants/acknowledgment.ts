import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { correctHubPolicy } from "../policy.ts";
import type { Store } from "../store.ts";
import { agentOf, changeKey } from "./change.ts";
import { breaks, changeBodies, changeReplies, type HubVariant, memberObject } from "./variant.ts";

/** The number of ids that each hub has used since it was started. */
const idCounts = new WeakMap<Store, number>();

const trimKey = (message: JsonObject): JsonObject => ({
  ...message,
  idempotency_key: String(message.idempotency_key).trim(),
});

/** Hubs that break a rule on the acknowledgment of a submission. */
export const acknowledgmentVariants: readonly HubVariant[] = [
  ...breaks("AHCP-ACK-001", {
    "": ["acknowledges with 200", changeReplies("submit", (reply) => ({ ...reply, status: 200 }))],
  }),
  ...breaks("AHCP-ACK-002", {
    "": [
      "adds an undefined member to the acknowledgment",
      changeBodies("submit", (body) => ({ ...body, message: "thank you" })),
    ],
  }),
  ...breaks("AHCP-ACK-003", {
    "": ["acknowledges a notify as open", changeBodies("submit", (body) => ({ ...body, status: "open" }))],
  }),
  ...breaks("AHCP-ACK-004", {
    "": [
      "returns a poll URL that does not exist",
      {
        reply: (reply, { route }) =>
          (route === "submit" || route === "replay") && isObject(reply.body)
            ? { ...reply, body: { ...reply.body, poll_url: `${reply.body.poll_url}-` } }
            : reply,
      },
    ],
  }),
  ...breaks("AHCP-ACK-005", {
    restart: [
      "numbers its messages from 1 again after a restart",
      {
        idFor(_, { store }) {
          const count = (idCounts.get(store) ?? 0) + 1;
          idCounts.set(store, count);
          return `msg_${String(count).padStart(8, "0")}`;
        },
      },
    ],
    "trimmed-key": [
      "trims white space from keys before it compares them",
      {
        ...changeKey((message, key) => [agentOf(message), String(key).trim()]),
        isSame: (message, entry) =>
          correctHubPolicy.isSame(trimKey(message), { ...entry, message: trimKey(entry.message) }),
      },
    ],
    "short-key": [
      "compares only the first 64 characters of a key",
      {
        ...changeKey((message, key) => [agentOf(message), String(key).slice(0, 64)]),
        isSame: (message, entry) => {
          const { idempotency_key: key = null } = message;
          return correctHubPolicy.isSame(message, { ...entry, message: { ...entry.message, idempotency_key: key } });
        },
      },
    ],
    "": [
      "reuses the previous message's id for a task with a verification",
      {
        idFor(message, hub) {
          const earlierId =
            memberObject(message, "action").verification === undefined
              ? undefined
              : [...hub.store.entries.keys()].at(-1);
          return earlierId ?? correctHubPolicy.idFor(message, hub);
        },
      },
    ],
  }),
];
