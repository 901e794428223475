import { describe, expect, it } from "vitest";
import { type Answer, type Report, TargetSkip, type Vector } from "../../../schemas/index.ts";
import { declineUnjudged } from "../../base/text/skips.ts";
import { sampleProtocol, vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import type { Question, Target } from "../../targets/index.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

const note = "sample/1.0/note";
const caseOf = (id: string, parent: string, members: Partial<Vector> = {}) =>
  vector({
    id: `${note}/invalid/${id}`,
    valid: false,
    parent: `${note}/valid/${parent}`,
    data: { title: id },
    ...members,
  });
const vectors = writeSet([
  {
    path: `${note}/valid.json`,
    document: "note",
    tests: ["good", "bad"].map((title) => vector({ id: `${note}/valid/${title}`, data: { title } })),
  },
  {
    path: `${note}/invalid.json`,
    document: "note",
    tests: [
      caseOf("of-good", "good"),
      caseOf("of-bad", "bad"),
      caseOf("taken-of-bad", "bad"),
      vector({ id: `${note}/invalid/text`, valid: false, raw: "{" }),
    ],
  },
]);

type VerdictByTitle = (title: string) => Answer["verdict"];

/** A target that answers later about the title `bad` than about others. */
function target(verdictFor: VerdictByTitle, asked: string[] = []): Target {
  return {
    kind: "module",
    name: "fake",
    claims: undefined,
    concurrency: 8,
    open: async () => {},
    skips: () => undefined,
    async check({ data }: Question) {
      const { title = "text" } = (data ?? {}) as { title?: string };
      asked.push(title);
      for (let turn = 0; turn < (title === "bad" ? 30 : 1); turn += 1) await Promise.resolve();
      return { verdict: verdictFor(title), reasons: [] };
    },
    close: async () => {},
  };
}

async function run(
  verdictFor: VerdictByTitle,
  options: Partial<SuiteOptions> = {},
): Promise<Report & { asked: string[]; told: string[] }> {
  const asked: string[] = [];
  const reported: string[] = [];
  const onProgress: SuiteOptions["onProgress"] = ({ result }) => reported.push(result.id.slice(note.length + 1));
  const report = await runSuite({
    protocols: [sampleProtocol()],
    target: () => target(verdictFor, asked),
    vectors,
    onProgress,
    ...options,
  });
  return { ...report, asked, told: reported };
}

const outcomesOf = ({ runs }: Report): Record<string, string> =>
  Object.fromEntries(
    runs.flatMap(({ results }) => results.map(({ id, outcome }) => [id.slice(note.length + 1), outcome])),
  );

const correctAnswers: VerdictByTitle = (title) => (["good", "bad"].includes(title) ? "accepted" : "rejected");
const refuseAll: VerdictByTitle = () => "rejected";
const refuseBad: VerdictByTitle = (title) => (title === "good" || title === "taken-of-bad" ? "accepted" : "rejected");

describe("a refusal", () => {
  it("shows nothing if the valid parent is refused, in any order of answers; an acceptance always counts", async () => {
    for (const concurrency of [1, 8]) {
      const report = await run(refuseBad, { concurrency });
      expect(outcomesOf(report)).toEqual({
        "valid/good": "conforms",
        "valid/bad": "violates",
        "invalid/of-good": "conforms",
        "invalid/of-bad": "skipped",
        "invalid/taken-of-bad": "violates",
        "invalid/text": "conforms",
      });
      const skippedResult = report.runs[0]?.results.find(({ outcome }) => outcome === "skipped");
      expect(skippedResult?.why).toBe(
        "its valid parent is refused (sample/1.0/note/valid/bad), so a refusal shows nothing",
      );
      expect([report.exitCode, report.complete, report.counts.skipped]).toEqual([1, true, 1]);
      expect(report.told.sort()).toEqual(Object.keys(outcomesOf(report)).sort());
    }
  });

  it("counts if the parent is accepted, and each vector is sent only once", async () => {
    const report = await run(correctAnswers);
    expect([report.counts.conforms, report.exitCode, report.asked.length]).toEqual([6, 0, 6]);
  });

  it.each<[string, VerdictByTitle, string[], number, number]>([
    ["counts if a parent outside of the selection is accepted", correctAnswers, ["**/invalid/**"], 0, 0],
    ["shows nothing if the target refuses everything", refuseAll, ["**/invalid/**"], 4, 3],
    ["of a single vector shows nothing if its parent is refused", refuseAll, [`${note}/invalid/of-good`], 1, 3],
    ["without a parent shows nothing if other valid vectors are refused", refuseAll, [`${note}/invalid/text`], 1, 3],
    ["without a parent counts if another valid vector is accepted", correctAnswers, [`${note}/invalid/text`], 0, 0],
  ])("%s", async (_what, verdictFor, only, skippedCount, exitCode) => {
    const report = await run(verdictFor, { only });
    expect([report.counts.skipped, report.exitCode, report.complete]).toEqual([skippedCount, exitCode, true]);
    expect(report.told.every((id) => id.startsWith("invalid/"))).toBe(true);
  });

  it("counts if valid messages get a code about another matter, even if one of them is refused", async () => {
    const unknownLease: VerdictByTitle = (title) => {
      const { why, cause } = declineUnjudged("the lease is not known", "unknown-lease");
      if (title === "good") throw new TargetSkip(why, cause);
      return "rejected";
    };
    expect(outcomesOf(await run(unknownLease))).toMatchObject({
      "valid/good": "skipped",
      "valid/bad": "violates",
      "invalid/of-good": "conforms",
      "invalid/of-bad": "skipped",
      "invalid/text": "conforms",
    });
  });

  it("does not cause an excluded parent to be sent, and an acceptance does not cause any to be sent", async () => {
    expect((await run(correctAnswers, { only: ["**/of-bad"], skip: ["**/valid/bad"] })).asked).toEqual([
      "of-bad",
      "good",
    ]);
    expect((await run(() => "accepted", { only: ["**/invalid/**"] })).asked).not.toContain("good");
  });

  it("does not cause parents in a different shard to be sent", async () => {
    const shards = await Promise.all([1, 2, 3, 4].map((index) => run(refuseAll, { shard: { index, count: 4 } })));
    expect(shards.every(({ asked, told: reported }) => asked.length === reported.length)).toBe(true);
  });
});
