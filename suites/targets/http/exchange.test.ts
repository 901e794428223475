import { expect, it } from "vitest";
import { createRedactor } from "../../base/http/redact.ts";
import { createHider } from "../../base/secrets/index.ts";
import { exchangeOf } from "./exchange.ts";

const hide = createRedactor({ "X-Key": "s3cret-s3cret" }, createHider(["s3cret-s3cret"]));
const response = { status: 200, headers: {}, body: "" };

function requestFor(path: string, search = "", headers: Record<string, string> = {}): unknown {
  return exchangeOf({ origin: "http://a", search }, { method: "GET", path, headers, body: null }, response, hide)
    .request;
}

it("a request is kept as it was sent, with its query, its own headers and no body", () => {
  expect(requestFor("/v1/quote?weight=1&tag=a&tag=b", "", { "x-request-id": "1", "x-key": "s3cret-s3cret" })).toEqual({
    method: "GET",
    url: "http://a/v1/quote?weight=1&tag=a&tag=b",
    headers: { "x-request-id": "1", "x-key": "[redacted]" },
    body: "",
  });
});

it("only the names of the query in the server's address are kept, and no secrets of other queries", () => {
  expect(requestFor("/quote?k=ab&only&weight=1", "?k=ab&only")).toMatchObject({
    url: "http://a/quote?k=[redacted]&[redacted]&weight=1",
  });
  expect(requestFor("/quote?text=s3cret-s3cret")).toMatchObject({ url: "http://a/quote?text=[redacted]" });
});
