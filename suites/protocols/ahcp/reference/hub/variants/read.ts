import type { JsonObject } from "../../../../../../schemas/index.ts";
import type { About, Policy } from "../hub.ts";
import { commit } from "../keeping.ts";
import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import type { Entry } from "../store.ts";
import { timestamp } from "../time.ts";
import { caching, within } from "./change.ts";
import { bodies, type HubVariant, inner, replies, without } from "./variant.ts";

/** Finds a message under another id that fits it so. */
function finding(fits: (id: string, asked: string) => boolean): HubVariant["policy"] {
  return replies("refusal", (_, { asked, entry, seeking, hub }) => {
    if (asked === undefined || entry !== undefined || seeking !== "maySee") return undefined;
    const found = [...hub.store.entries.values()].find(({ id }) => fits(id, asked));
    if (found === undefined) return undefined;
    return { status: 200, body: { ...right.echo(found.message, found), id: found.id, status: found.status } };
  });
}

/** Changes the pushed body of an expired message. */
const expiring = (change: (envelope: JsonObject) => JsonObject): Partial<Policy> => ({
  pushed: (envelope) => (envelope.resolution === "expired" ? change(envelope) : envelope),
});

/** The outcome with the time of the read in place of its own. */
function datedAnew(body: JsonObject, { hub }: About): JsonObject {
  if (body.response === undefined) return body;
  const envelope = inner(body, "response");
  const response = { ...inner(envelope, "response"), resolved_at: timestamp(hub.clock.now()) };
  return { ...body, response: { ...envelope, response } };
}

/** How often a task was read that had ended. */
const counted = new WeakMap<Entry, number>();

/** Notifies that were read. */
const seen = new WeakSet<Entry>();

/** Hubs that break a rule on reads. */
export const readVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-GET-001",
    name: "expired-task",
    says: "shows the request of a task once it has looked for its default",
    policy: bodies("read", (body) =>
      body.type === "task" && body.status === "expired" ? { ...body, request: {} } : body,
    ),
  },
  {
    rule: "AHCP-GET-001",
    says: "shows as null what is not there",
    policy: bodies("read", (body) => ({ ...body, client_ref: body.client_ref ?? null })),
  },
  {
    rule: "AHCP-GET-002",
    name: "id",
    says: "shows the id of a task without its prefix",
    policy: bodies("read", (body) => (body.type === "task" ? { ...body, id: String(body.id).slice(4) } : body)),
  },
  {
    rule: "AHCP-GET-002",
    says: "calls a declined ask answered",
    policy: bodies("read", (body) => (body.status === "declined" ? { ...body, status: "answered" } : body)),
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
    rule: "AHCP-GET-004",
    name: "once",
    says: "forgets an ended message once it has been read",
    policy: replies("read", (reply, { hub, entry }) => {
      if (entry?.envelope !== undefined) commit(hub, { event: "deleted", id: entry.id, at: hub.clock.now() });
      return reply;
    }),
  },
  {
    rule: "AHCP-GET-004",
    name: "cache",
    says: "shows an ask for a second as it was read before it was answered",
    policy: caching("answered"),
  },
  {
    rule: "AHCP-GET-005",
    name: "beginning",
    says: "takes the beginning of an id for the id",
    policy: replies("refusal", (reply, { asked, hub, seeking }) => {
      const entries = [...hub.store.entries.values()];
      const entry = asked === "" ? undefined : entries.find(({ id }) => asked !== undefined && id.startsWith(asked));
      if (entry === undefined || reply.status !== 404 || seeking !== "maySee") return reply;
      return { status: 200, body: { ...right.echo(entry.message, entry), id: entry.id, status: entry.status } };
    }),
  },
  {
    rule: "AHCP-GET-005",
    name: "case",
    says: "finds a message under its id in another case",
    policy: finding((id, asked) => id.toLowerCase() === asked.toLowerCase()),
  },
  {
    rule: "AHCP-GET-005",
    name: "last-line",
    says: "finds a message under its id and the end of a line",
    policy: finding((id, asked) => `${id}\n` === asked),
  },
  {
    rule: "AHCP-GET-005",
    name: "wildcard",
    says: "reads % in an id as any text",
    policy: finding((id, asked) => asked.includes("%") && new RegExp(`^${asked.replaceAll("%", ".*")}$`).test(id)),
  },
  {
    rule: "AHCP-GET-005",
    name: "path",
    says: "finds a message under the last part of a path",
    policy: finding((id, asked) => asked.split("/").at(-1) === id),
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
    name: "cancel",
    says: "lets a message be cancelled that was deleted",
    policy: replies("refusal", (reply, { entry, seeking }) =>
      reply.status === 410 && seeking === "mayCancel"
        ? { status: 200, body: { id: entry?.id ?? "", status: "cancelled" } }
        : reply,
    ),
  },
  {
    rule: "AHCP-GET-006",
    name: "restart",
    says: "keeps deletions in memory alone",
    policy: { records: (happening) => (happening.event === "deleted" ? undefined : happening) },
  },
  {
    rule: "AHCP-GET-006",
    name: "ended",
    says: "still shows the status of what had ended when it was deleted",
    policy: replies("refusal", (reply, { entry }) =>
      reply.status === 410 && entry !== undefined && entry.status !== "open"
        ? { status: 200, body: { id: entry.id, status: entry.status } }
        : undefined,
    ),
  },
  {
    rule: "AHCP-GET-006",
    says: "does not remember that a message was deleted",
    policy: replies("refusal", (reply) =>
      reply.status === 410 ? fault("not_found", "there is no such message") : reply,
    ),
  },
  {
    rule: "AHCP-GET-010",
    says: "keeps messages for half the days that it publishes",
    policy: { retention: (published) => published / 2 },
  },
  {
    rule: "AHCP-GET-010",
    name: "last",
    says: "keeps the last twenty notifies",
    policy: replies("read", (_, { entry, hub }) => {
      const told = [...hub.store.entries.values()].filter(({ status }) => status === "delivered");
      const isOld = entry?.status === "delivered" && !told.slice(-20).includes(entry);
      return isOld ? fault("not_found", "there is no such message") : undefined;
    }),
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
  {
    rule: "AHCP-GET-012",
    name: "sensitive",
    says: "pushes the answer to a sensitive ask without its comment",
    policy: {
      pushed: (envelope, { entry }) =>
        entry.message.sensitive === true
          ? { ...envelope, response: without(inner(envelope, "response"), "comment") }
          : envelope,
    },
  },
  {
    rule: "AHCP-GET-012",
    name: "default",
    says: "pushes an expired message without its default",
    policy: expiring((envelope) => ({ ...envelope, response: without(inner(envelope, "response"), "value") })),
  },
  {
    rule: "AHCP-GET-012",
    name: "defaulted",
    says: "does not say in a push that the default was applied",
    policy: expiring((envelope) => without(envelope, "defaulted")),
  },
  {
    rule: "AHCP-GET-012",
    name: "comment",
    says: "pushes no comment",
    policy: { pushed: (envelope) => ({ ...envelope, response: without(inner(envelope, "response"), "comment") }) },
  },
  {
    rule: "AHCP-GET-012",
    name: "time",
    says: "pushes the time of the push for that of an expiry",
    policy: expiring((envelope) => ({
      ...envelope,
      response: { ...inner(envelope, "response"), resolved_at: timestamp(Date.now()) },
    })),
  },
  {
    rule: "AHCP-GET-012",
    says: "pushes another time of resolution than it shows",
    policy: {
      pushed: within((response) => ({
        ...response,
        resolved_at: String(response.resolved_at).replace(/\.\d+/, ""),
      })),
    },
  },
];
