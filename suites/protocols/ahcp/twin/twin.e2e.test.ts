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
  it("is reported if it ignores a rule", { timeout: 300_000 }, async () => {
    const overlooking: typeof twin.judge = async (question, isStrict) => {
      const why = await twin.judge(question, isStrict);
      return why === "the default is not an option" ? undefined : why;
    };
    const ids = await findAccusations("ahcp", overlooking, true);
    expect(ids.length).toBeGreaterThan(3);
    expect(ids.filter((id) => !id.includes("AHCP-ASK-010"))).toEqual([]);
  });

  it("is reported if it refuses a valid message", { timeout: 300_000 }, async () => {
    const refusing: typeof twin.judge = (question, isStrict) =>
      JSON.stringify(question.value).includes('"confirm"') ? "no confirms" : twin.judge(question, isStrict);
    expect((await findAccusations("ahcp", refusing, true)).length).toBeGreaterThan(5);
  });
});
