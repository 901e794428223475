import { expect, it } from "vitest";
import { type Scenario, TargetFailure } from "../../../schemas/index.ts";
import { watchAbsence } from "./absence.ts";

const nobody = new TargetFailure("errored", "connect", "no connection: connect ECONNREFUSED 127.0.0.1:1");

it("says since when a target is gone, after three scenarios without it", async () => {
  const reportAbsence = watchAbsence(AbortSignal.abort());
  const scenario = (name: string): Scenario => ({ name, needs: [] }) as Partial<Scenario> as Scenario;
  expect(await reportAbsence(scenario("first"), nobody)).toBeUndefined();
  expect(await reportAbsence(scenario("second"), nobody)).toBeUndefined();
  expect(await reportAbsence(scenario("third"), nobody)).toEqual({
    message: `the target went away during first: ${nobody.message}`,
    brief: "the target went away during first",
  });
});
