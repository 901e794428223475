import type { JsonObject, Level, ScenarioContext, Setting } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { effectsOf, evidenceOf, hasActed } from "./actions.ts";
import { conductOf, hasActedInTime } from "./conduct.ts";
import { type AskedSession, awaitEnd, awaitFence, makeConfirmation, mustBeAlive, sendReply } from "./session.ts";

/** For each producer, the number of consecutive rejections that had no effect. */
const ineffectiveRejections = new WeakMap<Setting, number>();

/** After this many consecutive rejections without an effect, the suite waits only a tenth of the usual time. */
const maxPatientRejections = 3;

/** Rejects the open question, and waits for its session to end. Returns false if it does not end. */
export async function rejectOpen(askedSession: AskedSession): Promise<boolean> {
  const { context, subscription } = askedSession;
  const ineffectiveBefore = ineffectiveRejections.get(context.setting) ?? 0;
  await sendReply(subscription, await makeConfirmation(askedSession, "reject"));
  const usualWait = boundOf(context, "event");
  const wait = ineffectiveBefore < maxPatientRejections ? usualWait : usualWait / 10;
  const isOver = (await awaitEnd(askedSession, wait)) !== undefined;
  ineffectiveRejections.set(context.setting, isOver ? 0 : ineffectiveBefore + 1);
  if (isOver) await rememberRejection(askedSession);
  else await mustBeAlive(context);
  return isOver;
}

/** A session that ended after its action was rejected. */
export interface RejectedSession {
  askedSession: AskedSession;
  /** The number of actions that it had carried out by its end. */
  actionCount: number;
  /** When it was rejected, in milliseconds of the suite's monotonic clock. */
  rejectedAt: number;
}

const rejections = new WeakMap<Setting, RejectedSession[]>();

/** Returns the sessions of this producer that ended with a rejection, if the hook "effects" reports their actions. */
export function rejectedIn({ setting }: ScenarioContext): readonly RejectedSession[] {
  return rejections.get(setting) ?? [];
}

async function rememberRejection(askedSession: AskedSession): Promise<void> {
  const { setting } = askedSession.context;
  const effects = await effectsOf(askedSession);
  if (effects !== undefined)
    rejections.set(setting, [
      ...(rejections.get(setting) ?? []),
      { askedSession, actionCount: effects.length, rejectedAt: performance.now() },
    ]);
}

/** A judgement that an action must not be carried out. */
interface ForbiddenAction {
  rule: string;
  /** The explanation if the action was carried out. */
  why: string;
  replies?: readonly (JsonObject | string)[];
  level?: Level;
}

/** Expects that an action is not carried out within its usual time, and returns whether it was not. Skips the rule if the action would be invisible. */
export async function mustNotBeDone(
  askedSession: AskedSession,
  { rule, why, replies = [], level }: ForbiddenAction,
): Promise<boolean> {
  const { context } = askedSession;
  if (await hasActedInTime(askedSession)) {
    context.expect(rule, false, why, level, evidenceOf(askedSession, ...replies));
    return false;
  }
  const { invisibility } = await conductOf(context);
  if (invisibility === undefined) context.expect(rule, true, "");
  else context.skip(rule, invisibility.why, invisibility.cause);
  return true;
}

/** Expects that a sent reply has no effect, and that a later rejection still ends the session. Returns false if it had an effect, or if this is unknown. */
export async function mustBeIgnored(
  askedSession: AskedSession,
  reply: JsonObject | string,
  rule: string,
  replyName: string,
): Promise<boolean> {
  const { context, subscription } = askedSession;
  const skipRule = (why: string): void => context.skip(rule, `${why}: nothing shows whether ${replyName} is ignored`);
  await awaitFence(subscription, context);
  if (await hasActedInTime(askedSession)) {
    context.expect(rule, false, `the action was carried out after ${replyName}`, evidenceOf(askedSession, reply));
    return false;
  }
  const { invisibility, actsDespiteRejection } = await conductOf(context);
  const isOver = (await awaitEnd(askedSession, 0)) !== undefined;
  const isOpen = !isOver && (await rejectOpen(askedSession));
  const actsAnyway = isOpen && (actsDespiteRejection || (await hasActed(askedSession)));
  if (isOver) skipRule("its session ended before it was rejected");
  else if (!isOpen) skipRule("a rejection had no effect afterwards");
  else if (actsAnyway) skipRule("an action is carried out after a rejection");
  else if (invisibility !== undefined) context.skip(rule, invisibility.why, invisibility.cause);
  else context.expect(rule, true, "");
  return isOpen && !actsAnyway;
}
