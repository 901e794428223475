import {
  missingNeeds,
  type ScenarioContext,
  type Setting,
  type Skip,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { readProducerFacts } from "../subscribing/producer-facts.ts";
import { closeMessage } from "../subscribing/request.ts";
import { countActions, effectsOf, hasActed } from "./actions.ts";
import { letTimePass, waitUntilDone } from "./passing-time.ts";
import {
  type AskedSession,
  awaitEnd,
  beginAskedSession,
  makeConfirmation,
  type SessionTask,
  sendReply,
} from "./session.ts";

/**
 * How a producer handles an action that needs confirmation. An ignored invalid reply proves something only if
 * a valid reply has a timely effect.
 */
export interface ObservedConduct {
  /** Whether it acts while its question is open, so that its later actions are not evidence about a reply. */
  actsEarly: boolean;
  /** Milliseconds from an acceptance to the visible action; undefined if there was none. */
  actionDelay: number | undefined;
  /** Whether it acts after a rejection. */
  actsDespiteRejection: boolean;
  /** The number of actions of each tool after one acceptance. */
  actionCounts: ReadonlyMap<string, number>;
  /** Why a missing action is not evidence; undefined if the action would have been seen. */
  invisibility: Skip | undefined;
}

/** The minimum milliseconds to wait for a forbidden action. */
const minWait = 50;

const observedConducts = new WeakMap<Setting, Promise<ObservedConduct>>();

/** Returns how the producer behaves. This is observed once for each producer. */
export function conductOf(context: ScenarioContext): Promise<ObservedConduct> {
  const { setting } = context;
  const observation = observedConducts.get(setting) ?? observeConduct(context).then(({ conduct }) => conduct);
  observedConducts.set(setting, observation);
  // A failed observation may succeed next time.
  observation.catch(() => observedConducts.delete(setting));
  return observation;
}

/** Observes two questions for consent: the first one is left open and then accepted, the second one is rejected. */
export async function observeConduct(
  context: ScenarioContext,
): Promise<{ conduct: ObservedConduct; askedSession: AskedSession }> {
  const subscription = await openSubscription(context, { name: "probing" });
  const askedSession = await beginAskedSession(subscription, context, "irreversible");
  const hold = holdOf(askedSession);
  const actsEarly = (await waitUntilDone(context, hold, () => hasActed(askedSession))) !== undefined;
  await sendReply(subscription, await makeConfirmation(askedSession, "accept"));
  const timeLimit = actionTimeLimit(context);
  // An announced action may still be running.
  const hasEffect = async (): Promise<boolean> => ((await effectsOf(askedSession)) ?? []).length > 0;
  const hasVisibleEffect = context.has("effects") ? hasEffect : (): Promise<boolean> => hasActed(askedSession);
  const actionDelay = actsEarly ? undefined : await waitUntilDone(context, timeLimit, hasVisibleEffect);
  const hasRealEffect = await hasEffect();
  await awaitEnd(askedSession);
  const actionCounts = await countActions(askedSession);
  const rejectedSession = await beginAskedSession(subscription, context, "irreversible");
  await sendReply(subscription, await makeConfirmation(rejectedSession, "reject"));
  await awaitEnd(rejectedSession);
  const wait = waitAfter(actionDelay);
  if (!actsEarly) await letTimePass(context, wait);
  const actsDespiteRejection = !actsEarly && (await hasActed(rejectedSession));
  const invisibility = explainInvisibility(context, hasRealEffect);
  const conduct = { actsEarly, actionDelay, actsDespiteRejection, actionCounts, invisibility };
  observedConducts.set(context.setting, Promise.resolve(conduct));
  await leaveSubscription(subscription);
  return { conduct, askedSession };
}

/** Closes a subscription that is no longer needed, so that no session waits for its answers. */
async function leaveSubscription(subscription: OpenSubscription): Promise<void> {
  subscription.inbox.expectEnd();
  if (subscription.accepted !== undefined) await subscription.send(closeMessage(subscription.id));
  subscription.cut();
}

/** Returns how many milliseconds to leave a question open, to observe whether the producer waits for the answer. */
export function holdOf({ context, question }: AskedSession): number {
  return Math.min(boundOf(context, "open-question"), (Number(question.timeout_seconds) || 0) * 500);
}

/** Returns the maximum milliseconds for carrying out an accepted action. */
export function actionTimeLimit(context: ScenarioContext): number {
  return readProducerFacts(context).actionSeconds * 1000;
}

function explainInvisibility(context: ScenarioContext, hasRealEffect: boolean): Skip | undefined {
  if (hasRealEffect) return undefined;
  const seconds = actionTimeLimit(context) / 1000;
  return context.has("effects")
    ? {
        why: `nothing was done within ${seconds} s (options.action_seconds) of an acceptance, so forbidden actions cannot be detected`,
        cause: { kind: "not-shown" },
      }
    : {
        why: 'needs the hook "effects", which is not given: actions need not be announced',
        cause: missingNeeds("effects"),
      };
}

/** Returns the milliseconds after which a forbidden action would have been visible. */
function waitAfter(actionDelay: number | undefined): number {
  return Math.max(minWait, 2 * (actionDelay ?? 0));
}

/** Waits until an action is carried out, but not longer than usual. Returns whether it was carried out. */
export async function hasActedInTime(askedSession: AskedSession): Promise<boolean> {
  const { actionDelay } = await conductOf(askedSession.context);
  if (await hasActed(askedSession)) return true;
  await letTimePass(askedSession.context, waitAfter(actionDelay));
  return hasActed(askedSession);
}

/** Starts a session and waits for its question. Skips if there is no question, or if the session does not wait for the answer. */
export async function beginWaitingSession(
  subscription: OpenSubscription,
  context: ScenarioContext,
  task: SessionTask,
  startOptions: Parameters<typeof beginAskedSession>[3] = {},
): Promise<AskedSession> {
  const isAction = task === "irreversible" || task === "reversible";
  if (isAction && (await actsEarlyOn(context, task))) throw new TargetSkip(earlyActionReason);
  const askedSession = await beginAskedSession(subscription, context, task, startOptions);
  if (isAction && (await hasActed(askedSession))) throw new TargetSkip(earlyActionReason);
  return askedSession;
}

/** Whether the producer acts before the answer. Without an irreversible action this is unknown, and reversible ones are tried anyway. */
async function actsEarlyOn(context: ScenarioContext, task: SessionTask): Promise<boolean> {
  try {
    return (await conductOf(context)).actsEarly;
  } catch (error) {
    if (error instanceof TargetSkip && task === "reversible") return false;
    throw error;
  }
}

const earlyActionReason = "it acts before an answer is possible";
