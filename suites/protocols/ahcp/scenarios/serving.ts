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
import { discover } from "./published.ts";
import { idOf, inShort, isAccepted, isRefused, post } from "./steps.ts";

/** The rule that good messages are accepted. */
const acceptanceRule = "AHCP-ENV-024";

/** Whether a setting's hub serves, determined once. */
const controls = new WeakMap<Setting, Promise<void>>();

/** The first notify of each setting, and when it was accepted according to the answer's Date header. */
const firstMessages = new WeakMap<Setting, { id: string; at: number }>();

/** The first notify that scenarios have sent to the hub. */
export function firstNotify({ setting }: ScenarioContext): { id: string; at: number } | undefined {
  return firstMessages.get(setting);
}

/** Thrown for a hub that accepts no message of any type. */
class AcceptsNothing extends TargetSkip {
  readonly reply: HttpReply;

  constructor(why: string, reply: HttpReply) {
    super(`${why}, so that nothing can be shown: see AHCP-ENV-024`);
    this.reply = reply;
  }
}

/**
 * Throws if the hub accepts no message of any type. It throws an AcceptsNothing if the target is a hub by its capability document, and refuses the messages like
 * a hub. Otherwise it throws a TargetFailure: the target may not be a hub, so that its answers break no rule.
 */
function checkServing(context: ScenarioContext): Promise<void> {
  const { setting } = context;
  const known = controls.get(setting);
  if (known !== undefined) return known;
  const control = submitControls(context);
  controls.set(setting, control);
  // Other failures may not occur again, so they are not remembered.
  control.catch((error: unknown) => {
    const isLasting = error instanceof AcceptsNothing || (error as Partial<TargetFailure>).stage === "submit";
    return isLasting || controls.delete(setting);
  });
  return control;
}

async function submitControls(context: ScenarioContext): Promise<void> {
  let why = "";
  let lastRefusal: HttpReply | undefined;
  for (const make of [notify, ask, task]) {
    const message = make(context);
    const reply = await post(context, message).catch((error: unknown) => {
      if (error instanceof TargetSkip) return undefined;
      throw error;
    });
    // Only a hub has such limits.
    if (reply === undefined || reply.status === 429) return;
    const id = idOf(reply);
    const at = Date.parse(reply.headers.date ?? "");
    if (isAccepted(reply) && id !== undefined && make === notify)
      firstMessages.set(context.setting, { id, at: Number.isFinite(at) ? at : Date.now() });
    if (isAccepted(reply) && (id !== undefined || isAcknowledgement(reply))) return;
    if (why === "") why = `a plain ${message.type} is answered with ${inShort(reply)}`;
    lastRefusal ??= reply;
  }
  if (lastRefusal !== undefined && hasProtocolForm(lastRefusal) && (await isHub(context)))
    throw new AcceptsNothing(why, lastRefusal);
  throw new TargetFailure("errored", "submit", `no message of any type is accepted: check the address; ${why}`);
}

/** Whether a refusal has the form of this protocol: a status and code of the protocol for the fault of the message. */
function hasProtocolForm(reply: HttpReply): boolean {
  return isRefused(reply, 400, "validation_error") || isRefused(reply, 422, "invalid_field");
}

/** Whether the target publishes the capability document of a hub. */
async function isHub(context: ScenarioContext): Promise<boolean> {
  const { status, json } = await discover(context, "a");
  return status === 200 && isObject(json) && typeof json.ahcp_version === "string";
}

/** Whether it is an acknowledgement apart from its id, which another rule judges. */
function isAcknowledgement({ json }: HttpReply): boolean {
  return isObject(json) && (json.status === "open" || json.status === "delivered");
}

/** The scenario, played only with a hub that accepts messages. */
export function withHub(scenario: Scenario): Scenario {
  return {
    ...scenario,
    async play(context) {
      await checkServing(context).catch((error: unknown) => {
        if (!(error instanceof AcceptsNothing) || !scenario.rules.includes(acceptanceRule)) throw error;
        context.expect(acceptanceRule, false, `a good message is refused: ${inShort(error.reply)}`, error.reply);
        throw error;
      });
      await scenario.play(context);
    },
  };
}
