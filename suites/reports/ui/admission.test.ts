import { describe, expect, it } from "vitest";
import { admitRequest } from "./admission.ts";

const token = "0123456789abcdef";
const ask = (headers: Record<string, string>, method = "GET", path = `/${token}/events`): string | number =>
  admitRequest({ method, path, headers }, token, 8080);
const own = { host: "127.0.0.1:8080" };

describe("admission", () => {
  it("is granted to our own page, by the path after the token", () => {
    expect(ask(own)).toBe("events");
    expect(ask({ host: "localhost:8080" }, "GET", `/${token}/`)).toBe("");
    expect(ask({ ...own, origin: "http://127.0.0.1:8080", "sec-fetch-site": "same-origin" }, "POST")).toBe("events");
  });

  it.each([
    ["a name that was made to resolve here", { host: "evil.example:8080" }, 421],
    ["another port", { host: "127.0.0.1:8081" }, 421],
    ["no host", {}, 421],
    ["a page of another origin", { ...own, origin: "https://evil.example" }, 403],
    ["a page from disk", { ...own, origin: "null" }, 403],
    ["the other of our two names", { ...own, origin: "http://localhost:8080" }, 403],
    ["a link or an image on another page", { ...own, "sec-fetch-site": "cross-site" }, 403],
    ["a server of ours at another port", { ...own, "sec-fetch-site": "same-site" }, 403],
  ] as [string, Record<string, string>, number][])("is not %s", (_, headers, status) => {
    expect(ask(headers)).toBe(status);
    expect(ask(headers, "POST")).toBe(status);
  });

  it("is granted to no request without the token, and to no change without an origin", () => {
    for (const path of ["/", "", `/${token}`, `/${token.slice(1)}/events`, `/x${token}/`, `/${token.toUpperCase()}/`])
      expect(ask(own, "GET", path)).toBe(404);
    expect(ask(own, "POST")).toBe(403);
  });
});
