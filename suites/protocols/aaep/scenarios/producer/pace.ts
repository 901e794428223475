import {
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { mustClaim } from "../subscribing/producer-facts.ts";
import { closeMessage, usualRequest } from "../subscribing/request.ts";
import { askedOf } from "./conduct.ts";
import { rejectOpen } from "./ignoring.ts";
import { toProducer } from "./scenario.ts";
import { awaitFence, beginSession, endOf, eventsOf, nameOf, waitForDue } from "./story.ts";

/** The events of all sessions on a line. */
function eventsIn({ inbox }: Line): JsonObject[] {
  return inbox.arrivals.map(({ message }) => message).filter(({ session_id: id }) => id !== undefined);
}

/**
 * Judges the number of events within some milliseconds. If it exceeds the limit for as many whole seconds, one of these seconds had too many. The suite may
 * have read events late, but never early, so its own slowness cannot accuse a producer.
 */
function withinRate(context: ScenarioContext, events: readonly JsonObject[], rate: number, milliseconds: number): void {
  const count = events.filter(({ urgency }) => urgency !== "critical").length;
  const seconds = Math.floor(milliseconds / 1000) + 1;
  const why = `${count} events within ${seconds} s reached a subscription that accepts ${rate} a second`;
  const isBad = count > (2 * rate + 1) * seconds;
  // A bucket as large as the rate may be full at the beginning of the subscription.
  const isWithin = count <= (rate + Math.max(1, Math.ceil(rate / 5))) * seconds + rate;
  context.expect("AAEP-BP-001", isWithin, why, isBad ? "MUST" : "SHOULD");
}

/** The number of looks at the rate, about one a second, before the clock is moved forward. */
const looks = 3;

/** Milliseconds for five events at a rate of one a second. */
const aWhile = 5000;

/** The rates of subscriptions: events beyond the rate wait; critical ones and other subscriptions do not. */
export const paceScenarios: readonly Scenario[] = [
  toProducer({
    name: "critical-at-once",
    says: "critical events do not wait for the rate",
    rules: ["AAEP-BP-002"],
    async play(context) {
      mustClaim(context, 3);
      const line = await openLine(context, { name: "watching" });
      const slow = await openLine(context, {
        capabilities: { ...usualRequest, max_events_per_second: 1 },
        name: "slow",
      });
      const stream = await beginSession(line, context, "stream");
      if ((await endOf(stream)) === undefined) throw new TargetSkip("the session that uses up the rate does not end");
      const asked = await askedOf(line, context, "irreversible");
      const there = await waitForDue(context, (milliseconds) =>
        slow.inbox.seen(({ reply_token: token }) => token === asked.token, milliseconds),
      );
      const why = "a question did not reach a subscription that had used up its rate";
      context.expect("AAEP-BP-002", there !== undefined, why);
      await rejectOpen(asked);
    },
  }),
  toProducer({
    name: "chunks-joined",
    says: "chunks beyond the rate are held and joined, and none is lost",
    rules: ["AAEP-BP-003", "AAEP-BP-001"],
    waits: 15_000,
    async play(context) {
      mustClaim(context, 3);
      const line = await openLine(context, { name: "watching" });
      const rate = 2;
      const slow = await openLine(context, {
        capabilities: { ...usualRequest, max_events_per_second: rate },
        name: "slow",
      });
      const [begun, from] = [performance.now(), await context.now()];
      const story = await beginSession(line, context, "stream", { chunks: 12 });
      if ((await endOf(story)) === undefined) throw new TargetSkip("the session does not end");
      const whole = textOf(eventsOf(line, story.id));
      if (whole === "") throw new TargetSkip("the session has no output");
      // Events that cannot be joined use up the rate for some seconds.
      for (let session = 0; session < 3; session++) await beginSession(line, context, "plain");
      const isDone = (event: JsonObject): boolean => event.session_id === story.id && event.complete === true;
      for (let times = 1; times <= 8 + looks; times++) {
        // Real seconds at any scale, because rates count real time. The look is just before the end of a second.
        if (times <= looks) await slow.inbox.seen(() => false, 900 / (context.setting.timeScale ?? 1));
        const isOver = (await slow.inbox.seen(isDone, times > looks ? 1000 : 0)) !== undefined;
        // The clock of a slow producer may have been moved forward meanwhile.
        const passed = Math.max(performance.now() - begun, (await context.now()) - from);
        withinRate(context, eventsIn(slow), rate, passed);
        if (isOver && times >= looks) break;
        if (times >= looks) await context.pass(aWhile);
      }
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
      mustClaim(context, 3);
      const line = await openLine(context, { capabilities: { ...usualRequest, preferred_verbosity: "detailed" } });
      const terse = await openLine(context, {
        capabilities: { ...usualRequest, preferred_verbosity: "terse" },
        name: "terse",
      });
      const story = await beginSession(line, context, "plain");
      if ((await endOf(story)) === undefined) throw new TargetSkip("the session does not end");
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
      mustClaim(context, 3);
      const line = await openLine(context);
      const slow = await openLine(context, {
        capabilities: { ...usualRequest, max_events_per_second: 1 },
        name: "slow",
      });
      const broken = await openLine(context, { name: "broken" });
      broken.cut();
      // If all wait for the slow one, not even the first event may come.
      const story = await beginSession(line, context, "stream", { chunks: 60 }).catch((error: unknown) => {
        if (error instanceof TargetFailure && error.outcome === "timed-out") return undefined;
        throw error;
      });
      const end = story === undefined ? undefined : await endOf(story, aWhile);
      if (end === undefined) {
        slow.inbox.expectEnd();
        await slow.send(closeMessage(slow.id));
        const another = await openLine(context, { name: "another" });
        const control = await beginSession(another, context, "stream", { chunks: 60 });
        // If an ordinary session needs as long, the others show nothing.
        if ((await endOf(control, aWhile / 2)) === undefined)
          throw new TargetSkip("a session of 60 chunks takes as long without them", { kind: "not-shown" });
      }
      const why = "a session does not reach one subscription while another is slow and a third one is broken";
      context.expect("AAEP-BP-010", end !== undefined, why);
    },
  }),
];

function textOf(events: readonly JsonObject[]): string {
  return events
    .filter((event) => nameOf(event) === "output.streaming")
    .map(({ chunk }) => String(chunk))
    .join("");
}
