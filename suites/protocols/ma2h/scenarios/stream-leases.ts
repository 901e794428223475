import { monitorEventLoopDelay } from "node:perf_hooks";
import {
  isObject,
  type Scenario,
  type ScenarioContext,
  type StreamReply,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { connect, mustConnect, publishedStream, sendMail } from "./stream-steps.ts";
import { register, sessionOf, waitUntil } from "./talk.ts";

/** Reads a stream to its end. Returns false if it does not end within these milliseconds of real time, whatever the time scale. */
async function endsWithin(context: ScenarioContext, stream: StreamReply, milliseconds: number): Promise<boolean> {
  const { timeScale = 1 } = context.setting;
  const until = performance.now() + milliseconds;
  for (;;) {
    const left = until - performance.now();
    if (left <= 0) return false;
    // `next` multiplies its wait by a scale above 1, but a scale below 1 does not shorten it.
    if ((await stream.next(left / Math.max(1, timeScale))) === "end") return true;
  }
}

/** The longest stream, in milliseconds, that the suite waits for. */
const longestHold = 90_000;

const streamsEnd: Scenario = {
  name: "streams-end",
  says: "the hub ends each stream within the time that it publishes",
  rules: ["MA2H-STR-005"],
  needs: [],
  withinMs: 150_000,
  waits: longestHold,
  ownTimers: true,
  async play(context) {
    const { holdMs } = await publishedStream(context);
    const { id } = await register(context);
    const stream = await mustConnect(context, id);
    if (context.has("clock")) await context.pass(holdMs + 2000);
    // The hub may have timers that the clock hook does not move.
    const isMoved = context.has("clock") && (await endsWithin(context, stream, 1000));
    if (!isMoved && holdMs > longestHold) return context.skip("MA2H-STR-005", "its streams may last for too long");
    const hasEnded = isMoved || (await endsWithin(context, stream, holdMs + 2000));
    context.expect("MA2H-STR-005", hasEnded, `a stream lasts for more than the ${holdMs / 1000} s that are published`);
  },
};

/** The longest lease, in milliseconds, that the suite waits for. */
const longestLease = 20_000;

/** The result of a stream with a short lease: its session lived on, or the lease was over; `slow` if the machine was too busy to tell. */
type LeasedStreamEnd = "kept" | "late" | "slow";

/** The maximum delay of the suite's event loop, in nanoseconds, on a machine that is not too busy. */
const maxDelayNs = 150_000_000;

async function endOfLeasedStream(context: ScenarioContext, ttl: number): Promise<LeasedStreamEnd> {
  const begun = performance.now();
  const delay = monitorEventLoopDelay();
  delay.enable();
  const { id, shown } = await register(context, "a", { ttl_seconds: ttl });
  const lease = Date.parse(String(shown.expires_at)) - Date.parse(String(shown.created_at));
  if (!(lease <= longestLease)) throw new TargetSkip(`the hub gives a lease of ${lease / 1000} s`);
  // The lease began after `begun`, so this is its earliest possible end.
  const isOver = (): boolean => performance.now() >= begun + lease;
  const stream = await mustConnect(context, id);
  const hasEnded = await endsWithin(context, stream, lease + 2000);
  delay.disable();
  if (!hasEnded || isOver()) return delay.max > maxDelayNs ? "slow" : "late";
  const again = await connect(context, id);
  again.cut();
  if (again.status === 200) return "kept";
  return isOver() ? "slow" : "late";
}

const endsBeforeLease: Scenario = {
  name: "streams-short-lease",
  says: "a stream ends early enough for its session to connect again before its lease is over",
  rules: ["MA2H-STR-006"],
  needs: [],
  withinMs: 90_000,
  waits: 2 * longestLease,
  ownTimers: true,
  async play(context) {
    const { holdMs } = await publishedStream(context);
    const { sessions } = await readPublished(context);
    const least = isObject(sessions) && typeof sessions.min_ttl_seconds === "number" ? sessions.min_ttl_seconds : 5;
    if (least * 1000 > Math.min(longestLease, holdMs - 1))
      throw new TargetSkip("the hub gives no lease that is shorter than its streams, or none that is waited for");
    const ends: LeasedStreamEnd[] = [];
    // The first try may fail because the machine is slow.
    while (ends.length < 2 && !ends.includes("kept")) ends.push(await endOfLeasedStream(context, least));
    const isKept = ends.includes("kept");
    if (!isKept && ends.includes("slow"))
      return context.skip(
        "MA2H-STR-006",
        "the machine was too busy to connect again before the lease of a session was over",
      );
    const why = "a stream lasts until the lease of its session is over, so that the session ends";
    context.expect("MA2H-STR-006", isKept, why);
  },
};

const idleStreamRenewsNothing: Scenario = {
  name: "streams-keep-nothing-alive",
  says: "a stream that is merely open renews no lease, and its session ends with its mail",
  waits: 1000,
  rules: ["MA2H-STR-007"],
  needs: ["clock"],
  withinMs: 60_000,
  async play(context) {
    await publishedStream(context);
    const { id } = await register(context, "a", { ttl_seconds: 60 });
    const stream = await mustConnect(context, id);
    const first = await sessionOf(context, id);
    const sent = await sendMail(context, id);
    await context.pass(2000);
    // A hub may renew leases only from time to time.
    await context.wait(1000);
    const second = await sessionOf(context, id);
    const isFixed = second.last_seen === first.last_seen && second.expires_at === first.expires_at;
    const words = `${first.last_seen} to ${second.last_seen}`;
    context.expect("MA2H-STR-007", isFixed, `with a stream merely open, last_seen moves from ${words}`);
    const left = Date.parse(String(second.expires_at)) - (await context.now());
    await context.pass(left + 1000);
    const third = await waitUntil(
      context,
      () => sessionOf(context, id),
      ({ state }) => state === "expired",
    );
    context.expect("MA2H-STR-007", third.state === "expired", `after its lease the session is ${third.state}`);
    if (third.state !== "expired") return;
    const state = await waitUntil(context, sent.state, (found) => found === "bounced");
    const isBounced = state === "bounced" || state === undefined;
    context.expect("MA2H-STR-007", isBounced, `the mail of the session is ${state}, though it was not acknowledged`);
    stream.cut();
  },
};

const connectionRenewsLease: Scenario = {
  name: "streams-renew",
  says: "each connection to a stream renews the lease of its session",
  rules: ["MA2H-STR-008"],
  needs: [],
  withinMs: 60_000,
  waits: 4000,
  async play(context) {
    await publishedStream(context);
    const { id, shown } = await register(context);
    let before = shown;
    for (const which of ["first", "second"]) {
      await context.pass(2000);
      (await mustConnect(context, id)).cut();
      const after = await sessionOf(context, id);
      const isLater = (name: string): boolean => Date.parse(String(after[name])) > Date.parse(String(before[name]));
      const isSeen = after.last_seen === undefined || before.last_seen === undefined || isLater("last_seen");
      const why = `a ${which} connection leaves the lease at ${after.expires_at} and last_seen at ${after.last_seen}`;
      context.expect("MA2H-STR-008", isLater("expires_at") && isSeen, why);
      before = after;
    }
  },
};

export const streamLeases: readonly Scenario[] = [
  streamsEnd,
  endsBeforeLease,
  idleStreamRenewsNothing,
  connectionRenewsLease,
];
