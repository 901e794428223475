import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Endpoint, type Protocol, readPack } from "../../schemas/index.ts";
import { answerJudge } from "./http/answer-judge.ts";
import { outputJudges } from "./mcp/output.ts";

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "schema:/booking.schema.json",
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string", format: "uuid" },
    at: { type: "string", format: "date-time" },
    by: { $ref: "#/$defs/user" },
    note: { anyOf: [{ $ref: "#/$defs/held" }, { type: "null" }] },
    list: { type: "array", items: { properties: { kind: {} }, unevaluatedProperties: false } },
  },
  $defs: {
    held: { type: "string", contentMediaType: "application/json", contentSchema: { $ref: "#/$defs/count" } },
    count: { type: "object", required: ["n"], properties: { n: { type: "integer" } } },
    user: { properties: { password: { type: "string", writeOnly: true } } },
  },
};
const folder = realpathSync(mkdtempSync(join(tmpdir(), "touchstone-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "booking.schema.json"), JSON.stringify(schema));

function protocolOf(formats: "assert" | "annotate"): Protocol {
  writeFileSync(
    join(folder, "profile.json"),
    JSON.stringify({ formats, documents: [{ file: "booking.schema.json" }] }),
  );
  return readPack(folder);
}

const answers = [{ status: "200", type: "application/json", document: "booking" }];
const describedAnswers = { answers, rule: "BOOKING-ANSWER-001", credentials: [] };
const endpoint: Endpoint = { method: "POST", path: "/", described: describedAnswers };
const id = "0b8e0f0e-6f0c-4c9e-9d6a-1f0e4a3b2c1d";

async function breachesOf(formats: "assert" | "annotate", answer: object): Promise<[unknown, unknown]> {
  const protocol = protocolOf(formats);
  const headers = { "content-type": "application/json" };
  const response = { status: 200, headers, body: JSON.stringify(answer) };
  const body = await answerJudge(protocol).breach(response as never, endpoint);
  const output = (await outputJudges(protocol)(schema.$id))({ structuredContent: answer });
  return [body && `${body.level} ${body.message}`, output && `${output.level} ${output.message}`];
}

describe("an answer with a wrong format", () => {
  it("is a warning with its place if formats are annotations, and a violation if they assert", async () => {
    for (const answer of [{ id: "17" }, { id, at: "yesterday" }]) {
      const place = "at" in answer ? /\/at:? must match format "date-time"/ : /\/id:? must match format "uuid"/;
      for (const message of await breachesOf("annotate", answer)) expect(message).toMatch(place);
      for (const message of await breachesOf("annotate", answer)) expect(message).toMatch(/^SHOULD /);
      for (const message of await breachesOf("assert", answer)) expect(message).toMatch(/^MUST /);
    }
  });

  it("is a violation if something else is wrong too, which is reported instead", async () => {
    for (const message of await breachesOf("annotate", { id: "17", at: 5 }))
      expect(message).toMatch(/^MUST .*\/at:? must be string/);
  });

  it("is not reported if validators disagree, and a correct answer is not reported either", async () => {
    expect(await breachesOf("assert", { id, at: "2026-01-01T00:00:00Z" })).toEqual([undefined, undefined]);
    expect(await breachesOf("assert", { id, at: "1998-12-31T23:59:60Z" })).toEqual([undefined, undefined]);
  });
});

it("an answer with a writeOnly member gets a warning with its place, and is a violation if something else is wrong", async () => {
  for (const message of await breachesOf("annotate", { id, by: { password: "p" } }))
    expect(message).toMatch(/^SHOULD .*\/by\/password:? is writeOnly, and no answer should have it/);
  for (const message of await breachesOf("annotate", { id, by: { password: 5 } }))
    expect(message).toMatch(/^MUST .*must be string/);
  expect(await breachesOf("annotate", { id, by: {} })).toEqual([undefined, undefined]);
});

it("an answer gets a warning for a string without JSON, or with JSON other than described", async () => {
  for (const note of ["{", '{"n":"1"}', '"n"'])
    for (const message of await breachesOf("annotate", { id, note })) expect(message).toMatch(/^SHOULD .*\/note:? is /);
  for (const message of await breachesOf("annotate", { id, note: "{" }))
    expect(message).toMatch("is not valid JSON (contentMediaType)");
  for (const message of await breachesOf("annotate", { id, note: '{"n":"1"}' }))
    expect(message).toMatch("that its contentSchema");
  for (const note of ['{"n":1}', null])
    expect(await breachesOf("annotate", { id, note })).toEqual([undefined, undefined]);
  for (const message of await breachesOf("annotate", { id, note: 5 })) expect(message).toMatch(/^MUST /);
});

it("a member named like an inherited property is reported with its place, although Ajv considers it evaluated", async () => {
  for (const message of await breachesOf("annotate", { id, list: [{ kind: 1 }, { constructor: 2 }] }))
    expect(message).toMatch(/^MUST .*\/list\/1:? must NOT have unevaluated properties: "constructor"/);
});
