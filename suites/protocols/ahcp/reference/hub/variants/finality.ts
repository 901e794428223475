import type { JsonObject } from "../../../../../../schemas/index.ts";
import type { About, Hub, Policy } from "../hub.ts";
import { right } from "../policy.ts";
import type { HubReply } from "../reply.ts";
import type { Entry } from "../store.ts";
import { timestamp } from "../time.ts";
import { bodies, type HubVariant, inner } from "./variant.ts";

const [hour, day] = [3_600_000, 86_400_000];

/** Changes what is kept of a message just before an answer of one kind is given. */
function meddles(route: About["route"], change: (entry: Entry, about: About) => void): Partial<Policy> {
  return {
    reply(reply: HubReply, about) {
      if (about.route === route && about.entry !== undefined) change(about.entry, about);
      return reply;
    },
  };
}

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

function defaultLife(milliseconds: number): Partial<Policy> {
  return {
    deadline: (message, acceptedAt) =>
      right.deadline(message, acceptedAt) ?? (message.type === "notify" ? undefined : acceptedAt + milliseconds),
  };
}

/** What stays of a message that has ended, and what must not end it. */
export const finalityVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-EXP-009",
    name: "hour",
    says: "lets a message expire after an hour that has no deadline",
    policy: defaultLife(hour),
  },
  {
    rule: "AHCP-EXP-009",
    name: "day",
    says: "lets a message expire after a day that has no deadline",
    policy: defaultLife(day),
  },
  {
    rule: "AHCP-EXP-009",
    name: "week",
    says: "lets a message expire after a week that has no deadline",
    policy: defaultLife(7 * day),
  },
  {
    rule: "AHCP-EXP-003",
    name: "overflow",
    says: "lets a message expire at once whose deadline is more than 2^31 ms ahead",
    policy: {
      deadline(message, acceptedAt) {
        const deadline = right.deadline(message, acceptedAt);
        return deadline !== undefined && deadline - acceptedAt >= 2 ** 31 ? acceptedAt : deadline;
      },
    },
  },
  {
    rule: "AHCP-EXP-005",
    name: "empty",
    says: "takes an empty default for none",
    policy: {
      fallback(message) {
        const value = right.fallback(message) ?? "";
        return Object.keys(value).length === 0 ? undefined : value;
      },
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
    rule: "AHCP-LIF-002",
    name: "reopens",
    says: "opens again what has ended, when its message is repeated",
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
    says: "names who came last for the actor, though it refuses what they do",
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
    says: "lets be answered what was declined",
    policy: again("declined", "answered"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "withdrawn",
    says: "lets be answered what was cancelled",
    policy: again("cancelled", "answered"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "value",
    says: "lets be answered otherwise what was answered",
    policy: again("answered", "answered"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "completed",
    says: "lets be dismissed what was completed",
    policy: again("completed", "dismissed"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "dismissed",
    says: "lets be completed what was dismissed",
    policy: again("dismissed", "completed"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "expired",
    says: "lets be answered what has expired",
    policy: again("expired", "answered"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "expired-task",
    says: "lets be completed what has expired",
    policy: again("expired", "completed"),
  },
  {
    rule: "AHCP-LIF-002",
    name: "sweeps",
    says: "lets expire what was declined or cancelled",
    policy: bodies("read", (body, { hub }) =>
      ["declined", "cancelled"].includes(String(body.status)) && isPast(body, hub)
        ? { ...body, status: "expired", response: { ...inner(body, "response"), resolution: "expired" } }
        : body,
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
    rule: "AHCP-IDM-003",
    name: "kept-though-refused",
    says: "keeps the other message under the key of one that has ended, though it refuses it",
    policy: {
      isSame(message, entry) {
        const isSame = right.isSame(message, entry);
        if (!isSame && entry.status !== "open") entry.message = message;
        return isSame;
      },
    },
  },
];
