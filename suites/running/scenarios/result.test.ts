import { expect, it } from "vitest";
import { protocolNamed, type Scenario, type ScenarioFinding, TargetSkip } from "../../../schemas/index.ts";
import { expectedOf, resultOf } from "./result.ts";

const protocol = protocolNamed("snap");
const [rule = ""] = protocol.rules.map(({ id }) => id);
const scenario: Scenario = {
  name: "toy",
  says: "how a toy behaves",
  rules: [rule],
  needs: [],
  withinMs: 1000,
  play: async () => {},
};
const [expectedResult] = expectedOf(protocol, [scenario]);

it.each<[string, ScenarioFinding["outcome"]]>([
  ["skips a kept rule if the scenario is skipped later, since the rest might have shown a breach", "conforms"],
  ["keeps a breach if the scenario is skipped later", "violates"],
])("%s", (_, outcome) => {
  const findings: ScenarioFinding[] = [{ rule, outcome, why: "it was seen" }];
  const skip = new TargetSkip("nothing more can be asked");
  const result = resultOf(expectedResult as NonNullable<typeof expectedResult>, { findings, ended: skip }, protocol);
  expect(result.outcome).toBe(outcome === "conforms" ? "skipped" : outcome);
});
