import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../../../../schemas/index.ts";
import { deliver, pushTarget } from "../deliver.ts";
import { envelopeOf } from "../envelope.ts";
import type { HubPolicy, RunningHub } from "../hub.ts";
import { correctHubPolicy } from "../policy.ts";
import type { StoredMessage } from "../store.ts";
import { timestamp } from "../time.ts";
import { changeStored, pause } from "./change.ts";
import { breaks, changeBodies, type HubVariant, memberObject } from "./variant.ts";

function isPast({ expires_at: deadline }: JsonObject, { clock }: RunningHub): boolean {
  return typeof deadline === "string" && Date.parse(deadline) < clock.now();
}

function reopen(entry: StoredMessage): void {
  entry.status = "open";
  delete entry.envelope;
}

/** Lets a resolution replace an earlier outcome. */
const allowTransition = (from: string, to: string): Partial<HubPolicy> => ({
  mayEndAgain: ({ status }, { resolution }) => status === from && resolution === to,
});

/** Messages that an agent has read before. */
const readMessages = new WeakSet<StoredMessage>();

/** Pushes an expiry twice, each time with another id. */
function pushExpiryTwice(): Partial<HubPolicy> {
  const pushedEnvelopes = new WeakSet<JsonObject>();
  return {
    callbackOf(entry, hub) {
      const { envelope, status } = entry;
      if (envelope !== undefined && status === "expired" && !pushedEnvelopes.has(envelope)) {
        const secondEnvelope = { ...envelope, resolution_id: `res_${randomBytes(16).toString("base64url")}` };
        pushedEnvelopes.add(envelope).add(secondEnvelope);
        deliver(hub, { ...entry, envelope: secondEnvelope, attempts: 0 });
      }
      return pushTarget(entry);
    },
  };
}

/** Hubs that break a rule on the states of a message. */
export const lifecycleVariants: readonly HubVariant[] = [
  ...breaks("AHCP-LIF-001", {
    "": [
      "lets a resolver declare a message expired",
      { outcomesFor: (type) => (type === "notify" ? [] : [...correctHubPolicy.outcomesFor(type), "expired"]) },
    ],
    "task-cancelled": [
      "lets a resolver cancel a task",
      { outcomesFor: (type) => [...correctHubPolicy.outcomesFor(type), ...(type === "task" ? ["cancelled"] : [])] },
    ],
    "notify-resolves": [
      "lets a resolver decline a notify",
      {
        outcomesFor: (type) => (type === "notify" ? ["declined"] : correctHubPolicy.outcomesFor(type)),
        mayEndAgain: ({ status, message }) => status === "delivered" && message.callback === undefined,
      },
    ],
    "notify-own": [
      "lets an agent decline the notify that it has sent",
      {
        outcomesFor: (type) => (type === "notify" ? ["declined"] : correctHubPolicy.outcomesFor(type)),
        mayEndAgain: ({ status, message, agent }, { actor }) =>
          status === "delivered" && message.callback === undefined && actor === `agent:${agent}`,
      },
    ],
  }),
  ...breaks("AHCP-LIF-002", {
    reopens: ["reopens an ended message when it is repeated", changeStored("replay", reopen)],
    "reopens-task": [
      "reopens a completed task when its message is repeated",
      changeStored("replay", (entry) => {
        if (entry.message.type === "task") reopen(entry);
      }),
    ],
    touches: [
      "changes resolved_at to the time of a repetition",
      changeStored("replay", (entry, { hub }) => {
        const { envelope } = entry;
        if (envelope === undefined) return;
        const response = { ...memberObject(envelope, "response"), resolved_at: timestamp(hub.clock.now()) };
        entry.envelope = { ...envelope, response };
      }),
    ],
    comment: [
      "stores the comment of a refused resolution",
      {
        afterRefusal(entry, { comment }) {
          const { envelope } = entry;
          if (envelope !== undefined && comment !== undefined)
            entry.envelope = { ...envelope, response: { ...memberObject(envelope, "response"), comment } };
        },
      },
    ],
    actor: [
      "records the last resolver as the actor, even if the resolution was refused",
      {
        afterRefusal(entry, { actor }) {
          const { envelope } = entry;
          if (envelope !== undefined)
            entry.envelope = {
              ...envelope,
              response: { ...memberObject(envelope, "response"), actor, resolved_at: timestamp(Date.now()) },
            };
        },
      },
    ],
    declined: ["accepts an answer to a declined ask", allowTransition("declined", "answered")],
    withdrawn: ["accepts an answer to a cancelled ask", allowTransition("cancelled", "answered")],
    value: ["accepts another answer to an answered ask", allowTransition("answered", "answered")],
    completed: ["accepts the dismissal of a completed task", allowTransition("completed", "dismissed")],
    dismissed: ["accepts the completion of a dismissed task", allowTransition("dismissed", "completed")],
    expired: ["accepts an answer to an expired ask", allowTransition("expired", "answered")],
    "expired-task": ["accepts the completion of an expired task", allowTransition("expired", "completed")],
    sweeps: [
      "lets declined and cancelled messages expire",
      changeBodies("read", (body, { hub }) =>
        ["declined", "cancelled"].includes(String(body.status)) && isPast(body, hub)
          ? { ...body, status: "expired", response: { ...memberObject(body, "response"), resolution: "expired" } }
          : body,
      ),
    ],
    repeated: [
      "reopens a cancelled message when it is repeated",
      changeBodies("replay", (body, { entry }) => {
        if (entry?.status !== "cancelled") return body;
        entry.status = "open";
        delete entry.envelope;
        return { ...body, status: "open" };
      }),
    ],
    "": [
      "lets a resolver decline an answered ask",
      {
        mayEndAgain: ({ status }, { resolution }) => status === "answered" && resolution === "declined",
      },
    ],
  }),
  ...breaks("AHCP-LIF-003", {
    "": [
      "checks the status some time before it changes it",
      { gap: (act) => (act === "submit" ? undefined : pause(15)) },
    ],
  }),
  ...breaks("AHCP-LIF-004", {
    "": [
      "lets a resolution just before the deadline overwrite the default",
      {
        gap(act, hub, entry) {
          const deadline = entry === undefined ? undefined : hub.policy.deadline(entry.message, entry.acceptedAt);
          const remainingMs = (deadline ?? Number.POSITIVE_INFINITY) - hub.clock.now();
          return act === "resolve" && remainingMs < 500 ? pause(remainingMs + 30) : undefined;
        },
      },
    ],
  }),
  ...breaks("AHCP-LIF-005", {
    "": [
      "creates no Response for a cancellation",
      { envelope: (envelope) => (envelope.resolution === "cancelled" ? undefined : envelope) },
    ],
  }),
  ...breaks("AHCP-LIF-006", {
    "": [
      "pushes a second outcome although it refused it",
      {
        afterRefusal(entry, outcome, hub) {
          if (entry.envelope === undefined) return;
          const envelope = envelopeOf(hub, entry, outcome, hub.clock.now());
          deliver(hub, { ...entry, envelope, attempts: 0 });
        },
      },
    ],
    twice: ["pushes an expiry twice, each time with another resolution_id", pushExpiryTwice()],
    late: [
      "pushes an answer after the deadline, although it refuses it",
      {
        afterRefusal(entry, outcome, hub) {
          if (entry.status !== "expired") return;
          deliver(hub, { ...entry, envelope: envelopeOf(hub, entry, outcome, hub.clock.now()), attempts: 0 });
        },
      },
    ],
  }),
  ...breaks("AHCP-LIF-007", {
    "": [
      "accepts an answer to a notify with a callback",
      {
        outcomesFor: (type) => (type === "notify" ? ["answered", "declined"] : correctHubPolicy.outcomesFor(type)),
        mayEndAgain: ({ status, message }) => status === "delivered" && message.callback !== undefined,
        checksAnswer: (request) => Object.keys(request).length > 0,
        callbackOf: (entry) =>
          entry.message.type === "notify" ? memberObject(entry.message, "callback") : pushTarget(entry),
      },
    ],
  }),
  ...breaks("AHCP-LIF-008", {
    expires: [
      "lets a notify expire",
      changeBodies("read", (body, { hub }) =>
        body.type === "notify" && isPast(body, hub) ? { ...body, status: "expired" } : body,
      ),
    ],
    "": [
      "shows a notify as open after its first read",
      changeBodies("read", (body, { entry }) => {
        if (entry === undefined || body.type !== "notify") return body;
        const status = readMessages.has(entry) ? "open" : "delivered";
        readMessages.add(entry);
        return { ...body, status };
      }),
    ],
  }),
];
