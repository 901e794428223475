import { type JsonObject, type Scenario, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { confirmation, idFor, vocabulary } from "../producing/events.ts";
import { mustClaim } from "../subscribing/producer-facts.ts";
import {
  awaitFence,
  isHeard,
  isOf,
  mustGoOn,
  options,
  type PresentedText,
  presentedAtAll,
  readShown,
  renewContext,
  sendEvent,
  toSubscriber,
  waitUntilPresented,
  wordsOf,
} from "./story.ts";

/** Whether the user or a log gets a notice beyond the earlier ones. */
function isNoticed(notices: readonly PresentedText[] | undefined, before: number, kind: RegExp): boolean {
  return (notices ?? []).slice(before).some((notice) => kind.test(`${notice.kind ?? ""} ${notice.text}`));
}

/** The number of notices. */
async function countNotices(context: ScenarioContext): Promise<number> {
  return (await readShown(context)).notices?.length ?? 0;
}

/** After this many crashes on events, each followed by a return of the subscriber, no further event is tried. */
const mostFalls = 3;

/** Words that report an invalid event, or show it unread. */
const saysInvalid = /valid|malformed|broken|wrong|faulty|error|@context/i;

/** Broken, hostile and heavy input. */
export const copingScenarios: readonly Scenario[] = [
  toSubscriber({
    name: "invalid-events",
    says: "invalid events do not stop the subscriber",
    rules: ["AAEP-SUB-001"],
    async play(context) {
      const given = await options(context);
      const { producer, script } = given;
      const broken: (JsonObject | string)[] = [
        "null",
        "[]",
        '"text"',
        "{}",
        "{",
        "\u0000",
        '{"type":7}',
        '{"type":["a"]}',
        { ...script.event("tool.invoked"), event_id: 7 },
        { ...script.event("tool.invoked"), producer: null },
        { ...script.event("state.changed"), from_state: { a: 1 }, to_state: [] },
        { ...script.event("progress.updated"), progress: "half" },
        { ...script.event("awaiting.confirmation", confirmation("rpl_a")), reply_token: null, allowed_replies: "all" },
        { ...script.event("awaiting.clarification"), choices: 3 },
        { ...script.event("tool.invoked"), timestamp: "yesterday", localization_hints: "en" },
      ];
      const { streams, messages } = producer;
      const send = (event: JsonObject | string): void =>
        producer.raw(typeof event === "string" ? event : JSON.stringify(event));
      const goesOn = async ({ left }: { left: number }): Promise<boolean> =>
        (await awaitFence(given)) || (streams.left > left && (await awaitFence(given)));
      const before = { ...streams };
      for (const each of broken) send(each);
      let isUp = await goesOn(before);
      // Other events are lost in the crash: a subscriber that comes back gets them again, one by one.
      for (const each of streams.left > before.left ? broken : []) {
        if (!isUp || streams.left > before.left + mostFalls) break;
        const last = { ...streams };
        send(each);
        isUp = await goesOn(last);
      }
      context.expect("AAEP-SUB-001", isUp, "nothing is presented after invalid events");
      const isFall = streams.left > before.left && !messages.some(({ type }) => type === "subscription.close");
      const fell = "the subscriber breaks its connection at an invalid event, and comes back";
      context.expect("AAEP-SUB-001", !isFall, fell, "SHOULD");
      if (isFall) return;
      for (const [name, value] of Object.entries({ event_id: 8, session_id: 8, producer: null })) {
        const before = await countNotices(context);
        const event = sendEvent(given, "tool.invoked", {}, { [name]: value });
        if (!(await awaitFence(given))) return;
        const { items, notices } = await readShown(context);
        if (notices === undefined) return;
        const words = wordsOf(event) ?? "";
        const isLikeOthers = ({ text, kind = "" }: PresentedText): boolean =>
          isOf(event)({ text }) && !saysInvalid.test(`${kind} ${text.replace(words, "")}`);
        const isTaken = items.some(isLikeOthers) && notices.length === before;
        const why = `an event with ${name} ${value} is presented like any other, and no notice reports it`;
        // The text requires validation, but does not say how to handle an invalid event.
        context.expect("AAEP-SUB-001", !isTaken, why, "SHOULD");
      }
    },
  }),
  toSubscriber({
    name: "foreign-contexts",
    says: "an event of another context does not belong to this protocol",
    rules: ["AAEP-ENV-039"],
    async play(context) {
      const given = await options(context);
      const foreign = ["https://touchstone.example/context/v1", ["https://touchstone.example/context/v1", vocabulary]];
      const events = foreign.map((each) => sendEvent(given, "tool.invoked", {}, { "@context": each }));
      await mustGoOn(given);
      const { items } = await readShown(context);
      for (const event of events) {
        const isHeard = items.some(isOf(event));
        const why = `an event with the context ${JSON.stringify(event["@context"])} is treated as an event of AAEP`;
        context.expect("AAEP-ENV-039", !isHeard, why);
      }
    },
  }),
  toSubscriber({
    name: "oversized-events",
    says: "a very large event does no harm, and a notice reports a dropped part",
    rules: ["AAEP-ENV-037"],
    async play(context) {
      const given = await options(context);
      const before = await countNotices(context);
      const words = context.fresh("words").replaceAll("-", " ");
      const event = sendEvent(given, "tool.invoked", { summary_normal: `${words} ${"and so on ".repeat(30_000)}` });
      const isUp = await awaitFence(given);
      context.expect("AAEP-ENV-037", isUp, "nothing is presented after an event of 300 kB");
      const { items, notices } = await readShown(context);
      const item = items.find(isOf({ event_id: event.event_id ?? "", summary_normal: words }));
      const isWhole = item !== undefined && item.text.length >= 300_000;
      if (!isUp || isWhole || notices === undefined) return;
      const why = "an event of 300 kB was dropped or shortened, and no notice reports it";
      context.expect("AAEP-ENV-037", isNoticed(notices, before, /size|large|long|drop|short|trunc/i), why);
    },
  }),
  toSubscriber({
    name: "duplicates",
    says: "an event that comes twice counts once",
    rules: ["AAEP-SUB-007"],
    async play(context) {
      const given = await options(context);
      const single = sendEvent(given, "tool.invoked");
      const event = sendEvent(given, "tool.invoked");
      given.producer.emit(event, event);
      await mustGoOn(given);
      given.producer.emit(event);
      await mustGoOn(given);
      // A producer's repetition after a reconnect may be as old.
      for (let others = 0; others < 20; others++) sendEvent(given, "progress.updated");
      await mustGoOn(given);
      given.producer.emit(event);
      await mustGoOn(given);
      const { items } = await readShown(context);
      const [usual, count] = [single, event].map((each) => items.filter(isOf(each)).length) as [number, number];
      if (count === 0 || usual === 0) throw new TargetSkip("the event is not presented at all");
      const why = `an event that came several times is presented ${count} times, an event that came once ${usual}`;
      context.expect("AAEP-SUB-007", count <= usual, why);
    },
  }),
  toSubscriber({
    name: "wrong-order",
    says: "events in the wrong order are noticed",
    rules: ["AAEP-SUB-008"],
    async play(context) {
      mustClaim(context, 3);
      const given = await options(context);
      const before = await countNotices(context);
      const [first, second] = [given.script.event("tool.invoked"), given.script.event("tool.invoked")];
      given.producer.emit(second, first);
      await mustGoOn(given);
      const { items, notices } = await readShown(context);
      const at = [first, second].map((event) => items.findIndex(isOf(event)));
      const isOrdered = at[0] !== -1 && at[1] !== -1 && (at[0] as number) < (at[1] as number);
      if (!isOrdered && notices === undefined) throw new TargetSkip("it gives no notices that could report it");
      const why = "two events in the wrong order are presented in that order, and no notice reports it";
      context.expect(
        "AAEP-SUB-008",
        isOrdered || isNoticed(notices, before, /order|sequence|gap|missing|disorder/i),
        why,
      );
    },
  }),
  toSubscriber({
    name: "late-stragglers",
    says: "an event that arrives after the end of its session is noticed",
    rules: ["AAEP-TRN-004"],
    async play(context) {
      const given = await options(context);
      const before = await countNotices(context);
      const straggler = given.script.event("tool.completed");
      const end = sendEvent(given, "session.completed");
      await waitUntilPresented(context, end);
      given.producer.emit(straggler);
      await mustGoOn(renewContext(given));
      const { items, notices } = await readShown(context);
      const at = [straggler, end].map((event) => items.findIndex(isOf(event)));
      const isFirst = at[0] !== -1 && (at[0] as number) < (at[1] as number);
      if (!isFirst && notices === undefined) throw new TargetSkip("it gives no notices that could report it");
      const why = "an event came after the end of its session, with a number before the end, and no notice reports it";
      context.expect(
        "AAEP-TRN-004",
        isFirst || isNoticed(notices, before, /order|sequence|gap|missing|disorder|late/i),
        why,
      );
    },
  }),
  toSubscriber({
    name: "cut-off-messages",
    says: "a truncated message has no meaning",
    rules: ["AAEP-SUB-009"],
    async play(context) {
      const given = await options(context);
      const event = given.script.event("tool.invoked");
      const text = JSON.stringify({ ...event, padding: "x" });
      given.producer.raw(text.slice(0, text.indexOf('"padding"') - 1));
      await mustGoOn(given);
      const { items } = await readShown(context);
      // A subscriber that shows an unreadable event as text has not interpreted it.
      const isHeard = items.some((item) => isOf(event)(item) && !item.text.includes('"@context"'));
      context.expect("AAEP-SUB-009", !isHeard, "something of a truncated message is presented");
    },
  }),
  toSubscriber({
    name: "pieces-of-words",
    says: "pieces of words are kept until they form a unit",
    rules: ["AAEP-STRM-009"],
    async play(context) {
      const given = await options(context);
      const id = idFor(context, "out");
      const pieces = ["Bert", "hs a", "re fr", "ee."];
      let position = 0;
      const events = pieces.map((chunk, index) => {
        const isLast = index === pieces.length - 1;
        const hint = isLast ? "completion" : "none";
        const event = given.script.event("output.streaming", {
          output_id: id,
          chunk,
          position,
          complete: isLast,
          coalesce_hint: hint,
        });
        position += chunk.length;
        return event;
      });
      given.producer.emit(...events.slice(0, -1));
      await mustGoOn(given);
      const { items } = await readShown(context);
      const early = items.find(({ text, event_id: each }) =>
        each === undefined ? pieces.includes(text) : events.some((event) => event.event_id === each),
      );
      context.expect("AAEP-STRM-009", early === undefined, `the piece "${early?.text}" is announced separately`);
      given.producer.emit(events.at(-1) as JsonObject);
    },
  }),
  toSubscriber({
    name: "bursts",
    says: "a burst at the declared rate is handled",
    rules: ["AAEP-BP-008"],
    async play(context) {
      mustClaim(context, 3);
      const given = await options(context);
      if (!(await isHeard(given, "tool.invoked"))) throw new TargetSkip("calls are never presented");
      const { capabilities } = given.producer.requests.at(-1) ?? {};
      const { max_events_per_second: rate = 50 } = (capabilities ?? {}) as JsonObject;
      const events = Array.from({ length: Math.min(200, Number(rate)) }, () => given.script.event("tool.invoked"));
      given.producer.emit(...events);
      // An overloaded subscriber recovers, but has lost something anyway.
      if (!(await awaitFence(given))) await mustGoOn(given);
      const { items } = await readShown(context);
      const lost = events.filter((event) => !items.some(isOf(event)));
      const why = `of a burst of ${events.length} calls ${lost.length} are not presented, at a declared rate of ${rate}`;
      context.expect("AAEP-BP-008", lost.length === 0, why);
    },
  }),
  toSubscriber({
    name: "critical-amid-noise",
    says: "no critical event is lost among many others",
    rules: ["AAEP-BP-009"],
    async play(context) {
      const given = await options(context);
      const noise = (): JsonObject[] => Array.from({ length: 300 }, () => given.script.event("progress.updated"));
      const critical: JsonObject[] = [];
      for (let times = 0; times < 3; times++) {
        given.producer.emit(...noise());
        critical.push(sendEvent(given, "handoff.requested"));
      }
      given.producer.emit(...noise());
      for (const event of critical) {
        const items = await presentedAtAll(given, event);
        context.expect("AAEP-BP-009", items !== undefined, "a critical event among 1200 others is not presented");
      }
    },
  }),
];
