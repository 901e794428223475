import { expect, it } from "vitest";
import { moreOf } from "./nouns.ts";

it("counts results if several belong to one scenario, and otherwise scenarios", () => {
  const scenario = (name: string, rule: string) => ({ id: `p/1/scenarios/${name}/${rule}`, kind: "scenario" as const });
  const [firstResult, sameScenario, otherScenario] = [
    scenario("late", "S-1"),
    scenario("late", "S-2"),
    scenario("early", "S-1"),
  ] as const;
  expect(moreOf([firstResult, otherScenario], 2)).toBe("2 more scenarios");
  expect(moreOf([firstResult, sameScenario, otherScenario], 2)).toBe("2 more results");
  expect(moreOf([firstResult, sameScenario], 1)).toBe("1 more result");
});
