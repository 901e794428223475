import { describe, expect, it } from "vitest";
import { describeTwin, findAccusations } from "../../../running/selftest/twin.fixture.ts";
import { startTarget } from "./target.fixture.ts";
import { twin } from "./twin.ts";

describeTwin("ahcp", twin, {
  file: "suites/protocols/ahcp/twin/target.fixture.ts",
  serve: startTarget,
  least: { asked: 1500, sent: 800 },
});

describe("a broken implementation", () => {
  it("is reported only for the rule that it ignores", { timeout: 300_000 }, async () => {
    const judgeWithoutDefaults: typeof twin.judge = async (question, isStrict) => {
      const why = await twin.judge(question, isStrict);
      return why === "the default is not an option" ? undefined : why;
    };
    const ids = await findAccusations("ahcp", judgeWithoutDefaults, true);
    expect(ids.length).toBeGreaterThan(3);
    expect(ids.filter((id) => !id.includes("AHCP-ASK-010"))).toEqual([]);
  });

  it("is reported if it refuses valid messages", { timeout: 300_000 }, async () => {
    const judgeWithoutConfirms: typeof twin.judge = (question, isStrict) =>
      JSON.stringify(question.value).includes('"confirm"') ? "no confirms" : twin.judge(question, isStrict);
    expect((await findAccusations("ahcp", judgeWithoutConfirms, true)).length).toBeGreaterThan(5);
  });
});
