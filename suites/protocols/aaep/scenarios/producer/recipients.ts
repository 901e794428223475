import {
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { requireLevel } from "../subscribing/producer-facts.ts";
import { closeMessage, usualCapabilities } from "../subscribing/request.ts";
import { toProducer } from "./scenario.ts";
import { awaitEnd, awaitFence, beginSession, eventsOf, mustBeAlive, nameOf, sendReply } from "./session.ts";

/** Scenarios on the subscriptions that an event reaches. */
export const recipientScenarios: readonly Scenario[] = [
  toProducer({
    name: "include-obeyed",
    says: "events that a subscription does not include do not reach it",
    rules: ["AAEP-BP-005"],
    async play(context) {
      requireLevel(context, 3);
      const includedKind = drawFor(context).one(["session", "output", "tool"]);
      const event_filters = { include: [`aaep:agent.${includedKind}.*`], exclude: [] };
      const watcher = await openSubscription(context, { name: "watching" });
      const subscription = await openSubscription(context, {
        capabilities: { ...usualCapabilities, event_filters },
        name: "filtering",
      });
      const session = await beginSession(watcher, context, "plain");
      if ((await awaitEnd(session)) === undefined) throw new TargetSkip("the session does not end");
      const isIncluded = (event: JsonObject): boolean => nameOf(event).startsWith(`${includedKind}.`);
      const isExcluded = (event: JsonObject): boolean =>
        event.urgency !== "critical" && /^[a-z]/.test(nameOf(event)) && !isIncluded(event);
      const allEvents = eventsOf(watcher, session.id);
      const lastIncluded = allEvents.findLastIndex(isIncluded);
      if (!allEvents.slice(0, lastIncluded + 1).some(isExcluded))
        throw new TargetSkip("its sessions have no other events before these");
      // Events that have reached the watcher may still be in transit to the other subscription.
      const lastName = nameOf(allEvents[lastIncluded] as JsonObject);
      const isLast = (event: JsonObject): boolean => event.session_id === session.id && nameOf(event) === lastName;
      if ((await subscription.inbox.waitFor(isLast)) === undefined)
        throw new TargetSkip("its filters let nothing through, or too slowly");
      const unwantedEvent = eventsOf(subscription, session.id).find(isExcluded);
      const why = `${nameOf(unwantedEvent ?? {})} reached a subscription that includes only aaep:agent.${includedKind}.*`;
      context.expect("AAEP-BP-005", unwantedEvent === undefined, why, "SHOULD");
    },
  }),
  toProducer({
    name: "closed-gets-nothing",
    says: "a closed subscription receives no later events, and others continue",
    rules: ["AAEP-HS-022"],
    waits: 6000,
    async play(context) {
      requireLevel(context, 3);
      const watcher = await openSubscription(context, { name: "watching" });
      const subscription = await openSubscription(context, { name: "leaving" });
      if (subscription.accepted === undefined)
        throw new TargetSkip("without a handshake, subscriptions are not closed");
      await awaitFence(watcher, context);
      subscription.inbox.expectEnd();
      await sendReply(subscription, closeMessage(subscription.id));
      // Most producers end the stream. If it does not end, the close may not be handled yet, and earlier events may be in transit.
      await subscription.inbox.waitForEnd();
      if (!(await stillReceivesSessions(context, watcher)))
        return context.expect("AAEP-HS-022", false, "the close of one subscription ended the stream of another");
      const session = await beginSession(watcher, context, "plain");
      if ((await awaitEnd(session)) === undefined) throw new TargetSkip("the session after the close does not end");
      await awaitFence(watcher, context);
      const [lateEvent] = eventsOf(subscription, session.id);
      const why = `${lateEvent === undefined ? "" : nameOf(lateEvent)} of a session that began after the close reached the closed subscription`;
      context.expect("AAEP-HS-022", lateEvent === undefined, why);
    },
  }),
];

/** Whether a subscription still receives whole sessions. Throws if the producer is down. */
async function stillReceivesSessions(context: ScenarioContext, subscription: OpenSubscription): Promise<boolean> {
  try {
    await awaitFence(subscription, context);
    return true;
  } catch (error) {
    if (!(error instanceof TargetFailure) || !subscription.inbox.isEnded()) throw error;
    await mustBeAlive(context);
    return false;
  }
}
