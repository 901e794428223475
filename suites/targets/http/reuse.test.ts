import { expect, it } from "vitest";
import type { Document, Endpoint, Json, Protocol, Question } from "../../../schemas/index.ts";
import type { Request, Response } from "../../base/http/send.ts";
import { reuseCheck } from "./reuse.ts";

const rule = "PAY-REUSE-001";
const described = {
  answers: [],
  rule: "PAY-ANSWER-001",
  credentials: [],
  reuse: { rule, header: "key", statuses: ["409"] },
};
const endpoint: Endpoint = { method: "POST", path: "/pay", described };
const schema = { $id: "schema:/pay", type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const document = { name: "pay", schema: schema.$id, endpoint, samples: [{ n: 7 }] } as unknown as Document;
const protocol = { profile: { documents: [document] }, schemas: [schema] } as unknown as Protocol;

/** Returns the finding after an accepted request, and the requests sent for it. */
async function probe(answer: (request: Request, sent: readonly Request[]) => number, isOptional = false) {
  const sent: Request[] = [];
  const check = reuseCheck(protocol, async (request) => {
    const status = answer(request, sent);
    sent.push(request);
    return { status, headers: {}, body: "" } as unknown as Response;
  });
  const request = (data: Json, number: number): Request => ({
    method: "POST",
    path: "/pay",
    body: JSON.stringify(data),
    headers: isOptional ? {} : { key: `fresh-${number}` },
  });
  const question = { document, data: { n: 1 }, keep: [], seed: 1 } as Question;
  const signal = AbortSignal.timeout(60_000);
  const asked = { question, route: endpoint, signal, request };
  const breach = await check?.after(asked);
  const count = sent.length;
  expect(await check?.after(asked)).toBe(breach);
  expect(sent).toHaveLength(count);
  return { breach, sent, untested: check?.untested() };
}

it("a server that accepts a key again with a different body gets a warning", async () => {
  const { breach, sent, untested } = await probe(() => 201);
  expect(breach).toMatchObject({ rule, level: "SHOULD" });
  expect(breach?.message).toMatch(/POST \/pay with the key of another body is answered with HTTP 201, .* HTTP 409/);
  expect(sent.map(({ headers, body }) => [headers.key, body])).toEqual([
    ["fresh-1", '{"n":7}'],
    ["fresh-1", '{"n":1}'],
  ]);
  expect(untested).toEqual([]);
});

it("a server that refuses the repeated key is not reported", async () => {
  const isAgain = ({ headers }: Request, sent: readonly Request[]): boolean =>
    sent.some((request) => request.headers.key === headers.key);
  const { breach, untested } = await probe((request, sent) => (isAgain(request, sent) ? 409 : 201));
  expect([breach, untested]).toEqual([undefined, []]);
});

it("a body that is refused by itself shows nothing, so another one is tried", async () => {
  const { breach, sent } = await probe(({ body }) => (body === '{"n":7}' ? 400 : 201));
  expect(breach?.level).toBe("SHOULD");
  expect(sent).toHaveLength(3);
});

it.each<[string, () => number, boolean]>([
  ["no other body is accepted", () => 400, false],
  ["no key is sent", () => 201, true],
  ["the server breaks down", () => 503, false],
])("reports that nothing is known if %s", async (_, answer, isOptional) => {
  const { breach, untested } = await probe(answer, isOptional);
  expect(breach).toBeUndefined();
  expect(untested).toEqual([{ rule, why: expect.stringMatching(/no two different bodies of POST \/pay/) }]);
});

it("nothing is sent if no operation describes the treatment of a repeated key", () => {
  expect(reuseCheck({ profile: { documents: [] } } as unknown as Protocol, () => Promise.reject())).toBeUndefined();
});
