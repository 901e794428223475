import { pushTarget } from "../deliver.ts";
import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import type { Entry } from "../store.ts";
import { timestamp } from "../time.ts";
import { caching, meddles, pause } from "./change.ts";
import { bodies, type HubVariant, inner, replies, without } from "./variant.ts";

/** Messages that were cancelled since the hub was started. */
const cancelled = new WeakSet<Entry>();

/** Hubs that break a rule on what a submitter withdraws. */
export const cancellationVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-CAN-001",
    says: "confirms a cancellation without saying how it ended",
    policy: replies("cancel", (reply, { entry }) =>
      entry?.status === "cancelled" ? { status: 200, body: { ok: true } } : reply,
    ),
  },
  {
    rule: "AHCP-CAN-001",
    name: "cache",
    says: "shows an ask for a second as it was read before it was cancelled",
    policy: caching("cancelled"),
  },
  {
    rule: "AHCP-CAN-002",
    name: "words",
    says: "tells a stranger who cancels in words that the ask is there",
    policy: replies("refusal", (reply, { isStranger, seeking }) =>
      isStranger === true && seeking === "mayCancel" ? fault("not_found", "there is no such ask of yours") : reply,
    ),
  },
  { rule: "AHCP-CAN-002", says: "lets anyone cancel", policy: { mayCancel: () => true } },
  {
    rule: "AHCP-CAN-002",
    name: "ended",
    says: "tells anyone who cancels it how an ask has ended",
    policy: {
      mayCancel: (principal, entry) => right.mayCancel(principal, entry, undefined as never) || entry.status !== "open",
    },
  },
  {
    rule: "AHCP-CAN-002",
    name: "kinds",
    says: "tells anyone who cancels it that a message is no ask",
    policy: {
      mayCancel: (principal, { agent, message }) => principal === agent || message.type !== "ask",
    },
  },
  {
    rule: "AHCP-CAN-003",
    says: "does not name the outcome that a cancellation came too late for",
    policy: bodies("cancel", (body, { entry }) =>
      entry?.status === "cancelled" ? body : without(body, "status", "resolution"),
    ),
  },
  {
    rule: "AHCP-CAN-003",
    name: "expired",
    says: "does not name an expiry that a cancellation came too late for",
    policy: bodies("cancel", (body, { entry }) =>
      entry?.status === "expired" ? without(body, "id", "status", "resolution") : body,
    ),
  },
  {
    rule: "AHCP-CAN-003",
    name: "expired-status",
    says: "says that an ask was cancelled that had expired",
    policy: bodies("cancel", (body, { entry }) =>
      entry?.status === "expired" ? { ...body, status: "cancelled" } : body,
    ),
  },
  {
    rule: "AHCP-CAN-003",
    name: "expired-unknown",
    says: "calls an ask unknown that is cancelled once it has expired",
    policy: replies("cancel", (_, { entry }) =>
      entry?.status === "expired" ? fault("not_found", "there is no such message") : undefined,
    ),
  },
  {
    rule: "AHCP-CAN-004",
    name: "touches",
    says: "tells the time of the last cancellation",
    policy: meddles("cancel", (entry, { hub }) => {
      const { envelope } = entry;
      if (entry.status !== "cancelled" || envelope === undefined) return;
      entry.envelope = {
        ...envelope,
        response: { ...inner(envelope, "response"), resolved_at: timestamp(hub.clock.now()) },
      };
    }),
  },
  {
    rule: "AHCP-CAN-004",
    says: "cancels again what is cancelled",
    policy: {
      mayEndAgain: ({ status }, { resolution }) => status === "cancelled" && resolution === "cancelled",
    },
  },
  {
    rule: "AHCP-CAN-004",
    name: "restart",
    says: "does not know its own cancellations again after a restart",
    policy: {
      envelope(envelope, entry) {
        cancelled.add(entry);
        return envelope;
      },
      ...replies("cancel", (reply, { entry }) =>
        reply.status === 200 && entry !== undefined && !cancelled.has(entry)
          ? fault("already_terminal", "the message is cancelled", { id: entry.id, status: "cancelled" })
          : reply,
      ),
    },
  },
  {
    rule: "AHCP-CAN-005",
    says: "lets a task be cancelled",
    policy: { canCancel: ({ message }) => message.type !== "notify" },
  },
  {
    rule: "AHCP-CAN-006",
    says: "calls the cancellation of an unknown message malformed",
    policy: replies("refusal", (reply, { seeking, isStranger }) =>
      reply.status === 404 && seeking === "mayCancel" && isStranger !== true
        ? fault("validation_error", "there is nothing to cancel")
        : reply,
    ),
  },
  {
    rule: "AHCP-CAN-007",
    says: "looks at the status some time before it cancels",
    policy: { gap: (act) => (act === "cancel" ? pause(15) : undefined) },
  },
  {
    rule: "AHCP-CAN-008",
    says: "does not push a cancellation",
    policy: { callbackOf: (entry) => (entry.status === "cancelled" ? undefined : pushTarget(entry)) },
  },
];
