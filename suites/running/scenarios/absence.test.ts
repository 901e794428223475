import { expect, it } from "vitest";
import { type Scenario, TargetFailure } from "../../../schemas/index.ts";
import { watchAbsence } from "./absence.ts";

const noConnection = new TargetFailure("errored", "connect", "no connection: connect ECONNREFUSED 127.0.0.1:1");

it("reports that a target is gone after three scenarios without a connection, and names the first of them", async () => {
  const reportAbsence = watchAbsence(AbortSignal.abort());
  const scenario = (name: string): Scenario => ({ name, needs: [] }) as Partial<Scenario> as Scenario;
  expect(await reportAbsence(scenario("first"), noConnection)).toBeUndefined();
  expect(await reportAbsence(scenario("second"), noConnection)).toBeUndefined();
  expect(await reportAbsence(scenario("third"), noConnection)).toEqual({
    message: `the target went away during first: ${noConnection.message}`,
    brief: "the target went away during first",
  });
});
