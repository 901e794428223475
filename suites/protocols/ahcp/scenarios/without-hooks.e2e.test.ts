import { expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** The results of one scenario without some hooks, for a correct hub or a variant. */
async function resultsWithout(
  name: string,
  missingHooks: readonly string[],
  variant: string | undefined,
): Promise<Result[]> {
  const { setting, close } = await live.open(variant === undefined ? {} : { variant });
  const hooks = Object.fromEntries(
    Object.entries(setting.hooks ?? {}).filter(([hook]) => !missingHooks.includes(hook)),
  );
  try {
    return await playScenarios({
      protocol: protocolNamed("ahcp"),
      seed: 1,
      setting: { ...setting, hooks, timeScale: 0.05 },
      scenarios: scenarios.filter((scenario) => scenario.name === name),
    });
  } finally {
    await close();
  }
}

it.each([
  ["AHCP-GET-009", "reading-since", "breaks-AHCP-GET-009-created"],
  ["AHCP-GET-004", "reading-again", "breaks-AHCP-GET-004-cache"],
  ["AHCP-CAN-002", "cancel-foreign", undefined],
])("skips %s in %s without the hook resolve", async (rule, name, variant) => {
  const result = (await resultsWithout(name, ["resolve"], variant)).find((result) => result.rule === rule);
  expect(result).toMatchObject({ outcome: "skipped", cause: { kind: "needs-setting", needs: ["resolve"] } });
});

it("skips AHCP-DLV-011 if no clock hook triggers the second attempt", async () => {
  const result = await resultsWithout("delivery-token", ["clock"], "breaks-AHCP-DLV-011-again");
  expect(result).toMatchObject([{ outcome: "skipped", cause: { kind: "needs-setting", needs: ["clock"] } }]);
});
