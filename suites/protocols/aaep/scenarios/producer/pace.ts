import {
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { lengthByUnit } from "../../rules/trace/chunks.ts";
import type { ArrivedMessage } from "../subscribing/inbox.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { requireLevel } from "../subscribing/producer-facts.ts";
import { closeMessage, usualCapabilities } from "../subscribing/request.ts";
import { beginWaitingSession } from "./conduct.ts";
import { rejectOpen } from "./ignoring.ts";
import { toProducer } from "./scenario.ts";
import {
  awaitDueEvent,
  awaitEnd,
  awaitFence,
  beginSession,
  eventsOf,
  indexOf,
  isEnd,
  isThrottled,
  nameOf,
  type StartedSession,
} from "./session.ts";

/** Lists the uncritical events of some sessions, in the order of arrival. */
function arrivalsOf(sessions: readonly StartedSession[], { inbox }: OpenSubscription): ArrivedMessage[] {
  const ids = new Set<unknown>(sessions.map(({ id }) => id));
  return inbox.arrivals.filter(({ message }) => ids.has(message.session_id) && message.urgency !== "critical");
}

/** Returns the maximum number of events within some seconds, with 20 % tolerance. A token bucket as large as the rate may be full at the start. */
function maxEventsWithin(seconds: number, rate: number): number {
  return (rate + Math.max(1, Math.ceil(rate / 5))) * seconds + rate;
}

/**
 * Judges the number of events within the first second, the first two, and so on. The suite may read events late, but
 * never early, so its own slowness cannot make a producer fail. If the clock was moved forward, only the total is judged.
 */
function judgeCounts(
  context: ScenarioContext,
  arrivals: readonly number[],
  rate: number,
  { elapsed, isMoved }: { elapsed: number; isMoved: boolean },
): void {
  const lastSecond = Math.floor(elapsed / 1000) + 1;
  for (let seconds = isMoved ? lastSecond : 1; seconds <= lastSecond; seconds++) {
    const count = isMoved ? arrivals.length : arrivals.filter((arrival) => arrival < seconds * 1000).length;
    const why = `${count} events within ${seconds} s reached a subscription that accepts ${rate} a second`;
    const isClearExcess = count > (2 * rate + 1) * seconds;
    context.expect("AAEP-BP-001", count <= maxEventsWithin(seconds, rate), why, isClearExcess ? "MUST" : "SHOULD");
  }
}

/** The maximum number of rate checks, about one a second: enough to notice a doubled rate. */
const maxChecks = 10;

/** Milliseconds for five events at a rate of one a second. */
const fiveEventsMs = 5000;

/** The maximum delay, in milliseconds, when the producer's clock is read. */
const clockTolerance = 200;

/** Sessions seen by a slow subscription, and by an unlimited one that receives all events. */
interface PacedSessions {
  context: ScenarioContext;
  sessions: readonly StartedSession[];
  slowSubscription: OpenSubscription;
  subscription: OpenSubscription;
  /** When they began, by the suite's monotonic clock and by the producer's. */
  startedAt: number;
  producerStart: number;
}

/** Judges the rate of the events so far. Returns whether nearly twice the rate would have been noticed. */
async function judgeRateSoFar(
  { context, sessions, slowSubscription, subscription, startedAt, producerStart }: PacedSessions,
  rate: number,
): Promise<boolean> {
  // The clock of a slow producer may have been moved forward in the meantime.
  const realElapsed = performance.now() - startedAt;
  const elapsed = Math.max(realElapsed, (await context.now()) - producerStart);
  const arrivals = arrivalsOf(sessions, slowSubscription).map(({ arrivedAt }) => arrivedAt - startedAt);
  judgeCounts(context, arrivals, rate, { elapsed, isMoved: elapsed > realElapsed + clockTolerance });
  // Events before the first one may have used up the rate, and chunks are joined.
  const [firstArrival = realElapsed] = arrivals;
  const dueEvents = arrivalsOf(sessions, subscription).filter(
    ({ arrivedAt, message }) => arrivedAt < startedAt + realElapsed - 1000 && nameOf(message) !== "output.streaming",
  );
  const countAtNearlyTwice = Math.min(dueEvents.length, (1.8 * rate * (realElapsed - firstArrival)) / 1000);
  return countAtNearlyTwice > maxEventsWithin(Math.floor(realElapsed / 1000) + 1, rate);
}

/** Scenarios on the rates of subscriptions: excess events wait, but critical events and other subscriptions do not. */
export const paceScenarios: readonly Scenario[] = [
  toProducer({
    name: "critical-at-once",
    says: "critical events do not wait for the rate",
    rules: ["AAEP-BP-002"],
    async play(context) {
      requireLevel(context, 3);
      const subscription = await openSubscription(context, { name: "watching" });
      const slowSubscription = await openSubscription(context, {
        capabilities: { ...usualCapabilities, max_events_per_second: 1 },
        name: "slow",
      });
      const streamSession = await beginSession(subscription, context, "stream");
      if ((await awaitEnd(streamSession)) === undefined)
        throw new TargetSkip("the session that uses up the rate does not end");
      const askedSession = await beginWaitingSession(subscription, context, "irreversible");
      const question = await awaitDueEvent(context, (milliseconds) =>
        slowSubscription.inbox.waitFor(({ reply_token: token }) => token === askedSession.token, milliseconds),
      );
      const why = "a question did not reach a subscription that had used up its rate";
      const earlierArrivals =
        question === undefined
          ? []
          : slowSubscription.inbox.arrivals.slice(0, indexOf(slowSubscription.inbox, question));
      if (earlierArrivals.some(({ message }) => message.session_id === streamSession.id && isEnd(message)))
        context.skip("AAEP-BP-002", "no event was waiting for the rate any more when the question arrived");
      else context.expect("AAEP-BP-002", question !== undefined, why);
      await rejectOpen(askedSession);
    },
  }),
  toProducer({
    name: "chunks-joined",
    says: "chunks beyond the rate are held and joined, and none is lost",
    rules: ["AAEP-BP-003", "AAEP-BP-001"],
    waits: 15_000,
    async play(context) {
      requireLevel(context, 3);
      const subscription = await openSubscription(context, { name: "watching" });
      const rate = 2;
      const slowSubscription = await openSubscription(context, {
        capabilities: { ...usualCapabilities, max_events_per_second: rate },
        name: "slow",
      });
      const [startedAt, producerStart] = [performance.now(), await context.now()];
      const session = await beginSession(subscription, context, "stream", { chunks: 12 });
      if ((await awaitEnd(session)) === undefined) throw new TargetSkip("the session does not end");
      const wholeText = textOf(eventsOf(subscription, session.id));
      if (wholeText === "") throw new TargetSkip("the session has no output");
      // Events that cannot be joined use up the rate for some seconds.
      const sessions = [session];
      for (let number = 0; number < 3; number++) sessions.push(await beginSession(subscription, context, "plain"));
      const pacedSessions = { context, sessions, slowSubscription, subscription, startedAt, producerStart };
      let isConclusive = false;
      for (let check = 1; check <= maxChecks && !isConclusive; check++) {
        // These are real seconds at any scale, because rates count real time. The check is just before the end of a second.
        await slowSubscription.inbox.waitFor(() => false, 950 / (context.setting.timeScale ?? 1));
        isConclusive = await judgeRateSoFar(pacedSessions, rate);
      }
      if (!isConclusive) context.skip("AAEP-BP-001", "not enough events arrived in time to show a doubled rate");
      const isLastChunk = (event: JsonObject): boolean => event.session_id === session.id && event.complete === true;
      for (
        let attempt = 1;
        attempt <= 8 && (await slowSubscription.inbox.waitFor(isLastChunk, 0)) === undefined;
        attempt++
      ) {
        await context.pass(fiveEventsMs);
        await slowSubscription.inbox.waitFor(isLastChunk, 1000);
        await judgeRateSoFar(pacedSessions, rate);
      }
      // The producer may also limit the rate of the other subscription.
      const hasGap = isThrottled(subscription) && lacksChunk(eventsOf(subscription, session.id));
      context.expect("AAEP-BP-003", !hasGap, "a piece of the output did not reach a subscription with a granted rate");
      const slowText = textOf(eventsOf(slowSubscription, session.id));
      const isOutputComplete = (await slowSubscription.inbox.waitFor(isLastChunk, 0)) !== undefined;
      if (!isOutputComplete && wholeText.startsWith(slowText)) throw new TargetSkip("the output did not end in time");
      const why = `${slowText.length} of ${wholeText.length} characters reached a slow subscription`;
      context.expect("AAEP-BP-003", slowText === wholeText, why);
    },
  }),
  toProducer({
    name: "terse-loses-nothing",
    says: "a subscription that prefers few words receives all events",
    rules: ["AAEP-BP-006"],
    async play(context) {
      requireLevel(context, 3);
      const subscription = await openSubscription(context, {
        capabilities: { ...usualCapabilities, preferred_verbosity: "detailed" },
      });
      const terseSubscription = await openSubscription(context, {
        capabilities: { ...usualCapabilities, preferred_verbosity: "terse" },
        name: "terse",
      });
      const session = await beginSession(subscription, context, "plain");
      if ((await awaitEnd(session)) === undefined) throw new TargetSkip("the session does not end");
      await awaitFence(terseSubscription, context);
      const [allNames, terseNames] = [subscription, terseSubscription].map((openedSubscription) =>
        eventsOf(openedSubscription, session.id).map(nameOf),
      ) as [string[], string[]];
      const lostName = allNames.find(
        (name) =>
          allNames.filter((otherName) => otherName === name).length >
          terseNames.filter((otherName) => otherName === name).length,
      );
      context.expect(
        "AAEP-BP-006",
        lostName === undefined,
        `${lostName} did not reach a subscription that prefers few words`,
      );
    },
  }),
  toProducer({
    name: "others-unharmed",
    says: "a slow subscription and a broken one do not delay the others",
    rules: ["AAEP-BP-010"],
    async play(context) {
      requireLevel(context, 3);
      const subscription = await openSubscription(context);
      // A busy machine may delay one session.
      const isDelayedTwice =
        (await isDelayed(context, subscription, "first")) && (await isDelayed(context, subscription, "second"));
      const why = "a session does not reach one subscription while another is slow and a third one is broken";
      context.expect("AAEP-BP-010", !isDelayedTwice, why);
    },
  }),
];

/** Whether a session only ends in time if no other subscription is slow or broken. Skips if it does not end in time even then. */
async function isDelayed(context: ScenarioContext, subscription: OpenSubscription, attempt: string): Promise<boolean> {
  const slowSubscription = await openSubscription(context, {
    capabilities: { ...usualCapabilities, max_events_per_second: 1 },
    name: `${attempt} slow`,
  });
  const brokenSubscription = await openSubscription(context, { name: `${attempt} broken` });
  brokenSubscription.cut();
  // If all subscriptions wait for the slow one, not even the first event may arrive.
  const session = await beginSession(subscription, context, "stream", { chunks: 60 }).catch((error: unknown) => {
    if (error instanceof TargetFailure && error.outcome === "timed-out") return undefined;
    throw error;
  });
  const end = session === undefined ? undefined : await awaitEnd(session, fiveEventsMs);
  if (end !== undefined) return false;
  slowSubscription.inbox.expectEnd();
  await slowSubscription.send(closeMessage(slowSubscription.id));
  const otherSubscription = await openSubscription(context, { name: `${attempt} other` });
  const controlSession = await beginSession(otherSubscription, context, "stream", { chunks: 60 });
  // If a session is as slow without the others, its delay proves nothing.
  if ((await awaitEnd(controlSession, fiveEventsMs / 2)) === undefined)
    throw new TargetSkip("a session of 60 chunks lasts as long without them", { kind: "not-shown" });
  return true;
}

/** Whether positions show that a chunk is missing, in every unit that they may count. */
function lacksChunk(events: readonly JsonObject[]): boolean {
  const chunks = events.filter((event) => nameOf(event) === "output.streaming");
  return Object.values(lengthByUnit).every((lengthOf) => {
    let expectedPosition = 0;
    return chunks.some(({ position, chunk }) => {
      const isAhead = Number(position) > expectedPosition;
      expectedPosition = Number(position) + lengthOf(String(chunk));
      return isAhead;
    });
  });
}

function textOf(events: readonly JsonObject[]): string {
  return events
    .filter((event) => nameOf(event) === "output.streaming")
    .map(({ chunk }) => String(chunk))
    .join("");
}
