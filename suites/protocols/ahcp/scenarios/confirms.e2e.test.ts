import { expect, it } from "vitest";
import { isObject, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { correctHubPolicy } from "../reference/hub/policy.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** Whether a message is a confirm without options. */
function hasNoOptions({ request }: JsonObject): boolean {
  return isObject(request) && request.mode === "confirm" && request.options === undefined;
}

it("reports only AHCP-ASK-007 for a hub that refuses approve in a confirm without options", async () => {
  const { setting, close } = await hubEnvironment({
    policy: {
      permitsOutcome: (message, resolution) =>
        correctHubPolicy.permitsOutcome(message, resolution) && !(resolution === "answered" && hasNoOptions(message)),
    },
  });
  const scenarioNames = /^(?:answers-(?:confirm|not-)|documents-read|expiry-default|resolvers-listed)/;
  try {
    const results = await playScenarios({
      protocol: protocolNamed("ahcp"),
      setting,
      seed: 1,
      scenarios: scenarios.filter(({ name }) => scenarioNames.test(name)),
    });
    const otherResults = results.filter(({ outcome }) => outcome !== "conforms");
    expect(otherResults.map(({ rule, outcome, why }) => [rule, outcome, why])).toEqual([
      ["AHCP-ASK-007", "violates", 'the answer "approve" is refused'],
      [
        "AHCP-ASK-016",
        "skipped",
        "with allow_ignore false a confirm cannot be answered, nor can it without permissions",
      ],
    ]);
  } finally {
    await close();
  }
});
