import { equal, type Json, type Scenario } from "../../../../schemas/index.ts";
import { deadlineIn, leadTime, waitUntilDeadline, withOffset } from "./deadline.ts";
import { oddAnswers } from "./hollow-messages.ts";
import { ask } from "./messages.ts";
import {
  afterDeadline,
  idOf,
  inShort,
  isAccepted,
  outcomeOf,
  post,
  redAnswer,
  resolve,
  statusOf,
  submit,
} from "./steps.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Pairs of deadlines around the limits of 32-bit seconds (signed and unsigned) and 63-bit nanoseconds, counted from 1970 or from now. */
function lastTimes(now: number): [before: string, after: string][] {
  const days = (count: number): string => new Date(now + count * dayMs).toISOString();
  return [
    ["2038-01-01T00:00:00Z", "2038-02-01T00:00:00Z"],
    ["2106-02-01T00:00:00Z", "2106-03-01T00:00:00Z"],
    ["2262-04-01T00:00:00Z", "2262-05-01T00:00:00Z"],
    [days(106_700), days(106_800)],
  ];
}

export const deadlines: readonly Scenario[] = [
  {
    name: "expiry-far",
    says: "an ask with a distant deadline can be answered",
    rules: ["AHCP-EXP-003"],
    needs: ["resolve"],
    withinMs: 30_000,
    waits: 4000,
    async play(context) {
      const lastTime = Date.parse("9999-12-31T23:59:59Z");
      // Timers with 31 bits of milliseconds overflow after 24 days, with 32 bits after 49 days.
      for (const days of [26, 60, 4000, Math.floor((lastTime - (await context.now())) / dayMs)]) {
        const { members } = await deadlineIn(context, days * dayMs);
        const reply = await post(context, ask(context, members, { default_on_expire: "blue" }));
        const id = idOf(reply);
        if (!isAccepted(reply) || id === undefined) continue;
        await context.pass(1000);
        const { applied } = await resolve(context, id, redAnswer);
        const status = await statusOf(context, id);
        const why = `an answer ${days} days before the deadline does not count: the ask is "${status}"`;
        context.expect("AHCP-EXP-003", applied && status === "answered", why);
      }
    },
  },
  {
    name: "expiry-offset",
    says: "a deadline is a point in time, however it is written",
    rules: ["AHCP-EXP-002"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const now = await context.now();
      // If a hub applies the sign only to the hours, or ignores the minutes, it is up to an hour off.
      for (const [minutes, hours] of [
        [60, -12],
        [20, -3.5],
      ] as const) {
        const futureDeadline = withOffset(now + minutes * minuteMs, hours);
        const lateReply = await post(context, ask(context, { expires_at: futureDeadline }));
        const why = `a deadline in ${minutes} minutes, ${futureDeadline}, is refused: ${inShort(lateReply)}`;
        context.expect("AHCP-EXP-002", isAccepted(lateReply), why);
      }
      const plainReply = await post(context, ask(context, { expires_at: new Date(now - 20 * minuteMs).toISOString() }));
      if (isAccepted(plainReply)) return;
      for (const [minutes, hours] of [
        [60, 14],
        [20, 5.75],
      ] as const) {
        const pastDeadline = withOffset(now - minutes * minuteMs, hours);
        const earlyReply = await post(context, ask(context, { expires_at: pastDeadline }));
        const why = `a deadline ${minutes} minutes ago, ${pastDeadline}, is accepted: ${inShort(earlyReply)}`;
        context.expect("AHCP-EXP-002", !isAccepted(earlyReply), why);
      }
    },
  },
  {
    name: "expiry-seconds",
    says: "deadlines beyond 32 bits of seconds or 63 bits of nanoseconds are accepted",
    rules: ["AHCP-ENV-024"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const [earlier, later] of lastTimes(await context.now())) {
        // A hub may limit how far ahead a deadline is, but not at exactly these times.
        if (!isAccepted(await post(context, ask(context, { expires_at: earlier })))) {
          context.skip("AHCP-ENV-024", `the hub accepts no deadline as far ahead as ${earlier}`);
          continue;
        }
        const reply = await post(context, ask(context, { expires_at: later }));
        const why = `the deadline ${later} is refused, and ${earlier} is accepted: ${inShort(reply)}`;
        context.expect("AHCP-ENV-024", isAccepted(reply), why);
      }
    },
  },
  {
    name: "expiry-offset-passed",
    says: "a deadline takes effect whatever its offset",
    rules: ["AHCP-EXP-002"],
    needs: [],
    withinMs: 60_000,
    waits: 16_000,
    async play(context) {
      const deadline = await deadlineIn(context, leadTime(context));
      const plainReply = await submit(context, ask(context, deadline.members));
      const respelledAsks: [text: string, id: string][] = [];
      const spellings = [...[0, 5, -7].map((hours) => withOffset(deadline.time, hours)), deadline.text.toLowerCase()];
      for (const text of spellings) {
        const reply = await post(context, ask(context, { ...deadline.members, expires_at: text }));
        const id = idOf(reply);
        // Another scenario tests whether these deadlines are accepted.
        if (isAccepted(reply) && id !== undefined) respelledAsks.push([text, id]);
      }
      await waitUntilDeadline(context, deadline, 1000);
      const { status } = await afterDeadline(context, plainReply.id);
      if (status !== "expired")
        return context.skip("AHCP-EXP-002", `after a deadline without an offset the ask is "${status}"`);
      for (const [text, id] of respelledAsks) {
        const { status: shownStatus } = await afterDeadline(context, id);
        context.expect(
          "AHCP-EXP-002",
          shownStatus === "expired",
          `11 s after its deadline ${text} the ask is "${shownStatus}"`,
        );
      }
    },
  },
  {
    name: "expiry-empty-default",
    says: "a default applies even if it is empty, false or looks like a number",
    rules: ["AHCP-EXP-005"],
    needs: [],
    withinMs: 60_000,
    waits: 16_000,
    async play(context) {
      const deadline = await deadlineIn(context, leadTime(context));
      const openAsks: [value: Json, id: string][] = [];
      for (const [value, block] of oddAnswers) {
        const reply = await post(context, ask(context, deadline.members, { ...block, default_on_expire: value }));
        const id = idOf(reply);
        if (isAccepted(reply) && id !== undefined) openAsks.push([value, id]);
        else context.skip("AHCP-EXP-005", `the hub does not accept the default ${JSON.stringify(value)}`);
      }
      await waitUntilDeadline(context, deadline, 1000);
      for (const [value, id] of openAsks) {
        const message = await afterDeadline(context, id);
        if (message.status !== "expired") return context.skip("AHCP-EXP-005", `the ask is "${message.status}"`);
        const { envelope, inner } = outcomeOf(message);
        const isReported = envelope.defaulted === true && inner.value !== undefined && equal(inner.value, value);
        const why = `the Response does not report that the default ${JSON.stringify(value)} was applied: ${JSON.stringify(envelope)}`;
        context.expect("AHCP-EXP-005", isReported, why);
      }
    },
  },
];
