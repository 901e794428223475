import type { Cases, InvalidCase, Json, JsonObject, ValidCase } from "../../../../schemas/index.ts";

function refusal(endpoint: string, status: number, code: string, members: JsonObject = {}): JsonObject {
  return { endpoint, status, body: { error: { code, message: "We cannot do that.", ...members } } };
}

function valid(endpoint: string, status: number, code: string): ValidCase {
  return {
    name: `${status}-${code.replaceAll("_", "-")}`,
    says: `has the code that goes with ${status}`,
    at: "/body/error/code",
    data: refusal(endpoint, status, code),
  };
}

function body(name: string, says: string, path: string, value: Json): InvalidCase {
  return { name, says, change: [{ op: "replace", path, value }] };
}

function pair(name: string, says: string, from: string, status: number): InvalidCase {
  return { name, says, from, change: [{ op: "replace", path: "/status", value: status }] };
}

const message = "The path is unknown.";

export const errorCases: Cases[] = [
  {
    rule: "AHCP-ERR-001",
    document: "error",
    valid: [
      { name: "not-found", says: "has a code and a message", at: "/body", data: refusal("read", 404, "not_found") },
      {
        name: "further-members",
        says: "has more than a code and a message",
        at: "/body",
        data: {
          endpoint: "submit",
          status: 422,
          body: { error: { code: "invalid_field", message: "x", field: "/expires_at", details: {} }, trace: "t-1" },
        },
      },
      {
        name: "cancel-outcome",
        says: "names the outcome in a form of its own, as the refusal of a cancel may",
        at: "/body",
        edge: true,
        data: {
          endpoint: "cancel",
          status: 409,
          body: { id: "msg_7f2a", status: "answered", resolution: "answered" },
        },
      },
      {
        name: "elsewhere",
        says: "has the form on another path too",
        at: "/body",
        data: refusal("other", 405, "no_method"),
      },
    ],
    invalid: [
      body("text-for-error", "has a text where an object belongs", "/body/error", "not_found"),
      body("list", "is a list", "/body", [{ error: { code: "not_found", message } }]),
      body("flat", "has code and message without error around them", "/body", { code: "not_found", message }),
      body("null", "is null", "/body", null),
      { name: "no-body", says: "has no JSON body", at: "", change: [{ op: "remove", path: "/body" }] },
      {
        name: "no-code",
        says: "has no code",
        at: "/body/error",
        change: [{ op: "remove", path: "/body/error/code" }],
      },
      {
        name: "no-message",
        says: "has no message",
        at: "/body/error",
        change: [{ op: "remove", path: "/body/error/message" }],
      },
      body("number-for-code", "is a number", "/body/error/code", 404),
      body("empty-code", "is empty", "/body/error/code", ""),
      body("empty-message", "is empty", "/body/error/message", ""),
      body("list-of-messages", "is a list", "/body/error/message", [message]),
      {
        name: "conflict-on-submit",
        from: "cancel-outcome",
        says: "is a submit's, which has no form of its own",
        change: [{ op: "replace", path: "/endpoint", value: "submit" }],
      },
      {
        name: "gone-on-cancel",
        from: "cancel-outcome",
        says: "is 410, for which a cancel has no form of its own",
        change: [{ op: "replace", path: "/status", value: 410 }],
      },
      {
        name: "gateway-page",
        from: "elsewhere",
        says: "is no object, on another path",
        change: [{ op: "replace", path: "/body", value: "Method Not Allowed" }],
        level: "SHOULD",
      },
      {
        name: "other-status",
        says: "lacks the message, under a status that is not listed",
        at: "/body/error",
        change: [
          { op: "replace", path: "/status", value: 503 },
          { op: "replace", path: "/body/error", value: { code: "busy" } },
        ],
        level: "SHOULD",
      },
      {
        name: "code-in-capitals",
        from: "elsewhere",
        says: "is written in capitals",
        change: [{ op: "replace", path: "/body/error/code", value: "NO_METHOD" }],
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AHCP-ERR-002",
    document: "error",
    valid: [
      valid("submit", 400, "validation_error"),
      valid("submit", 400, "version_not_supported"),
      valid("read", 401, "unauthenticated"),
      valid("submit", 403, "agent_id_mismatch"),
      valid("other", 403, "not_authorized"),
      valid("cancel", 404, "not_found"),
      valid("submit", 409, "idempotency_conflict"),
      { ...valid("cancel", 409, "already_terminal"), edge: true },
      valid("read", 410, "gone"),
      valid("submit", 422, "invalid_field"),
      valid("submit", 429, "rate_limited"),
      {
        name: "code-of-its-own",
        says: "is a code of the hub's own, under a status that is not listed",
        at: "/body/error/code",
        edge: true,
        data: refusal("submit", 503, "maintenance"),
      },
    ],
    invalid: [
      pair("invalid-field-as-400", "is 400, for a field that cannot be taken", "422-invalid-field", 400),
      pair("validation-error-as-422", "is 422, for a malformed message", "400-validation-error", 422),
      pair("version-as-422", "is 422, for an unknown version", "400-version-not-supported", 422),
      pair("unauthenticated-as-403", "is 403, for a missing credential", "401-unauthenticated", 403),
      pair("unauthenticated-as-404", "is 404, for a missing credential", "401-unauthenticated", 404),
      pair("mismatch-as-401", "is 401, for another agent's id", "403-agent-id-mismatch", 401),
      {
        ...pair("not-authorized-as-401", "is 401, for a resolver who may not", "403-not-authorized", 401),
        level: "SHOULD",
      },
      pair("not-found-as-403", "is 403, for an unknown id", "404-not-found", 403),
      pair("conflict-as-422", "is 422, for a key that was used", "409-idempotency-conflict", 422),
      pair("terminal-as-410", "is 410, for a message that has ended", "409-already-terminal", 410),
      pair("gone-as-404", "is 404, for a deleted message", "410-gone", 404),
      pair("limited-as-503", "is 503, for too many requests", "429-rate-limited", 503),
      { ...pair("large-as-413", "is 413, for what is too large", "422-invalid-field", 413), level: "SHOULD" },
      { ...pair("media-as-415", "is 415, for a type that is not read", "400-validation-error", 415), level: "SHOULD" },
      {
        ...pair("elsewhere", "is 404, on a path of the hub's own", "403-not-authorized", 404),
        level: "SHOULD",
      },
      {
        name: "unlisted-code",
        from: "422-invalid-field",
        says: "is a code that is not listed",
        change: [{ op: "replace", path: "/body/error/code", value: "invalid_expiry" }],
        level: "SHOULD",
      },
      {
        name: "code-run-together",
        from: "404-not-found",
        says: "is a code that is not listed, close to one that is",
        change: [{ op: "replace", path: "/body/error/code", value: "notfound" }],
        level: "SHOULD",
      },
    ],
  },
];
