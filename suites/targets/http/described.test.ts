import { describe, expect, it } from "vitest";
import { type Endpoint, type Profile, TargetFailure, TargetSkip, TargetState } from "../../../schemas/index.ts";
import { covers, refuseUnrelated } from "./described.ts";

const http: Profile["http"] = { accepted: [{ status: [200] }], rejected: [{ status: [400, 422] }] };

function endpoint(path: string, documented: string[] = [], more: Partial<Endpoint> = {}): Endpoint {
  const answers = documented.map((status) => ({ status, type: "application/json", document: "a" }));
  return {
    method: "POST",
    path,
    described: { answers, rule: "A-B-001", credentials: ['key: --header "X-Key: …"'] },
    ...more,
  };
}

function thrownBy(status: number, where: Endpoint): unknown {
  try {
    refuseUnrelated({ status, headers: {}, body: "" }, where, http);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("an answer of a described interface", () => {
  it.each([
    [200, endpoint("/a")],
    [400, endpoint("/a", ["400"])],
    [422, endpoint("/a")],
    [405, endpoint("/a", ["405"], { rejected: [405] })],
    [500, endpoint("/a", ["default"])],
    [404, endpoint("/a")],
    [415, endpoint("/a")],
  ])("with status %i is judged as any", (status, where) => expect(thrownBy(status, where)).toBeUndefined());

  it.each([
    [404, endpoint("/a/{id}")],
    [404, endpoint("/a", ["404"])],
    [409, endpoint("/a")],
    [418, endpoint("/a", ["4XX"])],
    [418, endpoint("/a", ["default"])],
  ])("with status %i says nothing about the document", (status, where) =>
    expect(thrownBy(status, where)).toBeInstanceOf(TargetSkip),
  );

  it("may be the way to refuse, unless a name in the path is looked up", () => {
    expect(thrownBy(409, endpoint("/a/{id}"))).toBeInstanceOf(TargetState);
    expect(thrownBy(404, endpoint("/a/{id}"))).not.toBeInstanceOf(TargetState);
  });

  it("with status 409 says what makes a member another in each request", () => {
    expect(String(thrownBy(409, endpoint("/a")))).toMatch(/make a pack .* under fresh in its profile\.json/);
    expect(String(thrownBy(410, endpoint("/a")))).not.toContain("fresh");
  });

  it("with status 404 asks for an example only where no valid name is found", () => {
    expect(String(thrownBy(404, endpoint("/a/{id}")))).toMatch(
      /the server has nothing at this path, .*; so that one is found, give .* an `example` .* for \/a\/\{id\}/,
    );
  });

  it("that refuses the credentials that were given says so, and not to give some", () => {
    const refused = { status: 401, headers: {}, body: "" };
    expect(() => refuseUnrelated(refused, endpoint("/a"), http, { areGiven: true })).toThrow(
      /^HTTP 401: the credentials that were given are refused; the document demands key$/,
    );
  });

  it.each([401, 403])("with status %i says which credentials are lacking", (status) => {
    expect(thrownBy(status, endpoint("/a", [String(status)]))).toMatchObject({ stage: "access" });
    expect(thrownBy(status, endpoint("/a"))).toBeInstanceOf(TargetFailure);
    expect(String(thrownBy(status, endpoint("/a")))).toContain('give credentials: key: --header "X-Key: …"');
  });
});

it("a documented status covers itself, its class, or all", () => {
  expect(["404", "4XX", "default", "400", "5XX"].map((each) => covers(each, 404))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
