import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import { afterAll, describe, expect, it } from "vitest";
import {
  type Answer,
  isObject,
  ownSchemas,
  protocolNamed,
  type Question,
  TargetFailure,
} from "../../../schemas/index.ts";
import { validatorFor } from "../../packs/validate/validate.ts";
import { runSuite } from "../run/suite.ts";
import { type FuzzSuiteOptions, fuzzSuite, saveFindings } from "./index.ts";
import { answeringTarget } from "./target.fixture.ts";

const protocol = protocolNamed("ahcp");
const acceptedAnswer: Answer = { verdict: "accepted", reasons: [] };
const rejectedAnswer: Answer = { verdict: "rejected", reasons: [] };
const validator = validatorFor(protocol);
const ajv = new Ajv2020({ strict: false, schemas: Object.values(ownSchemas()) });
formatsPlugin.default(ajv);
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function isValid({ document, data = null }: Question): Promise<boolean> {
  return (await validator)(document, data).every(({ level, site }) => level !== "MUST" && site === undefined);
}

function run(
  target: ReturnType<typeof answeringTarget>,
  options: Partial<FuzzSuiteOptions> = {},
): ReturnType<typeof fuzzSuite> {
  return fuzzSuite({
    protocols: [protocol],
    target: () => target,
    document: "submit-ack",
    command: "",
    runs: 200,
    seed: 1,
    maxFailures: 10,
    timeoutMs: 1000,
    ...options,
  });
}

function schemaErrors(format: string, value: unknown): unknown {
  const validate = ajv.getSchema(`https://touchstone.example/schemas/touchstone/${format}.schema.json`);
  return validate?.(value) === true ? null : validate?.errors;
}

describe("random messages", () => {
  it("are the same for the same seed, and different for a different seed", async () => {
    const questionsFor = async (seed: number): Promise<unknown> => {
      const target = answeringTarget(async (question) => ((await isValid(question)) ? acceptedAnswer : rejectedAnswer));
      await run(target, { seed, runs: 60 });
      expect(target.receivedQuestions.length).toBe(60);
      return target.receivedQuestions;
    };
    const firstQuestions = await questionsFor(1);
    expect(await questionsFor(1)).toEqual(firstQuestions);
    expect(await questionsFor(2)).not.toEqual(firstQuestions);
  });

  it("never fail a correct target, and include valid and invalid ones", async () => {
    const target = answeringTarget(async (question) => ((await isValid(question)) ? acceptedAnswer : rejectedAnswer));
    const { report } = await run(target, { document: undefined, runs: 500 });
    expect(report).toMatchObject({ exitCode: 0, complete: true, counts: { violates: 0, errored: 0 } });
    const verdicts = report.runs[0]?.results
      .filter(({ outcome }) => outcome === "conforms")
      .map((result) => result.verdict);
    expect(new Set(verdicts)).toEqual(new Set(["valid", "invalid"]));
  });

  it("report each fault of a target that accepts everything once, shrunk, with a path that reproduces it", async () => {
    const { report, found } = await run(
      answeringTarget(() => acceptedAnswer),
      { maxFailures: 3 },
    );
    const findings = found[0]?.findings ?? [];
    expect(report.exitCode).toBe(1);
    expect(findings.length).toBe(3);
    expect(schemaErrors("report", report)).toBeNull();
    expect(new Set(findings.map(({ vector }) => vector.site)).size).toBe(3);
    for (const { vector } of findings) {
      expect(JSON.stringify(vector.data).length).toBeLessThan(80);
      const [, path = ""] = /\/invalid\/fuzz\/1\/([\d:x]+)$/.exec(vector.id) ?? [];
      const target = answeringTarget(() => acceptedAnswer);
      const replay = await run(target, { path });
      expect(target.receivedQuestions).toEqual([{ document: "submit-ack", data: vector.data }]);
      expect(replay.report.runs[0]?.results).toMatchObject([{ id: vector.id, site: vector.site, outcome: "violates" }]);
    }
  });

  it("detect a target that refuses valid messages, and do not count refusals of disputed messages", async () => {
    const { report } = await run(
      answeringTarget(() => rejectedAnswer),
      { document: "message" },
    );
    const { counts, results = [] } = report.runs[0] ?? {};
    expect([report.exitCode, counts?.violates !== 0, counts?.disputed !== 0]).toEqual([1, true, true]);
    const breaches = results.filter(({ outcome }) => outcome === "violates");
    expect(new Set(breaches.map(({ verdict }) => verdict))).toEqual(new Set(["valid"]));
    for (const { vector } of breaches)
      expect(await isValid({ document: protocol.profile.documents[0], data: vector?.data } as Question)).toBe(true);
  });

  it("that fail only sometimes are still reported as failures", async () => {
    let falseAcceptances = 0;
    const { report } = await run(
      answeringTarget(async (question) =>
        (await isValid(question)) || falseAcceptances++ === 0 ? acceptedAnswer : rejectedAnswer,
      ),
    );
    expect(report.counts.violates).toBe(1);
  });

  it("are saved as a vector set, with their parents, beside existing vectors", async () => {
    const acceptsMember = (name: string) => async (question: Question) =>
      (await isValid(question)) || (isObject(question.data) && Object.hasOwn(question.data, name))
        ? acceptedAnswer
        : rejectedAnswer;
    for (const [seed, name] of [
      [1, "ids"],
      [2, "unexpected_member"],
    ] as const) {
      const { found } = await run(answeringTarget(acceptsMember(name)), { seed, runs: 1000 });
      const files = await saveFindings(folder, protocol, found[0]?.findings ?? [], seed);
      expect(files).toContain(join(folder, "ahcp/0.3/submit-ack/invalid.json"));
    }
    const readJson = (path: string): unknown => JSON.parse(readFileSync(join(folder, path), "utf8"));
    expect(schemaErrors("vector-file", readJson("ahcp/0.3/submit-ack/invalid.json"))).toBeNull();
    expect(schemaErrors("manifest", readJson("MANIFEST.json"))).toBeNull();
    const runSaved = (answer: Parameters<typeof answeringTarget>[0]) =>
      runSuite({ protocols: [protocol], target: () => answeringTarget(answer), vectors: folder });
    const strictReport = await runSaved(async (question) =>
      (await isValid(question)) ? acceptedAnswer : rejectedAnswer,
    );
    const { results = [] } = strictReport.runs[0] ?? {};
    expect(strictReport.counts).toMatchObject({ violates: 0, conforms: results.length });
    expect(results.filter(({ id }) => id.endsWith("/parent")).length).toBe(results.length / 2);
    expect((await runSaved(acceptsMember("ids"))).counts.violates).toBe(
      results.filter(({ id }) => /invalid\/fuzz\/1\//.test(id)).length,
    );
    expect(new Set(results.map(({ id }) => id.split("/")[5]))).toEqual(new Set(["1", "2"]));
  });
});

describe("a target", () => {
  it("that never answers does not pass, and is not reported as violating", async () => {
    const { report } = await run(
      answeringTarget(() => {
        throw new TargetFailure("errored", "answer", "oh");
      }),
    );
    expect(report).toMatchObject({ exitCode: 3, counts: { violates: 0, errored: 200 } });
  });

  it("that errs on some messages is reported with one of them shrunk", async () => {
    const target = answeringTarget(async (question) => {
      if (JSON.stringify(question.data).includes("review_url")) throw new TargetFailure("errored", "answer", "oh");
      return (await isValid(question)) ? acceptedAnswer : rejectedAnswer;
    });
    const { report } = await run(target);
    const erroredResults = report.runs[0]?.results.filter(({ outcome }) => outcome === "errored") ?? [];
    expect([report.exitCode, report.counts.violates]).toEqual([1, 0]);
    expect(erroredResults.length).toBeGreaterThan(1);
    expect(Math.min(...erroredResults.map(({ vector }) => JSON.stringify(vector?.data).length))).toBeLessThan(80);
  });

  it("that skips everything does not receive further messages, and never passes", async () => {
    const target = { ...answeringTarget(() => acceptedAnswer), skips: () => "not mine" };
    const { report } = await run(target);
    expect(report).toMatchObject({ exitCode: 3, counts: { skipped: 16 } });
  });

  it("that cannot be opened is reported", async () => {
    const { report } = await fuzzSuite({
      protocols: [protocol],
      target: { kind: "module", file: "nowhere.mjs" },
      command: "",
      runs: 10,
      seed: 1,
      maxFailures: 1,
      timeoutMs: 1000,
    });
    expect(report).toMatchObject({ exitCode: 3, runs: [{ failure: { stage: "open" } }] });
  });

  it.each([
    [{ document: "nothing" }, /has no document "nothing"/],
    [{ path: "1:0:99999" }, /the path 1:0:99999 gives no message with the seed/],
    [{ document: undefined, path: "1" }, /--path gives a message of one document, and no document is named/],
  ])("is not opened for %j", async (options, message) => {
    await expect(
      run(
        answeringTarget(() => acceptedAnswer),
        options,
      ),
    ).rejects.toThrow(message);
  });
});
