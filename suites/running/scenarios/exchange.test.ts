import { expect, it } from "vitest";
import type { HttpReply, Reaction } from "../../../schemas/index.ts";
import { createRedactor } from "../../base/http/redact.ts";
import { createHider } from "../../base/secrets/index.ts";
import { describeBreakdown, exchangeOf } from "./exchange.ts";

it("shows how the suite answered a callback, and that it was the receiver", () => {
  const of = (reaction: Reaction): unknown => {
    const arrival = { method: "POST", target: "/cb", headers: {}, body: Buffer.from("{}"), at: 1, reaction };
    const { response, incoming } = exchangeOf(
      arrival,
      "http://127.0.0.1:1/cb",
      createRedactor({}, createHider([])),
      undefined,
    );
    return [response?.status, incoming];
  };
  expect(of(429)).toEqual([429, true]);
  expect(of({ status: 503, headers: { "retry-after": "1" } })).toEqual([503, true]);
  expect(of("reset")).toEqual([undefined, true]);
});

it("mentions a possibly unread body if a server reads a body as a request", () => {
  const of = (status: number): string => describeBreakdown({ status, text: "no" } as HttpReply);
  expect(of(500)).toBe("the server failed: HTTP 500: no");
  expect(of(501)).toContain("HTTP 501: no; perhaps it read on in the body of a request that it had refused");
});
