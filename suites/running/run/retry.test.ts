import { describe, expect, it } from "vitest";
import type { Answer, Report } from "../../../schemas/index.ts";
import { sampleProtocol, vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import { describeConclusion } from "../../reports/wording/phrases.ts";
import type { Retry } from "../../results/retry.ts";
import { type Question, type Target, TargetFailure } from "../../targets/index.ts";
import { runSuite } from "./suite.ts";

const note = "sample/1.0/note";
const vectors = writeSet([
  {
    path: `${note}/valid.json`,
    document: "note",
    tests: ["a", "b"].map((title) => vector({ id: `${note}/valid/${title}`, data: { title } })),
  },
  {
    path: `${note}/invalid.json`,
    document: "note",
    tests: [vector({ id: `${note}/invalid/empty`, valid: false, rule: "S-1", data: { title: "" } })],
  },
]);

/** The answers to a title, attempt by attempt; the last one is repeated. */
type Script = Record<string, (Answer["verdict"] | "fails")[]>;

async function run(script: Script, retry?: Retry): Promise<{ report: Report; asked: Map<string, number> }> {
  const attempts = new Map<string, number>();
  const check = async ({ data }: Question): Promise<Answer> => {
    const { title } = data as { title: string };
    const turn = attempts.get(title) ?? 0;
    attempts.set(title, turn + 1);
    const answers = script[title] ?? [title === "" ? "rejected" : "accepted"];
    const verdict = answers[Math.min(turn, answers.length - 1)] as Answer["verdict"] | "fails";
    if (verdict === "fails") throw new TargetFailure("errored", "answer", "HTTP 500");
    return { verdict, reasons: [] };
  };
  const target: Target = {
    kind: "module",
    name: "fake",
    claims: undefined,
    concurrency: 1,
    skips: () => undefined,
    check,
    open: async () => {},
    close: async () => {},
  };
  const report = await runSuite({ protocols: [sampleProtocol()], target: () => target, vectors, retry });
  return { report, asked: attempts };
}

const outcomesOf = (report: Report): unknown[] =>
  report.runs.flatMap((each) => each.results.map(({ outcome }) => outcome));

describe("a failing vector is tried again", () => {
  it("and is flaky if its answers differ, which fails the run", async () => {
    const { report, asked } = await run({ "": ["accepted", "rejected"] }, { count: 3 });
    expect(outcomesOf(report)).toEqual(["conforms", "conforms", "flaky"]);
    expect(report).toMatchObject({ exitCode: 1, counts: { flaky: 1, violates: 0 } });
    const flaky = report.runs[0]?.results[2];
    expect(flaky?.why).toMatch(/^answers differ between tries \(violates, conforms\): accepted/);
    expect(flaky?.cause).toEqual({ kind: "flaky", tries: ["violates", "conforms"], of: "accepted" });
    expect(asked.get("")).toBe(2);
  });

  it("and violates if every answered attempt does", async () => {
    const { report, asked } = await run({ "": ["fails", "accepted"] }, { count: 2 });
    expect(outcomesOf(report)).toEqual(["conforms", "conforms", "violates"]);
    expect(asked.get("")).toBe(3);
  });

  it("and keeps its result if no attempt is answered", async () => {
    const { report } = await run({ b: ["fails"] }, { count: 2 });
    expect(outcomesOf(report)).toEqual(["conforms", "errored", "conforms"]);
  });

  it("and does not fail the run if the configuration excuses the cause, as the report says", async () => {
    const script: Script = { b: ["fails", "accepted"] };
    const { report } = await run(script, { count: 1, excuses: ["no-usable-answer"] });
    expect([report.exitCode, report.runs[0]?.results[1]?.why]).toEqual([
      0,
      "answers differ between tries (errored, conforms): HTTP 500; excused by the configuration (retry.excuses: no-usable-answer)",
    ]);
    expect(describeConclusion(report)).toBe(
      "Conforms, with 1 flaky result that the configuration excuses: no vector is violated.",
    );
    const { report: failingReport } = await run(script, { count: 1, excuses: ["timed-out"] });
    expect([failingReport.exitCode, describeConclusion(failingReport)]).toEqual([
      1,
      "Not shown to conform: 1 vector is flaky (answers differ between tries).",
    ]);
  });

  it("and no more often than configured", async () => {
    expect(outcomesOf((await run({ "": ["accepted", "rejected"] })).report)[2]).toBe("violates");
    expect(outcomesOf((await run({ "": ["accepted", "accepted", "rejected"] }, { count: 1 })).report)[2]).toBe(
      "violates",
    );
  });
});
