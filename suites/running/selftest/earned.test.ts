import { expect, it } from "vitest";
import type { LiveVariant, Scenario } from "../../../schemas/index.ts";
import { isUnearned, nameOf, playCell } from "./cell.ts";
import { factorsOf } from "./choices.ts";
import { matrixOf, sampleOf } from "./earned.ts";
import { toy } from "./trial-ground.fixture.ts";

const { protocol, live, scenarios } = toy;

it("has a cell for each set of hooks and each choice, and covers every pair of factors", async () => {
  const { single, pairs } = await matrixOf(protocol, live, scenarios);
  const sets = 3 + Object.keys(protocol.profile.sides?.agent?.hooks ?? {}).length;
  expect(single).toHaveLength(live.variants.length * (sets + (live.choices ?? []).length));
  expect(new Set(single.map(nameOf)).size).toBe(single.length);
  const factors = factorsOf(protocol, live, "agent");
  for (const [factorIndex, firstFactor] of factors.entries())
    for (const secondFactor of factors.slice(factorIndex + 1))
      for (const a of firstFactor.choices)
        for (const b of secondFactor.choices)
          expect(pairs.some(({ choices }) => choices.includes(a.name) && choices.includes(b.name))).toBe(true);
  for (const { name } of live.choices ?? [])
    expect(
      new Set(pairs.flatMap(({ choices, hooks }) => (choices.includes(name) ? [JSON.stringify(hooks)] : []))).size,
    ).toBe(sets);
});

it("finds the cell in which a broken rule conforms, and no other", async () => {
  const { single } = await matrixOf(protocol, live, scenarios);
  const playedCells = await Promise.all(single.map((cell) => playCell(toy, cell, 1)));
  expect(playedCells.filter(isUnearned).map(({ name }) => name)).toEqual(["seen | hooks: none", "seen | hooks: shown"]);
  expect(playedCells.find(({ name }) => name === "unseen | hooks: none")).toMatchObject({ outcome: "skipped" });
  expect(playedCells.find(({ name }) => name === "unseen | hooks: all | late")).toMatchObject({ outcome: "violates" });
});

it("leaves out variants that a choice makes correct", async () => {
  const choices = (live.choices ?? []).map((choice) =>
    choice.name === "loud" ? { ...choice, moots: ["seen"] } : choice,
  );
  const { single, pairs, moot } = await matrixOf(protocol, { ...live, choices }, scenarios);
  expect(moot.map(nameOf)).toEqual(["seen | hooks: all | loud"]);
  const isLoud = (cell: (typeof single)[number]): boolean => cell.choices.includes("loud");
  expect(new Set([...single, ...pairs].filter(isLoud).map(({ variant }) => variant.name))).toEqual(new Set(["unseen"]));
});

it("samples cells by a seed", async () => {
  const { single } = await matrixOf(protocol, live, scenarios);
  const [firstSample, repeatedSample, otherSample] = await Promise.all([
    sampleOf(single, 5, 3),
    sampleOf(single, 5, 3),
    sampleOf(single, 5, 4),
  ]);
  expect(firstSample).toHaveLength(5);
  expect(repeatedSample).toEqual(firstSample);
  expect(otherSample).not.toEqual(firstSample);
});

const [scenario] = scenarios as readonly [Scenario];
const [rule = ""] = scenario.rules;
const reportedVariant: LiveVariant = { name: "told", side: "agent", rule, says: "is broken" };

it("ends at the first breach, and begins other cells of the variant with the scenario that showed it", async () => {
  const playedNames: string[] = [];
  const telling = (name: string, holds: boolean): Scenario => ({
    ...scenario,
    name,
    withinMs: 600_000,
    async play(context) {
      playedNames.push(name);
      context.expect(rule, holds, `${name} sees it`);
      if (!holds) await context.wait(500_000);
    },
  });
  const ground = { ...toy, scenarios: [telling("first", true), telling("second", false), telling("third", false)] };
  for (const hooks of ["all", "none"] as const)
    expect(await playCell(ground, { variant: reportedVariant, hooks, choices: [] }, 1)).toMatchObject({
      outcome: "violates",
      why: "second sees it",
    });
  expect(playedNames).toEqual(["first", "second", "second"]);
});

it("repeats broken plays with unscaled waits", async () => {
  const [outcome, stuckOutcome] = await Promise.all(
    ["slow", "stuck"].map((choice) => playCell(toy, { variant: reportedVariant, hooks: "all", choices: [choice] }, 1)),
  );
  expect([outcome?.outcome, stuckOutcome?.outcome]).toEqual(["violates", "timed-out"]);
});

it("copies the plain result for a cell that differs only in unused hooks and choices", async () => {
  const opened: string[] = [];
  const meeting: typeof live = {
    ...live,
    async open(options = {}) {
      opened.push((options.choices ?? []).join(" ") || "plain");
      return { ...(await live.open(options)), meets: (choice) => choice === "late" };
    },
  };
  const cells = [
    { hooks: "all", choices: ["late"] },
    { hooks: "all", choices: ["loud"] },
    { hooks: { without: "hum" }, choices: ["loud"] },
    { hooks: { without: "look" }, choices: [] },
    { hooks: "all", choices: [] },
  ] as const;
  const variant = live.variants.find(({ name }) => name === "seen") as LiveVariant;
  const ground = { ...toy, live: meeting };
  const played = [];
  for (const cell of cells) played.push(await playCell(ground, { ...cell, variant }, 1));
  expect(opened).toEqual(["plain", "late", "plain"]);
  // A play without a breach says nothing about other cells.
  const unseen = live.variants.find(({ name }) => name === "unseen") as LiveVariant;
  const skippingGround = { ...ground, scenarios: [{ ...scenario, needs: ["hum" as const] }] };
  const otherCell = await playCell(skippingGround, { variant: unseen, hooks: "all", choices: ["loud"] }, 1);
  expect(otherCell).not.toHaveProperty("isAsPlain");
  expect(played.map(({ outcome, isAsPlain = false }) => [outcome, isAsPlain])).toEqual([
    ["violates", false],
    ["violates", true],
    ["violates", true],
    ["conforms", false],
    ["violates", false],
  ]);
});
