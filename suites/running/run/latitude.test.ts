import { expect, it } from "vitest";
import { type Answer, type Document, type Json, protocolNamed, type Vector } from "../../../schemas/index.ts";
import type { RunCase } from "./case.ts";
import { ofNotification, withLatitude } from "./latitude.ts";

const cause = { kind: "accepted" } as const;
const ahcp = protocolNamed("ahcp");
const acceptedAnswer: Answer = { verdict: "accepted", reasons: [] };
const refusedAnswer: Answer = { verdict: "rejected", reasons: [] };
const vector = (members: Partial<Vector>): Vector => ({
  id: "x",
  description: "",
  data: {},
  needs: [],
  tags: [],
  ...members,
});
const caseOf = (vectorOfCase: Vector, document = "message"): RunCase =>
  ({ vector: vectorOfCase, document: { name: document } }) as Partial<RunCase> as RunCase;
const reasonFor = (outcome: "violates" | "warns", vectorOfCase: Vector, answer: Answer): string =>
  withLatitude({ outcome, why: "", cause }, caseOf(vectorOfCase), answer, ahcp).outcome;

it("lets a server refuse messages for reasons that only it can know", () => {
  const pushVector = vector({ valid: true, data: { request: { callback: { mode: "push" } } } });
  expect(reasonFor("violates", pushVector, refusedAnswer)).toBe("disputed");
  expect(reasonFor("violates", vector({ valid: true }), refusedAnswer)).toBe("violates");
  expect(reasonFor("violates", { ...pushVector, valid: false }, acceptedAnswer)).toBe("violates");
});

it("lets a server refuse some values of a member, in some documents", () => {
  const a2a = protocolNamed("a2a");
  const judgePush = (data: Json, document: string): string =>
    withLatitude(
      { outcome: "violates", why: "", cause },
      caseOf(vector({ valid: true, data }), document),
      refusedAnswer,
      a2a,
    ).outcome;
  expect(judgePush({ id: null }, "rpc.get-task.request")).toBe("disputed");
  expect(judgePush({ id: 1.5 }, "rpc.get-task.request")).toBe("disputed");
  expect(judgePush({ id: 2 }, "rpc.get-task.request")).toBe("warns");
  expect(judgePush({ id: "a" }, "rpc.get-task.request")).toBe("warns");
  expect(judgePush({ id: null }, "rest.get-task.query")).toBe("warns");
  expect(judgePush({ pageToken: "p" }, "rest.list-tasks.query")).toBe("disputed");
});

it("lets a server refuse messages over the limits that it publishes", () => {
  const overLimit = { ...refusedAnswer, over: "beyond the server's published max: 1" };
  const judgeOverLimit = (vectorOfCase: Vector) =>
    withLatitude({ outcome: "violates", why: "", cause }, caseOf(vectorOfCase), overLimit, ahcp);
  expect(judgeOverLimit(vector({ valid: true }))).toEqual({
    outcome: "skipped",
    why: overLimit.over,
    cause: { kind: "limit" },
  });
});

it("only warns about a refused valid message if the profile names a possible reason", () => {
  const shop = { ...ahcp, profile: { ...ahcp.profile, http: { ...ahcp.profile.http, mayRefuse: "too few are left" } } };
  const judgeAnswer = (vectorOfCase: Vector, answer: Answer) =>
    withLatitude({ outcome: "violates", why: "no", cause }, caseOf(vectorOfCase), answer, shop);
  expect(judgeAnswer(vector({ valid: true }), refusedAnswer)).toEqual({
    outcome: "warns",
    why: "no; no violation, since too few are left",
    cause: { kind: "refused", doubt: "too few are left" },
  });
  expect(judgeAnswer(vector({ valid: false }), acceptedAnswer).outcome).toBe("violates");
  const request = { method: "POST", url: "/", headers: {}, body: "{}" };
  const exchange = { request, response: { status: 422, headers: {}, body: '{"at":"/sum"}' } };
  const bareRefusal = { ...refusedAnswer, exchange, reasons: [{ code: "http-422" }] };
  expect(judgeAnswer(vector({ valid: true }), bareRefusal).why).toMatch(/left; it said: {"at":"\/sum"}$/);
  expect(judgeAnswer(vector({ valid: true }), { ...bareRefusal, reasons: [{ message: "sold out" }] }).why).toMatch(
    /left$/,
  );
});

it("does not warn a reader about advice for writers", () => {
  expect(reasonFor("warns", vector({ valid: false, rule: "AHCP-ENV-008" }), acceptedAnswer)).toBe("disputed");
  expect(reasonFor("warns", vector({ valid: false, rule: "AHCP-ASK-012" }), acceptedAnswer)).toBe("warns");
});

it("does not fail a server for a rule that binds only other parties", () => {
  const aaep = protocolNamed("aaep");
  const outcomeFor = (rule: string): string =>
    withLatitude({ outcome: "violates", why: "", cause }, caseOf(vector({ valid: false, rule })), acceptedAnswer, aaep)
      .outcome;
  expect([outcomeFor("AAEP-HS-014"), outcomeFor("AAEP-EXT-001"), outcomeFor("AAEP-ENV-001")]).toEqual([
    "disputed",
    "disputed",
    "violates",
  ]);
  const schemaVector = vector({ valid: false, rule: "AAEP-HS-014", site: "schema" });
  expect(
    withLatitude({ outcome: "violates", why: "", cause }, caseOf(schemaVector), acceptedAnswer, aaep).outcome,
  ).toBe("violates");
});

it("lets a server leave a message without an id unanswered if answers repeat the id", () => {
  const document = { answer: { id: "/id", rule: "BOX-ANSWER-001" } } as Document;
  const judgeBody = (data: Json, body: string) =>
    ofNotification({ outcome: "violates", why: "", cause }, { vector: vector({ valid: false, data }), document }, {
      ...acceptedAnswer,
      exchange: { response: { body } },
    } as unknown as Answer).outcome;
  expect([judgeBody({}, ""), judgeBody({ id: null }, "")]).toEqual(["disputed", "disputed"]);
  expect([judgeBody({ id: 1 }, ""), judgeBody({}, "{}"), judgeBody([], "")]).toEqual([
    "violates",
    "violates",
    "violates",
  ]);
});

it("does not build the exchange of an answer that conforms", () => {
  const document = { answer: { id: "/id", rule: "BOX-ANSWER-001" } } as Document;
  const answer: Answer = {
    ...acceptedAnswer,
    get exchange(): never {
      throw new Error("it was made");
    },
  };
  const judgement = { outcome: "conforms" } as const;
  expect(ofNotification(judgement, { vector: vector({ valid: true, data: {} }), document }, answer)).toBe(judgement);
});
