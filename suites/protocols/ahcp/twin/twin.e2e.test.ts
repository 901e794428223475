import { afterEach, describe, expect, it } from "vitest";
import {
  type Answer,
  protocolNamed,
  type TargetConfig,
  type Twin,
  type TwinQuestion,
  type Vector,
} from "../../../../schemas/index.ts";
import { loadVectors } from "../../../corpus/index.ts";
import { judge } from "../../../run/judge.ts";
import { runSuite } from "../../../run/suite.ts";
import { twinTrials } from "../../../selftest/twins.ts";
import { submitting } from "./target.fixture.ts";
import { twin } from "./twin.ts";

const file = new URL("target.fixture.ts", import.meta.url).pathname;

afterEach(() => {
  delete process.env.TOUCHSTONE_TWIN;
});

/** What a run says against the twin, and how many vectors it kept. */
async function run(target: TargetConfig): Promise<{ against: string[]; conforms: number }> {
  const { runs, counts } = await runSuite({ protocols: "ahcp", target, timeoutMs: 60_000 });
  const against = runs.flatMap(({ failure, results }) => [
    ...(failure === undefined ? [] : [JSON.stringify(failure)]),
    ...results
      .filter(({ outcome }) => ["violates", "errored", "timed-out"].includes(outcome))
      .map(({ id, outcome, why }) => `${outcome} ${id}: ${why}`),
  ]);
  return { against, conforms: counts.conforms };
}

describe("a right implementation", () => {
  it("is not accused, whichever way it uses its freedoms", { timeout: 300_000 }, async () => {
    const trials = await twinTrials("ahcp");
    expect(trials.length).toBe(2 + 2 * twin.freedoms.length);
    expect(trials.flatMap(({ twin: name, accused }) => accused.map(({ id, why }) => `${name}: ${id}: ${why}`))).toEqual(
      [],
    );
  });

  describe.each(["strict", "lenient"])("that is %s", (way) => {
    it("is not accused as a module", { timeout: 600_000 }, async () => {
      process.env.TOUCHSTONE_TWIN = way;
      const { against, conforms } = await run({ kind: "module", file });
      expect(against).toEqual([]);
      expect(conforms).toBeGreaterThan(1500);
    });

    it("is not accused as a command", { timeout: 600_000 }, async () => {
      process.env.TOUCHSTONE_TWIN = way;
      const { against, conforms } = await run({ kind: "command", command: `node --import tsx "${file}" serve` });
      expect(against).toEqual([]);
      expect(conforms).toBeGreaterThan(1500);
    });

    it("is not accused over HTTP", { timeout: 600_000 }, async () => {
      process.env.TOUCHSTONE_TWIN = way;
      const { url, close } = await submitting();
      const { against, conforms } = await run({ kind: "http", url });
      close();
      expect(against).toEqual([]);
      expect(conforms).toBeGreaterThan(800);
    });
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
  it("is accused where it overlooks a rule", async () => {
    const ids = await accusing(async (question, isStrict) => {
      const why = await twin.judge(question, isStrict);
      return why === "the default is no option" ? undefined : why;
    });
    expect(ids.length).toBeGreaterThan(3);
    expect(ids.filter((id) => !id.includes("AHCP-ASK-010"))).toEqual([]);
  });

  it("is accused where it refuses what is right", async () => {
    const ids = await accusing((question, isStrict) =>
      JSON.stringify(question.value).includes('"confirm"') ? "no confirms" : twin.judge(question, isStrict),
    );
    expect(ids.length).toBeGreaterThan(5);
  });
});
