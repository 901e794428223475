import { protocolNamed } from "../../schemas/index.ts";
import { packOf } from "../pack/load.ts";
import { type Detected, tried } from "../scenarios/selftest.ts";
import type { Task, Told } from "./trials.ts";

// A process beside the one that shows the results: it tries what it is sent, several at once.
process.on("message", (task: Task) => {
  const { id } = task;
  const tell = (told: Told): void => void process.send?.(told);
  trial(task).then(
    (detected) => tell({ id, detected }),
    (error: unknown) => tell({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on("disconnect", () => process.exit());

async function trial({ protocol: name, variant, seed }: Task): Promise<Detected> {
  const protocol = protocolNamed(name);
  const pack = await packOf(protocol);
  const [{ scenarios = [] } = {}, { live } = {}] = await Promise.all([pack.scenarios?.(), pack.live?.()]);
  if (live === undefined) throw new Error(`${name} has no live reference`);
  return tried({ protocol, scenarios, live }, variant, { seed });
}
