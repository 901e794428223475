import type { Json } from "../../../../../../schemas/index.ts";
import type { Happening } from "../journal.ts";
import { right } from "../policy.ts";
import { line, marking } from "./change.ts";
import { type HubVariant, inner, without } from "./variant.ts";

const isOpen = (happening: Happening): boolean => happening.event === "accepted" && happening.status === "open";

/** UTF-8 that is read as Latin-1. */
const misread = <T>(value: T): T => JSON.parse(Buffer.from(JSON.stringify(value)).toString("latin1")) as T;

/** Numbers as they are with 15 digits, which many languages print. */
function shortened<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, each: Json) =>
    typeof each === "number" ? Number(each.toPrecision(15)) : each,
  ) as T;
}

const isTold = (happening: Happening): boolean => happening.event === "accepted" && happening.status === "delivered";

/** The record of a message without a member. */
function less(happening: Accepted, name: string): Happening {
  return { ...happening, message: without(happening.message, name) };
}

type Accepted = Extract<Happening, { event: "accepted" }>;

/** Hubs that break a rule on what outlives a restart. */
export const durabilityVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-DUR-001",
    name: "encoding",
    says: "reads its open messages after a restart as if they were Latin-1",
    policy: { records: (happening) => (isOpen(happening) ? misread(happening) : happening) },
  },
  {
    rule: "AHCP-DUR-001",
    name: "large",
    says: "forgets at a restart the open messages of more than 4 KiB",
    policy: {
      records: (happening) => (isOpen(happening) && JSON.stringify(happening).length > 4096 ? undefined : happening),
    },
  },
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
    rule: "AHCP-DUR-001",
    name: "permissions",
    says: "keeps the permissions of an ask in memory alone",
    policy: {
      records(happening) {
        if (happening.event !== "accepted" || happening.message.type !== "ask") return happening;
        const { message } = happening;
        return { ...happening, message: { ...message, request: without(inner(message, "request"), "permissions") } };
      },
    },
  },
  {
    rule: "AHCP-DUR-001",
    name: "line",
    says: "cannot read its own lines of more than 64 KiB",
    policy: {
      records: (happening) =>
        happening.event === "accepted" && JSON.stringify(happening).length > line ? undefined : happening,
    },
  },
  {
    rule: "AHCP-DUR-002",
    name: "digits",
    says: "keeps 15 digits of the numbers of an outcome at a restart",
    policy: { records: (happening) => (happening.event === "ended" ? shortened(happening) : happening) },
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
    rule: "AHCP-DUR-002",
    says: "keeps outcomes in memory only",
    policy: { records: (happening) => (happening.event === "ended" ? undefined : happening) },
  },
  {
    rule: "AHCP-DUR-003",
    name: "encoding",
    says: "reads its notifies after a restart as if they were Latin-1",
    policy: { records: (happening) => (isTold(happening) ? misread(happening) : happening) },
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
    rule: "AHCP-DUR-006",
    name: "unread",
    says: "notices after a restart that a deadline has passed only at the next read",
    policy: { watchesAgain: false },
  },
];
