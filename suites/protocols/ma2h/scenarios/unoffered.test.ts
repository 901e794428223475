import { expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { addressing } from "./addressing.ts";
import { own } from "./all.ts";
import { mailboxes } from "./mailboxes.ts";
import { resolving } from "./resolving.ts";
import { unoffered } from "./unoffered.ts";

const names = new Set([...addressing, ...mailboxes, ...resolving, ...unoffered].map(({ name }) => name));

async function played(options: object): Promise<Result[]> {
  const { setting, close } = await live.open(options);
  const scenarios = own.filter(({ name }) => names.has(name));
  try {
    return await playScenarios({ protocol: protocolNamed("ma2h"), scenarios, setting, seed: 1 });
  } finally {
    await close();
  }
}

it("a hub that does not let agents write to each other conforms if it refuses their messages", async () => {
  const results = await played({ choices: ["lets-no-agents-write"] });
  const ofUnoffered = results.filter(({ id }) => id.includes("/addressing-unoffered/"));
  expect(
    ofUnoffered.map(({ rule, outcome, why }) => [rule, outcome, ...(outcome === "conforms" ? [] : [why])]),
  ).toEqual([
    ["MA2H-ADR-011", "conforms"],
    ["MA2H-ADR-003", "conforms"],
  ]);
  const others = results.filter((result) => !ofUnoffered.includes(result));
  expect(others.filter(({ outcome }) => outcome !== "conforms" && outcome !== "skipped")).toEqual([]);
  expect(others.some(({ outcome }) => outcome === "skipped")).toBe(true);
  const ofListed = others.filter(({ id }) => id.includes("/resolving-listed/"));
  expect(ofListed.map(({ outcome }) => outcome)).toEqual(["conforms", "conforms"]);
});

it("a hub that takes them into the inbox of people is found", async () => {
  const results = await played({ variant: "breaks-MA2H-ADR-011" });
  expect(results.filter(({ outcome }) => outcome === "violates").map(({ rule }) => rule)).toContain("MA2H-ADR-011");
});
