import { expect, it } from "vitest";
import type { Endpoint } from "../../../schemas/index.ts";
import { readRedirect } from "./redirects.ts";

const described = { answers: [], rule: "A-ANSWER-001", credentials: [] };
const endpoint: Endpoint = { method: "GET", path: "/authorize", accepted: [200, 302], described };

function observeRedirect(status: number, location: string, route: Endpoint = endpoint): unknown {
  const response = { status, headers: { location }, body: "" };
  const observation = readRedirect({ route, response, http: { accepted: [], rejected: [] } } as never);
  return observation?.verdict ?? observation?.kind;
}

it("reads a documented redirect as a refusal if it names an error, and never as a violation", () => {
  expect(observeRedirect(302, "https://app.example.com/cb?code=a")).toBe("remembered");
  expect(observeRedirect(302, "/login")).toBe("remembered");
  expect(observeRedirect(302, "https://app.example.com/cb?error=invalid_scope")).toBe("rejected");
  expect(observeRedirect(302, "/cb#error=invalid_scope&state=1")).toBe("rejected");
  expect(observeRedirect(302, "http://[")).toBe("remembered");
});

it("does not affect any other answer", () => {
  expect(observeRedirect(200, "/a")).toBeUndefined();
  expect(observeRedirect(301, "/a")).toBeUndefined();
  expect(observeRedirect(302, "/a", { method: "GET", path: "/", accepted: [302] })).toBeUndefined();
});
