import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CheckAnswer, type CheckMessage, protocolsNamed } from "../../../schemas/index.ts";
import { casesOf } from "../../running/run/case.ts";
import { questionOf } from "../../running/run/question.ts";
import { checkOf } from "../../targets/command/check.ts";
import { loadVectors } from "../corpus/index.ts";
import { referenceOf } from "../pack/load.ts";
import { createApp } from "./app.ts";
import { serviceForDocuments } from "./documents.ts";
import { answerLines } from "./lines.ts";
import type { ServeHandler } from "./serve.ts";

/** Uses every 40th vector of each protocol, to keep the test short. */
const step = 40;

describe.each(protocolsNamed("all").map(({ name }) => name))("check lines for documents of %s", (name) => {
  let app: ServeHandler;
  let checks: CheckMessage[];
  beforeAll(async () => {
    const [named] = protocolsNamed(name);
    const { protocol, service } = await referenceOf(named as NonNullable<typeof named>);
    app = await createApp(protocol, service ?? serviceForDocuments(protocol));
    checks = casesOf(protocol, loadVectors(protocol))
      .filter((_, index) => index % step === 0)
      .map(({ vector, document }, seq) => ({
        command: "check",
        seq,
        ...checkOf(questionOf(vector, document, 1)),
      }));
  });
  afterAll(() => app.close?.());

  const post = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
    app(new Request(`http://reference.test${path}`, { method: "POST", headers: { "content-type": type }, body }));

  it("get the same verdicts as each document sent alone", async () => {
    const body = checks.map((check) => JSON.stringify(check)).join("\n");
    const answer = await post("/documents", "application/x-ndjson", body);
    const lineAnswers = (await answer.text()).split("\n").map((line): CheckAnswer => JSON.parse(line));
    expect(lineAnswers.map(({ seq }) => seq)).toEqual(checks.map(({ seq }) => seq));
    for (const { seq, document, data, text, base64 = "", yaml } of checks) {
      const alone = data === undefined ? (text ?? Buffer.from(base64, "base64")) : JSON.stringify(data);
      const type = yaml === true ? "application/yaml" : "application/json";
      const response = await post(`/documents/${document}`, type, alone);
      const { valid, errors } = (await response.json()) as CheckAnswer;
      const warnings = JSON.parse(response.headers.get("touchstone-warnings") ?? "[]");
      const { warnings: allWarnings = warnings, ...other } = lineAnswers[seq] as CheckAnswer & { warnings?: unknown[] };
      expect(other).toEqual({ seq, valid, ...(valid ? {} : { errors }) });
      // A header contains only the first warnings.
      expect(allWarnings.slice(0, warnings.length)).toEqual(warnings);
      expect(warnings.length).toBeGreaterThanOrEqual(Math.min(allWarnings.length, 10));
    }
    expect(new Set(lineAnswers.map(({ valid }) => valid))).toEqual(new Set([true, false]));
  });
});

it("an unknown or unreadable document fails only its line", async () => {
  const [ahcp] = protocolsNamed("ahcp");
  const documents = ahcp?.profile.documents ?? [];
  const check = { command: "check", schema: "" } as const;
  const messages: CheckMessage[] = [
    { ...check, seq: 4, document: "nothing", data: 1 },
    { ...check, seq: 5, document: "message", data: 2 },
    { ...check, seq: 6, document: "message", data: 3 },
  ];
  const judge = (_: unknown, value: unknown) => {
    if (value === 2) throw new TypeError("is two");
    return { breaches: [], advice: [] };
  };
  const lines = await answerLines(messages.map((message) => JSON.stringify(message)).join("\n"), documents, judge);
  expect(lines.split("\n").map((line) => JSON.parse(line))).toEqual([
    { seq: 4, error: 'no document "nothing"' },
    { seq: 5, error: "TypeError: is two" },
    { seq: 6, valid: true, warnings: [] },
  ]);
});
