import { fault } from "../reply.ts";
import { megabyte } from "./change.ts";
import { bodies, type HubVariant, inner, replies } from "./variant.ts";

function isNoObject({ status, body }: { status: number; body?: unknown }): boolean {
  return status === 400 && /"message":"the document (?:body:|must be object)/.test(JSON.stringify(body));
}

/** Hubs that break a rule on errors. */
export const errorVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-ERR-001",
    says: "answers an error without its envelope",
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
    name: "media-type",
    says: "breaks down over a body of another media type",
    policy: replies("refusal", (reply) => (reply.status === 415 ? { ...reply, status: 500 } : reply)),
  },
  {
    rule: "AHCP-ERR-003",
    name: "megabyte",
    says: "breaks down over a message of more than a megabyte",
    policy: {
      objects: (message) =>
        JSON.stringify(message).length > megabyte
          ? { status: 500, body: { error: { code: "internal", message: "request body too large" } } }
          : undefined,
    },
  },
  {
    rule: "AHCP-ERR-003",
    says: "breaks down over a body that is not an object",
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
];
