import { expect, it } from "vitest";
import type { Document, Json, Protocol } from "../../../schemas/index.ts";
import { answersBy, pairsOf } from "./pairs.ts";

const documentFor = (name: string, answer?: Document["answer"]): Partial<Document> => ({
  name,
  when: { "/method": [name] },
  ...(answer === undefined ? {} : { answer }),
});
const rule = "BOX-ANSWER-001";
const answerWith = (document: string) => ({ rule, document, at: "/result", refusal: "failed", id: "/id" });
const protocol = {
  profile: {
    documents: [
      documentFor("open", answerWith("opened")),
      documentFor("sum", answerWith("total")),
      documentFor("ping"),
    ],
    http: {
      accepted: [{ status: [200], present: "/result" }],
      rejected: [{ status: [200], present: "/error" }],
    },
  },
} as unknown as Protocol;

const readAll = (...messages: readonly (readonly [from: string, message: Json])[]) => {
  const reader = pairsOf(protocol);
  return messages.map(([from, message]) => (reader?.({ from, message }) ?? []).map(describeMessage));
};
const describeMessage = ({
  document,
  within,
  message,
  fault,
}: ReturnType<NonNullable<ReturnType<typeof pairsOf>>>[number]) =>
  fault === undefined ? `${document}${within} ${JSON.stringify(message)}` : `${fault.level}: ${fault.why}`;
const call = (id: Json, name: string): Json => ({ id, method: name });

it("finds the document of an answer by the method of the request with its id, in any order", () => {
  const [, , second, first] = readAll(
    ["a", call(1, "open")],
    ["a", call("1", "sum")],
    ["b", { id: "1", result: 3 }],
    ["b", { id: 1, result: { opened: "x" } }],
  );
  expect([second, first]).toEqual([["total/result 3"], ['opened/result {"opened":"x"}']]);
});

it("reads each message of a batch, and errors as refusals", () => {
  const [requests, answers] = readAll(
    ["a", [call(1, "open"), { method: "ping" }, call(2, "sum")]],
    [
      "b",
      [
        { id: 2, error: { code: 1 } },
        { id: 1, result: 0 },
      ],
    ],
  );
  expect(requests).toEqual([
    'open/0 {"id":1,"method":"open"}',
    'ping/1 {"method":"ping"}',
    'sum/2 {"id":2,"method":"sum"}',
  ]);
  expect(answers).toEqual(['failed/0 {"id":2,"error":{"code":1}}', "opened/1/result 0"]);
});

it("distinguishes requests of both parties with the same id", () => {
  const [, , open, total] = readAll(
    ["a", call(1, "open")],
    ["b", call(1, "sum")],
    ["b", { id: 1, result: "by b" }],
    ["a", { id: 1, result: "by a" }],
  );
  expect([open, total]).toEqual([['opened/result "by b"'], ['total/result "by a"']]);
});

it("does not judge an answer if its request is unknown, or has a method that the pack lacks", () => {
  const [requestFindings, answerFindings, strayFindings, nullIdFindings, memberlessFindings] = readAll(
    ["a", call(7, "other")],
    ["b", { id: 7, result: 1 }],
    ["b", { id: 8, result: 1 }],
    ["b", { id: null, error: {} }],
    ["b", { id: 9 }],
  );
  expect(requestFindings).toEqual([
    'NOTE: is "other", which no document of the pack has: neither it nor its answer is judged',
  ]);
  expect([answerFindings, nullIdFindings]).toEqual([[], []]);
  expect(strayFindings).toEqual(["MUST: answers no request: no earlier request has the id 8"]);
  expect(memberlessFindings).toEqual(["MUST: answers no request: no earlier request has the id 9"]);
  const readAnswers = answersBy(protocol);
  expect([readAnswers({ message: call(7, "other") }), readAnswers({ message: { id: 8, result: 1 } })]).toEqual([
    [],
    [],
  ]);
});

it("reports an answer without the member that contains its document", () => {
  expect(readAll(["a", call(1, "open")], ["b", { id: 1, done: true }])[1]).toEqual([
    "MUST: the answer has no value at /result",
  ]);
});

it("also reads an answer as its envelope, but an error only as a refusal", () => {
  const answer = { ...answerWith("opened"), envelope: "answered" };
  const wrapped = { profile: { ...protocol.profile, documents: [documentFor("open", answer)] } } as unknown as Protocol;
  const reader = pairsOf(wrapped);
  reader?.({ from: "a", message: [call(1, "open"), call(2, "open")] });
  expect(reader?.({ from: "b", message: { id: 1, result: 0 } }).map(describeMessage)).toEqual([
    "opened/result 0",
    'answered {"id":1,"result":0}',
  ]);
  expect(reader?.({ from: "b", message: { id: 2, error: {} } }).map(describeMessage)).toEqual([
    'failed {"id":2,"error":{}}',
  ]);
});
