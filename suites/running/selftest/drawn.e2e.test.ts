import { describe, expect, it } from "vitest";
import { type Protocol, protocolsNamed, type Scenario } from "../../../schemas/index.ts";
import { isWhole, partOf } from "../../../schemas/part.fixture.ts";
import { packOf } from "../../packs/pack/load.ts";
import { ofSide } from "../scenarios/sides.ts";
import { isUnearned, nameOf, playCell } from "./cell.ts";
import { singleCells } from "./earned.ts";
import { playParty } from "./party.ts";
import { drawParties } from "./population.ts";
import type { TrialGround } from "./trial-ground.ts";

/** The number of correct parties that are drawn. Tests play a part of them; `touchstone selftest` plays all. */
const drawnCount = 200;
/** The number of drawn parties that a test run plays. */
const playedParties = 5;
/** The number of cells, of each kind, that a test run plays. */
const playedCells = 4;
/** The number of scenarios played with each party. */
const scenariosPerParty = 4;

/** Scenarios that end soon with any party. */
function isQuick({ slow, waits }: Scenario): boolean {
  return isWhole || (slow !== true && waits === undefined);
}

async function groundOf(protocol: Protocol): Promise<TrialGround | undefined> {
  const pack = await packOf(protocol);
  const [{ scenarios = [] } = {}, { live } = {}] = await Promise.all([pack.scenarios?.(), pack.live?.()]);
  return live === undefined ? undefined : { protocol, scenarios, live };
}

/** Each protocol that has a live reference, with its scenarios. */
const grounds = (await Promise.all(protocolsNamed("all").map(groundOf))).filter((ground) => ground !== undefined);

describe.each(grounds.map((ground) => ({ name: ground.protocol.name, ground })))("run of $name", async ({ ground }) => {
  const { protocol, live, scenarios } = ground;
  // Choices that change the pace of a party are slow in every scenario.
  const tempos = new Set(
    (live.choices ?? []).flatMap(({ name, kind }) => (kind === "tempo" && !isWhole ? [name] : [])),
  );
  const drawnParties = (await drawParties(protocol, live, drawnCount, 1)).map((party) => ({
    ...party,
    choices: party.choices.filter((choice) => !tempos.has(choice)),
  }));
  const population = partOf(drawnParties, ({ index }) => `${protocol.name} ${index}`, drawnCount / playedParties);
  const { single, moot } = singleCells(protocol, live, scenarios);
  const mootCells = partOf(moot, (cell) => `${protocol.name} ${nameOf(cell)}`, moot.length / playedCells);
  // A broken party may be detected by any scenario of its rule, even by a slow one.
  const slowRules = new Set(scenarios.flatMap((scenario) => (isQuick(scenario) ? [] : scenario.rules)));
  const quickCells = single.filter(
    ({ variant, choices }) => !slowRules.has(variant.rule) && choices.every((choice) => !tempos.has(choice)),
  );
  const matrix = partOf(quickCells, (cell) => `${protocol.name} ${nameOf(cell)}`, quickCells.length / playedCells);

  it.concurrent.each(population.cases)(
    `reports no violation by a correct party (${population.said}): $index`,
    async (party) => {
      const quickScenarios = ofSide(protocol, scenarios, party.side).filter(isQuick);
      const partOfScenarios = partOf(
        quickScenarios,
        ({ name }) => `${party.index} ${name}`,
        quickScenarios.length / scenariosPerParty,
      ).cases;
      const { accused } = await playParty({ ...ground, scenarios: partOfScenarios }, party, 1);
      expect(accused).toEqual([]);
    },
  );

  it.concurrent.each(mootCells.cases.map((cell) => ({ name: nameOf(cell), cell })))(
    `leaves out variants that break nothing (${mootCells.said}): $name`,
    async ({ cell }) => {
      expect(["conforms", "disputed", "skipped"]).toContain((await playCell(ground, cell, 1)).outcome);
    },
  );

  it.concurrent.each(matrix.cases.map((cell) => ({ name: nameOf(cell), cell })))(
    `reports no broken rule as conforming (${matrix.said}): $name`,
    async ({ cell }) => {
      const playedCell = await playCell(ground, cell, 1);
      expect(isUnearned(playedCell), `${playedCell.name}: ${playedCell.rule} conforms`).toBe(false);
    },
  );
});
