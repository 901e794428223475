import { protocolNamed } from "../../../schemas/index.ts";
import { packOf } from "../../packs/pack/load.ts";
import { tryScenarios } from "../scenarios/selftest.ts";
import { createAdmission } from "./admission.ts";
import { playCell } from "./cell.ts";
import { playParty } from "./party.ts";
import type { Outcomes, TrialAnswer, TrialKind, Trials, TrialTask } from "./task.ts";
import type { TrialGround } from "./trial-ground.ts";

const performers: {
  [Kind in TrialKind]: (ground: TrialGround, given: Trials[Kind], seed: number) => Promise<Outcomes[Kind]>;
} = {
  variant: (ground, variant, seed) => tryScenarios(ground, variant, { seed }),
  party: playParty,
  cell: playCell,
};

const admit = createAdmission();

// A process that performs the trials it is sent, several at once, for the main process, which shows the results.
process.on("message", (task: TrialTask) => {
  const { id } = task;
  const reply = (answer: TrialAnswer): void => void process.send?.(answer);
  admit(() => carryOut(task)).then(
    (outcome) => reply({ id, outcome }),
    (error: unknown) => reply({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on("disconnect", () => process.exit());

async function carryOut<Kind extends TrialKind>({
  kind,
  protocol,
  given,
  seed,
}: TrialTask<Kind>): Promise<Outcomes[Kind]> {
  const ground = grounds.get(protocol) ?? groundOf(protocol);
  grounds.set(protocol, ground);
  return performers[kind](await ground, given, seed);
}

/** The grounds of trials, by the name of the protocol. They are kept, since compiling their validators again would be slower than most trials. */
const grounds = new Map<string, Promise<TrialGround>>();

async function groundOf(name: string): Promise<TrialGround> {
  const protocol = protocolNamed(name);
  const pack = await packOf(protocol);
  const [{ scenarios = [] } = {}, { live } = {}] = await Promise.all([pack.scenarios?.(), pack.live?.()]);
  if (live === undefined) throw new Error(`${name} has no live reference`);
  return { protocol, scenarios, live };
}
