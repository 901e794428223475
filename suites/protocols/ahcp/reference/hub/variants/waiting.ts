import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import { type HubVariant, replies } from "./variant.ts";

/** Tells a waiting read nothing of one kind of end. */
const sleepsOver = (status: string): HubVariant["policy"] => ({
  wakes: (happening) => (happening.event === "ended" && happening.status === status ? 0 : right.wakes(happening)),
});

/** Hubs that break a rule on reads that wait, and conditional ones. */
export const waitingVariants: readonly HubVariant[] = [
  { rule: "AHCP-GET-007", says: "answers every wait at once", policy: { patience: () => 0 } },
  {
    rule: "AHCP-GET-007",
    name: "cancelled",
    says: "lets a read wait on after the ask is cancelled",
    policy: sleepsOver("cancelled"),
  },
  {
    rule: "AHCP-GET-007",
    name: "declined",
    says: "does not tell a waiting read that an ask was declined",
    policy: sleepsOver("declined"),
  },
  {
    rule: "AHCP-GET-007",
    name: "task",
    says: "does not tell a waiting read that a task was completed",
    policy: sleepsOver("completed"),
  },
  {
    rule: "AHCP-GET-007",
    name: "expired",
    says: "does not tell a waiting read that a deadline has passed",
    policy: sleepsOver("expired"),
  },
  {
    rule: "AHCP-GET-007",
    name: "one",
    says: "tells one of those who wait that an ask has ended",
    policy: { wakes: () => 1 },
  },
  {
    rule: "AHCP-GET-008",
    name: "fraction",
    says: "breaks down over a wait of one second and a half",
    policy: {
      patience(asked, text) {
        if (text?.includes(".") === true) throw new Error(`wait is no integer: ${text}`);
        return asked;
      },
    },
  },
  {
    rule: "AHCP-GET-008",
    says: "calls a wait without an outcome a timeout",
    policy: replies("read", (reply, { entry, waited }) =>
      waited === true && entry?.status === "open" ? { ...fault("gone", "nothing came"), status: 408 } : reply,
    ),
  },
  {
    rule: "AHCP-GET-008",
    name: "no-number",
    says: "breaks down over a wait that is not a number",
    policy: {
      patience(asked, text) {
        if (text !== undefined && !/^-?\d+$/.test(text)) throw new Error(`wait is no number: ${text}`);
        return asked;
      },
    },
  },
  {
    rule: "AHCP-GET-009",
    name: "empty",
    says: "answers with an empty object if nothing has changed",
    policy: replies("read", (reply) => (reply.status === 304 ? { status: 200, body: {} } : reply)),
  },
  {
    rule: "AHCP-GET-009",
    name: "created",
    says: "compares the time since when something may have changed with that of the submit",
    policy: { isUnchanged: ({ acceptedAt }, since) => since !== undefined && acceptedAt <= since },
  },
  {
    rule: "AHCP-GET-009",
    name: "seconds",
    says: "compares the time since when something may have changed to the second",
    policy: {
      isUnchanged: ({ changedAt }, since) =>
        since !== undefined && Math.floor(changedAt / 1000) <= Math.floor(since / 1000),
    },
  },
  {
    rule: "AHCP-GET-009",
    name: "no-time",
    says: "breaks down over a since that is not a time",
    policy: {
      isUnchanged(entry, since) {
        if (since === undefined) throw new Error("since is no time");
        return right.isUnchanged(entry, since);
      },
    },
  },
  {
    rule: "AHCP-GET-009",
    name: "since-always",
    says: "finds nothing changed, in spite of changes",
    policy: { isUnchanged: () => true },
  },
  {
    rule: "AHCP-GET-009",
    says: "refuses a read that asks for changes and finds none",
    policy: replies("read", (reply) => (reply.status === 304 ? fault("validation_error", "nothing changed") : reply)),
  },
  {
    rule: "AHCP-GET-009",
    name: "future",
    says: "breaks down over a time that is yet to come",
    policy: {
      isUnchanged(entry, since) {
        if ((since ?? 0) > Date.now() + 60_000) throw new Error("since is in the future");
        return right.isUnchanged(entry, since);
      },
    },
  },
];
