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

/** Reads a stream to its end. Returns false if it does not end within the given real time, whatever the time scale. */
async function endsWithin(context: ScenarioContext, stream: StreamReply, milliseconds: number): Promise<boolean> {
  const { timeScale = 1 } = context.setting;
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const remainingMs = deadline - performance.now();
    if (remainingMs <= 0) return false;
    // `next` multiplies its wait by a scale above 1, but a scale below 1 does not shorten it.
    if ((await stream.next(remainingMs / Math.max(1, timeScale))) === "end") return true;
  }
}

/** The duration, in milliseconds, of the longest stream that the suite waits for. */
const longestHoldMs = 90_000;

const streamsEnd: Scenario = {
  name: "streams-end",
  says: "the hub ends each stream within the published time",
  rules: ["MA2H-STR-005"],
  needs: [],
  withinMs: 150_000,
  waits: longestHoldMs,
  ownTimers: true,
  async play(context) {
    const { holdMs } = await publishedStream(context);
    const { id } = await register(context);
    const stream = await mustConnect(context, id);
    if (context.has("clock")) await context.pass(holdMs + 2000);
    // The hub may have timers that the clock hook does not move.
    const isMoved = context.has("clock") && (await endsWithin(context, stream, 1000));
    if (!isMoved && holdMs > longestHoldMs)
      return context.skip("MA2H-STR-005", "the hub's streams may last longer than the suite waits");
    const hasEnded = isMoved || (await endsWithin(context, stream, holdMs + 2000));
    context.expect("MA2H-STR-005", hasEnded, `a stream lasts longer than the published ${holdMs / 1000} s`);
  },
};

/** The duration, in milliseconds, of the longest lease that the suite waits for. */
const longestLeaseMs = 20_000;

/**
 * How a stream with a short lease ended: early enough to connect again (`kept`), or after the lease was over (`late`).
 * `slow` means that the machine was too busy to tell.
 */
type LeasedStreamEnd = "kept" | "late" | "slow";

/** The maximum delay of the suite's event loop, in nanoseconds, on a machine that is not too busy. */
const maxDelayNs = 150_000_000;

async function endOfLeasedStream(context: ScenarioContext, ttl: number): Promise<LeasedStreamEnd> {
  const startedAt = performance.now();
  const delay = monitorEventLoopDelay();
  delay.enable();
  const { id, shown } = await register(context, "a", { ttl_seconds: ttl });
  const leaseMs = Date.parse(String(shown.expires_at)) - Date.parse(String(shown.created_at));
  if (!(leaseMs <= longestLeaseMs))
    throw new TargetSkip(`the hub grants a lease of ${leaseMs / 1000} s, which is too long to wait for`);
  // The lease began after `startedAt`, so this is its earliest possible end.
  const isLeaseOver = (): boolean => performance.now() >= startedAt + leaseMs;
  const stream = await mustConnect(context, id);
  const hasEnded = await endsWithin(context, stream, leaseMs + 2000);
  delay.disable();
  if (!hasEnded || isLeaseOver()) return delay.max > maxDelayNs ? "slow" : "late";
  const nextStream = await connect(context, id);
  nextStream.cut();
  if (nextStream.status === 200) return "kept";
  return isLeaseOver() ? "slow" : "late";
}

const endsBeforeLease: Scenario = {
  name: "streams-short-lease",
  says: "a stream ends early enough for the session to connect again before its lease expires",
  rules: ["MA2H-STR-006"],
  needs: [],
  withinMs: 90_000,
  waits: 2 * longestLeaseMs,
  ownTimers: true,
  async play(context) {
    const { holdMs } = await publishedStream(context);
    const { sessions } = await readPublished(context);
    const minTtl = isObject(sessions) && typeof sessions.min_ttl_seconds === "number" ? sessions.min_ttl_seconds : 5;
    if (minTtl * 1000 > Math.min(longestLeaseMs, holdMs - 1))
      throw new TargetSkip("every lease of the hub lasts longer than its streams, or longer than the suite waits");
    const ends: LeasedStreamEnd[] = [];
    // The first attempt may fail because the machine is slow.
    while (ends.length < 2 && !ends.includes("kept")) ends.push(await endOfLeasedStream(context, minTtl));
    const isKept = ends.includes("kept");
    if (!isKept && ends.includes("slow"))
      return context.skip(
        "MA2H-STR-006",
        "the machine was too busy to connect again before the lease of a session expired",
      );
    const why = "a stream lasts until the lease of its session expires, and the session ends";
    context.expect("MA2H-STR-006", isKept, why);
  },
};

const idleStreamRenewsNothing: Scenario = {
  name: "streams-keep-nothing-alive",
  says: "an open stream alone does not renew the lease of its session, whose mail bounces when the session ends",
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
    const why = `while a stream is only open, last_seen moves from ${first.last_seen} to ${second.last_seen}`;
    context.expect("MA2H-STR-007", isFixed, why);
    const remainingMs = Date.parse(String(second.expires_at)) - (await context.now());
    await context.pass(remainingMs + 1000);
    const third = await waitUntil(
      context,
      () => sessionOf(context, id),
      ({ state }) => state === "expired",
    );
    context.expect("MA2H-STR-007", third.state === "expired", `after its lease the session is ${third.state}`);
    if (third.state !== "expired") return;
    const state = await waitUntil(context, sent.state, (mailState) => mailState === "bounced");
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
    for (const ordinal of ["first", "second"]) {
      await context.pass(2000);
      (await mustConnect(context, id)).cut();
      const after = await sessionOf(context, id);
      const isLater = (name: string): boolean => Date.parse(String(after[name])) > Date.parse(String(before[name]));
      const isSeenLater = after.last_seen === undefined || before.last_seen === undefined || isLater("last_seen");
      const why = `after the ${ordinal} connection the lease ends at ${after.expires_at} and last_seen is ${after.last_seen}`;
      context.expect("MA2H-STR-008", isLater("expires_at") && isSeenLater, why);
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
