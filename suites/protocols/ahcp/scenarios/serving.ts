import {
  type HttpReply,
  isObject,
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

/** The first notify of each, and when it was taken, as its answer is dated. */
const firsts = new WeakMap<Setting, { id: string; at: number }>();

/** The first notify that scenarios have sent to the hub. */
export function firstNotify({ setting }: ScenarioContext): { id: string; at: number } | undefined {
  return firsts.get(setting);
}

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
    const id = idOf(reply);
    const at = Date.parse(reply.headers.date ?? "");
    if (isTaken(reply) && id !== undefined && make === notify)
      firsts.set(context.setting, { id, at: Number.isFinite(at) ? at : Date.now() });
    if (isTaken(reply) && (id !== undefined || isAcknowledgement(reply))) return;
    if (why === "") why = `a plain ${message.type} is answered with ${inShort(reply)}`;
  }
  throw new TargetFailure("errored", "submit", `no message is taken, of any type: check the address; ${why}`);
}

/** Whether it is one but for its id, of which a rule of its own speaks. */
function isAcknowledgement({ json }: HttpReply): boolean {
  return isObject(json) && (json.status === "open" || json.status === "delivered");
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
