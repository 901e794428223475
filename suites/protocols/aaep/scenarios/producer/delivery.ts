import { hookAnswer, isObject, type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { putForward } from "../../../../running/scenarios/clock.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { beginWaitingSession } from "./conduct.ts";
import { rejectOpen } from "./ignoring.ts";
import { areLaterEvents, isNew, isState, isSummary, sortByCreation } from "./resumption.ts";
import { toProducer } from "./scenario.ts";
import { awaitEnd, awaitFence, awaitFenceAgain, beginSession, eventsOf, nameOf } from "./session.ts";

/** Scenarios on the names of producers, and on repeated deliveries of events. */
export const delivery: readonly Scenario[] = [
  toProducer({
    name: "names-without-versions",
    says: "the id of an agent is the same everywhere, and contains no version",
    rules: ["AAEP-ENV-022"],
    async play(context) {
      const subscription = await openSubscription(context);
      const story = await beginSession(subscription, context, "plain");
      await awaitEnd(story);
      for (const { producer } of eventsOf(subscription, story.id)) {
        if (!isObject(producer)) continue;
        const { agent_id: id, agent_version: release } = producer;
        const containsVersion = typeof release === "string" && release.includes(".") && String(id).includes(release);
        context.expect("AAEP-ENV-022", !containsVersion, `the agent_id "${id}" contains the version ${release}`);
      }
    },
  }),
  toProducer({
    name: "resumed",
    says: "a subscription that reconnects during a session gets the missed events, or a summary of the state",
    rules: ["AAEP-TRN-011"],
    needs: ["start", "url"],
    async play(context) {
      const otherSubscription = await openSubscription(context, { name: "other" });
      const subscription = await openSubscription(context);
      if (subscription.resume === undefined) throw new TargetSkip("nothing can be resumed on this binding");
      const asked = await beginWaitingSession(subscription, context, "irreversible");
      await otherSubscription.inbox.waitFor(({ reply_token: token }) => token === asked.token);
      await awaitFence(otherSubscription, context);
      const eventsBefore = sortByCreation(eventsOf(otherSubscription, asked.id));
      const lastState = eventsBefore.findLastIndex(isState);
      // A critical event may have overtaken earlier events.
      const indexBeforeState = eventsBefore.findLastIndex(
        (event, index) => index < lastState && event.urgency !== "critical",
      );
      // After a resumption just before the last change of state, a replay that loses an event cannot be mistaken for a summary.
      for (const lastSeenIndex of new Set([0, Math.max(0, indexBeforeState)])) {
        subscription.cut();
        const arrivalsBefore = subscription.inbox.arrivals.length;
        await subscription.resume(resumptionIdOf(subscription, eventsBefore[lastSeenIndex]));
        await awaitFenceAgain(subscription, context);
        const arrivals = subscription.inbox.arrivals.slice(arrivalsBefore).map(({ message }) => message);
        const resumedEvents = arrivals.filter(({ session_id: id }) => id === asked.id);
        const otherEvents = eventsOf(otherSubscription, asked.id);
        const sortedEvents = sortByCreation(otherEvents);
        const isComplete =
          areLaterEvents(resumedEvents, otherEvents, eventsBefore[lastSeenIndex]) ||
          isSummary(resumedEvents, eventsBefore, sortedEvents);
        const names = resumedEvents.map(nameOf).join(", ") || "nothing";
        const why = `${sortedEvents.length - lastSeenIndex - 1} events came after ${eventsBefore[lastSeenIndex]?.event_id}; a resumption there got${names}`;
        context.expect("AAEP-TRN-011", isComplete, why);
        if (resumedEvents.some((event) => isNew(event, eventsBefore))) break;
      }
      await rejectOpen({ ...asked, subscription: otherSubscription });
    },
  }),
];

/** The id that a resumption after an event must send: the one that the stream gave it, or else its own. */
function resumptionIdOf({ inbox }: OpenSubscription, event: JsonObject | undefined): string {
  const arrival = inbox.arrivals.find(({ message }) => message.event_id === event?.event_id);
  return arrival?.frame.id ?? String(event?.event_id);
}

/** Formats a time in milliseconds, which may come from a hook, by RFC 3339 if it is a valid date. */
function showTime(time = 0): string {
  return Math.abs(time) < 8e15 ? new Date(time).toISOString() : String(time);
}

/** The scenario on the timestamps of events. It is played before those on sequences, which timestamps order. */
export const moments: Scenario = toProducer({
  name: "moments",
  says: "an event is stamped with the time at which it was made",
  rules: ["AAEP-ENV-016"],
  async play(context) {
    const subscription = await openSubscription(context);
    // If a hook only moves deadlines, events are stamped by the wall clock, which the suite shares.
    const clocks = async (): Promise<number[]> => [await context.now(), Date.now()];
    const startTimes = await clocks();
    const [hookTime = 0, wallTime = 0] = startTimes;
    const followsWallClock = Math.abs(hookTime - wallTime - putForward(context)) <= 5000;
    const story = await beginSession(subscription, context, "plain");
    const end = await awaitEnd(story);
    const endTimes = await clocks();
    const clock = followsWallClock ? 1 : 0;
    const span = `its session ran from ${showTime(startTimes[clock])} to ${showTime(endTimes[clock])}`;
    for (const event of eventsOf(subscription, story.id)) {
      const stamp = Date.parse(String(event.timestamp));
      const isNear = startTimes.some(
        (start, index) => stamp >= start - 5000 && stamp <= Number(endTimes[index]) + 5000,
      );
      const fault = `${nameOf(event)} is stamped ${event.timestamp}, more than 5 s off: ${span}`;
      context.expect("AAEP-ENV-016", isNear, fault);
      if (followsWallClock || Math.abs(stamp - wallTime) <= Math.abs(stamp - hookTime)) continue;
      const offsetSeconds = Math.round((hookTime - wallTime - putForward(context)) / 1000);
      const why = `the hook "clock" returns a time ${offsetSeconds} s from ours that this run did not put there: events are stamped by it, and nothing shows that it is right`;
      context.skip("AAEP-ENV-016", why, hookAnswer("clock"));
    }
    if (end === undefined) context.skip("AAEP-ENV-016", "the session has not ended in time, and may still go on");
  },
});
