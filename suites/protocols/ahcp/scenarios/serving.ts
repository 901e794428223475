import {
  type Scenario,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { ask, notify, task } from "./messages.ts";
import { idOf, inShort, isTaken, post } from "./steps.ts";

/** Whether a setting's hub serves, found out once. */
const controls = new WeakMap<Setting, Promise<void>>();

/** Throws a TargetFailure where the hub takes no message of any type: whatever it answers then, it breaks no rule, since it may be no hub at all. */
function serves(context: ScenarioContext): Promise<void> {
  const { setting } = context;
  const known = controls.get(setting);
  if (known !== undefined) return known;
  const control = controlled(context);
  controls.set(setting, control);
  // What broke off for another reason may not do so again.
  control.catch(({ stage }: Partial<TargetFailure>) => stage === "submit" || controls.delete(setting));
  return control;
}

async function controlled(context: ScenarioContext): Promise<void> {
  let why = "";
  for (const make of [notify, ask, task]) {
    const message = make(context);
    const reply = await post(context, message).catch((error: unknown) => {
      if (error instanceof TargetSkip) return undefined;
      throw error;
    });
    // A hub that has limits is one.
    if (reply === undefined || reply.status === 429) return;
    if (isTaken(reply) && idOf(reply) !== undefined) return;
    if (why === "") why = `a plain ${message.type} is answered with ${inShort(reply)}`;
  }
  throw new TargetFailure("errored", "submit", `no message is taken, of any type: check the address; ${why}`);
}

/** The scenario, played only with a hub that takes messages. */
export function withHub(scenario: Scenario): Scenario {
  return {
    ...scenario,
    async play(context) {
      await serves(context);
      await scenario.play(context);
    },
  };
}
