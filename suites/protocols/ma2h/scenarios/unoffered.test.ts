import { expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { addressing } from "./addressing.ts";
import { ownScenarios } from "./all.ts";
import { mailboxes } from "./mailboxes.ts";
import { resolving } from "./resolving.ts";
import { unoffered } from "./unoffered.ts";

const scenarioNames = new Set([...addressing, ...mailboxes, ...resolving, ...unoffered].map(({ name }) => name));

async function play(options: object): Promise<Result[]> {
  const { setting, close } = await live.open(options);
  const scenarios = ownScenarios.filter(({ name }) => scenarioNames.has(name));
  try {
    return await playScenarios({ protocol: protocolNamed("ma2h"), scenarios, setting, seed: 1 });
  } finally {
    await close();
  }
}

it("judges that a hub without mail between agents conforms if it refuses addressed messages", async () => {
  const results = await play({ choices: ["lets-no-agents-write"] });
  const unofferedResults = results.filter(({ id }) => id.includes("/addressing-unoffered/"));
  expect(
    unofferedResults.map(({ rule, outcome, why }) => [rule, outcome, ...(outcome === "conforms" ? [] : [why])]),
  ).toEqual([
    ["MA2H-ADR-011", "conforms"],
    ["MA2H-ADR-003", "conforms"],
  ]);
  const otherResults = results.filter((result) => !unofferedResults.includes(result));
  expect(otherResults.filter(({ outcome }) => outcome !== "conforms" && outcome !== "skipped")).toEqual([]);
  expect(otherResults.some(({ outcome }) => outcome === "skipped")).toBe(true);
  const listedResults = otherResults.filter(({ id }) => id.includes("/resolving-listed/"));
  expect(listedResults.map(({ outcome }) => outcome)).toEqual(["conforms", "conforms"]);
});

it("judges that a hub which puts addressed messages into the inbox of people violates MA2H-ADR-011", async () => {
  const results = await play({ variant: "breaks-MA2H-ADR-011" });
  expect(results.filter(({ outcome }) => outcome === "violates").map(({ rule }) => rule)).toContain("MA2H-ADR-011");
});
