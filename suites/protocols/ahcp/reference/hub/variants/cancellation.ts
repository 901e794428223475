import { pushTarget } from "../deliver.ts";
import { correctHubPolicy } from "../policy.ts";
import { fault } from "../reply.ts";
import type { StoredMessage } from "../store.ts";
import { timestamp } from "../time.ts";
import { cacheEnding, changeStored, pause } from "./change.ts";
import { breaks, changeBodies, changeReplies, type HubVariant, memberObject, withoutMembers } from "./variant.ts";

/** The messages that ended since the hub was started. */
const endedMessages = new WeakSet<StoredMessage>();

/** Hubs that break a rule on cancellations. */
export const cancellationVariants: readonly HubVariant[] = [
  ...breaks("AHCP-CAN-001", {
    "": [
      "confirms a cancellation without its outcome",
      changeReplies("cancel", (reply, { entry }) =>
        entry?.status === "cancelled" ? { status: 200, body: { ok: true } } : reply,
      ),
    ],
    cache: ["shows a cancelled ask as it was before, for ten seconds", cacheEnding("cancelled")],
  }),
  ...breaks("AHCP-CAN-002", {
    words: [
      "reveals to a different agent that cancels that the ask exists",
      changeReplies("refusal", (reply, { isStranger, seeking }) =>
        isStranger === true && seeking === "mayCancel" ? fault("not_found", "there is no such ask of yours") : reply,
      ),
    ],
    "": ["lets anyone cancel", { mayCancel: () => true }],
    ended: [
      "shows the outcome of an ask to any agent that cancels it",
      {
        mayCancel: (principal, entry) =>
          correctHubPolicy.mayCancel(principal, entry, undefined as never) || entry.status !== "open",
      },
    ],
    kinds: [
      "reveals to any agent that cancels a message that it is not an ask",
      {
        mayCancel: (principal, { agent, message }) => principal === agent || message.type !== "ask",
      },
    ],
  }),
  ...breaks("AHCP-CAN-003", {
    "": [
      "does not report the earlier outcome to a late cancellation",
      changeBodies("cancel", (body, { entry }) =>
        entry?.status === "cancelled" ? body : withoutMembers(body, "status", "resolution"),
      ),
    ],
    expired: [
      "does not report the expiry to a late cancellation",
      changeBodies("cancel", (body, { entry }) =>
        entry?.status === "expired" ? withoutMembers(body, "id", "status", "resolution") : body,
      ),
    ],
    "expired-status": [
      "reports that an expired ask was cancelled",
      changeBodies("cancel", (body, { entry }) =>
        entry?.status === "expired" ? { ...body, status: "cancelled" } : body,
      ),
    ],
    "expired-unknown": [
      "answers 404 to the cancellation of an expired ask",
      changeReplies("cancel", (_, { entry }) =>
        entry?.status === "expired" ? fault("not_found", "there is no such message") : undefined,
      ),
    ],
  }),
  ...breaks("AHCP-CAN-004", {
    touches: [
      "changes resolved_at at each repeated cancellation",
      changeStored("cancel", (entry, { hub }) => {
        const { envelope } = entry;
        if (entry.status !== "cancelled" || envelope === undefined) return;
        entry.envelope = {
          ...envelope,
          response: { ...memberObject(envelope, "response"), resolved_at: timestamp(hub.clock.now()) },
        };
      }),
    ],
    "": [
      "cancels a cancelled ask again",
      {
        mayEndAgain: ({ status }, { resolution }) => status === "cancelled" && resolution === "cancelled",
      },
    ],
    restart: [
      "does not recognize its own cancellations after a restart",
      {
        envelope(envelope, entry) {
          endedMessages.add(entry);
          return envelope;
        },
        ...changeReplies("cancel", (reply, { entry }) =>
          reply.status === 200 && entry !== undefined && !endedMessages.has(entry)
            ? fault("already_terminal", "the message is cancelled", { id: entry.id, status: "cancelled" })
            : reply,
        ),
      },
    ],
  }),
  ...breaks("AHCP-CAN-005", {
    "": ["lets a task be cancelled", { canCancel: ({ message }) => message.type !== "notify" }],
  }),
  ...breaks("AHCP-CAN-006", {
    "": [
      "answers 400 to the cancellation of an unknown message",
      changeReplies("refusal", (reply, { seeking, isStranger }) =>
        reply.status === 404 && seeking === "mayCancel" && isStranger !== true
          ? fault("validation_error", "there is nothing to cancel")
          : reply,
      ),
    ],
  }),
  ...breaks("AHCP-CAN-007", {
    "": ["checks the status some time before it cancels", { gap: (act) => (act === "cancel" ? pause(15) : undefined) }],
  }),
  ...breaks("AHCP-CAN-008", {
    "": [
      "does not push a cancellation",
      { callbackOf: (entry) => (entry.status === "cancelled" ? undefined : pushTarget(entry)) },
    ],
  }),
];
