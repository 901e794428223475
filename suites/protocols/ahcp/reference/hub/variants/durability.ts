import type { Json } from "../../../../../../schemas/index.ts";
import type { Happening } from "../journal.ts";
import { correctHubPolicy } from "../policy.ts";
import { lineLimit, markRecalled } from "./change.ts";
import { breaks, type HubVariant, memberObject, withoutMembers } from "./variant.ts";

const isOpen = (happening: Happening): boolean => happening.event === "accepted" && happening.status === "open";

/** Reads UTF-8 as Latin-1. */
const misreadText = <T>(value: T): T => JSON.parse(Buffer.from(JSON.stringify(value)).toString("latin1")) as T;

/** Rounds numbers to 15 digits, as many languages print them. */
function shortenNumbers<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, member: Json) =>
    typeof member === "number" ? Number(member.toPrecision(15)) : member,
  ) as T;
}

const isNotify = (happening: Happening): boolean => happening.event === "accepted" && happening.status === "delivered";

/** The journal record of an accepted message, without one member of the message. */
function withoutMessageMember(happening: Accepted, name: string): Happening {
  return { ...happening, message: withoutMembers(happening.message, name) };
}

type Accepted = Extract<Happening, { event: "accepted" }>;

/** Hubs that break a rule on durability over a restart. */
export const durabilityVariants: readonly HubVariant[] = [
  ...breaks("AHCP-DUR-001", {
    encoding: [
      "reads its open messages after a restart as if they were Latin-1",
      { recordedEvent: (happening) => (isOpen(happening) ? misreadText(happening) : happening) },
    ],
    large: [
      "loses open messages of more than 4 KiB at a restart",
      {
        recordedEvent: (happening) =>
          isOpen(happening) && JSON.stringify(happening).length > 4096 ? undefined : happening,
      },
    ],
    "": [
      "keeps open messages in memory only",
      {
        recordedEvent: (happening) =>
          happening.event === "accepted" && happening.status === "open" ? undefined : happening,
      },
    ],
    state: [
      "keeps the state of a message in memory only",
      {
        recordedEvent: (happening) =>
          happening.event === "accepted" ? withoutMessageMember(happening, "state") : happening,
      },
    ],
    labels: [
      "keeps the labels of an agent in memory only",
      {
        recordedEvent: (happening) =>
          happening.event === "accepted"
            ? {
                ...happening,
                message: {
                  ...happening.message,
                  agent: withoutMembers(memberObject(happening.message, "agent"), "labels"),
                },
              }
            : happening,
      },
    ],
    permissions: [
      "keeps the permissions of an ask in memory only",
      {
        recordedEvent(happening) {
          if (happening.event !== "accepted" || happening.message.type !== "ask") return happening;
          const { message } = happening;
          return {
            ...happening,
            message: { ...message, request: withoutMembers(memberObject(message, "request"), "permissions") },
          };
        },
      },
    ],
    line: [
      "loses journal lines of more than 64 KiB at a restart",
      {
        recordedEvent: (happening) =>
          happening.event === "accepted" && JSON.stringify(happening).length > lineLimit ? undefined : happening,
      },
    ],
  }),
  ...breaks("AHCP-DUR-002", {
    digits: [
      "keeps only 15 digits of the numbers in an outcome at a restart",
      { recordedEvent: (happening) => (happening.event === "ended" ? shortenNumbers(happening) : happening) },
    ],
    cancelled: [
      "keeps cancellations in memory only",
      {
        recordedEvent: (happening) =>
          happening.event === "ended" && happening.status === "cancelled" ? undefined : happening,
      },
    ],
    expired: [
      "keeps expiries in memory only, and lets messages expire again",
      {
        recordedEvent: (happening) =>
          happening.event === "ended" && happening.status === "expired" ? undefined : happening,
      },
    ],
    "": [
      "keeps outcomes in memory only",
      { recordedEvent: (happening) => (happening.event === "ended" ? undefined : happening) },
    ],
  }),
  ...breaks("AHCP-DUR-003", {
    encoding: [
      "reads its notifies after a restart as if they were Latin-1",
      { recordedEvent: (happening) => (isNotify(happening) ? misreadText(happening) : happening) },
    ],
    "": [
      "keeps notifies in memory only",
      {
        recordedEvent: (happening) =>
          happening.event === "accepted" && happening.status === "delivered" ? undefined : happening,
      },
    ],
  }),
  ...breaks("AHCP-DUR-004", {
    "": ["loses its pending pushes at a restart", { resumesPushes: false }],
  }),
  ...breaks("AHCP-DUR-005", {
    "": [
      "loses idempotency keys at a restart",
      {
        recordedEvent(happening) {
          if (happening.event !== "accepted") return happening;
          const { key, ...withoutKey } = happening;
          return withoutKey;
        },
      },
    ],
    payload: [
      "remembers used keys after a restart, but not their messages",
      {
        ...markRecalled,
        isSame: (message, entry) => entry.message.recalled === true || correctHubPolicy.isSame(message, entry),
      },
    ],
  }),
  ...breaks("AHCP-DUR-006", {
    "": [
      "loses deadlines at a restart",
      {
        ...markRecalled,
        deadline: (message, at) => (message.recalled === true ? undefined : correctHubPolicy.deadline(message, at)),
      },
    ],
    task: [
      "loses the deadlines of tasks at a restart",
      {
        ...markRecalled,
        deadline: (message, at) =>
          message.recalled === true && message.type === "task" ? undefined : correctHubPolicy.deadline(message, at),
      },
    ],
    unread: [
      "notices a passed deadline after a restart only at the next read",
      { watchesDeadlinesAfterRestart: false },
    ],
  }),
];
