import { expect, it } from "vitest";
import { type Need, type Scenario, TargetFailure } from "../../schemas/index.ts";
import { watch } from "./away.ts";

const nobody = new TargetFailure("errored", "connect", "no connection: connect ECONNREFUSED 127.0.0.1:1");

/** What is said once so many scenarios, the first with these needs, have found nobody. */
async function saidOf(needs: readonly Need[]): Promise<string | undefined> {
  const told = watch(AbortSignal.abort());
  const scenario = (name: string, of: readonly Need[]): Scenario =>
    ({ name, needs: of }) as Partial<Scenario> as Scenario;
  expect(await told(scenario("first", needs), nobody)).toBeUndefined();
  expect(await told(scenario("second", []), nobody)).toBeUndefined();
  return told(scenario("third", ["restart"]), nobody);
}

it("says of a target that went away as it was to be restarted why that may be", async () => {
  expect(await saidOf(["restart"])).toMatch(
    /^the target went away during first: no connection.*; if the hook "restart" is a command,.*\(setsid\)$/,
  );
  expect(await saidOf([])).toBe(`the target went away during first: ${nobody.message}`);
});
