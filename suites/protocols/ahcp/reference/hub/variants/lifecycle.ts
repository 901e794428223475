import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../../../../schemas/index.ts";
import { deliver, pushTarget } from "../deliver.ts";
import { envelopeOf } from "../envelope.ts";
import type { Hub, Policy } from "../hub.ts";
import { right } from "../policy.ts";
import type { Entry } from "../store.ts";
import { timestamp } from "../time.ts";
import { meddles, pause } from "./change.ts";
import { bodies, type HubVariant, inner } from "./variant.ts";

function isPast({ expires_at: deadline }: JsonObject, { clock }: Hub): boolean {
  return typeof deadline === "string" && Date.parse(deadline) < clock.now();
}

function reopen(entry: Entry): void {
  entry.status = "open";
  delete entry.envelope;
}

/** Lets a message that has ended in one way be ended in another. */
const again = (from: string, to: string): Partial<Policy> => ({
  mayEndAgain: ({ status }, { resolution }) => status === from && resolution === to,
});

/** Entries that were read before. */
const read = new WeakSet<Entry>();

/** Pushes an expiry twice, each time under another id. */
function twice(): Partial<Policy> {
  const done = new WeakSet<JsonObject>();
  return {
    callbackOf(entry, hub) {
      const { envelope, status } = entry;
      if (envelope !== undefined && status === "expired" && !done.has(envelope)) {
        const other = { ...envelope, resolution_id: `res_${randomBytes(16).toString("base64url")}` };
        done.add(envelope).add(other);
        deliver(hub, { ...entry, envelope: other, attempts: 0 });
      }
      return pushTarget(entry);
    },
  };
}

/** Hubs that break a rule on the states of a message. */
export const lifecycleVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-LIF-001",
    says: "lets a resolver declare a message expired",
    policy: { endings: (type) => (type === "notify" ? [] : [...right.endings(type), "expired"]) },
  },
  {
    rule: "AHCP-LIF-001",
    name: "notify-resolves",
    says: "lets a resolver decline a notify",
    policy: {
      endings: (type) => (type === "notify" ? ["declined"] : right.endings(type)),
      mayEndAgain: ({ status, message }) => status === "delivered" && message.callback === undefined,
    },
  },
  {
    rule: "AHCP-LIF-001",
    name: "notify-own",
    says: "lets an agent decline the notify that it has sent",
    policy: {
      endings: (type) => (type === "notify" ? ["declined"] : right.endings(type)),
      mayEndAgain: ({ status, message, agent }, { actor }) =>
        status === "delivered" && message.callback === undefined && actor === `agent:${agent}`,
    },
  },
  {
    rule: "AHCP-LIF-002",
    name: "reopens",
    says: "opens an ended message again when it is repeated",
    policy: meddles("replay", reopen),
  },
  {
    rule: "AHCP-LIF-002",
    name: "reopens-task",
    says: "opens again a task that was completed, when its message is repeated",
    policy: meddles("replay", (entry) => {
      if (entry.message.type === "task") reopen(entry);
    }),
  },
  {
    rule: "AHCP-LIF-002",
    name: "touches",
    says: "tells the time of a repetition for that of the resolution",
    policy: meddles("replay", (entry, { hub }) => {
      const { envelope } = entry;
      if (envelope === undefined) return;
      const response = { ...inner(envelope, "response"), resolved_at: timestamp(hub.clock.now()) };
      entry.envelope = { ...envelope, response };
    }),
  },
  {
    rule: "AHCP-LIF-002",
    name: "comment",
    says: "keeps the comment of a resolution that it refuses",
    policy: {
      afterRefusal(entry, { comment }) {
        const { envelope } = entry;
        if (envelope !== undefined && comment !== undefined)
          entry.envelope = { ...envelope, response: { ...inner(envelope, "response"), comment } };
      },
    },
  },
  {
    rule: "AHCP-LIF-002",
    name: "actor",
    says: "names the last resolver as the actor, even a refused one",
    policy: {
      afterRefusal(entry, { actor }) {
        const { envelope } = entry;
        if (envelope !== undefined)
          entry.envelope = {
            ...envelope,
            response: { ...inner(envelope, "response"), actor, resolved_at: timestamp(Date.now()) },
          };
      },
    },
  },
  {
    rule: "AHCP-LIF-002",
    name: "declined",
    says: "accepts an answer to a declined ask",
    policy: again("declined", "answered"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "withdrawn",
    says: "accepts an answer to a cancelled ask",
    policy: again("cancelled", "answered"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "value",
    says: "accepts another answer to an answered ask",
    policy: again("answered", "answered"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "completed",
    says: "accepts the dismissal of a completed task",
    policy: again("completed", "dismissed"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "dismissed",
    says: "accepts the completion of a dismissed task",
    policy: again("dismissed", "completed"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "expired",
    says: "accepts an answer to an expired ask",
    policy: again("expired", "answered"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "expired-task",
    says: "accepts the completion of an expired task",
    policy: again("expired", "completed"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "sweeps",
    says: "lets declined and cancelled messages expire",
    policy: bodies("read", (body, { hub }) =>
      ["declined", "cancelled"].includes(String(body.status)) && isPast(body, hub)
        ? { ...body, status: "expired", response: { ...inner(body, "response"), resolution: "expired" } }
        : body,
    ),
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
    rule: "AHCP-LIF-002",
    says: "lets a resolver decline what is answered",
    policy: {
      mayEndAgain: ({ status }, { resolution }) => status === "answered" && resolution === "declined",
    },
  },
  {
    rule: "AHCP-LIF-003",
    says: "looks at the status some time before it changes it",
    policy: { gap: (act) => (act === "submit" ? undefined : pause(15)) },
  },
  {
    rule: "AHCP-LIF-004",
    says: "lets a resolution that comes just before the deadline overwrite the default",
    policy: {
      gap(act, hub, entry) {
        const deadline = entry === undefined ? undefined : hub.policy.deadline(entry.message, entry.acceptedAt);
        const left = (deadline ?? Number.POSITIVE_INFINITY) - hub.clock.now();
        return act === "resolve" && left < 500 ? pause(left + 30) : undefined;
      },
    },
  },
  {
    rule: "AHCP-LIF-005",
    says: "makes no Response of a cancellation",
    policy: { envelope: (envelope) => (envelope.resolution === "cancelled" ? undefined : envelope) },
  },
  {
    rule: "AHCP-LIF-006",
    says: "pushes a second outcome that it refused",
    policy: {
      afterRefusal(entry, outcome, hub) {
        if (entry.envelope === undefined) return;
        const envelope = envelopeOf(hub, entry, outcome, hub.clock.now());
        deliver(hub, { ...entry, envelope, attempts: 0 });
      },
    },
  },
  {
    rule: "AHCP-LIF-006",
    name: "twice",
    says: "pushes an expiry twice, each time under another resolution_id",
    policy: twice(),
  },
  {
    rule: "AHCP-LIF-006",
    name: "late",
    says: "pushes an answer that came after the deadline, though it refuses it",
    policy: {
      afterRefusal(entry, outcome, hub) {
        if (entry.status !== "expired") return;
        deliver(hub, { ...entry, envelope: envelopeOf(hub, entry, outcome, hub.clock.now()), attempts: 0 });
      },
    },
  },
  {
    rule: "AHCP-LIF-007",
    says: "lets a notify with a callback be answered",
    policy: {
      endings: (type) => (type === "notify" ? ["answered", "declined"] : right.endings(type)),
      mayEndAgain: ({ status, message }) => status === "delivered" && message.callback !== undefined,
      checksAnswer: (request) => Object.keys(request).length > 0,
      callbackOf: (entry) => (entry.message.type === "notify" ? inner(entry.message, "callback") : pushTarget(entry)),
    },
  },
  {
    rule: "AHCP-LIF-008",
    name: "expires",
    says: "lets a notify expire",
    policy: bodies("read", (body, { hub }) =>
      body.type === "notify" && isPast(body, hub) ? { ...body, status: "expired" } : body,
    ),
  },
  {
    rule: "AHCP-LIF-008",
    says: "calls a notify open once it has been read",
    policy: bodies("read", (body, { entry }) => {
      if (entry === undefined || body.type !== "notify") return body;
      const status = read.has(entry) ? "open" : "delivered";
      read.add(entry);
      return { ...body, status };
    }),
  },
];
