import { hookAnswer, isObject, type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { putForward } from "../../../../running/scenarios/clock.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { askedOf } from "./conduct.ts";
import { rejectOpen } from "./ignoring.ts";
import { areLater, isNew, isState, isSummary, sortByMaking } from "./resumption.ts";
import { toProducer } from "./scenario.ts";
import { awaitEnd, awaitFence, awaitFenceAgain, beginSession, eventsOf, nameOf } from "./story.ts";

/** The names of producers, and repeated deliveries of events. */
export const delivery: readonly Scenario[] = [
  toProducer({
    name: "names-without-versions",
    says: "the id of an agent is the same everywhere, and contains no version",
    rules: ["AAEP-ENV-022"],
    async play(context) {
      const line = await openLine(context);
      const story = await beginSession(line, context, "plain");
      await awaitEnd(story);
      for (const { producer } of eventsOf(line, story.id)) {
        if (!isObject(producer)) continue;
        const { agent_id: id, agent_version: release } = producer;
        const holds = typeof release === "string" && release.includes(".") && String(id).includes(release);
        context.expect("AAEP-ENV-022", !holds, `the agent_id "${id}" contains the version ${release}`);
      }
    },
  }),
  toProducer({
    name: "resumed",
    says: "a subscription that reconnects during a session gets the missed events, or a summary of the state",
    rules: ["AAEP-TRN-011"],
    needs: ["start", "url"],
    async play(context) {
      const other = await openLine(context, { name: "other" });
      const line = await openLine(context);
      if (line.resume === undefined) throw new TargetSkip("nothing can be resumed on this binding");
      const asked = await askedOf(line, context, "irreversible");
      await other.inbox.seen(({ reply_token: token }) => token === asked.token);
      await awaitFence(other, context);
      const before = sortByMaking(eventsOf(other, asked.id));
      const last = before.findLastIndex(isState);
      // A critical event may have overtaken earlier events.
      const place = before.findLastIndex((event, index) => index < last && event.urgency !== "critical");
      // If a replay that loses an event begins just before the last change of state, its rest is not a summary.
      for (const at of new Set([0, Math.max(0, place)])) {
        line.cut();
        const from = line.inbox.arrivals.length;
        await line.resume(placeOf(line, before[at]));
        await awaitFenceAgain(line, context);
        const after = line.inbox.arrivals.slice(from).map(({ message }) => message);
        const again = after.filter(({ session_id: id }) => id === asked.id);
        const came = eventsOf(other, asked.id);
        const seen = sortByMaking(came);
        const isRight = areLater(again, came, before[at]) || isSummary(again, before, seen);
        const names = again.map(nameOf).join(", ") || "nothing";
        const why = `${seen.length - at - 1} events came after ${before[at]?.event_id}; a resumption there got${names}`;
        context.expect("AAEP-TRN-011", isRight, why);
        if (again.some((event) => isNew(event, before))) break;
      }
      await rejectOpen({ ...asked, line: other });
    },
  }),
];

/** The position of an event for a resumption: the id that the stream gave it, otherwise its own. */
function placeOf({ inbox }: Line, event: JsonObject | undefined): string {
  const came = inbox.arrivals.find(({ message }) => message.event_id === event?.event_id);
  return came?.frame.id ?? String(event?.event_id);
}

/** A time in milliseconds, which a hook may return, as RFC 3339 if it is a valid date. */
function showTime(time = 0): string {
  return Math.abs(time) < 8e15 ? new Date(time).toISOString() : String(time);
}

/** The timestamps of events. They are judged before the sequences that they order. */
export const moments: Scenario = toProducer({
  name: "moments",
  says: "an event is stamped with the time at which it was made",
  rules: ["AAEP-ENV-016"],
  async play(context) {
    const line = await openLine(context);
    // A hook may only move deadlines. Events are then stamped by the wall clock, which the suite shares.
    const clocks = async (): Promise<number[]> => [await context.now(), Date.now()];
    const begun = await clocks();
    const [its = 0, ours = 0] = begun;
    const isOurs = Math.abs(its - ours - putForward(context)) <= 5000;
    const story = await beginSession(line, context, "plain");
    const end = await awaitEnd(story);
    const ended = await clocks();
    const clock = isOurs ? 1 : 0;
    const span = `its session ran from ${showTime(begun[clock])} to ${showTime(ended[clock])}`;
    for (const event of eventsOf(line, story.id)) {
      const stamp = Date.parse(String(event.timestamp));
      const isNear = begun.some((start, index) => stamp >= start - 5000 && stamp <= Number(ended[index]) + 5000);
      const stamped = `${nameOf(event)} is stamped ${event.timestamp}, more than 5 s off: ${span}`;
      context.expect("AAEP-ENV-016", isNear, stamped);
      if (isOurs || Math.abs(stamp - ours) <= Math.abs(stamp - its)) continue;
      const off = Math.round((its - ours - putForward(context)) / 1000);
      const why = `the hook "clock" returns a time ${off} s from ours that this run did not put there: events are stamped by it, and nothing shows that it is right`;
      context.skip("AAEP-ENV-016", why, hookAnswer("clock"));
    }
    if (end === undefined) context.skip("AAEP-ENV-016", "the session has not ended in time, and may still go on");
  },
});
