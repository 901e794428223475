import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { rightHubPolicy } from "../policy.ts";
import type { Store } from "../store.ts";
import { agentOf, changeKey } from "./change.ts";
import { bodies, breaks, type HubVariant, memberObject, replies } from "./variant.ts";

/** The number of ids that each hub has used since it was started. */
const counts = new WeakMap<Store, number>();

const trimKey = (message: JsonObject): JsonObject => ({
  ...message,
  idempotency_key: String(message.idempotency_key).trim(),
});

/** Hubs that break a rule on the acknowledgment of a submission. */
export const acknowledgmentVariants: readonly HubVariant[] = [
  ...breaks("AHCP-ACK-001", {
    "": ["acknowledges with 200", replies("submit", (reply) => ({ ...reply, status: 200 }))],
  }),
  ...breaks("AHCP-ACK-002", {
    "": [
      "adds members to an acknowledgement that has no room for them",
      bodies("submit", (body) => ({ ...body, message: "thank you" })),
    ],
  }),
  ...breaks("AHCP-ACK-003", {
    "": ["calls a notify open at first", bodies("submit", (body) => ({ ...body, status: "open" }))],
  }),
  ...breaks("AHCP-ACK-004", {
    "": [
      "gives a poll URL that leads nowhere",
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
      "counts its messages from its start",
      {
        idFor(_, { store }) {
          const count = (counts.get(store) ?? 0) + 1;
          counts.set(store, count);
          return `msg_${String(count).padStart(8, "0")}`;
        },
      },
    ],
    "trimmed-key": [
      "stores keys without the white space around them",
      {
        ...changeKey((message, key) => [agentOf(message), String(key).trim()]),
        isSame: (message, entry) =>
          rightHubPolicy.isSame(trimKey(message), { ...entry, message: trimKey(entry.message) }),
      },
    ],
    "short-key": [
      "compares only the first 64 characters of a key",
      {
        ...changeKey((message, key) => [agentOf(message), String(key).slice(0, 64)]),
        isSame: (message, entry) => {
          const { idempotency_key: key = null } = message;
          return rightHubPolicy.isSame(message, { ...entry, message: { ...entry.message, idempotency_key: key } });
        },
      },
    ],
    "": [
      "gives a task with a verification the id of the message before",
      {
        idFor(message, hub) {
          const earlierId =
            memberObject(message, "action").verification === undefined
              ? undefined
              : [...hub.store.entries.keys()].at(-1);
          return earlierId ?? rightHubPolicy.idFor(message, hub);
        },
      },
    ],
  }),
];
