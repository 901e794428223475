import { isObject, type Json } from "../../../../../../schemas/index.ts";
import { blockOf } from "../lifecycle.ts";
import { right } from "../policy.ts";
import { instant } from "../time.ts";
import { bodies, type HubVariant, inner, replies, without } from "./variant.ts";

const week = 7 * 86_400_000;

/** What goes wrong for some messages, or in some members, only. */
export const detailVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-GET-002",
    name: "id",
    says: "shows the id of a task without what stands before it",
    policy: bodies("read", (body) => (body.type === "task" ? { ...body, id: String(body.id).slice(4) } : body)),
  },
  {
    rule: "AHCP-GET-003",
    name: "label-case",
    says: "shows the names of labels in lower case",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        const agent = inner(shown, "agent");
        const labels = Object.entries(inner(agent, "labels")).map(([name, value]) => [name.toLowerCase(), value]);
        return {
          ...shown,
          agent: agent.labels === undefined ? agent : { ...agent, labels: Object.fromEntries(labels) },
        };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "label-dash",
    says: "shows the names of labels with underscores for dashes",
    policy: {
      echo(message, entry) {
        const { agent, ...shown } = right.echo(message, entry);
        const names = (_: string, value: Json): Json =>
          isObject(value)
            ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name.replaceAll("-", "_"), each]))
            : value;
        return { ...shown, agent: JSON.parse(JSON.stringify(agent), names) as Json };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "tag-case",
    says: "shows tags in lower case",
    policy: listed("tags", (tags) => tags.map((tag) => String(tag).toLowerCase())),
  },
  {
    rule: "AHCP-GET-003",
    name: "equal-parts",
    says: "shows Parts that are equal once",
    policy: listed("context", (parts) => [...new Set(parts.map((part) => JSON.stringify(part)))].map(parsed)),
  },
  {
    rule: "AHCP-GET-003",
    name: "long-body",
    says: "shows 4096 characters of a body",
    policy: {
      echo(message, entry) {
        const { body, ...shown } = right.echo(message, entry);
        return { ...shown, ...(typeof body === "string" ? { body: body.slice(0, 4096) } : {}) };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "callback-url",
    says: "shows the URL of a callback tidied",
    policy: {
      echo(message, entry) {
        const { request, ...shown } = right.echo(message, entry);
        if (!isObject(request) || !isObject(request.callback) || request.callback.url === undefined)
          return right.echo(message, entry);
        const callback = { ...request.callback, url: new URL(String(request.callback.url)).href };
        return { ...shown, request: { ...request, callback } };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "ended",
    says: "does not show the body and the parts of what has ended",
    policy: bodies("read", (body) => (body.response === undefined ? body : without(body, "body", "context"))),
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
    rule: "AHCP-GET-009",
    name: "empty",
    says: "answers with an empty object where nothing has changed",
    policy: replies("read", (reply) => (reply.status === 304 ? { status: 200, body: {} } : reply)),
  },
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
    rule: "AHCP-EXP-002",
    name: "never",
    says: "never lets a deadline pass that is written with an offset",
    policy: {
      deadline: (message, acceptedAt) =>
        /z$/i.test(String(message.expires_at)) ? right.deadline(message, acceptedAt) : undefined,
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
    rule: "AHCP-EXP-005",
    name: "callback",
    says: "does not apply the default of an ask with a callback",
    policy: {
      fallback: (message) => (isObject(blockOf(message).callback) ? undefined : right.fallback(message)),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "submitter",
    says: "lets the submitter resolve a task, whoever is listed",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || (entry.message.type === "task" && actor === `agent:${entry.agent}`),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "agents",
    says: "lets any agent resolve what lists one",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) ||
        (actor.startsWith("agent:") && /"agent:/.test(JSON.stringify(blockOf(entry.message).allowed_resolvers ?? []))),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "first",
    says: "lets only the first who is listed resolve",
    policy: {
      mayResolve(actor, entry) {
        const { allowed_resolvers: listed } = blockOf(entry.message);
        return right.mayResolve(actor, entry) && (!Array.isArray(listed) || listed[0] === actor);
      },
    },
  },
  {
    rule: "AHCP-ASK-008",
    name: "label",
    says: "takes a label for the option in a confirm",
    policy: {
      checksAnswer: ({ mode, options }, { value }) =>
        mode !== "confirm" ||
        !Array.isArray(options) ||
        !options.some((each) => isObject(each) && each.label === value),
    },
  },
  {
    rule: "AHCP-ASK-009",
    name: "bounds",
    says: "does not look at the bounds of a number in a form",
    policy: filled("minimum", ({ count }) => Number.isInteger(count)),
  },
  {
    rule: "AHCP-ASK-009",
    name: "pattern",
    says: "does not look at the pattern of a text in a form",
    policy: filled("pattern", ({ note }) => String(note).length > 2),
  },
  {
    rule: "AHCP-ASK-009",
    name: "integer",
    says: "takes any number for an integer in a form",
    policy: filled("integer", ({ count }) => typeof count === "number" && !Number.isInteger(count)),
  },
  {
    rule: "AHCP-ASK-017",
    name: "open",
    says: "says that an ask was ignored, and shows it as open",
    policy: {
      endings: (type) => [...right.endings(type), ...(type === "ask" ? ["ignored"] : [])],
      ...bodies("read", (body) =>
        body.status === "ignored" ? { ...without(body, "response"), status: "open" } : body,
      ),
    },
  },
  {
    rule: "AHCP-RSP-013",
    name: "long",
    says: "cuts the texts of a state at 1000 characters",
    policy: {
      envelope(envelope) {
        const cut = (text: Json): Json => (typeof text === "string" ? text.slice(0, 1000) : text);
        const state = Object.entries(inner(envelope, "state")).map(([name, value]) => [name, cut(value)] as const);
        return envelope.state === undefined ? envelope : { ...envelope, state: Object.fromEntries(state) };
      },
    },
  },
  {
    rule: "AHCP-RSP-013",
    name: "large",
    says: "drops a state of more than 4 KiB",
    policy: {
      envelope: (envelope) =>
        JSON.stringify(envelope.state ?? null).length > 4096 ? without(envelope, "state") : envelope,
    },
  },
  {
    rule: "AHCP-DLV-001",
    name: "decoded",
    says: "undoes the percent-encoding of slashes in the callback's URL",
    policy: { target: (url) => right.target(url).replace(/%2f/gi, "/") },
  },
  {
    rule: "AHCP-DLV-011",
    name: "again",
    says: "sends the token with the first attempt alone",
    policy: {
      headers: (headers, { attempt }) =>
        attempt.number === 1 ? headers : (without(headers, "authorization", "x-api-key") as Record<string, string>),
    },
  },
  {
    rule: "AHCP-RSP-014",
    name: "client-ref",
    says: "names the client_ref of a message in its Response, where there is one",
    policy: {
      envelope: (envelope, { message, id }) => ({ ...envelope, in_reply_to: message.client_ref ?? id }),
    },
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
];

const parsed = (text: string): Json => JSON.parse(text) as Json;

/** Shows a list of a message after a change of it. */
function listed(name: string, change: (list: readonly Json[]) => Json[]): HubVariant["policy"] {
  return {
    echo(message, entry) {
      const shown = right.echo(message, entry);
      const list = shown[name];
      return { ...shown, ...(Array.isArray(list) ? { [name]: change(list) } : {}) };
    },
  };
}

/** Takes these answers to a form that has this word. */
function filled(word: string, takes: (value: Record<string, Json>) => boolean): HubVariant["policy"] {
  return {
    checksAnswer: ({ schema = null }, { value }) =>
      !JSON.stringify(schema).includes(`"${word}"`) || !isObject(value) || !takes(value as Record<string, Json>),
  };
}
