import { describe, expect, it } from "vitest";
import type { AnswerCondition, Endpoint, Profile } from "../../../schemas/index.ts";
import { answerFrom } from "../observations.fixture.ts";

const endpoint: Endpoint = { method: "POST", path: "/messages" };
const http: Profile["http"] = {
  accepted: [{ status: [200], absent: "/error" }, { status: [202] }],
  rejected: [{ status: [400, 422] }, { status: [200], present: "/error" }],
  reason: { code: "/error/code", message: "/error/message", at: "/error/at", codes: ["invalid", "http-418"] },
};
/** The refusal if the protocol has a code and the body has none. */
const codeless = {
  verdict: "rejected",
  reasons: [{ message: "no code at /error/code of the body" }],
  codeless: "/error/code",
};
const json = { "content-type": "application/json; charset=utf-8" };
const answer = (status: number, body: unknown = "", to: Endpoint = endpoint, headers: Record<string, string> = json) =>
  answerFrom({ status, headers, body: typeof body === "string" ? body : JSON.stringify(body) }, to, http);
const expectFailure = (...args: Parameters<typeof answer>) => expect(() => answer(...args));

describe("an answer", () => {
  it("is judged by the conditions of the profile, including those on the body", () => {
    expect(answer(200, {})).toEqual({ verdict: "accepted", reasons: [] });
    expect(answer(202).verdict).toBe("accepted");
    expect(answer(200, { error: { code: "invalid", message: "m", at: "/a" } })).toEqual({
      verdict: "rejected",
      reasons: [{ code: "invalid", message: "m", at: "/a" }],
    });
    expect(answer(422, { error: { message: "m" } }).reasons).toEqual([{ message: "m" }]);
  });

  it("is judged by the statuses of the endpoint if it has any", () => {
    const strictEndpoint: Endpoint = { ...endpoint, accepted: [201], rejected: [404] };
    expect(answer(201, "", strictEndpoint).verdict).toBe("accepted");
    expect(answer(404, {}, strictEndpoint)).toEqual(codeless);
    expectFailure(200, { error: {} }, { ...endpoint, rejected: [404] }).toThrow("neither");
  });

  it("that matches both conditions is read by the more specific one, or as a refusal if they are equally specific", () => {
    const output = (body: unknown, accepted: AnswerCondition[], rejected: AnswerCondition[]) => {
      const reason = { code: "/error/code", codes: [-32602] };
      const answer = { status: 200, headers: json, body: JSON.stringify(body) };
      return answerFrom(answer, endpoint, { accepted, rejected, reason } as Profile["http"]).verdict;
    };
    const [anyBody, errorBody] = [{ status: [200] }, { status: [200], present: "/error" }];
    const unknownMethod = { status: [200], equal: { "/error/code": -32001 } };
    expect(output({ error: { code: -32602 } }, [anyBody], [errorBody])).toBe("rejected");
    expect(output({ result: 1 }, [anyBody], [errorBody])).toBe("accepted");
    expect(
      output({ error: { code: -32001 } }, [{ status: [200], present: "/result" }, unknownMethod], [errorBody]),
    ).toBe("accepted");
    expect(output({ error: { code: -32602 } }, [unknownMethod], [errorBody])).toBe("rejected");
    expect(output({ result: 1, error: { code: -32602 } }, [{ status: [200], present: "/result" }], [errorBody])).toBe(
      "rejected",
    );
  });

  it("may accept the document and carry warnings in a header", () => {
    const warnings = JSON.stringify([{ at: "/a", rule: "S-1", message: "is dear\\u0301" }]);
    const output = answer(202, "", endpoint, { "touchstone-warnings": warnings });
    expect(output).toEqual({ verdict: "accepted", reasons: [{ at: "/a", rule: "S-1", message: "is dear\\u0301" }] });
    expect(answer(202, "", endpoint, { "touchstone-warnings": "nonsense" }).reasons).toEqual([]);
    expect(answer(422, {}, endpoint, { "touchstone-warnings": warnings })).toEqual(codeless);
  });

  it("with any other 2xx accepts, and with any other 4xx refuses", () => {
    expect(answer(204).verdict).toBe("accepted");
    expect(answer(432)).toEqual(codeless);
  });

  it.each([409, 410, 412])(
    "with status %i is about the server's state, and suggests members that may be sent only once",
    (status) => {
      const plainHttp: Profile["http"] = { accepted: [], rejected: [] };
      const response = { status, headers: json, body: '{"error":"seen before"}' };
      for (const profile of [plainHttp, http]) {
        expect(() => answerFrom(response, endpoint, profile)).toThrow(expect.objectContaining({ kind: "about-state" }));
        expect(() => answerFrom(response, endpoint, profile)).toThrow(/under fresh in the profile.*seen before/);
      }
      // It refuses if the profile lists the status, or the body has an error code of the protocol.
      expect(answerFrom(response, { ...endpoint, rejected: [status] }, plainHttp).verdict).toBe("rejected");
      expect(answer(status, { error: { code: "invalid" } }).reasons).toEqual([{ code: "invalid" }]);
      expect(answer(status, { valid: false, errors: [{ at: "/a" }] }).reasons).toEqual([{ at: "/a" }]);
      expectFailure(status, { error: { code: "not_yours" } }).toThrow(/not_yours says nothing about the document/);
    },
  );

  it("in the wire format refuses, with all its reasons", () => {
    const errors = [{ at: "/a", keyword: "type" }, { at: "/b" }];
    expect(answer(422, { valid: false, errors })).toEqual({ verdict: "rejected", reasons: errors });
    expect(answer(200, { valid: false, errors }).verdict).toBe("rejected");
    const ownHttp = { ...http, accepted: [{ status: [200], present: "/id" }] };
    const validResponse = { status: 200, headers: json, body: '{"valid":true}' };
    expect(answerFrom(validResponse, endpoint, ownHttp).verdict).toBe("accepted");
    expect(answer(200, { valid: true }).verdict).toBe("accepted");
  });

  it("with the same members in a different sense is judged by its status", () => {
    for (const body of [
      { id: 7, valid: false },
      { id: 7, valid: false, errors: 0 },
      { coupon: "A", valid: false, errors: [] },
    ])
      expect(answer(201, body)).toEqual({ verdict: "accepted", reasons: [] });
    expect(answer(200, { valid: false }).verdict).toBe("rejected");
    expect(answer(200, { valid: false, errors: [{ at: "/a" }], took: 3 }).verdict).toBe("rejected");
    expect(answer(422, { coupon: "A", valid: false, errors: 0 })).toEqual(codeless);
    const described = { answers: [], rule: "A-1", credentials: [] };
    const reported = { valid: false, errors: [{ at: "/elsewhere" }] };
    expect(answer(200, reported, { ...endpoint, described }).verdict).toBe("accepted");
    const plainHttp: Profile["http"] = { accepted: [], rejected: [] };
    const refusedResponse = { status: 400, headers: json, body: JSON.stringify(reported) };
    expect(answerFrom(refusedResponse, { ...endpoint, described }, plainHttp).reasons).toEqual([{ code: "http-400" }]);
  });

  it.each([
    [500, /HTTP 500: the server failed/],
    [503, /the server failed/],
    [301, /redirects are not followed.*https:\/\/elsewhere\.test/],
    [401, /credentials/],
    [403, /do not allow/],
    ...[402, 406, 411, 413, 414, 415, 417, 421, 423, 425, 428, 431, 451].map((status): [number, RegExp] => [
      status,
      /HTTP 4/,
    ]),
    [404, /nothing is there/],
    [405, /method/],
    [407, /proxy/],
    [408, /timed out/],
    [426, /HTTP version/],
    [429, /raise its limit/],
  ])("with status %i does not judge the document", (status, message) => {
    expectFailure(status, {}, endpoint, { ...json, location: "https://elsewhere.test" }).toThrow(message);
    expectFailure(status).toThrow(
      expect.objectContaining({ kind: "unavailable", outcome: "errored", stage: "answer" }),
    );
  });

  it("that refuses must have the form that the protocol defines for refusals", () => {
    expectFailure(400, "<h1>Bad\u001b</h1>").toThrow(/JSON is promised.*<h1>Bad\\u\{1b\}/);
    expectFailure(418, "teapot", endpoint, { "content-type": "text/plain" }).toThrow("JSON is promised");
    expectFailure(422, { error: { code: "not_yours" } }).toThrow(/not_yours says nothing about the document/);
    expect(answer(400, "")).toEqual(codeless);
    const plainHttp = { ...http, reason: undefined } as unknown as Profile["http"];
    const textResponse = { status: 400, headers: { "content-type": "text/plain" }, body: "no" };
    expect(answerFrom(textResponse, endpoint, plainHttp).verdict).toBe("rejected");
  });

  it.each([404, 403, 409])(
    "with status %i does not judge the document if its code is listed under unjudged",
    (status) => {
      const { reason } = http;
      const unjudgedCodes = [{ code: "no_lease", why: "the lease is none of this server's" }];
      const httpWithDenials: Profile["http"] = {
        ...http,
        accepted: [{ status: [404], present: "/id" }],
        reason: { ...reason, unjudged: unjudgedCodes },
      };
      const output = (code: string) => () =>
        answerFrom({ status, headers: json, body: JSON.stringify({ error: { code } }) }, endpoint, httpWithDenials);
      expect(output("no_lease")).toThrow(expect.objectContaining({ kind: "declined" }));
      expect(output("no_lease")).toThrow("the lease is none of this server's (code no_lease)");
      expect(output("no_job")).not.toThrow("lease");
    },
  );

  it("with a known status and the wrong body is neither an acceptance nor a refusal", () => {
    const strictHttp: Profile["http"] = { accepted: [{ status: [200], present: "/id" }], rejected: [] };
    const emptyResponse = { status: 200, headers: json, body: "{}" };
    expect(() => answerFrom(emptyResponse, endpoint, strictHttp)).toThrow(/neither that of an acceptance/);
  });
});
