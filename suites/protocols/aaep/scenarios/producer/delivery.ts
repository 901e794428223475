import {
  hookAnswer,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { putForward } from "../../../../running/scenarios/clock.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { knownOf, mustClaim, oneLanguage } from "../subscribing/producer-facts.ts";
import { usualRequest } from "../subscribing/request.ts";
import { askedOf } from "./conduct.ts";
import { rejectOpen } from "./ignoring.ts";
import { namesUnder } from "./names.ts";
import { areLater, isNew, isState, isSummary, sortByMaking } from "./resumption.ts";
import { toProducer } from "./scenario.ts";
import { answer, awaitFence, beginSession, dueOn, endOf, mustBeAlive, nameOf, waitForDue } from "./story.ts";

/** The events of a session that a line has, without irrelevant ones. */
function eventsOf({ inbox }: Line, session: string): JsonObject[] {
  return inbox.arrivals.map(({ message }) => message).filter(({ session_id: id }) => id === session);
}

/** The events of all sessions that a line has. */
function eventsIn({ inbox }: Line): JsonObject[] {
  return inbox.arrivals.map(({ message }) => message).filter(({ session_id: id }) => id !== undefined);
}

/**
 * So many events in so many milliseconds: if there are too many for as many whole seconds, one of the seconds has too many. The suite
 * may have read them late, never early, so that its slowness excuses and does not accuse.
 */
function withinRate(context: ScenarioContext, events: readonly JsonObject[], rate: number, milliseconds: number): void {
  const count = events.filter(({ urgency }) => urgency !== "critical").length;
  const seconds = Math.floor(milliseconds / 1000) + 1;
  const why = `${count} events within ${seconds} s reached a subscription that accepts ${rate} a second`;
  const isBad = count > (2 * rate + 1) * seconds;
  // A bucket as large as the rate may be full when the subscription begins.
  const isWithin = count <= (rate + Math.max(1, Math.ceil(rate / 5))) * seconds + rate;
  context.expect("AAEP-BP-001", isWithin, why, isBad ? "MUST" : "SHOULD");
}

/** How often the rate is looked at, about once a second, before the clock is put forward. */
const looks = 3;

/** Milliseconds for five events at a rate of one a second. */
const aWhile = 5000;

/** The recipients of events, and the times of their delivery. */
export const delivery: readonly Scenario[] = [
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
      const why = "a question did not reach a subscription after its rate was used up";
      context.expect("AAEP-BP-002", there !== undefined, why);
      await rejectOpen(asked);
    },
  }),
  toProducer({
    name: "chunks-joined",
    says: "chunks over the rate are held and joined, and none is lost",
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
        // Real seconds, whatever the scale: the rate is one of real time. Just before one is full, the next has not begun.
        if (times <= looks) await slow.inbox.seen(() => false, 900 / (context.setting.timeScale ?? 1));
        const isOver = (await slow.inbox.seen(isDone, times > looks ? 1000 : 0)) !== undefined;
        // A producer that is slow may have had its clock put forward meanwhile.
        const passed = Math.max(performance.now() - begun, (await context.now()) - from);
        withinRate(context, eventsIn(slow), rate, passed);
        if (isOver && times >= looks) break;
        if (times >= looks) await context.pass(aWhile);
      }
      const got = textOf(eventsOf(slow, story.id));
      const isThere = (await slow.inbox.seen(isDone, 0)) !== undefined;
      if (!isThere && whole.startsWith(got)) throw new TargetSkip("the output did not end in the time of this story");
      const why = `of ${whole.length} characters ${got.length} came to a slow subscription`;
      context.expect("AAEP-BP-003", got === whole, why);
    },
  }),
  toProducer({
    name: "terse-loses-nothing",
    says: "who prefers few words gets all events",
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
    says: "a slow subscription and a broken one cost the others nothing",
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
      // Where all wait for the slow one, not even the first event may come.
      const story = await beginSession(line, context, "stream", { chunks: 60 }).catch((error: unknown) => {
        if (error instanceof TargetFailure && error.outcome === "timed-out") return undefined;
        throw error;
      });
      const end = story === undefined ? undefined : await endOf(story, aWhile);
      if (end === undefined) {
        slow.inbox.expectEnd();
        await slow.send({
          type: "subscription.close",
          subscription_id: slow.id,
          reason_code: "shutdown",
          reason_message: "That was all.",
        });
        const another = await openLine(context, { name: "another" });
        const control = await beginSession(another, context, "stream", { chunks: 60 });
        // If an ordinary session needs long, the others show nothing.
        if ((await endOf(control, aWhile / 2)) === undefined)
          throw new TargetSkip("a session of 60 chunks lasts as long without them", { kind: "not-shown" });
      }
      const why = "a session does not get through to one subscription while another is slow and a third has broken off";
      context.expect("AAEP-BP-010", end !== undefined, why);
    },
  }),
  toProducer({
    name: "include-obeyed",
    says: "events that a subscription does not include do not come to it",
    rules: ["AAEP-BP-005"],
    async play(context) {
      mustClaim(context, 3);
      const name = drawFor(context).one(["session", "output", "tool"]);
      const event_filters = { include: [`aaep:agent.${name}.*`], exclude: [] };
      const watcher = await openLine(context, { name: "watching" });
      const line = await openLine(context, { capabilities: { ...usualRequest, event_filters }, name: "filtering" });
      const story = await beginSession(watcher, context, "plain");
      if ((await endOf(story)) === undefined) throw new TargetSkip("the session does not end");
      await awaitFence(watcher, context);
      const isOther = (event: JsonObject): boolean =>
        event.urgency !== "critical" && /^[a-z]/.test(nameOf(event)) && !nameOf(event).startsWith(`${name}.`);
      if (!eventsOf(watcher, story.id).some(isOther)) throw new TargetSkip("its sessions have no other events");
      const strange = eventsOf(line, story.id).find(isOther);
      const why = `${nameOf(strange ?? {})} came to a subscription that includes aaep:agent.${name}.* alone`;
      context.expect("AAEP-BP-005", strange === undefined, why, "SHOULD");
    },
  }),
  toProducer({
    name: "closed-gets-nothing",
    says: "a subscription that was closed gets no event that is made afterwards, and others go on",
    rules: ["AAEP-HS-022"],
    waits: 6000,
    async play(context) {
      mustClaim(context, 3);
      const watcher = await openLine(context, { name: "watching" });
      const line = await openLine(context, { name: "leaving" });
      if (line.accepted === undefined) throw new TargetSkip("without a handshake no subscription is closed");
      await awaitFence(watcher, context);
      line.inbox.expectEnd();
      await answer(line, {
        type: "subscription.close",
        subscription_id: line.id,
        reason_code: "shutdown",
        reason_message: "The user has left.",
      });
      // Most end the stream. Else the close may not be handled yet, and events made before it may be on their way.
      await line.inbox.over();
      if (!(await goesOnAlone(context, watcher)))
        return context.expect("AAEP-HS-022", false, "the close of one subscription ended the stream of another");
      const story = await beginSession(watcher, context, "plain");
      if ((await endOf(story)) === undefined) throw new TargetSkip("the session after the close does not end");
      await awaitFence(watcher, context);
      const [late] = eventsOf(line, story.id);
      const why = `${late === undefined ? "" : nameOf(late)} of a session that began after the close came on the closed subscription`;
      context.expect("AAEP-HS-022", late === undefined, why);
    },
  }),
  toProducer({
    name: "language-unwanted",
    says: "an event comes even if it has no words in a language that is wanted",
    rules: ["AAEP-I18N-005"],
    async play(context) {
      mustClaim(context, 3);
      const isJudged = await judgeForeign(context);
      const { languages } = knownOf(context);
      const [first = "en", ...others] = languages;
      const other = others.find((each) => base(each) !== base(first));
      if (other === undefined) {
        if (isJudged) return;
        throw oneLanguage();
      }
      const line = await openLine(context, { capabilities: { ...usualRequest, languages: [first] } });
      const reader = await openLine(context, { capabilities: { ...usualRequest, languages: [other] }, name: "reader" });
      const story = await beginSession(reader, context, "plain", { language: other });
      const heard = { ...story, line };
      const end = await dueOn(line, context, (milliseconds) => endOf(heard, milliseconds));
      const isHeard = eventsOf(line, story.id).some((event) => isObject(event.localization_hints));
      context.expect(
        "AAEP-I18N-005",
        end !== undefined && isHeard,
        `events in ${other} do not come to one who reads ${first}`,
      );
    },
  }),
  toProducer({
    name: "language-chosen",
    says: "the language is chosen in the given order",
    rules: ["AAEP-I18N-012"],
    async play(context) {
      mustClaim(context, 3);
      const { languages } = knownOf(context);
      const other = languages.slice(1).find((each) => base(each) !== base(languages[0] ?? "en"));
      if (other === undefined) throw oneLanguage();
      // Another region of a language is not a match of 11.1.3, and so is tried only for a language without any regional form.
      const bare = languages.slice(1).find((each) => !each.includes("-") && base(each) !== base(languages[0] ?? "en"));
      for (const [wanted, due] of [
        [[other], other],
        ...(bare === undefined ? [] : [[[`${bare}-AQ`], bare]]),
        [["tlh", other], other],
      ] as [string[], string][]) {
        const line = await openLine(context, { capabilities: { ...usualRequest, languages: [...wanted] } });
        const story = await beginSession(line, context, "plain");
        await endOf(story);
        const told = eventsOf(line, story.id).flatMap(({ localization_hints: hints }) =>
          isObject(hints) && typeof hints.primary_language === "string" ? [hints.primary_language] : [],
        );
        if (told.length === 0) throw new TargetSkip("its events do not name their language");
        const wrong = told.find((each) => base(each) !== base(due));
        const why = `to one who wants ${wanted.join(", then ")} it speaks ${wrong}, though it has ${due}`;
        context.expect("AAEP-I18N-012", wrong === undefined, why);
        line.cut();
      }
    },
  }),
  toProducer({
    name: "names-without-versions",
    says: "the id of an agent is the same everywhere and holds no version",
    rules: ["AAEP-ENV-022"],
    async play(context) {
      const line = await openLine(context);
      const story = await beginSession(line, context, "plain");
      await endOf(story);
      for (const { producer } of eventsOf(line, story.id)) {
        if (!isObject(producer)) continue;
        const { agent_id: id, agent_version: release } = producer;
        const holds = typeof release === "string" && release.includes(".") && String(id).includes(release);
        context.expect("AAEP-ENV-022", !holds, `the agent_id "${id}" holds the version ${release}`);
      }
    },
  }),
  toProducer({
    name: "resumed",
    says: "a subscription that reconnects in mid-session gets the missed events, or a summary of the state",
    rules: ["AAEP-TRN-011"],
    needs: ["start", "url"],
    async play(context) {
      const other = await openLine(context, { name: "other" });
      const line = await openLine(context);
      if (line.resume === undefined) throw new TargetSkip("on this binding nothing is resumed");
      const asked = await askedOf(line, context, "irreversible");
      await other.inbox.seen(({ reply_token: token }) => token === asked.token);
      await awaitFence(other, context);
      const before = sortByMaking(eventsOf(other, asked.id));
      const last = before.findLastIndex(isState);
      // A critical event may have come before events that were made earlier.
      const place = before.findLastIndex((event, index) => index < last && event.urgency !== "critical");
      // From just before the last change of state, the rest of a replay that loses an event is not a summary.
      for (const at of new Set([0, Math.max(0, place)])) {
        line.cut();
        const from = line.inbox.arrivals.length;
        await line.resume(placeOf(line, before[at]));
        await awaitFence(line, context);
        const after = line.inbox.arrivals.slice(from).map(({ message }) => message);
        const again = after.filter(({ session_id: id }) => id === asked.id);
        const came = eventsOf(other, asked.id);
        const seen = sortByMaking(came);
        const isRight = areLater(again, came, before[at]) || isSummary(again, before, seen);
        const names = again.map(nameOf).join(", ") || "nothing";
        const why = `${seen.length - at - 1} events came after ${before[at]?.event_id}; who resumed there got ${names}`;
        context.expect("AAEP-TRN-011", isRight, why);
        if (again.some((event) => isNew(event, before))) break;
      }
      await rejectOpen({ ...asked, line: other });
    },
  }),
];

/** Whether a subscription still gets whole sessions. Throws if the producer is down. */
async function goesOnAlone(context: ScenarioContext, line: Line): Promise<boolean> {
  try {
    await awaitFence(line, context);
    return true;
  } catch (error) {
    if (!(error instanceof TargetFailure) || !line.inbox.isEnded()) throw error;
    await mustBeAlive(context);
    return false;
  }
}

/** The place of an event for a resumption: the id that the stream gave it, or else its own. */
function placeOf({ inbox }: Line, event: JsonObject | undefined): string {
  const came = inbox.arrivals.find(({ message }) => message.event_id === event?.event_id);
  return came?.frame.id ?? String(event?.event_id);
}

/** A subscription for a language that hardly any producer has gets events in another one, if it is accepted; false if it is not. */
async function judgeForeign(context: ScenarioContext): Promise<boolean> {
  const capabilities = { ...usualRequest, languages: ["tlh"] };
  const line = await openLine(context, { capabilities, name: "foreign" }).catch((error: unknown) => {
    if (error instanceof TargetSkip) return undefined;
    throw error;
  });
  if (line === undefined) return false;
  const names = await namesUnder(line, context);
  const why = "no event comes to a subscription that was accepted and wants no language of the producer";
  context.expect("AAEP-I18N-005", names !== undefined, why);
  return true;
}

function textOf(events: readonly JsonObject[]): string {
  return events
    .filter((event) => nameOf(event) === "output.streaming")
    .map(({ chunk }) => String(chunk))
    .join("");
}

function base(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? tag;
}

/** A time in milliseconds, which a hook may return, in the form of RFC 3339 if there is such a date. */
function showTime(time = 0): string {
  return Math.abs(time) < 8e15 ? new Date(time).toISOString() : String(time);
}

/** The stamps of events, which come before the sequences that they put in order. */
export const moments: Scenario = toProducer({
  name: "moments",
  says: "an event is stamped with the moment of its making",
  rules: ["AAEP-ENV-016"],
  async play(context) {
    const line = await openLine(context);
    // A hook may move deadlines only: then events are stamped by the wall clock, which is ours too.
    const clocks = async (): Promise<number[]> => [await context.now(), Date.now()];
    const begun = await clocks();
    const [its = 0, ours = 0] = begun;
    const isOurs = Math.abs(its - ours - putForward(context)) <= 5000;
    const story = await beginSession(line, context, "plain");
    await endOf(story);
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
      const why = `the hook "clock" tells a time ${off} s from ours that this run did not put there: events are stamped by it, and nothing shows that it is right`;
      context.skip("AAEP-ENV-016", why, hookAnswer("clock"));
    }
  },
});
