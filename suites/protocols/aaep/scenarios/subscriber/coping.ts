import { type JsonObject, type Scenario, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { confirmationPayload, idFor, vocabulary } from "../producing/events.ts";
import { requireLevel } from "../subscribing/producer-facts.ts";
import {
  awaitFence,
  connect,
  findPresented,
  isPresented,
  matcherOf,
  mustBeAlive,
  type PresentedText,
  readPresented,
  sendEvent,
  startAnotherSession,
  toSubscriber,
  waitUntilPresented,
  wordsOf,
} from "./session.ts";

/** Whether there is a new notice of this kind. */
function isNoticed(notices: readonly PresentedText[] | undefined, noticesBefore: number, kind: RegExp): boolean {
  return (notices ?? []).slice(noticesBefore).some((notice) => kind.test(`${notice.kind ?? ""} ${notice.text}`));
}

async function countNotices(context: ScenarioContext): Promise<number> {
  return (await readPresented(context)).notices?.length ?? 0;
}

/** After this many crashes with a reconnect, no further event is tried. */
const maxCrashes = 3;

/** Words that report an invalid event, or show its text uninterpreted. */
const invalidityPattern = /valid|malformed|broken|wrong|faulty|error|@context/i;

/** Scenarios on broken, hostile and heavy input. */
export const copingScenarios: readonly Scenario[] = [
  toSubscriber({
    name: "invalid-events",
    says: "invalid events do not stop the subscriber",
    rules: ["AAEP-SUB-001"],
    async play(context) {
      const session = await connect(context);
      const { producer, script } = session;
      const invalidEvents: (JsonObject | string)[] = [
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
        {
          ...script.event("awaiting.confirmation", confirmationPayload("rpl_a")),
          reply_token: null,
          allowed_replies: "all",
        },
        { ...script.event("awaiting.clarification"), choices: 3 },
        { ...script.event("tool.invoked"), timestamp: "yesterday", localization_hints: "en" },
      ];
      const { streams, messages } = producer;
      const sendRaw = (event: JsonObject | string): void =>
        producer.sendText(typeof event === "string" ? event : JSON.stringify(event));
      const isAliveAfter = async ({ ended }: { ended: number }): Promise<boolean> =>
        (await awaitFence(session)) || (streams.ended > ended && (await awaitFence(session)));
      const streamsBefore = { ...streams };
      for (const event of invalidEvents) sendRaw(event);
      let isAlive = await isAliveAfter(streamsBefore);
      // A crash loses the events after its cause, so a subscriber that has reconnected receives all of them again, one by one.
      for (const event of streams.ended > streamsBefore.ended ? invalidEvents : []) {
        if (!isAlive || streams.ended > streamsBefore.ended + maxCrashes) break;
        const streamsNow = { ...streams };
        sendRaw(event);
        isAlive = await isAliveAfter(streamsNow);
      }
      context.expect("AAEP-SUB-001", isAlive, "nothing is presented after invalid events");
      const hasCrashed =
        streams.ended > streamsBefore.ended && !messages.some(({ type }) => type === "subscription.close");
      const crashReason = "the subscriber breaks its connection at an invalid event, and reconnects";
      context.expect("AAEP-SUB-001", !hasCrashed, crashReason, "SHOULD");
      if (hasCrashed) return;
      for (const [name, value] of Object.entries({ event_id: 8, session_id: 8, producer: null })) {
        const noticesBefore = await countNotices(context);
        const event = sendEvent(session, "tool.invoked", {}, { [name]: value });
        if (!(await awaitFence(session))) return;
        const { items, notices } = await readPresented(context);
        if (notices === undefined) return;
        const words = wordsOf(event) ?? "";
        const isPresentedAsValid = ({ text, kind = "" }: PresentedText): boolean =>
          matcherOf(event)({ text }) && !invalidityPattern.test(`${kind} ${text.replace(words, "")}`);
        const isAcceptedSilently = items.some(isPresentedAsValid) && notices.length === noticesBefore;
        const why = `an event with ${name} ${value} is presented like any other, and no notice reports it`;
        // The specification requires validation, but does not say how to handle an invalid event.
        context.expect("AAEP-SUB-001", !isAcceptedSilently, why, "SHOULD");
      }
    },
  }),
  toSubscriber({
    name: "foreign-contexts",
    says: "an event of another context does not belong to this protocol",
    rules: ["AAEP-ENV-039"],
    async play(context) {
      const session = await connect(context);
      const foreignContexts = [
        "https://touchstone.example/context/v1",
        ["https://touchstone.example/context/v1", vocabulary],
      ];
      const events = foreignContexts.map((foreignContext) =>
        sendEvent(session, "tool.invoked", {}, { "@context": foreignContext }),
      );
      await mustBeAlive(session);
      const { items } = await readPresented(context);
      for (const event of events) {
        const isPresentedEvent = items.some(matcherOf(event));
        const why = `an event with the context ${JSON.stringify(event["@context"])} is treated as an event of AAEP`;
        context.expect("AAEP-ENV-039", !isPresentedEvent, why);
      }
    },
  }),
  toSubscriber({
    name: "oversized-events",
    says: "a very large event does no harm, and a notice reports a dropped part",
    rules: ["AAEP-ENV-037"],
    async play(context) {
      const session = await connect(context);
      const noticesBefore = await countNotices(context);
      const words = context.fresh("words").replaceAll("-", " ");
      const event = sendEvent(session, "tool.invoked", { summary_normal: `${words} ${"and so on ".repeat(30_000)}` });
      const isAlive = await awaitFence(session);
      context.expect("AAEP-ENV-037", isAlive, "nothing is presented after an event of 300 kB");
      const { items, notices } = await readPresented(context);
      const item = items.find(matcherOf({ event_id: event.event_id ?? "", summary_normal: words }));
      const isComplete = item !== undefined && item.text.length >= 300_000;
      if (!isAlive || isComplete || notices === undefined) return;
      const why = "an event of 300 kB was dropped or shortened, and no notice reports it";
      context.expect("AAEP-ENV-037", isNoticed(notices, noticesBefore, /size|large|long|drop|short|trunc/i), why);
    },
  }),
  toSubscriber({
    name: "duplicates",
    says: "an event that is sent twice counts once",
    rules: ["AAEP-SUB-007"],
    async play(context) {
      const session = await connect(context);
      const singleEvent = sendEvent(session, "tool.invoked");
      const repeatedEvent = sendEvent(session, "tool.invoked");
      session.producer.emit(repeatedEvent, repeatedEvent);
      await mustBeAlive(session);
      session.producer.emit(repeatedEvent);
      await mustBeAlive(session);
      // A producer may repeat events that are this old, for example after a reconnect.
      for (let sent = 0; sent < 20; sent++) sendEvent(session, "progress.updated");
      await mustBeAlive(session);
      session.producer.emit(repeatedEvent);
      await mustBeAlive(session);
      const { items } = await readPresented(context);
      const [singleCount, count] = [singleEvent, repeatedEvent].map(
        (event) => items.filter(matcherOf(event)).length,
      ) as [number, number];
      if (count === 0 || singleCount === 0) throw new TargetSkip("the event is not presented at all");
      const why = `an event that was sent several times is presented ${count} times, an event that was sent once ${singleCount} times`;
      context.expect("AAEP-SUB-007", count <= singleCount, why);
    },
  }),
  toSubscriber({
    name: "wrong-order",
    says: "events in the wrong order are noticed",
    rules: ["AAEP-SUB-008"],
    async play(context) {
      requireLevel(context, 3);
      const session = await connect(context);
      const noticesBefore = await countNotices(context);
      const [earlierEvent, laterEvent] = [session.script.event("tool.invoked"), session.script.event("tool.invoked")];
      session.producer.emit(laterEvent, earlierEvent);
      await mustBeAlive(session);
      const { items, notices } = await readPresented(context);
      const positions = [earlierEvent, laterEvent].map((event) => items.findIndex(matcherOf(event)));
      const isOrdered =
        positions[0] !== -1 && positions[1] !== -1 && (positions[0] as number) < (positions[1] as number);
      if (!isOrdered && notices === undefined) throw new TargetSkip("it does not provide notices that could report it");
      const why = "two events in the wrong order are presented in that order, and no notice reports it";
      context.expect(
        "AAEP-SUB-008",
        isOrdered || isNoticed(notices, noticesBefore, /order|sequence|gap|missing|disorder/i),
        why,
      );
    },
  }),
  toSubscriber({
    name: "late-stragglers",
    says: "an event that arrives after the end of its session is noticed",
    rules: ["AAEP-TRN-004"],
    async play(context) {
      const session = await connect(context);
      const noticesBefore = await countNotices(context);
      const straggler = session.script.event("tool.completed");
      const end = sendEvent(session, "session.completed");
      await waitUntilPresented(context, end);
      session.producer.emit(straggler);
      await mustBeAlive(startAnotherSession(session));
      const { items, notices } = await readPresented(context);
      const positions = [straggler, end].map((event) => items.findIndex(matcherOf(event)));
      const isFirst = positions[0] !== -1 && (positions[0] as number) < (positions[1] as number);
      if (!isFirst && notices === undefined) throw new TargetSkip("it does not provide notices that could report it");
      const why =
        "an event arrived after the end of its session, with a number before the end, and no notice reports it";
      context.expect(
        "AAEP-TRN-004",
        isFirst || isNoticed(notices, noticesBefore, /order|sequence|gap|missing|disorder|late/i),
        why,
      );
    },
  }),
  toSubscriber({
    name: "cut-off-messages",
    says: "a truncated message is not interpreted",
    rules: ["AAEP-SUB-009"],
    async play(context) {
      const session = await connect(context);
      const event = session.script.event("tool.invoked");
      const text = JSON.stringify({ ...event, padding: "x" });
      session.producer.sendText(text.slice(0, text.indexOf('"padding"') - 1));
      await mustBeAlive(session);
      const { items } = await readPresented(context);
      // A subscriber that shows an unreadable event as text has not interpreted it.
      const isPresentedEvent = items.some((item) => matcherOf(event)(item) && !item.text.includes('"@context"'));
      context.expect("AAEP-SUB-009", !isPresentedEvent, "part of a truncated message is presented");
    },
  }),
  toSubscriber({
    name: "pieces-of-words",
    says: "pieces of words are kept until they form a unit",
    rules: ["AAEP-STRM-009"],
    async play(context) {
      const session = await connect(context);
      const id = idFor(context, "out");
      const pieces = ["Bert", "hs a", "re fr", "ee."];
      let position = 0;
      const events = pieces.map((chunk, index) => {
        const isLast = index === pieces.length - 1;
        const hint = isLast ? "completion" : "none";
        const event = session.script.event("output.streaming", {
          output_id: id,
          chunk,
          position,
          complete: isLast,
          coalesce_hint: hint,
        });
        position += chunk.length;
        return event;
      });
      session.producer.emit(...events.slice(0, -1));
      await mustBeAlive(session);
      const { items } = await readPresented(context);
      const announcedPiece = items.find(({ text, event_id: itemId }) =>
        itemId === undefined ? pieces.includes(text) : events.some((event) => event.event_id === itemId),
      );
      context.expect(
        "AAEP-STRM-009",
        announcedPiece === undefined,
        `the piece "${announcedPiece?.text}" is announced separately`,
      );
      session.producer.emit(events.at(-1) as JsonObject);
    },
  }),
  toSubscriber({
    name: "bursts",
    says: "a burst at the declared rate is handled",
    rules: ["AAEP-BP-008"],
    async play(context) {
      requireLevel(context, 3);
      const session = await connect(context);
      if (!(await isPresented(session, "tool.invoked"))) throw new TargetSkip("calls are never presented");
      const { capabilities } = session.producer.requests.at(-1) ?? {};
      const { max_events_per_second: rate = 50 } = (capabilities ?? {}) as JsonObject;
      const events = Array.from({ length: Math.min(200, Number(rate)) }, () => session.script.event("tool.invoked"));
      session.producer.emit(...events);
      // An overloaded subscriber may recover, but has still lost events.
      if (!(await awaitFence(session))) await mustBeAlive(session);
      const { items } = await readPresented(context);
      const missingEvents = events.filter((event) => !items.some(matcherOf(event)));
      const why = `${missingEvents.length} of ${events.length} calls in a burst are not presented, at a declared rate of ${rate}`;
      context.expect("AAEP-BP-008", missingEvents.length === 0, why);
    },
  }),
  toSubscriber({
    name: "critical-amid-noise",
    says: "no critical event is lost among many others",
    rules: ["AAEP-BP-009"],
    async play(context) {
      const session = await connect(context);
      const makeNoise = (): JsonObject[] => Array.from({ length: 300 }, () => session.script.event("progress.updated"));
      const criticalEvents: JsonObject[] = [];
      for (let burst = 0; burst < 3; burst++) {
        session.producer.emit(...makeNoise());
        criticalEvents.push(sendEvent(session, "handoff.requested"));
      }
      session.producer.emit(...makeNoise());
      for (const event of criticalEvents) {
        const items = await findPresented(session, event);
        context.expect("AAEP-BP-009", items !== undefined, "a critical event among 1200 others is not presented");
      }
    },
  }),
];
