import { describe, expect, it } from "vitest";
import type { Document, Json, Protocol } from "../../../schemas/index.ts";
import { type JudgedAnswer, namedAnswerJudge } from "./named-answers.ts";

const rule = "BOX-ANSWER-001";
const openDocument = {
  name: "open",
  schema: "https://box.example/open",
  answer: {
    rule,
    document: "opened",
    at: "/result",
    envelope: "answered",
    refusal: "failed",
    id: "/id",
    echoes: ["/result/all/*/said"],
  },
} as unknown as Document;
const schemas = [
  {
    $id: "https://box.example/opened",
    type: "object",
    required: ["opened"],
    properties: {
      opened: { type: "string" },
      all: { items: { properties: { said: { type: "array", items: { type: "string" } } } } },
    },
  },
  {
    $id: "https://box.example/open",
    type: "object",
    properties: { id: { type: ["integer", "string"] }, method: { const: "open" } },
  },
  {
    $id: "https://box.example/answered",
    type: "object",
    required: ["id"],
    properties: { id: { type: ["integer", "string"] }, rpc: { const: "2" } },
  },
  {
    $id: "https://box.example/failed",
    type: "object",
    required: ["error"],
    properties: { id: { type: ["integer", "string"] }, error: { type: "object", required: ["code"] } },
  },
].map((each) => ({ $schema: "https://json-schema.org/draft/2020-12/schema", ...each }));
const http = {
  accepted: [
    { status: [200], present: "/result" },
    { status: [200], equal: { "/error/code": -32001 } },
  ],
  rejected: [{ status: [200], present: "/error" }],
  reason: { code: "/error/code" },
};
const protocol = {
  name: "boxes",
  version: "1",
  folder: ".",
  rules: [],
  schemas,
  families: [],
  foreign: true,
  profile: {
    formats: "annotate",
    http,
    documents: [
      openDocument,
      ...["opened", "answered", "failed"].map((name) => ({
        name,
        schema: `https://box.example/${name}`,
        role: "emitted",
        standalone: true,
      })),
    ],
  },
} as unknown as Protocol;
const judge = namedAnswerJudge(protocol);

const faultOf = async (
  sent: Json,
  body: Json | undefined,
  verdict: JudgedAnswer["verdict"] = "accepted",
  status = 200,
) => {
  const text = body === undefined ? "" : JSON.stringify(body);
  const question = { document: openDocument, data: sent, keep: [], seed: 1 };
  const exchange = {
    question,
    route: {},
    http,
    response: { status },
    body,
    text,
  } as unknown as JudgedAnswer["exchange"];
  return (await judge?.({ exchange, sent: JSON.stringify(sent), verdict }))?.message;
};
const openRequest = { id: 1, method: "open" };
const error = { code: -32602 };
const parseError = { code: -32600 };

describe("an answer by the document that the profile names", () => {
  it("is not judged if the profile does not name a document for it", () => {
    expect(namedAnswerJudge({ profile: { documents: [{}] } } as unknown as Protocol)).toBeUndefined();
  });

  it.each<[string, Json, Json | undefined, JudgedAnswer["verdict"], number?]>([
    ["the result", openRequest, { id: 1, result: { opened: "x" } }, "accepted"],
    ["an error", openRequest, { id: 1, error }, "rejected"],
    ["an error of the application", openRequest, { id: 1, error: { code: -32001 } }, "accepted"],
    ["an error by the status", openRequest, { id: 1, error }, "accepted", 404],
    ["an error of which the id was not read", openRequest, { id: null, error: parseError }, "rejected"],
    ["an error of which the id was not read, without an id", openRequest, { error: parseError }, "rejected"],
    ["an error of an id that is wrong", { ...openRequest, id: true }, { id: null, error }, "rejected"],
    ["an error of a message that is wrong as a whole", [], { id: null, error }, "rejected"],
    ["a refusal of another program, by its status", openRequest, { message: "no" }, "rejected", 400],
    ["an error with the wrong id of the request", { ...openRequest, id: true }, { id: true, error }, "rejected"],
    ["the result of a request without an id", { method: "open" }, { result: { opened: "x" } }, "accepted"],
    [
      "the result with the wrong id of the request",
      { ...openRequest, id: true },
      { id: true, result: { opened: "x" } },
      "accepted",
    ],
    [
      "a fault in a repeated message of others",
      openRequest,
      { id: 1, result: { opened: "x", all: [{ said: [7] }] } },
      "accepted",
    ],
    ["nothing for a notification", { method: "open" }, undefined, "accepted"],
    ["a number beyond doubles", { ...openRequest, id: 2 ** 60 }, { id: 7, result: { opened: "x" } }, "accepted"],
  ])("is right: %s", async (_, sent, body, verdict, status) => {
    expect(await faultOf(sent, body, verdict, status)).toBeUndefined();
  });

  it.each<[string, Json | undefined, JudgedAnswer["verdict"], string]>([
    [
      "of another method",
      { id: 1, result: 7 },
      "accepted",
      "the answer is not a right opened: /result: must be object; it is 7",
    ],
    ["without its member", { id: 1, result: {} }, "accepted", "/result: must have required property 'opened'"],
    ["without a result", { id: 1 }, "accepted", "the answer has no value at /result"],
    [
      "with another id",
      { id: "1", result: { opened: "x" } },
      "accepted",
      'the answer has "1" at /id, and the request 1',
    ],
    ["without an id", { result: { opened: "x" } }, "accepted", "the answer has no value at /id, and the request 1"],
    ["of a refusal with another id", { id: 2, error }, "rejected", "the answer has 2 at /id"],
    [
      "around the result",
      { id: 1, rpc: "1", result: { opened: "x" } },
      "accepted",
      "not a right answered: /rpc: must be",
    ],
    [
      "of a refusal that read the request, without its id",
      { id: null, error },
      "rejected",
      "null at /id, and the request 1",
    ],
    ["of the application without its id", { id: null, error: { code: -32001 } }, "accepted", "null at /id"],
    ["of a refusal without an id, of another form", { id: null, error: "no" }, "rejected", "/error: must be object"],
    ["of a refusal of another form", { id: 1, error: "no" }, "rejected", "not a right failed: /error: must be object"],
    ["that is empty", undefined, "accepted", "the open has an id and gets no answer"],
  ])("is wrong: %s", async (_, body, verdict, problem) => {
    expect(await faultOf(openRequest, body, verdict)).toContain(problem);
  });
});

describe("the media type that the profile names for answers", () => {
  const typed = {
    ...openDocument,
    answer: { ...openDocument.answer, type: ["application/json", "text/event-stream"] },
  } as Document;
  const [, ...otherDocuments] = protocol.profile.documents;
  const judgeTyped = namedAnswerJudge({
    ...protocol,
    profile: { ...protocol.profile, documents: [typed, ...otherDocuments] },
  } as Protocol);
  const result = { id: 1, result: { opened: "x" } };
  const typedAs = async (
    type: string | undefined,
    body: Json | undefined = result,
    verdict: JudgedAnswer["verdict"] = "accepted",
  ) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = type === undefined ? {} : { "content-type": type };
    const exchange = {
      question: { document: typed, data: openRequest, keep: [], seed: 1 },
      route: {},
      http,
      body,
      text,
      response: { status: 200, headers },
    } as unknown as JudgedAnswer["exchange"];
    return (await judgeTyped?.({ exchange, sent: JSON.stringify(openRequest), verdict }))?.message;
  };

  it("is accepted with any parameters and in any letter case", async () => {
    for (const type of ["application/json", "Application/JSON; charset=utf-8", "text/event-stream"])
      expect(await typedAs(type)).toBeUndefined();
  });

  it("is required: a different media type, or none, is reported", async () => {
    expect(await typedAs("text/html; charset=utf-8")).toBe(
      'the answer has the Content-Type "text/html; charset=utf-8", not application/json or text/event-stream',
    );
    expect(await typedAs(undefined)).toBe("the answer has no Content-Type, not application/json or text/event-stream");
    expect(await typedAs("text/plain", { id: 1, error }, "rejected")).toContain('"text/plain"');
  });

  it("is not required of an answer without a body, or of a refusal by a different program", async () => {
    const notified = { ...openRequest, id: undefined } as unknown as Json;
    const exchange = {
      question: { document: typed, data: notified, keep: [], seed: 1 },
      route: {},
      http,
      body: undefined,
      text: "",
      response: { status: 204, headers: {} },
    } as unknown as JudgedAnswer["exchange"];
    expect(await judgeTyped?.({ exchange, sent: '{"method":"open"}', verdict: "accepted" })).toBeUndefined();
    expect(await typedAs("text/html", { message: "no" }, "rejected")).toBeUndefined();
  });
});
