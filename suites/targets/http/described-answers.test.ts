import { describe, expect, it } from "vitest";
import type { Endpoint, Profile, Unanswered } from "../../../schemas/index.ts";
import { conditionsOf } from "./answer.ts";
import { coversStatus, unrelatedAnswer } from "./described-answers.ts";

const http: Profile["http"] = { accepted: [{ status: [200] }], rejected: [{ status: [400, 422] }] };

function endpoint(path: string, documented: string[] = [], members: Partial<Endpoint> = {}): Endpoint {
  const answers = documented.map((status) => ({ status, type: "application/json", document: "a" }));
  return {
    method: "POST",
    path,
    described: { answers, rule: "A-B-001", credentials: ['key: --header "X-Key: …"'] },
    ...members,
  };
}

function readAs(status: number, route: Endpoint, areGiven = false): Unanswered | undefined {
  const refuses = conditionsOf(route.rejected, http.rejected);
  const response = { status, headers: {}, body: "" };
  return unrelatedAnswer({ response, route, body: undefined, refuses, areGiven }) as Unanswered | undefined;
}

describe("an answer of a described interface", () => {
  it.each([
    [200, endpoint("/a")],
    [400, endpoint("/a", ["400"])],
    [422, endpoint("/a")],
    [405, endpoint("/a", ["405"], { rejected: [405] })],
    [500, endpoint("/a", ["default"])],
    [415, endpoint("/a")],
  ])("with status %i is judged like any other", (status, route) => expect(readAs(status, route)).toBeUndefined());

  it.each([
    [404, endpoint("/a/{id}")],
    [404, endpoint("/a", ["404"])],
    [404, endpoint("/a")],
    [409, endpoint("/a")],
    [418, endpoint("/a", ["4XX"])],
    [418, endpoint("/a", ["default"])],
  ])("with status %i says nothing about the document", (status, route) =>
    expect(readAs(status, route)).toMatchObject({ kind: expect.stringMatching(/^(declined|about-state)$/) }),
  );

  it("with 404 for a path without names is a failure unless a valid message is accepted, and a refusal if that is configured", () => {
    const unless = { kind: "unavailable", outcome: "errored", why: expect.stringContaining("nothing is there") };
    expect(readAs(404, endpoint("/a"))).toMatchObject({
      kind: "about-state",
      unless,
      why: expect.stringContaining("refusedWhen"),
    });
    expect(readAs(404, endpoint("/a", [], { rejected: [404] }))).toBeUndefined();
  });

  it("may be the server's refusal, unless a name in the path is looked up", () => {
    expect(readAs(409, endpoint("/a/{id}"))).toMatchObject({ kind: "about-state" });
    expect(readAs(404, endpoint("/a/{id}"))).toMatchObject({ kind: "declined" });
  });

  it("with status 409 suggests a way to vary a member in each request", () => {
    expect(readAs(409, endpoint("/a"))?.why).toMatch(/make a pack .* under fresh in its profile\.json/);
    expect(readAs(410, endpoint("/a"))?.why).not.toContain("fresh");
  });

  it("with status 404 asks for an example only if no valid name is found", () => {
    expect(readAs(404, endpoint("/a/{id}"))?.why).toMatch(
      /the server has nothing at this path, .*; so that one is found, add an `example` .* for \/a\/\{id\}/,
    );
  });

  it("that refuses the given credentials is reported as such, not as missing credentials", () => {
    expect(readAs(401, endpoint("/a"), true)?.why).toMatch(
      /^HTTP 401: the credentials that were given are refused; the document demands key$/,
    );
  });

  it.each([401, 403])("with status %i names the missing credentials", (status) => {
    expect(readAs(status, endpoint("/a", [String(status)]))).toMatchObject({ stage: "access" });
    expect(readAs(status, endpoint("/a"))).toMatchObject({ kind: "unavailable" });
    expect(readAs(status, endpoint("/a"))?.why).toContain('give credentials: key: --header "X-Key: …"');
  });
});

it("a documented status covers itself, its class, or all", () => {
  expect(["404", "4XX", "default", "400", "5XX"].map((documented) => coversStatus(documented, 404))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
