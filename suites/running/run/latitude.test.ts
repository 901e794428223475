import { expect, it } from "vitest";
import { type Answer, type Document, type Json, protocolNamed, type Vector } from "../../../schemas/index.ts";
import type { RunCase } from "./case.ts";
import { ofNotification, withLatitude } from "./latitude.ts";

const cause = { kind: "accepted" } as const;
const ahcp = protocolNamed("ahcp");
const taken: Answer = { verdict: "accepted", reasons: [] };
const refused: Answer = { verdict: "rejected", reasons: [] };
const vector = (more: Partial<Vector>): Vector => ({
  id: "x",
  description: "",
  data: {},
  needs: [],
  tags: [],
  ...more,
});
const caseOf = (its: Vector, document = "message"): RunCase =>
  ({ vector: its, document: { name: document } }) as Partial<RunCase> as RunCase;
const said = (outcome: "violates" | "warns", its: Vector, answer: Answer): string =>
  withLatitude({ outcome, why: "", cause }, caseOf(its), answer, ahcp).outcome;

it("lets a server refuse messages for reasons that only it can know", () => {
  const pushed = vector({ valid: true, data: { request: { callback: { mode: "push" } } } });
  expect(said("violates", pushed, refused)).toBe("disputed");
  expect(said("violates", vector({ valid: true }), refused)).toBe("violates");
  expect(said("violates", { ...pushed, valid: false }, taken)).toBe("violates");
});

it("lets a server refuse some values of a member, in some documents", () => {
  const a2a = protocolNamed("a2a");
  const judged = (data: Json, document: string): string =>
    withLatitude({ outcome: "violates", why: "", cause }, caseOf(vector({ valid: true, data }), document), refused, a2a)
      .outcome;
  expect(judged({ id: null }, "rpc.get-task.request")).toBe("disputed");
  expect(judged({ id: 1.5 }, "rpc.get-task.request")).toBe("disputed");
  expect(judged({ id: 2 }, "rpc.get-task.request")).toBe("warns");
  expect(judged({ id: "a" }, "rpc.get-task.request")).toBe("warns");
  expect(judged({ id: null }, "rest.get-task.query")).toBe("warns");
  expect(judged({ pageToken: "p" }, "rest.list-tasks.query")).toBe("disputed");
});

it("lets a server refuse messages over the limits that it publishes", () => {
  const over = { ...refused, over: "beyond the server's published max: 1" };
  const judged = (its: Vector) => withLatitude({ outcome: "violates", why: "", cause }, caseOf(its), over, ahcp);
  expect(judged(vector({ valid: true }))).toEqual({ outcome: "skipped", why: over.over, cause: { kind: "limit" } });
});

it("only warns about a refused valid message if the profile gives a possible reason", () => {
  const shop = { ...ahcp, profile: { ...ahcp.profile, http: { ...ahcp.profile.http, mayRefuse: "too few are left" } } };
  const judged = (its: Vector, answer: Answer) =>
    withLatitude({ outcome: "violates", why: "no", cause }, caseOf(its), answer, shop);
  expect(judged(vector({ valid: true }), refused)).toEqual({
    outcome: "warns",
    why: "no; no violation, since too few are left",
    cause: { kind: "refused", doubt: "too few are left" },
  });
  expect(judged(vector({ valid: false }), taken).outcome).toBe("violates");
  const request = { method: "POST", url: "/", headers: {}, body: "{}" };
  const exchange = { request, response: { status: 422, headers: {}, body: '{"at":"/sum"}' } };
  const bare = { ...refused, exchange, reasons: [{ code: "http-422" }] };
  expect(judged(vector({ valid: true }), bare).why).toMatch(/left; it said: {"at":"\/sum"}$/);
  expect(judged(vector({ valid: true }), { ...bare, reasons: [{ message: "sold out" }] }).why).toMatch(/left$/);
});

it("gives a reader no warning about advice for writers", () => {
  expect(said("warns", vector({ valid: false, rule: "AHCP-ENV-008" }), taken)).toBe("disputed");
  expect(said("warns", vector({ valid: false, rule: "AHCP-ASK-012" }), taken)).toBe("warns");
});

it("does not hold a server to a rule that binds only others", () => {
  const aaep = protocolNamed("aaep");
  const of = (rule: string): string =>
    withLatitude({ outcome: "violates", why: "", cause }, caseOf(vector({ valid: false, rule })), taken, aaep).outcome;
  expect([of("AAEP-HS-014"), of("AAEP-EXT-001"), of("AAEP-ENV-001")]).toEqual(["disputed", "disputed", "violates"]);
  const ours = vector({ valid: false, rule: "AAEP-HS-014", site: "schema" });
  expect(withLatitude({ outcome: "violates", why: "", cause }, caseOf(ours), taken, aaep).outcome).toBe("violates");
});

it("lets a message without an id go unanswered if answers repeat the id", () => {
  const document = { answer: { id: "/id", rule: "BOX-ANSWER-001" } } as Document;
  const judged = (data: Json, body: string) =>
    ofNotification({ outcome: "violates", why: "", cause }, { vector: vector({ valid: false, data }), document }, {
      ...taken,
      exchange: { response: { body } },
    } as unknown as Answer).outcome;
  expect([judged({}, ""), judged({ id: null }, "")]).toEqual(["disputed", "disputed"]);
  expect([judged({ id: 1 }, ""), judged({}, "{}"), judged([], "")]).toEqual(["violates", "violates", "violates"]);
});
