import { describe, expect, it } from "vitest";
import { admitRequest } from "./admission.ts";

const token = "0123456789abcdef";
const admit = (headers: Record<string, string>, method = "GET", path = `/${token}/events`): string | number =>
  admitRequest({ method, path, headers }, token, 8080);
const ownHost = { host: "127.0.0.1:8080" };

describe("admission", () => {
  it("returns the path after the token for a request of the page", () => {
    expect(admit(ownHost)).toBe("events");
    expect(admit({ host: "localhost:8080" }, "GET", `/${token}/`)).toBe("");
    expect(admit({ ...ownHost, origin: "http://127.0.0.1:8080", "sec-fetch-site": "same-origin" }, "POST")).toBe(
      "events",
    );
  });

  it.each([
    ["a foreign name that resolves to this machine", { host: "evil.example:8080" }, 421],
    ["another port", { host: "127.0.0.1:8081" }, 421],
    ["no host", {}, 421],
    ["a page of another origin", { ...ownHost, origin: "https://evil.example" }, 403],
    ["a page from disk", { ...ownHost, origin: "null" }, 403],
    ["a page under the other local name", { ...ownHost, origin: "http://localhost:8080" }, 403],
    ["a link or an image on another page", { ...ownHost, "sec-fetch-site": "cross-site" }, 403],
    ["a page at another local port", { ...ownHost, "sec-fetch-site": "same-site" }, 403],
  ] as [string, Record<string, string>, number][])("is refused to %s", (_, headers, status) => {
    expect(admit(headers)).toBe(status);
    expect(admit(headers, "POST")).toBe(status);
  });

  it("is refused without the token, and to a POST without an origin", () => {
    for (const path of ["/", "", `/${token}`, `/${token.slice(1)}/events`, `/x${token}/`, `/${token.toUpperCase()}/`])
      expect(admit(ownHost, "GET", path)).toBe(404);
    expect(admit(ownHost, "POST")).toBe(403);
  });
});
