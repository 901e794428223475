import {
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { lengths } from "../../rules/trace/chunks.ts";
import type { ArrivedMessage } from "../subscribing/inbox.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { requireLevel } from "../subscribing/producer-facts.ts";
import { closeMessage, usualRequest } from "../subscribing/request.ts";
import { askedOf } from "./conduct.ts";
import { rejectOpen } from "./ignoring.ts";
import { toProducer } from "./scenario.ts";
import {
  awaitEnd,
  awaitFence,
  beginSession,
  eventsOf,
  indexOf,
  isEnd,
  isThrottled,
  nameOf,
  type Story,
  waitForDue,
} from "./story.ts";

/** The events of some sessions that are not critical, as they came. */
function arrivalsOf(stories: readonly Story[], { inbox }: Line): ArrivedMessage[] {
  const ids = new Set<unknown>(stories.map(({ id }) => id));
  return inbox.arrivals.filter(({ message }) => ids.has(message.session_id) && message.urgency !== "critical");
}

/** The most events within so many seconds that do not show a higher rate: a bucket as large as the rate may be full when the subscription begins. */
function mostWithin(seconds: number, rate: number): number {
  return (rate + Math.max(1, Math.ceil(rate / 5))) * seconds + rate;
}

/**
 * Judges the number of events within the first second, the first two, and so on. If it is over the limit of as many seconds, one of these had too many. The
 * suite may have read events late, but never early, so its own slowness cannot accuse a producer. If the clock was moved forward, only all events count.
 */
function withinRate(
  context: ScenarioContext,
  arrivals: readonly number[],
  rate: number,
  { passed, isMoved }: { passed: number; isMoved: boolean },
): void {
  const last = Math.floor(passed / 1000) + 1;
  for (let seconds = isMoved ? last : 1; seconds <= last; seconds++) {
    const count = isMoved ? arrivals.length : arrivals.filter((arrival) => arrival < seconds * 1000).length;
    const why = `${count} events within ${seconds} s reached a subscription that accepts ${rate} a second`;
    const isBad = count > (2 * rate + 1) * seconds;
    context.expect("AAEP-BP-001", count <= mostWithin(seconds, rate), why, isBad ? "MUST" : "SHOULD");
  }
}

/** How often the rate is judged, about once a second: long enough to see a doubled rate. */
const maxLooks = 10;

/** Milliseconds for five events at a rate of one a second. */
const fiveEventsMs = 5000;

/** The maximum delay, in milliseconds, of a look at the producer's clock. */
const clockSlack = 200;

/** Sessions with events for a slow subscription, and for another one that shows what is due. */
interface PacedSessions {
  context: ScenarioContext;
  stories: readonly Story[];
  slow: Line;
  line: Line;
  /** When they began, by the suite's monotonic clock and by the producer's. */
  begun: number;
  from: number;
}

/** Judges the rate at which events have come so far. Returns whether nearly twice as many events would have been noticed. */
async function judgeRateSoFar(
  { context, stories, slow, line, begun, from }: PacedSessions,
  rate: number,
): Promise<boolean> {
  // The clock of a slow producer may have been moved forward in the meantime.
  const real = performance.now() - begun;
  const passed = Math.max(real, (await context.now()) - from);
  const arrivals = arrivalsOf(stories, slow).map(({ at }) => at - begun);
  withinRate(context, arrivals, rate, { passed, isMoved: passed > real + clockSlack });
  // Events before the first one may have used up the rate, and chunks are joined.
  const [first = real] = arrivals;
  const due = arrivalsOf(stories, line).filter(
    ({ at, message }) => at < begun + real - 1000 && nameOf(message) !== "output.streaming",
  );
  const nearlyTwice = Math.min(due.length, (1.8 * rate * (real - first)) / 1000);
  return nearlyTwice > mostWithin(Math.floor(real / 1000) + 1, rate);
}

/** The rates of subscriptions: events beyond the rate wait; critical ones and other subscriptions do not. */
export const paceScenarios: readonly Scenario[] = [
  toProducer({
    name: "critical-at-once",
    says: "critical events do not wait for the rate",
    rules: ["AAEP-BP-002"],
    async play(context) {
      requireLevel(context, 3);
      const line = await openLine(context, { name: "watching" });
      const slow = await openLine(context, {
        capabilities: { ...usualRequest, max_events_per_second: 1 },
        name: "slow",
      });
      const stream = await beginSession(line, context, "stream");
      if ((await awaitEnd(stream)) === undefined)
        throw new TargetSkip("the session that uses up the rate does not end");
      const asked = await askedOf(line, context, "irreversible");
      const there = await waitForDue(context, (milliseconds) =>
        slow.inbox.seen(({ reply_token: token }) => token === asked.token, milliseconds),
      );
      const why = "a question did not reach a subscription that had used up its rate";
      const earlier = there === undefined ? [] : slow.inbox.arrivals.slice(0, indexOf(slow.inbox, there));
      if (earlier.some(({ message }) => message.session_id === stream.id && isEnd(message)))
        context.skip("AAEP-BP-002", "no event was waiting for the rate any more when the question came");
      else context.expect("AAEP-BP-002", there !== undefined, why);
      await rejectOpen(asked);
    },
  }),
  toProducer({
    name: "chunks-joined",
    says: "chunks beyond the rate are held and joined, and none is lost",
    rules: ["AAEP-BP-003", "AAEP-BP-001"],
    waits: 15_000,
    async play(context) {
      requireLevel(context, 3);
      const line = await openLine(context, { name: "watching" });
      const rate = 2;
      const slow = await openLine(context, {
        capabilities: { ...usualRequest, max_events_per_second: rate },
        name: "slow",
      });
      const [begun, from] = [performance.now(), await context.now()];
      const story = await beginSession(line, context, "stream", { chunks: 12 });
      if ((await awaitEnd(story)) === undefined) throw new TargetSkip("the session does not end");
      const whole = textOf(eventsOf(line, story.id));
      if (whole === "") throw new TargetSkip("the session has no output");
      // Events that cannot be joined use up the rate for some seconds.
      const stories = [story];
      for (let session = 0; session < 3; session++) stories.push(await beginSession(line, context, "plain"));
      const sessions = { context, stories, slow, line, begun, from };
      let isShown = false;
      for (let look = 1; look <= maxLooks && !isShown; look++) {
        // Real seconds at any scale, because rates count real time. The look is just before the end of a second.
        await slow.inbox.seen(() => false, 950 / (context.setting.timeScale ?? 1));
        isShown = await judgeRateSoFar(sessions, rate);
      }
      if (!isShown) context.skip("AAEP-BP-001", "not enough events came in time to show a doubled rate");
      const isDone = (event: JsonObject): boolean => event.session_id === story.id && event.complete === true;
      for (let times = 1; times <= 8 && (await slow.inbox.seen(isDone, 0)) === undefined; times++) {
        await context.pass(fiveEventsMs);
        await slow.inbox.seen(isDone, 1000);
        await judgeRateSoFar(sessions, rate);
      }
      // The producer may also limit the rate of the other subscription.
      const lacks = isThrottled(line) && hasHole(eventsOf(line, story.id));
      context.expect("AAEP-BP-003", !lacks, "a piece of the output did not come to a subscription with a granted rate");
      const got = textOf(eventsOf(slow, story.id));
      const isThere = (await slow.inbox.seen(isDone, 0)) !== undefined;
      if (!isThere && whole.startsWith(got)) throw new TargetSkip("the output did not end in time");
      const why = `of ${whole.length} characters ${got.length} came to a slow subscription`;
      context.expect("AAEP-BP-003", got === whole, why);
    },
  }),
  toProducer({
    name: "terse-loses-nothing",
    says: "a subscription that prefers few words gets all events",
    rules: ["AAEP-BP-006"],
    async play(context) {
      requireLevel(context, 3);
      const line = await openLine(context, { capabilities: { ...usualRequest, preferred_verbosity: "detailed" } });
      const terse = await openLine(context, {
        capabilities: { ...usualRequest, preferred_verbosity: "terse" },
        name: "terse",
      });
      const story = await beginSession(line, context, "plain");
      if ((await awaitEnd(story)) === undefined) throw new TargetSkip("the session does not end");
      await awaitFence(terse, context);
      const [all, few] = [line, terse].map((each) => eventsOf(each, story.id).map(nameOf)) as [string[], string[]];
      const lost = all.find(
        (name) => all.filter((each) => each === name).length > few.filter((each) => each === name).length,
      );
      context.expect(
        "AAEP-BP-006",
        lost === undefined,
        `${lost} did not come to a subscription that prefers few words`,
      );
    },
  }),
  toProducer({
    name: "others-unharmed",
    says: "a slow subscription and a broken one do not delay the others",
    rules: ["AAEP-BP-010"],
    async play(context) {
      requireLevel(context, 3);
      const line = await openLine(context);
      // A busy machine may delay one session.
      const isHeldUp = (await isDelayed(context, line, "first")) && (await isDelayed(context, line, "second"));
      const why = "a session does not reach one subscription while another is slow and a third one is broken";
      context.expect("AAEP-BP-010", !isHeldUp, why);
    },
  }),
];

/** Whether a session does not end in time while a subscription is slow and another one broken, and ends without them. Skips if it does not end then either. */
async function isDelayed(context: ScenarioContext, line: Line, time: string): Promise<boolean> {
  const slow = await openLine(context, {
    capabilities: { ...usualRequest, max_events_per_second: 1 },
    name: `${time} slow`,
  });
  const broken = await openLine(context, { name: `${time} broken` });
  broken.cut();
  // If all wait for the slow one, not even the first event may come.
  const story = await beginSession(line, context, "stream", { chunks: 60 }).catch((error: unknown) => {
    if (error instanceof TargetFailure && error.outcome === "timed-out") return undefined;
    throw error;
  });
  const end = story === undefined ? undefined : await awaitEnd(story, fiveEventsMs);
  if (end !== undefined) return false;
  slow.inbox.expectEnd();
  await slow.send(closeMessage(slow.id));
  const another = await openLine(context, { name: `${time} other` });
  const control = await beginSession(another, context, "stream", { chunks: 60 });
  // If an ordinary session needs as long, the others show nothing.
  if ((await awaitEnd(control, fiveEventsMs / 2)) === undefined)
    throw new TargetSkip("a session of 60 chunks takes as long without them", { kind: "not-shown" });
  return true;
}

/** Whether positions show, in each unit that they may count, that a piece of an output is missing. */
function hasHole(events: readonly JsonObject[]): boolean {
  const chunks = events.filter((event) => nameOf(event) === "output.streaming");
  return Object.values(lengths).every((lengthOf) => {
    let due = 0;
    return chunks.some(({ position, chunk }) => {
      const isAhead = Number(position) > due;
      due = Number(position) + lengthOf(String(chunk));
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
