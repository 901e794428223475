import { expect, it } from "vitest";
import { playParty } from "./party.ts";
import { toy } from "./trial-ground.fixture.ts";

it("reduces an accusation to the fewest choices that cause it", async () => {
  const choices = ["idle", "late", "loud", "terse"];
  const { accused, results, skipped } = await playParty(toy, { index: 0, side: "agent", choices }, 1);
  expect(accused).toMatchObject([{ id: "snap/0.1/scenarios/toy/SNAP-VER-002", choices: ["late", "terse"] }]);
  expect([results, skipped]).toEqual([1, 0]);
});

it("reports an accusation with all choices if there is no time to reduce it", async () => {
  const choices = ["idle", "late", "loud", "terse"];
  const { accused } = await playParty(toy, { index: 0, side: "agent", choices }, 1, 0);
  expect(accused).toMatchObject([{ id: "snap/0.1/scenarios/toy/SNAP-VER-002", choices }]);
});

it("reports nothing about a party with other choices", async () => {
  const { accused } = await playParty(toy, { index: 0, side: "agent", choices: ["late", "loud"] }, 1);
  expect(accused).toEqual([]);
});

it("repeats plays whose scaled wait was too short", async () => {
  const { accused, results } = await playParty(toy, { index: 0, side: "agent", choices: ["slow"] }, 1);
  expect([accused, results]).toEqual([[], 1]);
});

it("accuses a party that breaks down again", async () => {
  const { accused } = await playParty(toy, { index: 0, side: "agent", choices: ["loud", "stuck"] }, 1);
  expect(accused).toMatchObject([{ outcome: "timed-out", choices: ["stuck"] }]);
});

it("plays only the scenarios that were drawn for a party", async () => {
  const choices = ["late", "terse"];
  const { accused, results } = await playParty(toy, { index: 0, side: "agent", choices, plays: [] }, 1);
  expect([accused, results]).toEqual([[], 0]);
});
