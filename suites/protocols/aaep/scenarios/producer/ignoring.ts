import type { JsonObject, Level, ScenarioContext, Setting } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { effectsOf, evidenceOf, hasActed } from "./actions.ts";
import { conductOf, hasActedInTime } from "./conduct.ts";
import { type AskedSession, awaitEnd, awaitFence, makeConfirmation, mustBeAlive, sendReply } from "./session.ts";

/** For each producer, the number of its latest rejections without an effect. */
const vainRejections = new WeakMap<Setting, number>();

/** Rejects the open question, and waits for the end of its session. Returns false if there is none. The wait is shorter if earlier rejections had no effect. */
export async function rejectOpen(asked: AskedSession): Promise<boolean> {
  const { context, subscription } = asked;
  const vainBefore = vainRejections.get(context.setting) ?? 0;
  await sendReply(subscription, await makeConfirmation(asked, "reject"));
  const isOver = (await awaitEnd(asked, boundOf(context, "event") / (vainBefore < 3 ? 1 : 10))) !== undefined;
  vainRejections.set(context.setting, isOver ? 0 : vainBefore + 1);
  if (isOver) await rememberRejection(asked);
  else await mustBeAlive(context);
  return isOver;
}

/** A session that ended with the rejection of its action. */
export interface RejectedSession {
  asked: AskedSession;
  /** The number of actions that it had carried out by its end. */
  actions: number;
  /** When it was rejected, in milliseconds of the suite's monotonic clock. */
  rejectedAt: number;
}

const rejections = new WeakMap<Setting, RejectedSession[]>();

/** The sessions of this producer that ended with a rejection, if the hook "effects" reports their actions. */
export function rejectedIn({ setting }: ScenarioContext): readonly RejectedSession[] {
  return rejections.get(setting) ?? [];
}

async function rememberRejection(asked: AskedSession): Promise<void> {
  const { setting } = asked.context;
  const effects = await effectsOf(asked);
  if (effects !== undefined)
    rejections.set(setting, [
      ...(rejections.get(setting) ?? []),
      { asked, actions: effects.length, rejectedAt: performance.now() },
    ]);
}

/** A judgement that an action must not be carried out. */
interface ForbiddenAction {
  rule: string;
  /** The explanation if it was. */
  why: string;
  replies?: readonly (JsonObject | string)[];
  level?: Level;
}

/** Expects that an action is not carried out, now or within its usual time. Returns whether it was not. The rule is skipped if the action would not have been visible. */
export async function mustNotBeDone(
  asked: AskedSession,
  { rule, why, replies = [], level }: ForbiddenAction,
): Promise<boolean> {
  const { context } = asked;
  if (await hasActedInTime(asked)) {
    context.expect(rule, false, why, level, evidenceOf(asked, ...replies));
    return false;
  }
  const { invisibility } = await conductOf(context);
  if (invisibility === undefined) context.expect(rule, true, "");
  else context.skip(rule, invisibility.why, invisibility.cause);
  return true;
}

/** Expects that a sent reply has no effect, and that a later rejection still ends the session. Returns false if it had an effect, or if this cannot be seen. */
export async function mustBeIgnored(
  asked: AskedSession,
  reply: JsonObject | string,
  rule: string,
  what: string,
): Promise<boolean> {
  const { context, subscription } = asked;
  const skipAs = (why: string): void => context.skip(rule, `${why}: nothing shows whether ${what} is ignored`);
  await awaitFence(subscription, context);
  if (await hasActedInTime(asked)) {
    context.expect(rule, false, `the action was carried out after ${what}`, evidenceOf(asked, reply));
    return false;
  }
  const { invisibility, actsDespiteRejection } = await conductOf(context);
  const isOver = (await awaitEnd(asked, 0)) !== undefined;
  const isOpen = !isOver && (await rejectOpen(asked));
  const actsAnyway = isOpen && (actsDespiteRejection || (await hasActed(asked)));
  if (isOver) skipAs("its session ended before it was rejected");
  else if (!isOpen) skipAs("a rejection had no effect afterwards");
  else if (actsAnyway) skipAs("an action is carried out after a rejection");
  else if (invisibility !== undefined) context.skip(rule, invisibility.why, invisibility.cause);
  else context.expect(rule, true, "");
  return isOpen && !actsAnyway;
}
