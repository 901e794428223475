import {
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { requireLevel } from "../subscribing/producer-facts.ts";
import { closeMessage, usualRequest } from "../subscribing/request.ts";
import { askedOf, conductOf } from "./conduct.ts";
import { dueAtLast, elapse, expire, grace, secondsOf } from "./expiry.ts";
import { mustNotBeDone } from "./ignoring.ts";
import { movesTimeouts } from "./lapse.ts";
import { toProducer } from "./scenario.ts";
import {
  type AskedSession,
  answer,
  awaitContinuation,
  awaitEnd,
  awaitFence,
  beginSession,
  follow,
  indexOf,
  nameOf,
  questionOf,
  showsEnd,
  showsGivenUp,
  waitForDue,
  waitForDueOn,
} from "./story.ts";

/** The requested seconds of a question: more with a clock that moves deadlines, so that a late default is not mistaken for a timer that the clock does not move. */
const asksFor = { waiting: 3, moving: 8, long: 60 };

/** A question that expires soon, with its seconds. */
async function askBriefly(
  context: ScenarioContext,
  task: "irreversible" | "reversible",
  more: JsonObject = {},
): Promise<[AskedSession, number]> {
  const timeout_seconds = (await movesTimeouts(context)) ? asksFor.moving : asksFor.waiting;
  const asked = await askedOf(await openLine(context), context, task, { timeout_seconds, ...more });
  return [asked, await secondsOf(asked)];
}

/** Whether the producer never carries out accepted actions, which is allowed (A64). */
async function actsNever(context: ScenarioContext): Promise<boolean> {
  const { isEarly, acts } = await conductOf(context);
  return !isEarly && acts === undefined;
}

/** A subscriber that cannot answer claims only the first level. */
const muteRequest = { ...usualRequest, supports_confirmation_reply: false, supported_conformance_levels: [1] };

/** Opens a subscription that watches and cannot answer. Skips if there is none, because there is no handshake. */
async function openWatcher(context: ScenarioContext): Promise<Line> {
  const line = await openLine(context, { name: "watching", capabilities: { supports_confirmation_reply: false } });
  if (line.accepted !== undefined) return line;
  throw new TargetSkip("without a handshake every subscription can answer");
}

export const timeouts: readonly Scenario[] = [
  toProducer({
    name: "timeout-rejects",
    says: "after the timeout of a question with the default reject nothing is done, and an event shows it",
    rules: ["AAEP-TMO-001", "AAEP-TMO-003"],
    waits: 6000,
    async play(context) {
      const [asked, seconds] = await askBriefly(context, "irreversible");
      if (asked.question.default_decision !== "reject") throw new TargetSkip("its default is not reject");
      const next = await dueAtLast(asked);
      context.expect(
        "AAEP-TMO-001",
        next !== undefined,
        `no default was applied ${seconds} s after the question, or later`,
      );
      if (next === undefined)
        return context.skip("AAEP-TMO-003", "the question did not expire, so that no default was applied");
      const { late, seeming } = next;
      if (seeming !== undefined)
        context.skip(
          "AAEP-TMO-001",
          `the default of a question for ${seconds} s was applied ${seeming}, and the time of the suite may be a part of that`,
        );
      context.expect(
        "AAEP-TMO-001",
        late === undefined,
        `the default of a question for ${seconds} s was applied ${late}`,
      );
      await awaitEnd(asked);
      const why = "the action was carried out although the default is reject";
      await mustNotBeDone(asked, { rule: "AAEP-TMO-003", why });
    },
  }),
  toProducer({
    name: "timeout-accepts",
    says: "after the timeout of a question with the default accept, the tool is called",
    rules: ["AAEP-TMO-004"],
    waits: 5000,
    async play(context) {
      const [asked, seconds] = await askBriefly(context, "reversible", { default_decision: "accept" });
      if (asked.question.default_decision !== "accept") throw new TargetSkip("its default is not accept");
      await expire(asked, grace(context, seconds));
      if ((await awaitContinuation(asked)) === undefined)
        throw new TargetSkip("the question did not expire, so that no default was applied");
      const isCall = (event: JsonObject): boolean => nameOf(event) === "tool.invoked";
      const isDue = (event: JsonObject): boolean => isCall(event) || /^session\.(?:c|e)/.test(nameOf(event));
      const called = await waitForDue(context, (milliseconds) => follow(asked, isDue, asked.at, milliseconds));
      // A producer that does not proceed has no call to announce (A64).
      if (called !== undefined && /^session\.(?:errored|cancelled)$/.test(nameOf(called)))
        return context.skip("AAEP-TMO-004", "the session has failed, so that no call was due");
      const isCalled = called !== undefined && isCall(called);
      if (!isCalled && (await actsNever(context)))
        return context.skip("AAEP-TMO-004", "it carries out no accepted action, which is allowed", {
          kind: "not-shown",
        });
      context.expect("AAEP-TMO-004", isCalled, "no tool.invoked follows although the default is accept");
    },
  }),
  toProducer({
    name: "timeout-begins",
    says: "the timeout of a question runs from its timestamp, and is not cut short",
    rules: ["AAEP-TMO-002"],
    waits: 5000,
    async play(context) {
      const isMoved = await movesTimeouts(context);
      const [asked, seconds] = await askBriefly(
        context,
        "irreversible",
        isMoved ? { timeout_seconds: asksFor.long } : {},
      );
      await elapse(context, seconds * 600);
      await awaitFence(asked.line, context);
      await elapse(context, seconds * 400 + grace(context, seconds));
      const next = await follow(asked, showsGivenUp, asked.at + 1);
      if (next === undefined) throw new TargetSkip("the question did not expire, so that no default was applied");
      const isExact = [next, asked.question].every(({ timestamp }) => String(timestamp).includes("."));
      const waited = Date.parse(String(next.timestamp)) - Date.parse(String(asked.question.timestamp));
      const why = `a question for ${seconds} s was given up after ${waited / 1000} s`;
      context.expect("AAEP-TMO-002", waited >= seconds * 1000 - (isExact ? 500 : 1500), why);
    },
  }),
  toProducer({
    name: "gone-by-closing",
    says: "when the only subscriber that could answer closes its subscription, the default is applied at once",
    rules: ["AAEP-TMO-005", "AAEP-TRN-006"],
    async play(context) {
      const watcher = await openWatcher(context);
      const line = await openLine(context);
      const asked = await askedOf(line, context, "irreversible");
      // An earlier message in transit is not an answer.
      await awaitFence(watcher, context);
      const from = watcher.inbox.arrivals.length;
      line.inbox.expectEnd();
      await answer(line, closeMessage(line.id));
      const next = await waitForDueOn(watcher, context, (milliseconds) =>
        follow({ ...asked, line: watcher }, showsEnd, from, milliseconds),
      );
      const why = "the question still waits after the last subscriber that could answer has left";
      context.expect("AAEP-TMO-005", next !== undefined, why);
      await judgeNotice(context, line, next);
    },
  }),
  toProducer({
    name: "gone-by-breaking",
    says: "when the connection of the only subscriber that could answer breaks, the default is applied",
    rules: ["AAEP-HS-023", "AAEP-TRN-006"],
    async play(context) {
      const watcher = await openWatcher(context);
      const line = await openLine(context);
      const asked = await askedOf(line, context, "irreversible");
      // An earlier message in transit is not an answer.
      await awaitFence(watcher, context);
      const from = watcher.inbox.arrivals.length;
      line.cut();
      let next = await follow({ ...asked, line: watcher }, showsEnd, from);
      if (next === undefined) {
        // Some producers notice it only when they next send something.
        await awaitFence(watcher, context);
        next = await follow({ ...asked, line: watcher }, showsEnd, from);
        const late = "a lost connection is noticed only when the next event is sent";
        if (next !== undefined) context.expect("AAEP-HS-023", false, late, "SHOULD");
      }
      const why = "the question still waits although the connection of the only subscriber that could answer is lost";
      context.expect("AAEP-HS-023", next !== undefined, why);
      if (next === undefined) context.skip("AAEP-TRN-006", "nothing shows whether it has noticed the break");
      else context.expect("AAEP-TRN-006", true, "");
    },
  }),
  toProducer({
    name: "nobody-to-answer",
    says: "if no subscriber can answer, the default is applied at once",
    rules: ["AAEP-TMO-006"],
    async play(context) {
      requireLevel(context, 3);
      for (const capabilities of [muteRequest, {}]) {
        const line = await openLine(context, { capabilities, name: "mute" });
        const story = await beginSession(line, context, "irreversible", { timeout_seconds: 600 });
        const question = await questionOf(story);
        const from = question === undefined ? line.inbox.arrivals.length : indexOf(line.inbox, question) + 1;
        const next =
          question === undefined
            ? await awaitEnd(story, 2 * boundOf(context, "event"))
            : await follow(story, showsEnd, from);
        if (next === undefined) await awaitFence(line, context);
        const how = question === undefined ? "" : ", after a question";
        context.expect("AAEP-TMO-006", next !== undefined, `no subscriber can answer, and it still waits${how}`);
        line.cut();
      }
    },
  }),
];

/** A producer that applies the default has noticed the closed subscription, and must not keep it. It may keep a broken connection for a resumption. */
async function judgeNotice(context: ScenarioContext, line: Line, next: JsonObject | undefined): Promise<void> {
  const rule = "AAEP-TRN-006";
  if (next === undefined) return context.skip(rule, "nothing shows whether it has noticed the close");
  if (!context.has("subscriptions")) {
    const why = 'it has noticed the close, and only the hook "subscriptions" shows whether it forgets the subscription';
    return context.skip(rule, why, missingNeeds("subscriptions"));
  }
  const { subscriptions } = await context.hook("subscriptions", {});
  const isHeld = Array.isArray(subscriptions) && subscriptions.includes(line.id);
  context.expect(rule, !isHeld, `it still lists ${line.id}, which was closed`);
}
