import { expect, it } from "vitest";
import { createHider, secretsIn } from "../secrets/index.ts";
import { createRedactor } from "./redact.ts";

const headers = { Authorization: "Bearer abcdef123456", "X-Tenant": "blue", "X-Custom": "opaque-value" };
const hide = createRedactor(headers, createHider(secretsIn({ headers })));

it("hides headers whose names mark them as secret, and all configured values", () => {
  expect(
    hide.headers({
      authorization: "Bearer abcdef123456",
      "x-tenant": "blue",
      "X-CUSTOM": "opaque-value",
      cookie: "a=b",
      "set-cookie": ["a=b", "c=d"],
      "x-api-key": "k",
      "content-type": "application/json",
      missing: undefined,
      via: ["a", "b"],
    }),
  ).toEqual({
    authorization: "[redacted]",
    "x-tenant": "[redacted]",
    "X-CUSTOM": "[redacted]",
    cookie: "[redacted]",
    "set-cookie": "[redacted]",
    "x-api-key": "[redacted]",
    "content-type": "application/json",
    via: "a, b",
  });
});

it("hides configured values that a server repeats, unless they are short words", () => {
  expect(hide.text('{"saw":"Bearer abcdef123456","token":"abcdef123456","colour":"blue"}')).toBe(
    '{"saw":"[redacted]","token":"[redacted]","colour":"blue"}',
  );
  expect(hide.headers({ "x-echo": "opaque-value!", "opaque-value": "1" })).toEqual({
    "x-echo": "[redacted]!",
    "[redacted]": "1",
  });
});
