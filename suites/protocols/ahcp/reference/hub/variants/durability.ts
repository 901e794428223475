import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { Hub } from "../hub.ts";
import type { Happening } from "../journal.ts";
import { note } from "../keeping.ts";
import { right } from "../policy.ts";
import type { Store } from "../store.ts";
import { type HubVariant, inner, without } from "./variant.ts";

type Accepted = Extract<Happening, { event: "accepted" }>;

/** The record of a message without a member. */
function less(happening: Accepted, name: string): Happening {
  return { ...happening, message: without(happening.message, name) };
}

/** Marks the messages that are known from the journal alone. */
const marking: HubVariant["policy"] = {
  records: (happening) =>
    happening.event === "accepted" ? { ...happening, message: { ...happening.message, recalled: true } } : happening,
  isSame: (message, entry) => right.isSame(message, { ...entry, message: without(entry.message, "recalled") }),
};

/** Ids that were given since a hub was started. */
const counts = new WeakMap<Store, number>();

/** What was pushed last, by the id of the message. */
const pushed = new Map<string, { hub: Hub; body: JsonObject }>();

/** What a hub still knows after a restart, and what it keeps to itself. */
export const durabilityVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-DUR-001",
    says: "keeps open messages in memory only",
    policy: {
      records: (happening) => (happening.event === "accepted" && happening.status === "open" ? undefined : happening),
    },
  },
  {
    rule: "AHCP-DUR-001",
    name: "state",
    says: "keeps the state of a message in memory only",
    policy: { records: (happening) => (happening.event === "accepted" ? less(happening, "state") : happening) },
  },
  {
    rule: "AHCP-DUR-002",
    name: "cancelled",
    says: "keeps cancellations in memory only",
    policy: {
      records: (happening) => (happening.event === "ended" && happening.status === "cancelled" ? undefined : happening),
    },
  },
  {
    rule: "AHCP-DUR-002",
    name: "expired",
    says: "keeps in memory only what has expired, and lets it expire again",
    policy: {
      records: (happening) => (happening.event === "ended" && happening.status === "expired" ? undefined : happening),
    },
  },
  {
    rule: "AHCP-GET-006",
    name: "restart",
    says: "keeps in memory only what was deleted",
    policy: { records: (happening) => (happening.event === "deleted" ? undefined : happening) },
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
    rule: "AHCP-DUR-002",
    says: "keeps outcomes in memory only",
    policy: { records: (happening) => (happening.event === "ended" ? undefined : happening) },
  },
  {
    rule: "AHCP-DUR-003",
    says: "keeps notifies in memory only",
    policy: {
      records: (happening) =>
        happening.event === "accepted" && happening.status === "delivered" ? undefined : happening,
    },
  },
  { rule: "AHCP-DUR-004", says: "forgets at a restart what it was about to push", policy: { resumes: false } },
  {
    rule: "AHCP-DUR-005",
    says: "forgets idempotency keys at a restart",
    policy: {
      records(happening) {
        if (happening.event !== "accepted") return happening;
        const { key, ...rest } = happening;
        return rest;
      },
    },
  },
  {
    rule: "AHCP-DUR-005",
    name: "payload",
    says: "remembers after a restart which keys were used, and not for what",
    policy: {
      ...marking,
      isSame: (message, entry) => entry.message.recalled === true || right.isSame(message, entry),
    },
  },
  {
    rule: "AHCP-DUR-006",
    says: "forgets deadlines at a restart",
    policy: {
      ...marking,
      deadline: (message, at) => (message.recalled === true ? undefined : right.deadline(message, at)),
    },
  },
  {
    rule: "AHCP-DUR-006",
    name: "task",
    says: "forgets the deadlines of tasks at a restart",
    policy: {
      ...marking,
      deadline: (message, at) =>
        message.recalled === true && message.type === "task" ? undefined : right.deadline(message, at),
    },
  },
  {
    rule: "AHCP-RES-006",
    says: "shows the client_ref to resolvers",
    policy: { shows: ({ client_ref: reference = "" }) => ({ client_ref: reference }) },
  },
  {
    rule: "AHCP-STA-001",
    says: "logs the state",
    policy: { leaks: ({ state }) => state },
  },
  {
    rule: "AHCP-STA-001",
    name: "push",
    says: "logs what it pushes",
    policy: {
      headers(headers, { body, hub, attempt }) {
        note(hub, "pushing", { id: attempt.entry.id, leak: body });
        return headers;
      },
    },
  },
  {
    rule: "AHCP-STA-001",
    name: "push-refused",
    says: "logs what it has pushed when a callback refuses it",
    policy: {
      headers(headers, { body, hub, attempt }) {
        pushed.set(attempt.entry.id, { hub, body });
        return headers;
      },
      records(happening) {
        const last = happening.event === "attempted" ? pushed.get(happening.id) : undefined;
        if (last !== undefined && happening.event === "attempted" && happening.push === "refused")
          note(last.hub, "push refused", { id: happening.id, leak: last.body });
        return happening;
      },
    },
  },
  {
    rule: "AHCP-STA-001",
    name: "refused",
    says: "logs a message whose title it refuses",
    policy: {
      early(value, _, hub) {
        if (isObject(value) && typeof value.title !== "string") note(hub, "refused", { leak: value });
        return undefined;
      },
    },
  },
  {
    rule: "AHCP-SAF-001",
    says: "shows the body as HTML",
    policy: { shows: ({ body = "" }) => ({ html: body }) },
  },
  {
    rule: "AHCP-SAF-003",
    says: "logs the body of a message that is not sensitive",
    policy: { leaks: ({ body, sensitive }) => (sensitive === true ? undefined : body) },
  },
  {
    rule: "AHCP-SAF-004",
    says: "logs the body of a sensitive message",
    policy: { leaks: ({ body, sensitive }) => (sensitive === true ? body : right.leaks({})) },
  },
  {
    rule: "AHCP-DUR-001",
    name: "labels",
    says: "keeps the labels of an agent in memory only",
    policy: {
      records: (happening) =>
        happening.event === "accepted"
          ? {
              ...happening,
              message: { ...happening.message, agent: without(inner(happening.message, "agent"), "labels") },
            }
          : happening,
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "restart",
    says: "lets anyone resolve what it knows from its journal",
    policy: {
      ...marking,
      mayResolve: (actor, entry) => entry.message.recalled === true || right.mayResolve(actor, entry),
    },
  },
  {
    rule: "AHCP-EXP-005",
    name: "restart",
    says: "forgets defaults at a restart",
    policy: { ...marking, fallback: (message) => (message.recalled === true ? undefined : right.fallback(message)) },
  },
  {
    rule: "AHCP-DLV-005",
    name: "restart",
    says: "pushes again after a restart what a callback has refused",
    policy: {
      records: (happening) =>
        happening.event === "attempted" && happening.push === "refused" ? { ...happening, push: "pending" } : happening,
    },
  },
];
