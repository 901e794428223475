import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isWhole, partOf } from "../../schemas/part.fixture.ts";
import { troubleEvents } from "./events/trouble-events.ts";
import { events } from "./events.ts";
import { type GateWorld, openGateWorld } from "./gate-world.ts";
import { complaintsOf, playEvent, tableOf } from "./life.ts";

// Events with unanswered requests are slow: they are played only in whole runs, and by `npx tsx scripts/gate.ts`.
const chosenEvents = isWhole ? events : events.filter((gateEvent) => !troubleEvents.includes(gateEvent));
const { cases, said } = partOf(chosenEvents, ({ name }) => name, 40);
const table = tableOf();

it("the guide's table has one row for each event, in the same order", () => {
  expect([...table.keys()]).toEqual(events.map(({ name }) => name));
});

it("reports an outcome that differs from its row", () => {
  const row = table.get("a regression");
  const expected = {
    firstLine: "Does not conform: 3 of 90 vectors violated, 1 rule broken beside 4 known failures.",
    code: 1,
  };
  expect(complaintsOf({ ...expected, list: "as it was" }, row)).toEqual([]);
  expect(complaintsOf({ ...expected, code: 0, list: "1 removed" }, row)).toHaveLength(2);
  expect(complaintsOf({ ...expected, firstLine: "Conforms.", list: "as it was" }, row)).toHaveLength(1);
  expect(complaintsOf({ ...expected, list: "" }, undefined)).toHaveLength(1);
});

describe(`events in the life of a gate end as the guide says (${said})`, () => {
  let world: GateWorld;
  beforeAll(async () => {
    world = await openGateWorld();
  }, 120_000);
  afterAll(() => world?.close());

  it.each(cases)(
    "$name",
    async (event) => {
      expect(complaintsOf(await playEvent(world, event), table.get(event.name))).toEqual([]);
    },
    300_000,
  );
});
