import {
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { requireLevel } from "../subscribing/producer-facts.ts";
import { closeMessage, usualCapabilities } from "../subscribing/request.ts";
import { beginWaitingSession, conductOf } from "./conduct.ts";
import { awaitExpiryOrLate, expireQuestion, graceOf, letDeadlinesApproach, timeoutSecondsOf } from "./expiry.ts";
import { mustNotBeDone } from "./ignoring.ts";
import { clockMovesTimeouts } from "./passing-time.ts";
import { toProducer } from "./scenario.ts";
import {
  type AskedSession,
  awaitContinuation,
  awaitDueEvent,
  awaitDueEventOn,
  awaitEnd,
  awaitFence,
  awaitQuestion,
  beginSession,
  endsQuestion,
  findEvent,
  indexOf,
  mayEndQuestion,
  nameOf,
  sendReply,
} from "./session.ts";

/**
 * The requested timeouts of questions in seconds: for real waiting, and for a clock that moves deadlines. The latter are
 * longer, so that a late default is not mistaken for a timer that the clock does not move.
 */
const requestedSeconds = { waiting: 3, moving: 8, long: 60 };

/** Begins a session with a question that expires soon. Returns the session and the timeout in seconds. */
async function askBriefly(
  context: ScenarioContext,
  task: "irreversible" | "reversible",
  startOptions: JsonObject = {},
): Promise<[AskedSession, number]> {
  const timeout_seconds = (await clockMovesTimeouts(context)) ? requestedSeconds.moving : requestedSeconds.waiting;
  const askedSession = await beginWaitingSession(await openSubscription(context), context, task, {
    timeout_seconds,
    ...startOptions,
  });
  return [askedSession, await timeoutSecondsOf(askedSession)];
}

/** Whether the producer never carries out accepted actions, which is allowed (A64). */
async function neverActs(context: ScenarioContext): Promise<boolean> {
  const { actsEarly, actionDelay } = await conductOf(context);
  return !actsEarly && actionDelay === undefined;
}

/** The capabilities of a subscriber that cannot answer, and therefore claims only level 1. */
const muteCapabilities = {
  ...usualCapabilities,
  supports_confirmation_reply: false,
  supported_conformance_levels: [1],
};

/** Opens a subscription that receives events but cannot answer. Skips if there is no handshake, because then every subscription can answer. */
async function openWatcher(context: ScenarioContext): Promise<OpenSubscription> {
  const subscription = await openSubscription(context, {
    name: "watching",
    capabilities: { supports_confirmation_reply: false },
  });
  if (subscription.accepted !== undefined) return subscription;
  throw new TargetSkip("without a handshake every subscription can answer");
}

export const timeoutScenarios: readonly Scenario[] = [
  toProducer({
    name: "timeout-rejects",
    says: "after the timeout of a question with the default reject nothing is done, and an event shows it",
    rules: ["AAEP-TMO-001", "AAEP-TMO-003"],
    waits: 6000,
    async play(context) {
      const [askedSession, seconds] = await askBriefly(context, "irreversible");
      if (askedSession.question.default_decision !== "reject") throw new TargetSkip("its default is not reject");
      const expiry = await awaitExpiryOrLate(askedSession);
      context.expect(
        "AAEP-TMO-001",
        expiry !== undefined,
        `no default was applied ${seconds} s after the question, or later`,
      );
      if (expiry === undefined)
        return context.skip("AAEP-TMO-003", "the question did not expire, so no default was applied");
      const { delay, apparentDelay } = expiry;
      if (apparentDelay !== undefined)
        context.skip(
          "AAEP-TMO-001",
          `the default of a question for ${seconds} s was applied ${apparentDelay}, and the suite may have caused part of the delay`,
        );
      context.expect(
        "AAEP-TMO-001",
        delay === undefined,
        `the default of a question for ${seconds} s was applied ${delay}`,
      );
      await awaitEnd(askedSession);
      const why = "the action was carried out although the default is reject";
      await mustNotBeDone(askedSession, { rule: "AAEP-TMO-003", why });
    },
  }),
  toProducer({
    name: "timeout-accepts",
    says: "after the timeout of a question with the default accept, the tool is called",
    rules: ["AAEP-TMO-004"],
    waits: 5000,
    async play(context) {
      const [askedSession, seconds] = await askBriefly(context, "reversible", { default_decision: "accept" });
      if (askedSession.question.default_decision !== "accept") throw new TargetSkip("its default is not accept");
      await expireQuestion(askedSession, graceOf(context, seconds));
      if ((await awaitContinuation(askedSession)) === undefined)
        throw new TargetSkip("the question did not expire, so no default was applied");
      const isCall = (event: JsonObject): boolean => nameOf(event) === "tool.invoked";
      const isDue = (event: JsonObject): boolean => isCall(event) || /^session\.(?:c|e)/.test(nameOf(event));
      const callOrEnd = await awaitDueEvent(context, (milliseconds) =>
        findEvent(askedSession, isDue, askedSession.arrivalIndex, milliseconds),
      );
      // A producer that does not proceed has no call to announce (A64).
      if (callOrEnd !== undefined && /^session\.(?:errored|cancelled)$/.test(nameOf(callOrEnd)))
        return context.skip("AAEP-TMO-004", "the session has failed, so no call was due");
      const isCalled = callOrEnd !== undefined && isCall(callOrEnd);
      if (!isCalled && (await neverActs(context)))
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
      const isMoved = await clockMovesTimeouts(context);
      const [askedSession, seconds] = await askBriefly(
        context,
        "irreversible",
        isMoved ? { timeout_seconds: requestedSeconds.long } : {},
      );
      await letDeadlinesApproach(context, seconds * 600);
      await awaitFence(askedSession.subscription, context);
      await letDeadlinesApproach(context, seconds * 400 + graceOf(context, seconds));
      const nextEvent = await findEvent(askedSession, endsQuestion, askedSession.arrivalIndex + 1);
      if (nextEvent === undefined) throw new TargetSkip("the question did not expire, so no default was applied");
      const haveFractions = [nextEvent, askedSession.question].every(({ timestamp }) =>
        String(timestamp).includes("."),
      );
      const elapsed = Date.parse(String(nextEvent.timestamp)) - Date.parse(String(askedSession.question.timestamp));
      const why = `a question for ${seconds} s was given up after ${elapsed / 1000} s`;
      context.expect("AAEP-TMO-002", elapsed >= seconds * 1000 - (haveFractions ? 500 : 1500), why);
    },
  }),
  toProducer({
    name: "gone-by-closing",
    says: "when the only subscriber that could answer closes its subscription, the default is applied immediately",
    rules: ["AAEP-TMO-005", "AAEP-TRN-006"],
    async play(context) {
      const watcher = await openWatcher(context);
      const subscription = await openSubscription(context);
      const askedSession = await beginWaitingSession(subscription, context, "irreversible");
      // Earlier messages may be in transit, and are not the default.
      await awaitFence(watcher, context);
      const arrivalsBefore = watcher.inbox.arrivals.length;
      subscription.inbox.expectEnd();
      await sendReply(subscription, closeMessage(subscription.id));
      const nextEvent = await awaitDueEventOn(watcher, context, (milliseconds) =>
        findEvent({ ...askedSession, subscription: watcher }, mayEndQuestion, arrivalsBefore, milliseconds),
      );
      const why = "the question still waits after the last subscriber that could answer has left";
      context.expect("AAEP-TMO-005", nextEvent !== undefined, why);
      await judgeNotice(context, subscription, nextEvent);
    },
  }),
  toProducer({
    name: "gone-by-breaking",
    says: "when the connection of the only subscriber that could answer breaks, the default is applied",
    rules: ["AAEP-HS-023", "AAEP-TRN-006"],
    async play(context) {
      const watcher = await openWatcher(context);
      const subscription = await openSubscription(context);
      const askedSession = await beginWaitingSession(subscription, context, "irreversible");
      // Earlier messages may be in transit, and are not the default.
      await awaitFence(watcher, context);
      const arrivalsBefore = watcher.inbox.arrivals.length;
      subscription.cut();
      let nextEvent = await findEvent({ ...askedSession, subscription: watcher }, mayEndQuestion, arrivalsBefore);
      if (nextEvent === undefined) {
        // Some producers only notice it when they send the next message.
        await awaitFence(watcher, context);
        nextEvent = await findEvent({ ...askedSession, subscription: watcher }, mayEndQuestion, arrivalsBefore);
        const warning = "a lost connection is noticed only when the next event is sent";
        if (nextEvent !== undefined) context.expect("AAEP-HS-023", false, warning, "SHOULD");
      }
      const why = "the question still waits although the connection of the only subscriber that could answer is lost";
      context.expect("AAEP-HS-023", nextEvent !== undefined, why);
      if (nextEvent === undefined) context.skip("AAEP-TRN-006", "nothing shows whether it has noticed the break");
      else context.expect("AAEP-TRN-006", true, "");
    },
  }),
  toProducer({
    name: "nobody-to-answer",
    says: "if no subscriber can answer, the default is applied immediately",
    rules: ["AAEP-TMO-006"],
    async play(context) {
      requireLevel(context, 3);
      for (const capabilities of [muteCapabilities, {}]) {
        const subscription = await openSubscription(context, { capabilities, name: "mute" });
        const session = await beginSession(subscription, context, "irreversible", { timeout_seconds: 600 });
        const question = await awaitQuestion(session);
        const fromIndex =
          question === undefined ? subscription.inbox.arrivals.length : indexOf(subscription.inbox, question) + 1;
        const nextEvent =
          question === undefined
            ? await awaitEnd(session, 2 * boundOf(context, "event"))
            : await findEvent(session, mayEndQuestion, fromIndex);
        if (nextEvent === undefined) await awaitFence(subscription, context);
        const detail = question === undefined ? "" : ", after a question";
        context.expect(
          "AAEP-TMO-006",
          nextEvent !== undefined,
          `no subscriber can answer, and it still waits${detail}`,
        );
        subscription.cut();
      }
    },
  }),
];

/** Judges whether the producer has forgotten a closed subscription once it has applied the default. */
async function judgeNotice(
  context: ScenarioContext,
  subscription: OpenSubscription,
  nextEvent: JsonObject | undefined,
): Promise<void> {
  const rule = "AAEP-TRN-006";
  if (nextEvent === undefined) return context.skip(rule, "nothing shows whether it has noticed the close");
  if (!context.has("subscriptions")) {
    const why = 'it has noticed the close, and only the hook "subscriptions" shows whether it forgets the subscription';
    return context.skip(rule, why, missingNeeds("subscriptions"));
  }
  const { subscriptions } = await context.hook("subscriptions", {});
  const isStillListed = Array.isArray(subscriptions) && subscriptions.includes(subscription.id);
  context.expect(rule, !isStillListed, `it still lists ${subscription.id}, which was closed`);
}
