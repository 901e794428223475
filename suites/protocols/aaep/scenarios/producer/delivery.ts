import { hookAnswer, isObject, type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { putForward } from "../../../../running/scenarios/clock.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { beginWaitingSession } from "./conduct.ts";
import { rejectOpen } from "./ignoring.ts";
import { areLaterEvents, isNew, isStateChange, isSummary, sortByCreation } from "./resumption.ts";
import { toProducer } from "./scenario.ts";
import { awaitEnd, awaitFence, awaitFenceAgain, beginSession, eventsOf, nameOf } from "./session.ts";

/** The difference in milliseconds between two clocks that still counts as the same time. */
const clockTolerance = 5000;

/** Scenarios on agent ids, and on the delivery of missed events. */
export const deliveryScenarios: readonly Scenario[] = [
  toProducer({
    name: "names-without-versions",
    says: "the id of an agent is the same everywhere, and contains no version",
    rules: ["AAEP-ENV-022"],
    async play(context) {
      const subscription = await openSubscription(context);
      const session = await beginSession(subscription, context, "plain");
      await awaitEnd(session);
      for (const { producer } of eventsOf(subscription, session.id)) {
        if (!isObject(producer)) continue;
        const { agent_id: id, agent_version: release } = producer;
        const containsVersion = typeof release === "string" && release.includes(".") && String(id).includes(release);
        context.expect("AAEP-ENV-022", !containsVersion, `the agent_id "${id}" contains the version ${release}`);
      }
    },
  }),
  toProducer({
    name: "resumed",
    says: "a subscription that reconnects during a session receives the missed events, or a summary of the state",
    rules: ["AAEP-TRN-011"],
    needs: ["start", "url"],
    async play(context) {
      const otherSubscription = await openSubscription(context, { name: "other" });
      const subscription = await openSubscription(context);
      if (subscription.resume === undefined) throw new TargetSkip("nothing can be resumed on this binding");
      const askedSession = await beginWaitingSession(subscription, context, "irreversible");
      await otherSubscription.inbox.waitFor(({ reply_token: token }) => token === askedSession.token);
      await awaitFence(otherSubscription, context);
      const eventsBefore = sortByCreation(eventsOf(otherSubscription, askedSession.id));
      const lastState = eventsBefore.findLastIndex(isStateChange);
      // A critical event may have overtaken earlier events.
      const indexBeforeState = eventsBefore.findLastIndex(
        (event, index) => index < lastState && event.urgency !== "critical",
      );
      // Also resumes just before the last change of state: there, a replay that loses an event cannot pass for a summary.
      for (const lastSeenIndex of new Set([0, Math.max(0, indexBeforeState)])) {
        subscription.cut();
        const arrivalsBefore = subscription.inbox.arrivals.length;
        await subscription.resume(resumptionIdOf(subscription, eventsBefore[lastSeenIndex]));
        await awaitFenceAgain(subscription, context);
        const arrivals = subscription.inbox.arrivals.slice(arrivalsBefore).map(({ message }) => message);
        const resumedEvents = arrivals.filter(({ session_id: id }) => id === askedSession.id);
        const otherEvents = eventsOf(otherSubscription, askedSession.id);
        const sortedEvents = sortByCreation(otherEvents);
        const isComplete =
          areLaterEvents(resumedEvents, otherEvents, eventsBefore[lastSeenIndex]) ||
          isSummary(resumedEvents, eventsBefore, sortedEvents);
        const names = resumedEvents.map(nameOf).join(", ") || "nothing";
        const why = `${sortedEvents.length - lastSeenIndex - 1} events arrived after ${eventsBefore[lastSeenIndex]?.event_id}; a resumption there got ${names}`;
        context.expect("AAEP-TRN-011", isComplete, why);
        if (resumedEvents.some((event) => isNew(event, eventsBefore))) break;
      }
      await rejectOpen({ ...askedSession, subscription: otherSubscription });
    },
  }),
];

/** Returns the id to send for a resumption after an event: its id in the stream, or else its `event_id`. */
function resumptionIdOf({ inbox }: OpenSubscription, event: JsonObject | undefined): string {
  const arrival = inbox.arrivals.find(({ message }) => message.event_id === event?.event_id);
  return arrival?.frame.id ?? String(event?.event_id);
}

/** A little less than the largest time of a `Date`. */
const maxDateTime = 8e15;

/** Formats milliseconds as an RFC 3339 timestamp. A hook may return a number that no date can represent. */
function formatTime(time = 0): string {
  return Math.abs(time) < maxDateTime ? new Date(time).toISOString() : String(time);
}

/** The scenario on the timestamps of events. It runs before the scenarios on sequences, which are ordered by timestamps. */
export const timestampScenario: Scenario = toProducer({
  name: "moments",
  says: "an event is stamped with the time at which it was made",
  rules: ["AAEP-ENV-016"],
  async play(context) {
    const subscription = await openSubscription(context);
    // If a hook only moves deadlines, events are stamped by the wall clock, which the suite shares.
    const readClocks = async (): Promise<number[]> => [await context.now(), Date.now()];
    const startTimes = await readClocks();
    const [hookTime = 0, wallTime = 0] = startTimes;
    const followsWallClock = Math.abs(hookTime - wallTime - putForward(context)) <= clockTolerance;
    const session = await beginSession(subscription, context, "plain");
    const end = await awaitEnd(session);
    const endTimes = await readClocks();
    const clockIndex = followsWallClock ? 1 : 0;
    const span = `its session ran from ${formatTime(startTimes[clockIndex])} to ${formatTime(endTimes[clockIndex])}`;
    for (const event of eventsOf(subscription, session.id)) {
      const stamp = Date.parse(String(event.timestamp));
      const isNear = startTimes.some(
        (start, index) => stamp >= start - clockTolerance && stamp <= Number(endTimes[index]) + clockTolerance,
      );
      const fault = `${nameOf(event)} is stamped ${event.timestamp}, more than 5 s off: ${span}`;
      context.expect("AAEP-ENV-016", isNear, fault);
      if (followsWallClock || Math.abs(stamp - wallTime) <= Math.abs(stamp - hookTime)) continue;
      const offsetSeconds = Math.round((hookTime - wallTime - putForward(context)) / 1000);
      const why = `the hook "clock" returns a time ${offsetSeconds} s from ours, which this run did not cause: events are stamped by it, and nothing shows that it is correct`;
      context.skip("AAEP-ENV-016", why, hookAnswer("clock"));
    }
    if (end === undefined) context.skip("AAEP-ENV-016", "the session has not ended in time, and may still be running");
  },
});
