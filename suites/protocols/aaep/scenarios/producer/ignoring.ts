import type { JsonObject, Level, ScenarioContext, Setting } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { effectsOf, isDone, shownBy } from "./acting.ts";
import { conductOf, isDoneInTime } from "./conduct.ts";
import { type AskedSession, answer, awaitEnd, awaitFence, confirmation, mustBeAlive } from "./story.ts";

/** The number of consecutive rejections without an effect, for each producer. */
const vainWaits = new WeakMap<Setting, number>();

/** Rejects the open question, and waits for the session to end; false if that has no effect. Waits only briefly if it never has one. */
export async function rejectOpen(asked: AskedSession): Promise<boolean> {
  const { context, line } = asked;
  const before = vainWaits.get(context.setting) ?? 0;
  await answer(line, await confirmation(asked, "reject"));
  const isOver = (await awaitEnd(asked, boundOf(context, "event") / (before < 3 ? 1 : 10))) !== undefined;
  vainWaits.set(context.setting, isOver ? 0 : before + 1);
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
  at: number;
}

const rejections = new WeakMap<Setting, RejectedSession[]>();

/** The sessions of this play that ended with a rejection, if the hook "effects" reports their actions. */
export function rejectedIn({ setting }: ScenarioContext): readonly RejectedSession[] {
  return rejections.get(setting) ?? [];
}

async function rememberRejection(asked: AskedSession): Promise<void> {
  const { setting } = asked.context;
  const effects = await effectsOf(asked);
  if (effects !== undefined)
    rejections.set(setting, [
      ...(rejections.get(setting) ?? []),
      { asked, actions: effects.length, at: performance.now() },
    ]);
}

/** A case that must not lead to an action. */
interface Unheeded {
  rule: string;
  /** The message for the case that it did. */
  why: string;
  replies?: readonly (JsonObject | string)[];
  level?: Level;
}

/** An action must not have been carried out, nor be carried out within its usual time. Returns true if it was not; the rule counts only if the action would have been visible. */
export async function mustNotBeDone(
  asked: AskedSession,
  { rule, why, replies = [], level }: Unheeded,
): Promise<boolean> {
  const { context } = asked;
  if (await isDoneInTime(asked)) {
    context.expect(rule, false, why, level, shownBy(asked, ...replies));
    return false;
  }
  const { blind } = await conductOf(context);
  if (blind === undefined) context.expect(rule, true, "");
  else context.skip(rule, blind.why, blind.cause);
  return true;
}

/** Sends a reply that must not count: it has no effect, and a later rejection still ends the session. Returns false if it had one, or if nothing shows it. */
export async function mustBeIgnored(
  asked: AskedSession,
  reply: JsonObject | string,
  rule: string,
  what: string,
): Promise<boolean> {
  const { context, line } = asked;
  const unseen = (why: string): void => context.skip(rule, `${why}: nothing shows whether ${what} is ignored`);
  await awaitFence(line, context);
  if (await isDoneInTime(asked)) {
    context.expect(rule, false, `the action was carried out after ${what}`, shownBy(asked, reply));
    return false;
  }
  const { blind, isDefiant } = await conductOf(context);
  const isOver = (await awaitEnd(asked, 0)) !== undefined;
  const isOpen = !isOver && (await rejectOpen(asked));
  const isOdd = isOpen && (isDefiant || (await isDone(asked)));
  if (isOver) unseen("its session ended before it was rejected");
  else if (!isOpen) unseen("a rejection had no effect afterwards");
  else if (isOdd) unseen("an action is carried out after a rejection");
  else if (blind !== undefined) context.skip(rule, blind.why, blind.cause);
  else context.expect(rule, true, "");
  return isOpen && !isOdd;
}
