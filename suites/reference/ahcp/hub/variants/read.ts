import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import type { Entry } from "../store.ts";
import { timestamp } from "../time.ts";
import { bodies, type HubVariant, inner, replies, without } from "./variant.ts";

/** Entries that somebody tried to cancel whose they are not. */
const tried = new WeakSet<Entry>();

/** Who may read and how, and what a read shows. */
export const readVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-GET-001",
    says: "shows as null what is not there",
    policy: bodies("read", (body) => ({ ...body, client_ref: body.client_ref ?? null })),
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
    rule: "AHCP-GET-004",
    says: "dates an outcome at the time of the read",
    policy: bodies("read", (body, { hub }) => {
      if (body.response === undefined) return body;
      const envelope = inner(body, "response");
      const response = { ...inner(envelope, "response"), resolved_at: timestamp(hub.clock.now()) };
      return { ...body, response: { ...envelope, response } };
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
    rule: "AHCP-GET-008",
    says: "calls a wait without an outcome a timeout",
    policy: replies("read", (reply, { entry, waited }) =>
      waited === true && entry?.status === "open" ? { ...fault("gone", "nothing came"), status: 408 } : reply,
    ),
  },
  {
    rule: "AHCP-GET-009",
    says: "refuses a read that asks for changes and finds none",
    policy: replies("read", (reply) => (reply.status === 304 ? fault("validation_error", "nothing changed") : reply)),
  },
  {
    rule: "AHCP-GET-011",
    says: "does not show a notify again",
    policy: replies("read", (reply, { entry }) =>
      entry?.message.type === "notify" ? fault("not_found", "there is no such message") : reply,
    ),
  },
  { rule: "AHCP-AUT-001", says: "lets anyone in", policy: { knows: () => true } },
  { rule: "AHCP-AUT-002", says: "takes a message that names another agent", policy: { speaksFor: () => true } },
  { rule: "AHCP-AUT-003", says: "lets any agent read", policy: { maySee: () => true } },
  {
    rule: "AHCP-AUT-004",
    says: "tells a stranger that a message is there",
    policy: replies("refusal", (reply, { isStranger, seeking }) =>
      isStranger === true && seeking === "maySee" ? fault("not_authorized", "the message is another agent's") : reply,
    ),
  },
  {
    rule: "AHCP-AUT-005",
    says: "lets an agent read what another submitted in a run of the same name",
    policy: {
      maySee: (principal, entry, { store }) =>
        principal === entry.agent ||
        [...store.entries.values()].some(
          ({ agent, message }) =>
            agent === principal && inner(message, "agent").run_id === inner(entry.message, "agent").run_id,
        ),
    },
  },
  {
    rule: "AHCP-AUT-007",
    says: "no longer lets an ask be cancelled once a stranger has tried",
    policy: {
      mayCancel(principal, entry) {
        if (principal !== entry.agent) tried.add(entry);
        return principal === entry.agent;
      },
      canCancel: (entry) => right.canCancel(entry) && !tried.has(entry),
    },
  },
  {
    rule: "AHCP-AUT-009",
    says: "calls its JSON plain text",
    policy: { reply: (reply) => ({ ...reply, headers: { ...reply.headers, "content-type": "text/plain" } }) },
  },
  {
    rule: "AHCP-ERR-001",
    says: "says what is wrong without an envelope",
    policy: bodies("refusal", (body) => ({ error: inner(body, "error").code ?? "" })),
  },
  {
    rule: "AHCP-ERR-002",
    says: "gives 422 a code that belongs to 400",
    policy: replies("refusal", (reply) =>
      reply.status === 422 ? { ...fault("validation_error", "is not acceptable"), status: 422 } : reply,
    ),
  },
  {
    rule: "AHCP-ERR-003",
    says: "breaks down over a malformed message",
    policy: bodyless(400, 500),
  },
  {
    rule: "AHCP-ERR-004",
    says: "calls a well-formed message malformed whose values it does not take",
    policy: replies("refusal", (reply) =>
      reply.status === 422 ? fault("validation_error", "is not acceptable") : reply,
    ),
  },
  {
    rule: "AHCP-LIM-001",
    says: "does not say when to come again after too many submits",
    policy: { reply: (reply) => (isLimit(reply, "minute") ? { ...reply, headers: {} } : reply) },
  },
  {
    rule: "AHCP-LIM-002",
    says: "does not say when to come again when too much is open",
    policy: { reply: (reply) => (isLimit(reply, "open") ? { ...reply, headers: {} } : reply) },
  },
  {
    rule: "AHCP-LIM-003",
    says: "breaks down over a body that is too large",
    policy: replies("refusal", (reply) =>
      JSON.stringify(reply.body).includes("/body has more") ? { ...reply, status: 500 } : reply,
    ),
  },
  {
    rule: "AHCP-LIM-004",
    says: "refuses the last part that it allows",
    policy: {
      objects: ({ context }, { limits }) =>
        Array.isArray(context) && context.length >= limits.contextParts
          ? fault("invalid_field", "/context has too many parts")
          : undefined,
    },
  },
  {
    rule: "AHCP-LIM-005",
    says: "refuses bodies of half the size that it publishes",
    policy: {
      objects: ({ body }, { limits }) =>
        typeof body === "string" && Buffer.byteLength(body) > limits.bodyBytes / 2
          ? fault("invalid_field", "/body is too large")
          : undefined,
    },
  },
  {
    rule: "AHCP-CAP-001",
    says: "publishes nothing",
    policy: replies("capability", () => fault("not_found", "nothing is published")),
  },
  {
    rule: "AHCP-CAP-002",
    says: "publishes no version",
    policy: bodies("capability", (body) => without(body, "ahcp_version")),
  },
  {
    rule: "AHCP-CAP-003",
    says: "publishes its version and nothing else",
    policy: bodies("capability", ({ ahcp_version: version = "" }) => ({ ahcp_version: version })),
  },
  {
    rule: "AHCP-CAP-004",
    says: "does not publish a scheme that it lets in",
    policy: bodies("capability", (body) => ({ ...body, auth_schemes: [], replay_window_seconds: 600 })),
  },
  {
    rule: "AHCP-SIG-006",
    says: "does not publish an algorithm that it signs with",
    policy: bodies("capability", (body) => ({ ...body, signature_algs: [] })),
  },
];

function bodyless(from: number, to: number): HubVariant["policy"] {
  return replies("refusal", (reply) =>
    reply.status === from && inner((reply.body ?? {}) as never, "error").code === "validation_error"
      ? { ...reply, status: to }
      : reply,
  );
}

function isLimit({ status, body }: { status: number; body?: unknown }, word: string): boolean {
  return status === 429 && JSON.stringify(body).includes(word);
}
