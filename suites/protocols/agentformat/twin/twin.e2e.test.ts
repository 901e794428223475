import { describe, expect, it } from "vitest";
import { serveTwin } from "../../../packs/twins/target.fixture.ts";
import { describeTwin, findAccusations } from "../../../running/selftest/twin.fixture.ts";
import { twin } from "./twin.ts";

describeTwin("agentformat", twin, {
  file: "suites/protocols/agentformat/twin/target.fixture.ts",
  serve: () => serveTwin(twin, "agent"),
  least: { asked: 900, sent: 500 },
});

describe("a wrong implementation", () => {
  it("differs from the twin if it ignores a rule", { timeout: 300_000 }, async () => {
    const lenientJudge: typeof twin.judge = async (question, isStrict) => {
      const refusal = await twin.judge(question, isStrict);
      return refusal?.startsWith("AGF-ACT-002") ? undefined : refusal;
    };
    const ids = await findAccusations("agentformat", lenientJudge, false);
    expect(ids.length).toBeGreaterThan(1);
    expect(ids.filter((id) => !id.includes("AGF-ACT-002"))).toEqual([]);
  });

  it("differs from the twin if it refuses a valid document", { timeout: 300_000 }, async () => {
    const strictJudge: typeof twin.judge = (question, isStrict) =>
      JSON.stringify(question.value).includes('"description"') ? "no descriptions" : twin.judge(question, isStrict);
    expect((await findAccusations("agentformat", strictJudge, false)).length).toBeGreaterThan(5);
  });
});
