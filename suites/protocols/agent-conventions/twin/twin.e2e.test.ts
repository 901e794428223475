import { describe, expect, it } from "vitest";
import { serveTwin } from "../../../packs/twins/target.fixture.ts";
import { describeTwin, findAccusations } from "../../../running/selftest/twin.fixture.ts";
import { twin } from "./twin.ts";

describeTwin("agent-conventions", twin, {
  file: "suites/protocols/agent-conventions/twin/target.fixture.ts",
  serve: () => serveTwin(twin, "message"),
  least: { asked: 2500, sent: 2000 },
});

describe("a wrong implementation", () => {
  it("is reported if it ignores a rule", { timeout: 300_000 }, async () => {
    const overlooking: typeof twin.judge = async (question, isStrict) => {
      const why = await twin.judge(question, isStrict);
      return why?.startsWith("CONV-DEP-002") ? undefined : why;
    };
    const ids = await findAccusations("agent-conventions", overlooking, false);
    expect(ids.length).toBeGreaterThan(1);
    expect(ids.filter((id) => !id.includes("CONV-DEP-002"))).toEqual([]);
  });

  it("is reported if it refuses a valid message", { timeout: 300_000 }, async () => {
    const refusing: typeof twin.judge = (question, isStrict) =>
      JSON.stringify(question.value).includes('"description"') ? "no descriptions" : twin.judge(question, isStrict);
    expect((await findAccusations("agent-conventions", refusing, false)).length).toBeGreaterThan(5);
  });
});
