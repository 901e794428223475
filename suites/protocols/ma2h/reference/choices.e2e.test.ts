import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { ownScenarios } from "../scenarios/all.ts";
import { live } from "./live.ts";

/** Choices of correct hubs, each with a scenario that once accused such a hub. */
const choicesAndScenarios: [choices: string[], scenario: string][] = [
  [["answers-in-pieces"], "streams-entries"],
  [["bare-task-outcomes"], "mailbox-retention"],
  [["bearer-alone"], "mailbox-callbacks"],
];

it.concurrent.each(choicesAndScenarios)("a correct hub with the choice %j passes %s", async (choices, scenario) => {
  const { setting, close } = await live.open({ choices });
  const results = await playScenarios({
    protocol: protocolNamed("ma2h"),
    scenarios: ownScenarios.filter(({ name }) => name === scenario),
    setting: { ...setting, timeScale: 0.3 },
    seed: 1,
  }).finally(close);
  expect(results.length).toBeGreaterThan(0);
  expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
});
