import { type ScenarioContext, TargetFailure, TargetSkip } from "../../../../../schemas/index.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { awaitEnd, beginSession, mustBeAlive, nameOf } from "./session.ts";

/** Runs a session. Returns the names of its events on a subscription. */
export async function collectEventNames(subscription: OpenSubscription, context: ScenarioContext): Promise<string[]> {
  const session = await beginSession(subscription, context, "plain");
  if ((await awaitEnd(session)) === undefined) throw new TargetSkip("the session does not visibly end");
  return subscription.inbox.arrivals
    .filter(({ message }) => message.session_id === session.id)
    .map(({ message }) => nameOf(message));
}

/** Like `collectEventNames`, under new terms. Undefined if only other subscriptions still receive events. */
export async function collectNamesUnderNewTerms(
  subscription: OpenSubscription,
  context: ScenarioContext,
): Promise<string[] | undefined> {
  const arrivalsBefore = subscription.inbox.arrivals.length;
  try {
    return await collectEventNames(subscription, context);
  } catch (error) {
    if (!(error instanceof TargetFailure) || error.outcome !== "timed-out") throw error;
    // Throws if another subscription does not receive events either.
    await mustBeAlive(context);
    if (subscription.inbox.arrivals.length > arrivalsBefore) throw error;
    return undefined;
  }
}
