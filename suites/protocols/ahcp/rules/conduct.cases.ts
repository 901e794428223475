import type { Cases, InvalidCase, Json, JsonObject, ValidCase } from "../../../../schemas/index.ts";

const capability: JsonObject = {
  ahcp_version: "0.3",
  max_body_bytes: 4096,
  max_part_bytes: 1000,
  max_context_parts: 2,
  auth_schemes: ["bearer"],
  signature_algs: ["hmac-sha256"],
  rate_limit: { requests_per_minute: 60, inbox_depth: 5 },
  replay_window_seconds: 120,
};

const at = "/refused/0/amount";

function refused(limit: string, amount: number, members: JsonObject = {}): JsonObject {
  return { capability, refused: [{ limit, amount, ...members }] };
}

/** The amount becomes one that is still allowed. */
function within(name: string, from: string, amount: number): InvalidCase {
  return { name, from, says: "is exactly what is published", change: [{ op: "replace", path: at, value: amount }] };
}

function change(name: string, says: string, path: string, value: Json, from?: string): InvalidCase {
  return { name, says, change: [{ op: "replace", path, value }], ...(from === undefined ? {} : { from }) };
}

function unpublished(name: string, from: string, path: string): InvalidCase {
  return {
    name,
    from,
    says: "limits what it does not publish",
    at: "/capability",
    change: [{ op: "remove", path }],
    level: "SHOULD",
  };
}

const byOne = (name: string, limit: string, amount: number, members: JsonObject = {}): ValidCase => ({
  name,
  says: "is one more than published",
  at,
  edge: true,
  data: refused(limit, amount, members),
});

export const conductCases: Cases[] = [
  {
    rule: "AHCP-LIM-005",
    document: "conduct",
    valid: [
      byOne("body", "body", 4097, { request: 4400 }),
      {
        name: "whole-request",
        says: "is small, but the whole request is one byte more than published",
        at,
        edge: true,
        data: refused("body", 4000, { request: 4097 }),
      },
      byOne("part", "part", 1001),
      byOne("parts", "parts", 3),
      byOne("rate", "rate", 61),
      byOne("inbox", "inbox", 6),
      { name: "nothing-refused", says: "refuses nothing", data: { capability } },
      {
        name: "zero-parts",
        says: "is one Part where none is allowed",
        at,
        edge: true,
        data: { ...refused("parts", 1), capability: { ...capability, max_context_parts: 0 } },
      },
    ],
    invalid: [
      {
        name: "body-within",
        from: "body",
        says: "is exactly what is published, by both readings",
        change: [
          { op: "replace", path: at, value: 3900 },
          { op: "replace", path: "/refused/0/request", value: 4096 },
        ],
      },
      within("part-within", "part", 1000),
      within("parts-within", "parts", 2),
      within("inbox-within", "inbox", 5),
      { ...within("rate-within", "rate", 60), level: "SHOULD" },
      {
        name: "second-refusal",
        from: "part",
        says: "is less than published, in the second of two refusals",
        at: "/refused/1/amount",
        change: [{ op: "add", path: "/refused/-", value: { limit: "parts", amount: 1 } }],
      },
      unpublished("unpublished-body", "body", "/capability/max_body_bytes"),
      unpublished("unpublished-part", "part", "/capability/max_part_bytes"),
      unpublished("unpublished-rate", "rate", "/capability/rate_limit"),
      unpublished("unpublished-inbox", "inbox", "/capability/rate_limit/inbox_depth"),
    ],
  },
  {
    rule: "AHCP-CAP-004",
    document: "conduct",
    valid: [
      {
        name: "as-published",
        says: "signs and lets in as published",
        data: { capability, signed_with: ["hmac-sha256"], let_in: ["bearer", "bearer"] },
      },
      {
        name: "unpublished",
        says: "does not publish how it signs and whom it lets in",
        edge: true,
        data: { capability: { ahcp_version: "0.3" }, signed_with: ["ed25519"], let_in: ["apikey"] },
      },
      {
        name: "more-published",
        says: "publishes more than was seen",
        data: {
          capability: { ...capability, signature_algs: ["ed25519", "hmac-sha256"] },
          signed_with: ["hmac-sha256"],
        },
      },
    ],
    invalid: [
      change("other-algorithm", "is an algorithm that is not published", "/signed_with/0", "ed25519"),
      {
        name: "second-algorithm",
        says: "is not published, beside one that is",
        at: "/signed_with/1",
        change: [{ op: "add", path: "/signed_with/-", value: "ed25519" }],
      },
      change("only-ed25519", "publishes another algorithm than it uses", "/capability/signature_algs", ["ed25519"]),
      change("none-published", "publishes that it knows none", "/capability/signature_algs", []),
      change("other-scheme", "is a scheme that is not published", "/let_in/1", "apikey"),
    ],
  },
  {
    rule: "AHCP-CAP-004",
    document: "capability",
    valid: [
      { name: "complete", says: "publishes a window of 120 seconds", at: "/replay_window_seconds", data: capability },
      { name: "bare", says: "publishes no window", edge: true, data: { ahcp_version: "0.3" } },
    ],
    invalid: [
      change("longer-window", "is 300 seconds", "/replay_window_seconds", 300),
      change("shorter-window", "is a second less than 120", "/replay_window_seconds", 119),
      change("window-in-milliseconds", "is 120 in milliseconds", "/replay_window_seconds", 120_000),
    ],
  },
];
