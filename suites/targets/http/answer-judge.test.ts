import { describe, expect, it } from "vitest";
import type { DescribedStatuses, Endpoint, Protocol } from "../../../schemas/index.ts";
import { answerJudge } from "./answer-judge.ts";

const json = ["application/json"];
const created: DescribedStatuses["named"] = [
  { status: "201", types: json },
  { status: "422", types: ["application/problem+json"] },
];

async function breachOf(
  named: DescribedStatuses["named"],
  status: number,
  type = "application/json",
  isChosen = false,
  body = "{}",
  method: Endpoint["method"] = "POST",
): Promise<unknown> {
  const described = {
    answers: [],
    rule: "PET-ANSWER-001",
    credentials: [],
    statuses: { rule: "PET-STATUS-001", named },
  };
  const endpoint = { method, path: "/pets", described } as Endpoint;
  const response = { status, headers: { "content-type": type }, body };
  const answerBreach = await answerJudge({} as Protocol).breach(response as never, endpoint, isChosen);
  return answerBreach === undefined ? undefined : `${answerBreach.level} ${answerBreach.rule} ${answerBreach.message}`;
}

describe("an undocumented answer", () => {
  it("causes a warning that names the documented ones", async () => {
    expect(await breachOf(created, 201)).toBeUndefined();
    expect(await breachOf(created, 200)).toBe("SHOULD PET-STATUS-001 status 200 is not documented: there is 201");
    expect(await breachOf(created, 418)).toBe("SHOULD PET-STATUS-001 status 418 is not documented: there is 422");
    expect(await breachOf(created, 201, "application/hal+json; charset=utf-8")).toBe(
      "SHOULD PET-STATUS-001 the media type application/hal+json is not documented for status 201: there is application/json",
    );
    expect(await breachOf(created, 422, "text/plain")).toMatch(/text\/plain is not documented for status 422/);
  });

  it("is a violation if a success is not JSON, and the description has only JSON", async () => {
    expect(await breachOf(created, 201, "text/plain; charset=utf-8")).toBe(
      "MUST PET-ANSWER-001 the media type text/plain is not documented for status 201: there is application/json",
    );
    expect(await breachOf([{ status: "201", types: ["*/*"] }], 201, "text/plain")).toBeUndefined();
    expect(await breachOf([{ status: "201", types: ["application/json", "text/csv"] }], 201, "text/plain")).toMatch(
      /^SHOULD/,
    );
  });

  it("causes a warning if it has no Content-Type", async () => {
    expect(await breachOf(created, 201, "")).toBe(
      "SHOULD PET-STATUS-001 the answer (HTTP 201) has no Content-Type: there is application/json",
    );
  });

  it("does not cause a warning if the description is open: by default, by a class, or because nothing comparable is named", async () => {
    for (const status of [400, 418, 404, 503, 200])
      expect(await breachOf([{ status: "default", types: json }], status)).toBeUndefined();
    expect(await breachOf([{ status: "2XX", types: ["*/*"] }], 202, "text/plain")).toBeUndefined();
    expect(await breachOf([{ status: "200", types: ["text/*"] }], 200, "text/csv")).toBeUndefined();
    expect(await breachOf([{ status: "200", types: [] }], 200, "text/csv")).toBeUndefined();
    expect(await breachOf([{ status: "404", types: json }], 200)).toBeUndefined();
    expect(await breachOf([{ status: "200", types: json }], 418)).toBeUndefined();
  });

  it("does not cause a warning if it usually comes from frameworks, or if the server fails", async () => {
    for (const status of [400, 401, 404, 413, 415, 429, 500, 503])
      expect(await breachOf(created, status)).toBeUndefined();
  });

  it("causes a warning even then if the server uses it to refuse all invalid messages", async () => {
    expect(await breachOf(created, 409, "application/json", true)).toMatch(
      /^SHOULD PET-STATUS-001 status 409 is not doc/,
    );
    expect(
      await breachOf([...(created ?? []), { status: "409", types: json }], 409, "application/json", true),
    ).toBeUndefined();
  });
});

describe("an answer without a body", () => {
  it("causes a warning if the described body is JSON", async () => {
    expect(await breachOf(created, 201, "", false, "")).toBe(
      "SHOULD PET-STATUS-001 HTTP 201 has no body: there is application/json",
    );
    expect(await breachOf(created, 422, "", false, "")).toMatch(
      /HTTP 422 has no body: there is application\/problem\+json/,
    );
    expect(await breachOf(created, 400, "", false, "")).toBeUndefined();
  });

  it("does not cause a warning if there cannot be a body, if it may be other text, or if the description may mean a different status", async () => {
    expect(await breachOf(created, 201, "", false, "", "HEAD")).toBeUndefined();
    for (const types of [[], ["*/*"], ["text/plain"], [...json, "text/csv"]])
      expect(await breachOf([{ status: "201", types }], 201, "", false, "")).toBeUndefined();
    expect(await breachOf([{ status: "2XX", types: json }], 204, "", false, "")).toBeUndefined();
    expect(await breachOf([{ status: "default", types: json }], 201, "", false, "")).toBeUndefined();
  });
});

describe("schemas of an answer", () => {
  const protocol = {
    rules: [],
    schemas: [
      { $id: "schema:/error.schema.json", type: "object", required: ["message"] },
      {
        $id: "schema:/headers.schema.json",
        type: "object",
        properties: { tags: { type: "array" }, total: { type: "integer" } },
        required: ["tags", "total"],
      },
    ],
    profile: {
      formats: "annotate",
      documents: ["error", "headers"].map((name) => ({ name, schema: `schema:/${name}.schema.json` })),
    },
  } as unknown as Protocol;
  const breachOfStatus = async (status: number, headers: Record<string, string>, named: string[]) => {
    const described = {
      rule: "A-ANSWER-001",
      credentials: [],
      answers: [{ status: "default", type: "application/json", document: "error" }],
      statuses: { rule: "A-STATUS-001", named: named.map((documented) => ({ status: documented, types: [] })) },
      headers: {
        rule: "A-HEADER-001",
        answers: [
          {
            status: "200",
            document: "headers",
            headers: [
              { name: "tags", holds: "items", required: true },
              { name: "total", types: ["integer"], required: true },
            ],
          },
        ],
      },
    };
    const endpoint = { method: "GET", path: "/a", described } as unknown as Endpoint;
    const response = { status, headers: { "content-type": "application/json", ...headers }, body: "{}" };
    return (await answerJudge(protocol).breach(response as never, endpoint))?.rule;
  };

  const bodyBreach = async (body: string, type: string, answer: object, status = 200, isPartial = false) => {
    const described = {
      rule: "A-ANSWER-001",
      credentials: [],
      answers: [{ status: "200", document: "error", ...answer }],
      statuses: { rule: "A-STATUS-001", named: [{ status: "200", types: [(answer as { type: string }).type] }] },
    };
    const endpoint = { method: "GET", path: "/a", described } as unknown as Endpoint;
    const response = {
      status,
      headers: type === "" ? {} : { "content-type": type },
      body,
      ...(isPartial ? { isPartial } : {}),
    };
    const breachFound = await answerJudge(protocol).breach(response as never, endpoint);
    return breachFound && `${breachFound.level} ${breachFound.rule} ${breachFound.message}`;
  };

  it("apply to a missing body, and to a body without a media type", async () => {
    const json = { type: "application/json" };
    expect(await bodyBreach("", "", json)).toBe("MUST A-ANSWER-001 HTTP 200 has no body: there is application/json");
    expect(await bodyBreach("{}", "", json)).toMatch(/^MUST A-ANSWER-001 .*message/);
    expect(await bodyBreach('{"message":1}', "", json)).toMatch(/^SHOULD A-STATUS-001 .*no Content-Type/);
  });

  it("apply to a body of bytes that are not UTF-8, with a warning", async () => {
    const described = { rule: "A-ANSWER-001", credentials: [] };
    const answers = [{ status: "200", type: "application/json", document: "error" }];
    const endpoint = { method: "GET", path: "/a", described: { ...described, answers } } as unknown as Endpoint;
    const headers = { "content-type": "application/json" };
    const response = { status: 200, headers, body: '{"message":"\ufffd"}' };
    const judge = answerJudge(protocol);
    expect(await judge.breach(response, endpoint)).toBeUndefined();
    expect(await judge.breach({ ...response, isGarbled: true }, endpoint)).toMatchObject({
      level: "SHOULD",
      rule: "A-ANSWER-001",
      message: "the body of the answer (HTTP 200) is not as described: it is not UTF-8 (RFC 8259, 8.1)",
    });
  });

  it("apply to each item of a stream that was read", async () => {
    const items = { type: "application/jsonl", items: true };
    const validRecord = '{"message":"a"}\n';
    expect(await bodyBreach(validRecord + validRecord, "application/jsonl", items)).toBeUndefined();
    expect(await bodyBreach(`${validRecord}{}\n`, "application/jsonl", items)).toMatch(
      /^MUST A-ANSWER-001 .*item 2 of the stream: .*message/,
    );
    expect(await bodyBreach(`${validRecord}{"mess`, "application/jsonl", items, 200, true)).toBeUndefined();
    expect(await bodyBreach(`${validRecord}{"mess`, "application/jsonl", items)).toMatch(
      /item 2 of the stream: it is not JSON/,
    );
    const events = { type: "text/event-stream", items: true };
    expect(await bodyBreach("data: x\n\n", "text/event-stream", events)).toMatch(/item 1 of the stream/);
  });

  it("for `default` apply to statuses that are not declared, with or without a schema", async () => {
    expect(await breachOfStatus(404, {}, ["200", "default"])).toBe("A-ANSWER-001");
    expect(await breachOfStatus(404, {}, ["404", "default"])).toBeUndefined();
    expect(await breachOfStatus(404, {}, ["4XX", "default"])).toBeUndefined();
  });

  it("apply to headers, even beside a header with a list", async () => {
    expect(await breachOfStatus(200, { tags: "a,b", total: "1" }, ["200"])).toBeUndefined();
    expect(await breachOfStatus(200, { tags: "a,b", total: "many" }, ["200"])).toBe("A-HEADER-001");
    expect(await breachOfStatus(200, { tags: "a,b" }, ["200"])).toBe("A-HEADER-001");
  });
});
