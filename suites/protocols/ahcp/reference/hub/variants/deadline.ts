import type { Act, Policy } from "../hub.ts";
import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import { instant, timestamp } from "../time.ts";
import { day, hour, month, second } from "./change.ts";
import { type HubVariant, replies } from "./variant.ts";

const week = 7 * 86_400_000;

function defaultLife(milliseconds: number): Partial<Policy> {
  return {
    deadline: (message, acceptedAt) =>
      right.deadline(message, acceptedAt) ?? (message.type === "notify" ? undefined : acceptedAt + milliseconds),
  };
}

/** The last instant that 64 bits of nanoseconds since 1970 hold, in milliseconds. */
const lastNanosecond = 2 ** 63 / 1e6;

/** A time whose offset has its sign at the hours alone. */
function halfSigned(text: string): number {
  const [, minutes = "0"] = /-\d\d:(\d\d)$/.exec(text) ?? [];
  return (instant(text) ?? 0) - 2 * Number(minutes) * 60_000;
}

/** Hubs that break a rule on deadlines, and what comes before and after them. */
export const deadlineVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-EXP-001",
    name: "created",
    says: "takes a deadline that has passed if it is after the message was written",
    policy: {
      isAhead: (deadline, now, { created_at: written }) =>
        right.isAhead(deadline, Math.min(now, instant(String(written)) ?? now), {}),
    },
  },
  {
    rule: "AHCP-EXP-001",
    name: "instant",
    says: "takes a deadline that is this very instant",
    policy: { isAhead: (deadline, now) => (instant(deadline) ?? 0) >= now },
  },
  { rule: "AHCP-EXP-001", says: "takes a deadline that has passed", policy: { isAhead: () => true } },
  {
    rule: "AHCP-EXP-001",
    name: "zero",
    says: "takes a deadline at the first second of 1970 for none",
    policy: { isAhead: (deadline, now) => instant(deadline) === 0 || right.isAhead(deadline, now, {}) },
  },
  {
    rule: "AHCP-EXP-002",
    name: "never",
    says: "never lets a deadline pass that is written with an offset",
    policy: {
      deadline: (message, acceptedAt) =>
        /z$/i.test(String(message.expires_at)) ? right.deadline(message, acceptedAt) : undefined,
    },
  },
  {
    rule: "AHCP-EXP-002",
    name: "small-letters",
    says: "never lets a deadline pass that is written in small letters",
    policy: {
      deadline: (message, acceptedAt) =>
        String(message.expires_at).endsWith("z") ? undefined : right.deadline(message, acceptedAt),
    },
  },
  {
    rule: "AHCP-EXP-002",
    says: "compares deadlines without their offset",
    policy: { isAhead: (deadline, now) => deadline.slice(0, 19) > timestamp(now).slice(0, 19) },
  },
  {
    rule: "AHCP-EXP-002",
    name: "half-signed",
    says: "reads the sign of an offset for its hours alone",
    policy: { isAhead: (deadline, now) => halfSigned(deadline) > now },
  },
  {
    rule: "AHCP-EXP-002",
    name: "hours",
    says: "reads the hours of an offset alone",
    policy: { isAhead: (deadline, now) => right.isAhead(deadline.replace(/(?<=[+-]\d\d:)\d\d$/, "00"), now, {}) },
  },
  {
    rule: "AHCP-EXP-003",
    name: "leap-second",
    says: "cannot make a number of a deadline at second 60, and lets it pass at once",
    policy: {
      deadline: (message, acceptedAt) =>
        String(message.expires_at).includes(":60") ? acceptedAt : right.deadline(message, acceptedAt),
    },
  },
  {
    rule: "AHCP-EXP-003",
    name: "week",
    says: "lets an ask expire after a week, though its deadline is later",
    policy: {
      deadline(message, acceptedAt) {
        const deadline = right.deadline(message, acceptedAt);
        return deadline === undefined ? undefined : Math.min(deadline, acceptedAt + week);
      },
    },
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
    rule: "AHCP-EXP-003",
    says: "takes no resolution in the last five seconds",
    policy: { grace: (act) => (act === "resolve" ? -5000 : 0) },
  },
  {
    rule: "AHCP-EXP-003",
    name: "nanoseconds",
    says: "counts deadlines in 64 bits of nanoseconds, so that those after the year 2262 have passed",
    policy: {
      deadline(message, acceptedAt) {
        const deadline = right.deadline(message, acceptedAt);
        return deadline !== undefined && deadline > lastNanosecond ? acceptedAt : deadline;
      },
    },
  },
  {
    rule: "AHCP-EXP-003",
    name: "truncate-seconds",
    says: "cuts deadlines to whole seconds",
    policy: {
      deadline(message, acceptedAt) {
        const deadline = right.deadline(message, acceptedAt);
        return deadline === undefined ? undefined : Math.floor(deadline / second) * second;
      },
    },
  },
  {
    rule: "AHCP-EXP-003",
    name: "instant-loses",
    says: "takes the very instant of a deadline for too late",
    policy: { grace: (act: Act) => (act === "resolve" ? -1 : 0) },
  },
  {
    rule: "AHCP-EXP-004",
    says: "takes a resolution after the deadline, until it has swept",
    policy: { grace: (act) => (act === "cancel" ? 0 : 8000) },
  },
  {
    rule: "AHCP-EXP-004",
    name: "tasks",
    says: "lets a task be completed for eight seconds after its deadline",
    policy: {
      deadline(message, acceptedAt) {
        const deadline = right.deadline(message, acceptedAt);
        return deadline === undefined || message.type !== "task" ? deadline : deadline + 8000;
      },
    },
  },
  {
    rule: "AHCP-EXP-004",
    name: "truncate-seconds",
    says: "cuts its own time to whole seconds when it compares it with a deadline",
    policy: { grace: (act) => (act === "resolve" || act === "sweep" ? second - 1 : 0) },
  },
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
    rule: "AHCP-EXP-009",
    says: "lets a message expire after 45 seconds that has no deadline",
    policy: {
      deadline: (message, acceptedAt) =>
        message.type === "notify" || message.expires_at !== undefined
          ? right.deadline(message, acceptedAt)
          : acceptedAt + 45_000,
    },
  },
  {
    rule: "AHCP-EXP-009",
    name: "forgotten",
    says: "forgets after a month what is still open",
    policy: replies("read", (_, { entry, hub }) =>
      entry?.status === "open" && hub.clock.now() > entry.acceptedAt + month
        ? fault("not_found", "there is no such message")
        : undefined,
    ),
  },
  {
    rule: "AHCP-EXP-009",
    name: "gone",
    says: "deletes after 25 days what is still open",
    policy: replies("read", (_, { entry, hub }) =>
      entry?.status === "open" && hub.clock.now() > entry.acceptedAt + 25 * day
        ? fault("gone", "the message has been deleted")
        : undefined,
    ),
  },
  {
    rule: "AHCP-EXP-010",
    name: "fraction",
    says: "takes the digits of a fraction of a second for milliseconds",
    policy: {
      deadline(message, at) {
        const time = right.deadline(message, at);
        const [, digits = "0"] = /\.(\d+)/.exec(String(message.expires_at)) ?? [];
        const whole = instant(String(message.expires_at).replace(/\.\d+/, ""));
        return time === undefined || whole === undefined ? time : whole + Number(digits);
      },
    },
  },
  {
    rule: "AHCP-EXP-010",
    says: "counts the time until the deadline from when the agent says that it wrote",
    policy: {
      deadline(message, acceptedAt) {
        const written = right.deadline({ ...message, expires_at: message.created_at ?? null }, acceptedAt);
        const deadline = right.deadline(message, acceptedAt);
        return deadline === undefined || written === undefined ? deadline : acceptedAt + deadline - written;
      },
    },
  },
];
