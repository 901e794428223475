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

/** The rule that valid messages are accepted. */
const acceptanceRule = "AHCP-ENV-024";

/** For each setting, the check whether the hub accepts messages. It is made only once. */
const servingChecks = new WeakMap<Setting, Promise<void>>();

/** The first notify that each hub has accepted, with the time in the Date header of the answer. */
const firstMessages = new WeakMap<Setting, { id: string; at: number }>();

/** The first notify that the hub has accepted. */
export function firstNotify({ setting }: ScenarioContext): { id: string; at: number } | undefined {
  return firstMessages.get(setting);
}

/** The error for a hub that does not accept any message. */
class AcceptsNothing extends TargetSkip {
  readonly reply: HttpReply;

  constructor(why: string, reply: HttpReply) {
    super(`${why}, so nothing can be tested: see AHCP-ENV-024`);
    this.reply = reply;
  }
}

/**
 * Throws if the hub does not accept any message: AcceptsNothing if the target has a capability document and refuses messages
 * like a hub; otherwise a TargetFailure, because the target may not be a hub at all.
 */
function checkServing(context: ScenarioContext): Promise<void> {
  const { setting } = context;
  const knownCheck = servingChecks.get(setting);
  if (knownCheck !== undefined) return knownCheck;
  const check = submitPlainMessages(context);
  servingChecks.set(setting, check);
  // Do not remember other failures, because they may be temporary.
  check.catch((error: unknown) => {
    const isLasting = error instanceof AcceptsNothing || (error as Partial<TargetFailure>).stage === "submit";
    return isLasting || servingChecks.delete(setting);
  });
  return check;
}

async function submitPlainMessages(context: ScenarioContext): Promise<void> {
  let why = "";
  let lastRefusal: HttpReply | undefined;
  for (const createMessage of [notify, ask, task]) {
    const message = createMessage(context);
    const reply = await post(context, message).catch((error: unknown) => {
      if (error instanceof TargetSkip) return undefined;
      throw error;
    });
    // Only a hub has published limits or rate limits.
    if (reply === undefined || reply.status === 429) return;
    const id = idOf(reply);
    const at = Date.parse(reply.headers.date ?? "");
    if (isAccepted(reply) && id !== undefined && createMessage === notify)
      firstMessages.set(context.setting, { id, at: Number.isFinite(at) ? at : Date.now() });
    if (isAccepted(reply) && (id !== undefined || isAcknowledgment(reply))) return;
    if (why === "") why = `a plain ${message.type} is answered with ${inShort(reply)}`;
    lastRefusal ??= reply;
  }
  if (lastRefusal !== undefined && hasProtocolForm(lastRefusal) && (await isHub(context)))
    throw new AcceptsNothing(why, lastRefusal);
  throw new TargetFailure("errored", "submit", `no message of any type is accepted: check the address; ${why}`);
}

/** Whether a refusal has a status and a code of the protocol. */
function hasProtocolForm(reply: HttpReply): boolean {
  return isRefused(reply, 400, "validation_error") || isRefused(reply, 422, "invalid_field");
}

/** Whether the target publishes the capability document of a hub. */
async function isHub(context: ScenarioContext): Promise<boolean> {
  const { status, json } = await discover(context, "a");
  return status === 200 && isObject(json) && typeof json.ahcp_version === "string";
}

/** Whether the reply is an acknowledgment. Its id may be missing, which another rule reports. */
function isAcknowledgment({ json }: HttpReply): boolean {
  return isObject(json) && (json.status === "open" || json.status === "delivered");
}

/** Wraps a scenario so that it is played only if the hub accepts messages. */
export function requireServingHub(scenario: Scenario): Scenario {
  return {
    ...scenario,
    async play(context) {
      await checkServing(context).catch((error: unknown) => {
        if (!(error instanceof AcceptsNothing) || !scenario.rules.includes(acceptanceRule)) throw error;
        context.expect(acceptanceRule, false, `a valid message is refused: ${inShort(error.reply)}`, error.reply);
        throw error;
      });
      await scenario.play(context);
    },
  };
}
