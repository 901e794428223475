import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Document, Json, Question } from "../../schemas/index.ts";
import { openBatcher, type QuestionBatcher } from "./lines.ts";
import { answerOf } from "./observations.fixture.ts";

const document: Document = { name: "note", title: "", schema: "", file: "", standalone: true, role: "entry" };

let server: Server;
let batcher: QuestionBatcher;
/** The number of questions in each request. */
let requestSizes: number[] = [];
/** The reply of the server to the questions of one request. */
let reply: (questions: { seq: number; data: Json }[]) => { status?: number; lines: unknown[] };

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const questions = body.split("\n").map((line) => JSON.parse(line));
    requestSizes.push(questions.length);
    const { status = 200, lines } = reply(questions);
    response.writeHead(status).end(lines.map((line) => JSON.stringify(line)).join("\n"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  batcher = await openBatcher(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "/documents");
});
afterAll(async () => {
  await batcher.close();
  server.close();
});
beforeEach(() => {
  requestSizes = [];
});

const ask = (data: Json) =>
  batcher.ask({ document, data, keep: [], seed: 1 } satisfies Question, AbortSignal.timeout(30_000)).then(answerOf);
const verdictOrError = (result: PromiseSettledResult<{ verdict: string }>): string =>
  result.status === "fulfilled" ? result.value.verdict : String(result.reason.message);

it("sends concurrent questions in one request, and matches answers in any order", async () => {
  reply = (questions) => ({ lines: questions.map(({ seq, data }) => ({ seq, valid: data === 2 })).reverse() });
  const answers = await Promise.all([1, 2, 3].map(ask));
  expect(answers.map(({ verdict }) => verdict)).toEqual(["rejected", "accepted", "rejected"]);
  await ask(4);
  expect(requestSizes).toEqual([3, 1]);
});

it("fails only the questions with an error or without an answer", async () => {
  reply = ([firstQuestion, secondQuestion]) => ({
    lines: [
      { seq: secondQuestion?.seq, valid: true, warnings: [{ at: "/a" }] },
      { seq: firstQuestion?.seq, error: "is odd" },
    ],
  });
  const [firstResult, secondResult, thirdResult] = await Promise.allSettled([1, 2, 3].map(ask));
  expect(firstResult && verdictOrError(firstResult)).toContain("is odd");
  expect(secondResult).toMatchObject({ value: { verdict: "accepted", reasons: [{ at: "/a" }] } });
  expect(thirdResult && verdictOrError(thirdResult)).toContain("no line about it");
});

it("fails every question of a refused request", async () => {
  reply = () => ({ status: 500, lines: [] });
  const results = await Promise.allSettled([1, 2].map(ask));
  expect(results.map(verdictOrError)).toEqual(["HTTP 500", "HTTP 500"]);
});
