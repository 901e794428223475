import type { JsonObject } from "../../../../../../schemas/index.ts";
import type { About } from "../hub.ts";
import { commit } from "../keeping.ts";
import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import type { Entry } from "../store.ts";
import { timestamp } from "../time.ts";
import { bodies, type HubVariant, inner, replies, without } from "./variant.ts";

/** Notifies that were read. */
const seen = new WeakSet<Entry>();

/** The agent of the last repetition of a message. */
const lastRun = new WeakMap<Entry, JsonObject>();

/** How often a task was read that had ended. */
const counted = new WeakMap<Entry, number>();

const day = 86_400_000;

/** The outcome with the time of the read in place of its own. */
function datedAnew(body: JsonObject, { hub }: About): JsonObject {
  if (body.response === undefined) return body;
  const envelope = inner(body, "response");
  const response = { ...inner(envelope, "response"), resolved_at: timestamp(hub.clock.now()) };
  return { ...body, response: { ...envelope, response } };
}

/** Leaves whoever waits in the dark about one kind of end. */
const sleepsOver = (status: string): HubVariant["policy"] => ({
  wakes: (happening) => (happening.event === "ended" && happening.status === status ? 0 : right.wakes(happening)),
});

/** What a read shows, and how long it waits. */
export const readVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-GET-001",
    says: "shows as null what is not there",
    policy: bodies("read", (body) => ({ ...body, client_ref: body.client_ref ?? null })),
  },
  {
    rule: "AHCP-RSP-003",
    name: "run",
    says: "does not say in the Response of a task that was dismissed in which run it was submitted",
    policy: bodies("read", (body) => {
      const response = inner(body, "response");
      if (response.resolution !== "dismissed") return body;
      return { ...body, response: { ...response, agent: without(inner(response, "agent"), "run_id") } };
    }),
  },
  {
    rule: "AHCP-GET-002",
    says: "calls a declined ask answered",
    policy: bodies("read", (body) => (body.status === "declined" ? { ...body, status: "answered" } : body)),
  },
  {
    rule: "AHCP-GET-003",
    says: "loses the tags",
    policy: { echo: (message, entry) => without(right.echo(message, entry), "tags") },
  },
  {
    rule: "AHCP-GET-003",
    name: "large",
    says: "shows an empty state for one of more than 4 KiB",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        return JSON.stringify(shown.state ?? null).length > 4096 ? { ...shown, state: {} } : shown;
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "labels",
    says: "loses the labels of the agent",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        return { ...shown, agent: without(inner(shown, "agent"), "labels") };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "verification",
    says: "loses how a task is verified",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        return message.type === "task" ? { ...shown, action: without(inner(shown, "action"), "verification") } : shown;
      },
    },
  },
  {
    rule: "AHCP-GET-002",
    name: "after-waiting",
    says: "shows no Response to a read that waited",
    policy: bodies("read", (body, { waited }) => (waited === true ? without(body, "response") : body)),
  },
  {
    rule: "AHCP-GET-004",
    says: "dates an outcome at the time of the read",
    policy: bodies("read", datedAnew),
  },
  {
    rule: "AHCP-GET-004",
    name: "withdrawn",
    says: "dates a cancellation at the time of the read",
    policy: bodies("read", (body, about) => (body.status === "cancelled" ? datedAnew(body, about) : body)),
  },
  {
    rule: "AHCP-GET-004",
    name: "overdue",
    says: "dates an expiry at the time of the read",
    policy: bodies("read", (body, about) => (body.status === "expired" ? datedAnew(body, about) : body)),
  },
  {
    rule: "AHCP-GET-004",
    name: "tasks",
    says: "counts the reads of a task that has ended",
    policy: bodies("read", (body, { entry }) => {
      if (entry === undefined || body.type !== "task" || body.response === undefined) return body;
      counted.set(entry, (counted.get(entry) ?? 0) + 1);
      return { ...body, reads: counted.get(entry) ?? 0 };
    }),
  },
  {
    rule: "AHCP-GET-005",
    says: "calls an unknown id malformed",
    policy: replies("refusal", (reply, { seeking, isStranger }) =>
      reply.status === 404 && seeking === "maySee" && isStranger !== true
        ? fault("validation_error", "the id is not one of ours")
        : reply,
    ),
  },
  {
    rule: "AHCP-GET-006",
    says: "does not remember that a message was deleted",
    policy: replies("refusal", (reply) =>
      reply.status === 410 ? fault("not_found", "there is no such message") : reply,
    ),
  },
  { rule: "AHCP-GET-007", says: "makes nobody wait", policy: { patience: () => 0 } },
  {
    rule: "AHCP-GET-007",
    name: "cancelled",
    says: "lets whoever waits for an ask wait on when it is cancelled",
    policy: sleepsOver("cancelled"),
  },
  {
    rule: "AHCP-GET-007",
    name: "declined",
    says: "does not tell whoever waits that an ask was declined",
    policy: sleepsOver("declined"),
  },
  {
    rule: "AHCP-GET-007",
    name: "task",
    says: "does not tell whoever waits that a task was completed",
    policy: sleepsOver("completed"),
  },
  {
    rule: "AHCP-GET-007",
    name: "expired",
    says: "does not tell whoever waits that a deadline has passed",
    policy: sleepsOver("expired"),
  },
  {
    rule: "AHCP-GET-007",
    name: "one",
    says: "tells one of those who wait that an ask has ended",
    policy: { wakes: () => 1 },
  },
  {
    rule: "AHCP-GET-003",
    name: "other-run",
    says: "shows the run that has repeated a message last",
    policy: {
      isSame(message, entry) {
        const isSame = right.isSame(message, entry);
        if (isSame) lastRun.set(entry, inner(message, "agent"));
        return isSame;
      },
      echo: (message, entry) => ({
        ...right.echo(message, entry),
        agent: lastRun.get(entry) ?? inner(message, "agent"),
      }),
    },
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
    rule: "AHCP-GET-008",
    says: "calls a wait without an outcome a timeout",
    policy: replies("read", (reply, { entry, waited }) =>
      waited === true && entry?.status === "open" ? { ...fault("gone", "nothing came"), status: 408 } : reply,
    ),
  },
  {
    rule: "AHCP-GET-008",
    name: "no-number",
    says: "breaks down over a wait that is no number",
    policy: {
      patience(asked, text) {
        if (text !== undefined && !/^-?\d+$/.test(text)) throw new Error(`wait is no number: ${text}`);
        return asked;
      },
    },
  },
  {
    rule: "AHCP-GET-004",
    name: "once",
    says: "forgets what has ended once it has been read",
    policy: replies("read", (reply, { hub, entry }) => {
      if (entry?.envelope !== undefined) commit(hub, { event: "deleted", id: entry.id, at: hub.clock.now() });
      return reply;
    }),
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
  {
    rule: "AHCP-GET-011",
    says: "does not show a notify again",
    policy: replies("read", (reply, { entry }) =>
      entry?.message.type === "notify" ? fault("not_found", "there is no such message") : reply,
    ),
  },
  {
    rule: "AHCP-GET-011",
    name: "once",
    says: "shows a notify once",
    policy: replies("read", (reply, { entry }) => {
      if (entry?.message.type !== "notify") return undefined;
      const isSeen = seen.has(entry);
      seen.add(entry);
      return isSeen ? fault("not_found", "there is no such message") : reply;
    }),
  },
];
