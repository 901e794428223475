import { expect, it } from "vitest";
import { moreOf } from "./nouns.ts";

it("counts results if several are of one scenario, and scenarios otherwise", () => {
  const scenario = (name: string, rule: string) => ({ id: `p/1/scenarios/${name}/${rule}`, kind: "scenario" as const });
  const [one, same, other] = [scenario("late", "S-1"), scenario("late", "S-2"), scenario("early", "S-1")] as const;
  expect(moreOf([one, other], 2)).toBe("2 more scenarios");
  expect(moreOf([one, same, other], 2)).toBe("2 more results");
  expect(moreOf([one, same], 1)).toBe("1 more result");
});
