import { isObject, type Json } from "../../../../../../schemas/index.ts";
import { editAt } from "../../../../../packs/reference/changes.ts";
import type { HubAct, HubPolicy } from "../hub.ts";
import { blockOf } from "../lifecycle.ts";
import { correctHubPolicy } from "../policy.ts";
import { fault } from "../reply.ts";
import { instant, timestamp } from "../time.ts";
import { dayMs, hourMs, markRecalled, monthMs, outcomeIf, secondMs, withTexts } from "./change.ts";
import { breaks, changeReplies, type HubVariant, memberObject } from "./variant.ts";

const weekMs = 7 * 86_400_000;

function expireAfter(milliseconds: number): Partial<HubPolicy> {
  return {
    deadline: (message, acceptedAt) =>
      correctHubPolicy.deadline(message, acceptedAt) ??
      (message.type === "notify" ? undefined : acceptedAt + milliseconds),
  };
}

/** The last time that 64 bits of nanoseconds since 1970 can represent, in milliseconds. */
const lastNanosecondTime = 2 ** 63 / 1e6;

/** Reads a time, but applies the sign of its offset only to the hours. */
function readHalfSigned(text: string): number {
  const [, minutes = "0"] = /-\d\d:(\d\d)$/.exec(text) ?? [];
  return (instant(text) ?? 0) - 2 * Number(minutes) * 60_000;
}

function laterTime(time: Json | undefined, milliseconds: number): string {
  return timestamp(Date.parse(String(time)) + milliseconds);
}

/** Hubs that break a rule on deadlines, or on the outcome of a message that expires. */
export const expiryVariants: readonly HubVariant[] = [
  ...breaks("AHCP-EXP-001", {
    created: [
      "accepts a passed deadline if it is after created_at",
      {
        isDeadlineAhead: (deadline, now, { created_at: createdAt }) =>
          correctHubPolicy.isDeadlineAhead(deadline, Math.min(now, instant(String(createdAt)) ?? now), {}),
      },
    ],
    instant: [
      "accepts a deadline equal to the current time",
      { isDeadlineAhead: (deadline, now) => (instant(deadline) ?? 0) >= now },
    ],
    "": ["accepts a deadline in the past", { isDeadlineAhead: () => true }],
    zero: [
      "treats a deadline at the first second of 1970 as none",
      {
        isDeadlineAhead: (deadline, now) =>
          instant(deadline) === 0 || correctHubPolicy.isDeadlineAhead(deadline, now, {}),
      },
    ],
  }),
  ...breaks("AHCP-EXP-002", {
    never: [
      "never applies a deadline that is written with an offset",
      {
        deadline: (message, acceptedAt) =>
          /z$/i.test(String(message.expires_at)) ? correctHubPolicy.deadline(message, acceptedAt) : undefined,
      },
    ],
    "small-letters": [
      "never applies a deadline that is written in lower case",
      {
        deadline: (message, acceptedAt) =>
          String(message.expires_at).endsWith("z") ? undefined : correctHubPolicy.deadline(message, acceptedAt),
      },
    ],
    "": [
      "compares deadlines without their offset",
      { isDeadlineAhead: (deadline, now) => deadline.slice(0, 19) > timestamp(now).slice(0, 19) },
    ],
    "half-signed": [
      "applies the sign of an offset only to the hours",
      { isDeadlineAhead: (deadline, now) => readHalfSigned(deadline) > now },
    ],
    hours: [
      "ignores the minutes of an offset",
      {
        isDeadlineAhead: (deadline, now) =>
          correctHubPolicy.isDeadlineAhead(deadline.replace(/(?<=[+-]\d\d:)\d\d$/, "00"), now, {}),
      },
    ],
  }),
  ...breaks("AHCP-EXP-003", {
    "leap-second": [
      "treats a deadline at second 60 as already passed",
      {
        deadline: (message, acceptedAt) =>
          String(message.expires_at).includes(":60") ? acceptedAt : correctHubPolicy.deadline(message, acceptedAt),
      },
    ],
    week: [
      "lets an ask expire after a week, although its deadline is later",
      {
        deadline(message, acceptedAt) {
          const deadline = correctHubPolicy.deadline(message, acceptedAt);
          return deadline === undefined ? undefined : Math.min(deadline, acceptedAt + weekMs);
        },
      },
    ],
    overflow: [
      "expires a message immediately if its deadline is more than 2^31 ms ahead",
      {
        deadline(message, acceptedAt) {
          const deadline = correctHubPolicy.deadline(message, acceptedAt);
          return deadline !== undefined && deadline - acceptedAt >= 2 ** 31 ? acceptedAt : deadline;
        },
      },
    ],
    "": [
      "refuses resolutions in the last five seconds before the deadline",
      { grace: (act) => (act === "resolve" ? -5000 : 0) },
    ],
    nanoseconds: [
      "counts deadlines in 64 bits of nanoseconds, so that those after the year 2262 are in the past",
      {
        deadline(message, acceptedAt) {
          const deadline = correctHubPolicy.deadline(message, acceptedAt);
          return deadline !== undefined && deadline > lastNanosecondTime ? acceptedAt : deadline;
        },
      },
    ],
    "truncate-seconds": [
      "truncates deadlines to whole seconds",
      {
        deadline(message, acceptedAt) {
          const deadline = correctHubPolicy.deadline(message, acceptedAt);
          return deadline === undefined ? undefined : Math.floor(deadline / secondMs) * secondMs;
        },
      },
    ],
    "instant-loses": [
      "treats the exact time of a deadline as too late",
      { grace: (act: HubAct) => (act === "resolve" ? -1 : 0) },
    ],
  }),
  ...breaks("AHCP-EXP-004", {
    "": ["accepts a resolution after the deadline, until it sweeps", { grace: (act) => (act === "cancel" ? 0 : 8000) }],
    tasks: [
      "lets a task be completed for eight seconds after its deadline",
      {
        deadline(message, acceptedAt) {
          const deadline = correctHubPolicy.deadline(message, acceptedAt);
          return deadline === undefined || message.type !== "task" ? deadline : deadline + 8000;
        },
      },
    ],
    "truncate-seconds": [
      "truncates the current time to whole seconds before it compares it with a deadline",
      { grace: (act) => (act === "resolve" || act === "sweep" ? secondMs - 1 : 0) },
    ],
  }),
  ...breaks("AHCP-EXP-005", {
    "leap-second": [
      "never applies a deadline at second 60",
      {
        deadline: (message, acceptedAt) =>
          String(message.expires_at).includes(":60") ? undefined : correctHubPolicy.deadline(message, acceptedAt),
      },
    ],
    callback: [
      "does not apply the default of an ask with a callback",
      {
        defaultAnswer: (message) =>
          isObject(blockOf(message).callback) ? undefined : correctHubPolicy.defaultAnswer(message),
      },
    ],
    restart: [
      "forgets defaults at a restart",
      {
        ...markRecalled,
        defaultAnswer: (message) => (message.recalled === true ? undefined : correctHubPolicy.defaultAnswer(message)),
      },
    ],
    empty: [
      "treats an empty default as none",
      {
        defaultAnswer(message) {
          const value = correctHubPolicy.defaultAnswer(message) ?? "";
          return Object.keys(value).length === 0 ? undefined : value;
        },
      },
    ],
    "": ["does not mark an applied default", { envelope: ({ defaulted, ...envelope }) => envelope }],
    "empty-text": [
      "treats an empty string as no default",
      { defaultAnswer: (message) => correctHubPolicy.defaultAnswer(message) || undefined },
    ],
    false: [
      "treats the string false as no default",
      {
        defaultAnswer(message) {
          const value = correctHubPolicy.defaultAnswer(message);
          return value === "false" ? undefined : value;
        },
      },
    ],
    confirm: [
      "never applies the default of a confirm",
      {
        defaultAnswer: (message) =>
          memberObject(message, "request").mode === "confirm" ? undefined : correctHubPolicy.defaultAnswer(message),
      },
    ],
    "local-time": [
      "writes the local time of a zone two hours ahead as the time of an expiry",
      outcomeIf(
        "expired",
        editAt("/response/resolved_at", (at) => laterTime(at, 2 * 3_600_000)),
      ),
    ],
    numbers: [
      "converts numbers and booleans to strings when it applies a default",
      { defaultAnswer: (message) => withTexts(correctHubPolicy.defaultAnswer(message)) },
    ],
    zero: [
      'treats the default "0" as none',
      {
        defaultAnswer: (message) =>
          blockOf(message).default_on_expire === "0" ? undefined : correctHubPolicy.defaultAnswer(message),
      },
    ],
  }),
  ...breaks("AHCP-EXP-006", {
    "": [
      "invents an answer for an ask without a default",
      {
        defaultAnswer(message) {
          const { options, mode } = memberObject(message, "request");
          const [firstOption] = Array.isArray(options) ? options : [];
          const inventedAnswer = isObject(firstOption)
            ? firstOption.value
            : { confirm: "approve", input: {} }[String(mode)];
          return correctHubPolicy.defaultAnswer(message) ?? (message.type === "ask" ? inventedAnswer : undefined);
        },
      },
    ],
  }),
  ...breaks("AHCP-EXP-007", {
    "": [
      "never expires tasks",
      {
        deadline: (message, acceptedAt) =>
          message.type === "task" ? undefined : correctHubPolicy.deadline(message, acceptedAt),
      },
    ],
  }),
  ...breaks("AHCP-EXP-008", {
    "": [
      "lets an ask be cancelled after the deadline, until it sweeps",
      { grace: (act) => (act === "resolve" ? 0 : 8000) },
    ],
  }),
  ...breaks("AHCP-EXP-009", {
    hour: ["lets a message without a deadline expire after an hour", expireAfter(hourMs)],
    day: ["lets a message without a deadline expire after a day", expireAfter(dayMs)],
    week: ["lets a message without a deadline expire after a week", expireAfter(7 * dayMs)],
    "": [
      "lets a message without a deadline expire after 45 seconds",
      {
        deadline: (message, acceptedAt) =>
          message.type === "notify" || message.expires_at !== undefined
            ? correctHubPolicy.deadline(message, acceptedAt)
            : acceptedAt + 45_000,
      },
    ],
    forgotten: [
      "forgets open messages after a month",
      changeReplies("read", (_, { entry, hub }) =>
        entry?.status === "open" && hub.clock.now() > entry.acceptedAt + monthMs
          ? fault("not_found", "there is no such message")
          : undefined,
      ),
    ],
    gone: [
      "deletes open messages after 25 days",
      changeReplies("read", (_, { entry, hub }) =>
        entry?.status === "open" && hub.clock.now() > entry.acceptedAt + 25 * dayMs
          ? fault("gone", "the message has been deleted")
          : undefined,
      ),
    ],
  }),
  ...breaks("AHCP-EXP-010", {
    fraction: [
      "reads the digits of a fraction of a second as milliseconds",
      {
        deadline(message, at) {
          const time = correctHubPolicy.deadline(message, at);
          const [, digits = "0"] = /\.(\d+)/.exec(String(message.expires_at)) ?? [];
          const wholeSeconds = instant(String(message.expires_at).replace(/\.\d+/, ""));
          return time === undefined || wholeSeconds === undefined ? time : wholeSeconds + Number(digits);
        },
      },
    ],
    "": [
      "counts the time until the deadline from created_at",
      {
        deadline(message, acceptedAt) {
          const createdTime = correctHubPolicy.deadline(
            { ...message, expires_at: message.created_at ?? null },
            acceptedAt,
          );
          const deadline = correctHubPolicy.deadline(message, acceptedAt);
          return deadline === undefined || createdTime === undefined ? deadline : acceptedAt + deadline - createdTime;
        },
      },
    ],
  }),
];
