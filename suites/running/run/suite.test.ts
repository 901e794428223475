import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Answer, type Report, TouchstoneError } from "../../../schemas/index.ts";
import { sampleProtocol, vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import { type Question, type Target, TargetFailure, TargetSkip } from "../../targets/index.ts";
import { type RunPlan, runSuite, type SuiteOptions } from "./suite.ts";

const note = "sample/1.0/note";
const vectors = writeSet([
  {
    path: `${note}/valid.json`,
    document: "note",
    tests: [
      vector({ id: `${note}/valid/a`, data: { title: "a" } }),
      vector({ id: `${note}/valid/b`, data: { title: "b" } }),
    ],
  },
  {
    path: `${note}/invalid.json`,
    document: "note",
    tests: [
      vector({ id: `${note}/invalid/empty`, valid: false, rule: "S-1", data: { title: "" } }),
      vector({ id: `${note}/invalid/text`, valid: false, raw: "{", needs: ["raw-text"] }),
    ],
  },
  {
    path: "other/1.0/note/valid.json",
    document: "note",
    tests: [vector({ id: "other/1.0/note/valid/a", data: { title: "a" } })],
  },
  { path: "strange/1.0/gone/valid.json", document: "gone", tests: [vector({ id: "strange/1.0/gone/valid/a" })] },
]);

const acceptedAnswer: Answer = { verdict: "accepted", reasons: [] };
const rejectedAnswer: Answer = { verdict: "rejected", reasons: [] };

/** Accepts notes with a title. */
async function checkCorrectly({ data }: Question): Promise<Answer> {
  return (data as { title?: string } | undefined)?.title ? acceptedAnswer : rejectedAnswer;
}

function target(members: Partial<Target> = {}): Target {
  return {
    kind: "module",
    name: "fake",
    claims: undefined,
    concurrency: 2,
    open: async () => {},
    skips: () => undefined,
    check: checkCorrectly,
    close: async () => {},
    ...members,
  };
}

function suite(make: Target | (() => Target), options: Partial<SuiteOptions> = {}): Promise<Report> {
  const makeTarget = typeof make === "function" ? make : () => make;
  return runSuite({ protocols: [sampleProtocol()], target: makeTarget, vectors, ...options });
}

function outcomesOf(report: Report): string[] {
  return report.runs.flatMap((run) => run.results.map(({ outcome }) => outcome));
}

describe("runSuite", () => {
  it("reports each vector in order, and a correct target as conforming", async () => {
    const report = await suite(target());
    expect(report).toMatchObject({ complete: true, exitCode: 0, counts: { conforms: 4, violates: 0 } });
    expect(report.runs[0]).toMatchObject({
      protocol: "sample",
      target: { kind: "module", name: "fake" },
      set: { count: 4 },
      filter: { only: [], skip: [] },
    });
    expect(report.runs[0]?.results.map(({ id }) => id.slice(note.length))).toEqual([
      "/valid/a",
      "/valid/b",
      "/invalid/empty",
      "/invalid/text",
    ]);
  });

  it("announces the number of messages before the first question if the target limits messages per minute", async () => {
    const progress: unknown[] = [];
    const skips = ({ text }: Question): string | undefined => (text === undefined ? undefined : "no text");
    const check = (question: Question): Promise<Answer> => {
      progress.push("asked");
      return checkCorrectly(question);
    };
    const onPaced = (paced: unknown): void => void progress.push(paced);
    await suite(target({ skips, check }), { onPaced });
    expect(progress).toEqual(["asked", "asked", "asked"]);
    progress.length = 0;
    await suite(target({ skips, check, perMinute: 2 }), { onPaced });
    expect(progress).toEqual([{ protocol: "sample", messages: 3, perMinute: 2 }, "asked", "asked", "asked"]);
  });

  it("includes the vector and the answer only in the results of failures", async () => {
    const report = await suite(target({ check: async () => acceptedAnswer }));
    const [goodResult, , badResult] = report.runs[0]?.results ?? [];
    expect(report.exitCode).toBe(1);
    expect(goodResult).toEqual({
      id: `${note}/valid/a`,
      kind: "vector",
      document: "note",
      description: "a title of some length",
      verdict: "valid",
      level: "MUST",
      outcome: "conforms",
    });
    expect(badResult).toMatchObject({
      verdict: "invalid",
      rule: "S-1",
      at: "/title",
      outcome: "violates",
      why: "accepted, although it is invalid",
      answer: acceptedAnswer,
      vector: { data: { title: "" } },
    });
  });

  it("skips vectors that the target does not claim or cannot receive", async () => {
    const questions: Question[] = [];
    const check = (question: Question): Promise<Answer> => {
      questions.push(question);
      return checkCorrectly(question);
    };
    const claimingReport = await suite(target({ claims: ["semantic"], check }));
    expect(outcomesOf(claimingReport)).toEqual(["conforms", "conforms", "conforms", "skipped"]);
    expect(claimingReport.runs[0]?.results[3]?.why).toContain("raw-text");
    expect(claimingReport.runs[0]?.target.claims).toEqual(["semantic"]);
    expect(questions).toHaveLength(3);

    const skippedReport = await suite(target({ skips: () => "no endpoint", check }));
    expect(outcomesOf(skippedReport)).toEqual(["skipped", "skipped", "skipped", "skipped"]);
    expect(skippedReport.exitCode).toBe(3);
    expect(questions).toHaveLength(3);
  });

  it("distinguishes failures of the target from its answers", async () => {
    const failures: Record<string, unknown> = {
      a: new TargetFailure("errored", "read", "HTTP 500"),
      b: new TargetSkip("not today"),
      "": new TypeError("oops"),
    };
    const check = async ({ data }: Question): Promise<Answer> => {
      if (data === undefined) return rejectedAnswer;
      throw failures[(data as { title: string }).title];
    };
    const report = await suite(target({ check }));
    expect(report.runs[0]?.results.map(({ outcome, stage, why }) => [outcome, stage, why])).toEqual([
      ["errored", "read", "HTTP 500"],
      ["skipped", undefined, "not today"],
      ["errored", "answer", "oops"],
      ["conforms", undefined, undefined],
    ]);
    expect(report.exitCode).toBe(1);
  });

  it("times out questions that are never answered", async () => {
    const check = (question: Question, signal: AbortSignal): Promise<Answer> =>
      new Promise((answer, fail) => {
        if (question.data === undefined) answer(rejectedAnswer);
        signal.addEventListener("abort", () => fail(signal.reason));
      });
    const report = await suite(target({ check }), { timeoutMs: 5 });
    expect(outcomesOf(report)).toEqual(["timed-out", "timed-out", "timed-out", "conforms"]);
    expect(report.runs[0]?.results[0]).toMatchObject({ stage: "answer", why: "no answer within 5 ms" });
  });

  it.each([
    ["a server again", "http", ["conforms", "timed-out", "conforms", "conforms"], 2],
    ["a module once", "module", ["timed-out", "timed-out", "conforms", "conforms"], 1],
  ] as const)("asks %s about messages that were not answered in time", async (_, kind, outcome, askCount) => {
    const askedTitles: string[] = [];
    const progressTitles: string[] = [];
    const seeds = new Set<number>();
    const check = ({ data, seed }: Question, signal: AbortSignal): Promise<Answer> =>
      new Promise((answer, fail) => {
        const { title = "none" } = (data ?? {}) as { title?: string };
        askedTitles.push(title);
        if (title === "b") seeds.add(seed);
        const isBusy =
          title === "b" || (title === "a" && askedTitles.filter((askedTitle) => askedTitle === title).length === 1);
        if (!isBusy) answer(title === "a" ? acceptedAnswer : rejectedAnswer);
        signal.addEventListener("abort", () => fail(signal.reason));
      });
    const onProgress = ({ result }: { result: { id: string } }): void => void progressTitles.push(result.id);
    const report = await suite(target({ kind, check }), { timeoutMs: 5, onProgress });
    expect(outcomesOf(report)).toEqual(outcome);
    expect(askedTitles.filter((askedTitle) => askedTitle === "b")).toHaveLength(askCount);
    // The first message may have been accepted under its key, which would conflict the second time.
    expect(seeds.size).toBe(askCount);
    expect(progressTitles).toHaveLength(4);
    expect(new Set(progressTitles).size).toBe(4);
  });

  it("reports a target that cannot be opened, and closes it", async () => {
    let closeCount = 0;
    const close = async (): Promise<void> => void closeCount++;
    const open = (): Promise<void> => Promise.reject(new TouchstoneError("target", "nobody there"));
    const report = await suite(target({ open, close }));
    expect(report).toMatchObject({ complete: false, exitCode: 3 });
    expect(report.runs[0]).toMatchObject({ failure: { stage: "open", message: "nobody there" }, results: [] });
    expect(closeCount).toBe(1);

    const failToOpen = (): Promise<void> => Promise.reject(new TouchstoneError("usage", "no such variant"));
    await expect(suite(target({ open: failToOpen }))).rejects.toThrow("no such variant");
  });

  it("stops asking a target that is lost", async () => {
    const check = (): Promise<Answer> => Promise.reject(new TouchstoneError("target", "lost for good"));
    const report = await suite(target({ check, concurrency: 1 }));
    expect(report).toMatchObject({ complete: false, exitCode: 3 });
    expect(report.runs[0]?.failure).toEqual({ stage: "answer", message: "lost for good" });
    expect(outcomesOf(report)).toEqual(["errored"]);
  });

  it("stops asking a server that never answered", async () => {
    const manyVectors = Array.from({ length: 200 }, (_, index) => vector({ id: `v${index}` }));
    const folder = writeSet([{ path: `${note}/valid.json`, document: "note", tests: manyVectors }]);
    const failToConnect = (): Promise<Answer> =>
      Promise.reject(new TargetFailure("errored", "connect", "ECONNREFUSED"));
    const report = await suite(target({ check: failToConnect }), { vectors: folder });
    expect(report).toMatchObject({ complete: false, exitCode: 3, runs: [{ failure: { stage: "answer" } }] });
    expect(outcomesOf(report).length).toBeLessThan(60);

    let askedCount = 0;
    const failAfterFirst = (): Promise<Answer> =>
      askedCount++ === 0 ? Promise.resolve(acceptedAnswer) : failToConnect();
    expect(outcomesOf(await suite(target({ check: failAfterFirst }), { vectors: folder }))).toHaveLength(200);
  });

  it("keeps the results so far when it is interrupted, but does not report success", async () => {
    const controller = new AbortController();
    let closeCount = 0;
    const report = await suite(target({ concurrency: 1, close: async () => void closeCount++ }), {
      signal: controller.signal,
      onProgress: ({ done }) => done === 2 && controller.abort(),
    });
    expect(outcomesOf(report)).toEqual(["conforms", "conforms"]);
    expect(report).toMatchObject({ complete: false, exitCode: 3 });
    expect(closeCount).toBe(1);
  });

  it("runs only the selection, and creates a target for each selected protocol", async () => {
    let madeCount = 0;
    const make = (): Target => {
      madeCount += 1;
      return target();
    };
    const protocols = [sampleProtocol(), sampleProtocol("other")];
    const fullReport = await suite(make, { protocols });
    expect(fullReport.runs.map(({ protocol, results }) => [protocol, results.length])).toEqual([
      ["sample", 4],
      ["other", 1],
    ]);
    expect(fullReport.counts.conforms).toBe(5);
    expect(madeCount).toBe(2);
    const otherOnly = await suite(make, { protocols, only: ["other"] });
    expect(otherOnly.runs.map(({ protocol, filter }) => [protocol, filter.only])).toEqual([["other", ["other"]]]);
    expect(madeCount).toBe(3);
    await expect(suite(make, { protocols, only: ["nothing/**"] })).rejects.toMatchObject({ kind: "usage" });
    expect(madeCount).toBe(3);
  });

  it("runs one shard of the selection; all shards together run each vector once", async () => {
    const wholeReport = await suite(target());
    const shardReports = await Promise.all(
      [1, 2, 3].map((index) => suite(target(), { shard: { index, count: 3 }, only: [note] })),
    );
    const ids = shardReports.flatMap(({ runs }) => runs.flatMap(({ results }) => results.map(({ id }) => id)));
    expect(ids.sort()).toEqual(wholeReport.runs[0]?.results.map(({ id }) => id).sort());
    expect(shardReports.map(({ runs }) => runs.map(({ shard, set }) => [shard?.index, set.count]))).toEqual([
      [[1, 4]],
      [[2, 4]],
      [[3, 4]],
    ]);
    expect(shardReports.every(({ complete }) => complete)).toBe(true);
    expect(wholeReport.runs[0]).not.toHaveProperty("shard");
  });

  it("announces the run, and the index of each result in the report", async () => {
    const plans: RunPlan[] = [];
    const progress: [index: number, id: string][] = [];
    const slowTarget = target({
      concurrency: 4,
      check: async (question) => {
        if ((question.data as { title?: string } | undefined)?.title === "a") await sleep(20);
        return checkCorrectly(question);
      },
    });
    const report = await suite(slowTarget, {
      onStart: (plan) => plans.push(plan),
      onProgress: ({ index, run, result }) => progress.push([index + 10 * run, result.id]),
    });
    const { tool, started, command, runs } = report;
    // The claims, or the assumed ones, are known once the target is open.
    const heads = runs.map(({ counts: _, results: __, target: { kind, name }, ...head }) => ({
      ...head,
      target: { kind, name },
    }));
    expect(plans).toEqual([{ tool, started, command, runs: heads }]);
    expect(progress.at(-1)?.[0]).toBe(0);
    expect(progress.sort(([a], [b]) => a - b).map(([, id]) => id)).toEqual(runs[0]?.results.map(({ id }) => id));
  });

  it("refuses a set without vectors of the protocol, or with an unknown document", async () => {
    const absentSuite = suite(target(), { protocols: [sampleProtocol("absent")] });
    await expect(absentSuite).rejects.toMatchObject({ kind: "usage" });
    const strangeSuite = suite(target(), { protocols: [sampleProtocol("strange")] });
    await expect(strangeSuite).rejects.toThrow(/"gone"/);
  });

  it("never tells a target the expected verdict", async () => {
    const seenIds: string[] = [];
    const check = (question: Question): Promise<Answer> => {
      seenIds.push(JSON.stringify({ ...question, document: undefined }));
      return checkCorrectly(question);
    };
    await suite(target({ check }));
    expect(seenIds.join()).not.toMatch(/valid|S-1|empty/);
  });

  it("counts progress over all protocols and uses the target's own concurrency", async () => {
    let maxOpen = 0;
    let openCount = 0;
    const check = async (question: Question): Promise<Answer> => {
      maxOpen = Math.max(maxOpen, ++openCount);
      await new Promise(setImmediate);
      openCount -= 1;
      return checkCorrectly(question);
    };
    const reportedIds: string[] = [];
    await suite(() => target({ check }), {
      protocols: [sampleProtocol(), sampleProtocol("other")],
      onProgress: ({ protocol, done, total }) => reportedIds.push(`${protocol} ${done}/${total}`),
    });
    expect(reportedIds).toEqual(["sample 1/5", "sample 2/5", "sample 3/5", "sample 4/5", "other 5/5"]);
    expect(maxOpen).toBe(2);
    await suite(target({ check }), { concurrency: 4 });
    expect(maxOpen).toBe(4);
  });

  it("judges error codes only for servers", async () => {
    const protocol = sampleProtocol();
    protocol.profile.http.reason = { codes: ["bad_title"] };
    const check = async (question: Question): Promise<Answer> => {
      const { verdict } = await checkCorrectly(question);
      return { verdict, reasons: verdict === "rejected" ? [{ code: "too_small" }] : [] };
    };
    const counts = async (kind: Target["kind"]): Promise<Report["counts"]> =>
      (await suite(target({ kind, check }), { protocols: [protocol] })).counts;
    expect(await counts("http")).toMatchObject({ "wrong-reason": 2, conforms: 2 });
    expect(await counts("module")).toMatchObject({ "wrong-reason": 0, conforms: 4 });
  });

  it("shows the command for a target that a command line can name", async () => {
    const report = await runSuite({
      protocols: [sampleProtocol()],
      target: { kind: "module", file: "./nowhere.js" },
      vectors,
    });
    expect(report.command).toContain("run sample --module ./nowhere.js");
    expect(report.runs[0]?.failure?.stage).toBe("open");
    expect((await suite(target())).command).toBe("");
  });
});
