import { describe, expect, it } from "vitest";
import { type Answer, protocolNamed, type Twin, type TwinQuestion, type Vector } from "../../../../schemas/index.ts";
import { loadVectors } from "../../../corpus/index.ts";
import { judge } from "../../../run/judge.ts";
import { runSuite } from "../../../run/suite.ts";
import { twinTrials } from "../../../selftest/twins.ts";
import { twin } from "./twin.ts";

const modules = { strict: "strict.fixture.ts", lenient: "lenient.fixture.ts" };

describe("a right implementation", () => {
  it("is not accused, whichever way it uses its freedoms", { timeout: 300_000 }, async () => {
    const trials = await twinTrials("ahcp");
    expect(trials.length).toBe(2 + 2 * twin.freedoms.length);
    expect(trials.flatMap(({ twin: name, accused }) => accused.map(({ id, why }) => `${name}: ${id}: ${why}`))).toEqual(
      [],
    );
  });

  it.each(Object.entries(modules))("that is %s is not accused as a module", { timeout: 300_000 }, async (_, name) => {
    const file = new URL(name, import.meta.url).pathname;
    const { counts, runs } = await runSuite({ protocols: "ahcp", target: { kind: "module", file }, timeoutMs: 30_000 });
    expect(runs.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    expect([counts.violates, counts.errored, counts["timed-out"]]).toEqual([0, 0, 0]);
    expect(counts.conforms).toBeGreaterThan(1500);
  });
});

const vectors = loadVectors(protocolNamed("ahcp")).files.flatMap(({ document, tests }) =>
  tests.filter(({ data }) => data !== undefined).map((vector) => ({ document, vector })),
);

/** Ids of the vectors by which one is accused. */
async function accusing(broken: Twin["judge"]): Promise<string[]> {
  const ids: string[] = [];
  for (const { document, vector } of vectors) {
    const why = await broken(questionOf(document, vector), () => true);
    const answer: Answer = { verdict: why === undefined ? "accepted" : "rejected", reasons: [] };
    if (judge(vector, answer).outcome === "violates") ids.push(vector.id);
  }
  return ids;
}

function questionOf(document: string, { data = null }: Vector): TwinQuestion {
  return { document, value: data, text: Buffer.from(JSON.stringify(data)) };
}

describe("a wrong implementation", () => {
  it("is accused where it overlooks a rule", { timeout: 120_000 }, async () => {
    const ids = await accusing(async (question, isStrict) => {
      const why = await twin.judge(question, isStrict);
      return why === "the default is no option" ? undefined : why;
    });
    expect(ids.length).toBeGreaterThan(3);
    expect(ids.filter((id) => !id.includes("AHCP-ASK-010"))).toEqual([]);
  });

  it("is accused where it refuses what is right", { timeout: 120_000 }, async () => {
    const ids = await accusing((question, isStrict) =>
      JSON.stringify(question.value).includes('"confirm"') ? "no confirms" : twin.judge(question, isStrict),
    );
    expect(ids.length).toBeGreaterThan(5);
  });
});
