import { fault } from "../reply.ts";
import { bodies, type HubVariant, inner, replies, without } from "./variant.ts";

/** How a hub refuses, where its limits are, and what it publishes of them. */
export const refusalVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-ERR-001",
    says: "says what is wrong without an envelope",
    policy: bodies("refusal", (body) => ({ error: inner(body, "error").code ?? "" })),
  },
  {
    rule: "AHCP-ERR-002",
    says: "gives the 422 about a form that is not satisfied a code that belongs to 400",
    policy: replies("refusal", (reply) =>
      reply.status === 422 && JSON.stringify(reply.body).includes("does not satisfy the form")
        ? { ...fault("validation_error", "is not acceptable"), status: 422 }
        : reply,
    ),
  },
  {
    rule: "AHCP-ERR-003",
    says: "breaks down over a body that is no object",
    policy: replies("refusal", (reply) => (isNoObject(reply) ? { ...reply, status: 500 } : reply)),
  },
  {
    rule: "AHCP-ERR-004",
    says: "calls a default malformed that it does not take",
    policy: replies("refusal", (reply) =>
      reply.status === 422 && JSON.stringify(reply.body).includes("/default_on_expire")
        ? fault("validation_error", "is not acceptable")
        : reply,
    ),
  },
  {
    rule: "AHCP-LIM-001",
    says: "does not say when to come again after too many submits",
    policy: { reply: (reply) => (isLimit(reply, "minute") ? { ...reply, headers: {} } : reply) },
  },
  {
    rule: "AHCP-LIM-001",
    name: "forbidden",
    says: "forbids too many submits with 403",
    policy: { reply: (reply) => (isLimit(reply, "minute") ? fault("not_authorized", "slow down") : reply) },
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
    rule: "AHCP-LIM-003",
    name: "characters",
    says: "counts the characters of a text",
    policy: { sizeOf: (text) => [...text].length },
  },
  {
    rule: "AHCP-LIM-004",
    says: "calls a message malformed that has too many parts",
    policy: replies("refusal", (reply) =>
      JSON.stringify(reply.body).includes("/context has more")
        ? fault("validation_error", "/context has too many parts")
        : reply,
    ),
  },
  {
    rule: "AHCP-LIM-005",
    name: "parts",
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
    rule: "AHCP-CAP-002",
    name: "text",
    says: "publishes a limit as a text",
    policy: bodies("capability", (body) => ({ ...body, max_part_bytes: String(body.max_part_bytes) })),
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
    rule: "AHCP-CAP-004",
    name: "apikey",
    says: "takes API keys and publishes bearer tokens only",
    policy: bodies("capability", (body) => ({ ...body, auth_schemes: ["bearer"] })),
  },
  {
    rule: "AHCP-SIG-006",
    says: "does not publish an algorithm that it signs with",
    policy: bodies("capability", (body) => ({ ...body, signature_algs: [] })),
  },
];

function isNoObject({ status, body }: { status: number; body?: unknown }): boolean {
  return status === 400 && /"message":"the document (?:body:|must be object)/.test(JSON.stringify(body));
}

function isLimit({ status, body }: { status: number; body?: unknown }, word: string): boolean {
  return status === 429 && JSON.stringify(body).includes(word);
}
