import { expect, it } from "vitest";
import type { HttpReply, Reaction } from "../../../schemas/index.ts";
import { createRedactor } from "../../base/http/redact.ts";
import { createHider } from "../../base/secrets/index.ts";
import { describeBreakdown, exchangeOf } from "./exchange.ts";

it("shows the suite's answer to a callback, and marks the request as incoming", () => {
  const shownAnswer = (reaction: Reaction): unknown => {
    const arrival = { method: "POST", target: "/cb", headers: {}, body: Buffer.from("{}"), at: 1, reaction };
    const { response, incoming } = exchangeOf(
      arrival,
      "http://127.0.0.1:1/cb",
      createRedactor({}, createHider([])),
      undefined,
    );
    return [response?.status, incoming];
  };
  expect(shownAnswer(429)).toEqual([429, true]);
  expect(shownAnswer({ status: 503, headers: { "retry-after": "1" } })).toEqual([503, true]);
  expect(shownAnswer("reset")).toEqual([undefined, true]);
});

it("hints at an unread body only if the server answers 501", () => {
  const describeStatus = (status: number): string => describeBreakdown({ status, text: "no" } as HttpReply);
  expect(describeStatus(500)).toBe("the server failed: HTTP 500: no");
  expect(describeStatus(501)).toContain(
    "HTTP 501: no; perhaps it read on in the body of a request that it had refused",
  );
});
