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
import { readProducerFacts } from "../subscribing/producer-facts.ts";
import { usualCapabilities } from "../subscribing/request.ts";
import { effectsOf, evidenceOf } from "./actions.ts";
import { beginWaitingSession, conductOf, observeConduct } from "./conduct.ts";
import { graceOf } from "./expiry.ts";
import { mustNotBeDone, rejectOpen } from "./ignoring.ts";
import { clockMovesTimeouts, waitUntilDone } from "./passing-time.ts";
import { toProducer } from "./scenario.ts";
import { createBreachFinder } from "./sequence.ts";
import {
  type AskedSession,
  awaitContinuation,
  awaitDueEventOn,
  awaitEnd,
  awaitFence,
  awaitQuestion,
  beginSession,
  findEvent,
  makeConfirmation,
  mustBeAlive,
  nameOf,
  sendReply,
  withQuestion,
} from "./session.ts";

const questionPatterns = ["aaep:agent.awaiting.*"];

/** Scenarios on the subscribers that are asked for consent, and on the time of the action. */
export const consentScenarios: readonly Scenario[] = [
  toProducer({
    name: "consent-awaited",
    says: "nothing is done before an acceptance, and then the action is announced first",
    rules: ["AAEP-CONF-020", "AAEP-TOOL-003"],
    waits: 6000,
    async play(context) {
      const { conduct, askedSession } = await observeConduct(context);
      const { actsEarly, invisibility } = conduct;
      const earlyReason = "the action was carried out while its question was open";
      if (actsEarly) return context.expect("AAEP-CONF-020", false, earlyReason, evidenceOf(askedSession));
      if (invisibility === undefined) context.expect("AAEP-CONF-020", true, "");
      else context.skip("AAEP-CONF-020", invisibility.why, invisibility.cause);
      const effects = await effectsOf(askedSession);
      const [effect] = effects ?? [];
      if (effects === undefined)
        return context.skip("AAEP-TOOL-003", 'needs the hook "effects", which is not given', missingNeeds("effects"));
      if (effect === undefined) return context.skip("AAEP-TOOL-003", "nothing was done, although it was accepted");
      const isCallOfEffect = (event: JsonObject): boolean =>
        nameOf(event) === "tool.invoked" && event.tool === effect.tool;
      const call = await awaitDueEventOn(askedSession.subscription, context, (milliseconds = 500) =>
        findEvent(askedSession, isCallOfEffect, 0, milliseconds),
      );
      const haveFractions = [effect.at, String(call?.timestamp)].every((timestamp) => timestamp.includes("."));
      const [effectTime, callTime] = [effect.at, String(call?.timestamp)].map((timestamp) => {
        const time = Date.parse(timestamp);
        return haveFractions ? time : Math.floor(time / 1000);
      }) as [number, number];
      const isAnnouncedFirst = call !== undefined && effectTime >= callTime;
      const callText =
        call === undefined ? "no tool.invoked arrived" : `tool.invoked has the timestamp ${call.timestamp}`;
      context.expect("AAEP-TOOL-003", isAnnouncedFirst, `the tool took effect at ${effect.at}, and ${callText}`, {
        texts: [...(call === undefined ? [] : [String(call.event_id)]), `"at":${JSON.stringify(effect.at)}`],
      });
    },
  }),
  toProducer({
    name: "consent-asked",
    says: "an irreversible action needs a question first",
    rules: ["AAEP-TOOL-016"],
    waits: 6000,
    async play(context) {
      const subscription = await openSubscription(context);
      const session = await beginSession(subscription, context, "irreversible");
      const question = await awaitQuestion(session);
      if (question !== undefined) {
        const askedSession = withQuestion(session, question);
        await rejectOpen(askedSession);
        const { actsEarly } = await conductOf(context);
        if (actsEarly) return context.skip("AAEP-TOOL-016", "it asks, and acts before an answer is possible");
        return context.expect("AAEP-TOOL-016", true, "");
      }
      await mustBeAlive(context);
      const findCall = (): Promise<JsonObject | undefined> =>
        findEvent(session, (event) => nameOf(event) === "tool.invoked", 0, 0);
      const hasActed = async (): Promise<boolean> => {
        const effects = await effectsOf(session);
        return effects === undefined ? (await findCall()) !== undefined : effects.length > 0;
      };
      const actedInTime =
        (await waitUntilDone(context, readProducerFacts(context).actionSeconds * 1000, hasActed)) !== undefined;
      const call = await findCall();
      if (!actedInTime) throw new TargetSkip("there was neither a question nor an action");
      context.expect("AAEP-TOOL-016", false, "an irreversible action was carried out without a question", {
        texts: [...(call === undefined ? [] : [String(call.event_id)]), session.id],
      });
    },
  }),
  toProducer({
    name: "consent-shared",
    says: "every subscription that can reply receives questions regardless of its filters, and learns the result",
    rules: ["AAEP-CONF-034", "AAEP-CONF-030"],
    async play(context) {
      const subscription = await openSubscription(context);
      const filteringCapabilities = {
        ...usualCapabilities,
        event_filters: { include: ["aaep:agent.*"], exclude: questionPatterns },
      };
      const filteringSubscription = await openSubscription(context, {
        capabilities: filteringCapabilities,
        name: "filtering",
      });
      if (filteringSubscription.accepted === undefined)
        throw new TargetSkip("without a handshake a producer knows no filter, and sends the same events to all");
      const askedSession = await beginWaitingSession(subscription, context, "irreversible");
      await awaitFence(filteringSubscription, context);
      const { reply_token: token } = askedSession.question;
      const questionIndex = filteringSubscription.inbox.arrivals.findIndex(
        ({ message }) => message.reply_token === token,
      );
      context.expect(
        "AAEP-CONF-034",
        questionIndex !== -1,
        "a subscription that can reply was not asked, because it filters questions out",
      );
      // Events before the reply, such as a waiting state, are not the result.
      const arrivalsBefore = filteringSubscription.inbox.arrivals.length;
      if (!(await rejectOpen(askedSession)))
        return context.skip("AAEP-CONF-030", "a rejection had no effect, so there is no result to report");
      await awaitFence(filteringSubscription, context);
      const getsResult = filteringSubscription.inbox.arrivals
        .slice(arrivalsBefore)
        .some(({ message }) => message.session_id === askedSession.id);
      if (questionIndex === -1) return context.skip("AAEP-CONF-030", "this subscription was not asked");
      context.expect(
        "AAEP-CONF-030",
        getsResult,
        "one of the two subscriptions that were asked does not receive the result",
      );
    },
  }),
  toProducer({
    name: "consent-cancelled",
    says: "the questions of a cancelled session are void, and nothing follows its end",
    rules: ["AAEP-CONF-031", "AAEP-LIFE-003", "AAEP-LIFE-004"],
    needs: ["start", "cancel"],
    async play(context) {
      const subscription = await openSubscription(context);
      const askedSession = await beginWaitingSession(subscription, context, "irreversible");
      await context.hook("cancel", { session_id: askedSession.id });
      const end = await awaitEnd(askedSession);
      if (end === undefined) await mustBeAlive(context);
      else if (nameOf(end) === "session.completed") {
        const why =
          "a session that is cancelled while it asks ends with session.completed instead of session.cancelled";
        context.expect("AAEP-CONF-031", false, why, "SHOULD", { texts: [String(end.event_id)] });
      }
      await awaitFence(subscription, context);
      const findBreach = await createBreachFinder(context, subscription, {
        isOwnSession: (id) => id === askedSession.id,
        mayBeIncomplete: true,
      });
      for (const rule of ["AAEP-LIFE-003", "AAEP-LIFE-004"]) {
        const breach = findBreach?.(rule);
        if (breach !== undefined) context.expect(rule, false, breach.why, breach.level);
        else if (end !== undefined) context.expect(rule, true, "");
        else if (rule === "AAEP-LIFE-004") context.skip(rule, "nothing shows that the session is over");
      }
      const reply = await makeConfirmation(askedSession, "accept");
      await subscription.send(reply);
      await awaitFence(subscription, context);
      const why = "an acceptance took effect after the session was cancelled";
      const isVoid = await mustNotBeDone(askedSession, { rule: "AAEP-CONF-031", why, replies: [reply] });
      if (end === undefined) await judgeEnd(askedSession, isVoid);
      if (isVoid) await expectNoDefault(context, subscription);
    },
  }),
  toProducer({
    name: "consent-dropped",
    says: "the producer announces a dropped action, and its token no longer counts",
    rules: ["AAEP-CONF-032"],
    needs: ["start", "drop"],
    async play(context) {
      const subscription = await openSubscription(context);
      const askedSession = await beginWaitingSession(subscription, context, "irreversible");
      await context.hook("drop", { session_id: askedSession.id });
      const isSign = (event: JsonObject): boolean =>
        nameOf(event) === "state.changed" && /^(?:thinking|deciding)$/.test(String(event.to_state));
      const signEvent = await awaitDueEventOn(subscription, context, (milliseconds) =>
        findEvent(askedSession, isSign, askedSession.arrivalIndex + 1, milliseconds),
      );
      const why = "no change of state to thinking or deciding shows that the action was dropped";
      context.expect("AAEP-CONF-032", signEvent !== undefined, why);
      const reply = await makeConfirmation(askedSession, "accept");
      await subscription.send(reply);
      await awaitFence(subscription, context);
      const tokenReason = "the token of a dropped question still counts";
      await mustNotBeDone(askedSession, { rule: "AAEP-CONF-032", why: tokenReason, replies: [reply] });
    },
  }),
  toProducer({
    name: "consent-modified",
    says: "a modified action counts as a rejection if the producer does not support it",
    rules: ["AAEP-RPL-017"],
    waits: 6000,
    async play(context) {
      const supportsModification = context.setting.options?.modified_action;
      if (supportsModification !== false)
        throw new TargetSkip(
          "needs options.modified_action: false, meaning that it is not supported",
          missingNeeds("options.modified_action"),
        );
      const askedSession = await beginWaitingSession(await openSubscription(context), context, "irreversible");
      const reply = await makeConfirmation(askedSession, "accept", { modified_action: { amount: 60 } });
      await sendReply(askedSession.subscription, reply);
      const continuation = await awaitContinuation(askedSession);
      if (continuation !== undefined) await awaitEnd(askedSession);
      else if (!(await rejectOpen(askedSession))) await mustBeAlive(context);
      const why = "an acceptance with a modified action was carried out";
      await mustNotBeDone(askedSession, { rule: "AAEP-RPL-017", why, replies: [reply] });
    },
  }),
  toProducer({
    name: "tool-given-up",
    says: "a call without a result is closed with a timeout",
    rules: ["AAEP-TOOL-012"],
    waits: 20_000,
    async play(context) {
      const subscription = await openSubscription(context);
      const session = await beginSession(subscription, context, "hanging");
      const call = await findEvent(session, (event) => nameOf(event) === "tool.invoked");
      if (call === undefined) throw new TargetSkip("no tool was called");
      if (context.has("clock")) await context.pass(600_000);
      if ((await awaitEnd(session, boundOf(context, "given-up"))) === undefined)
        throw new TargetSkip("the producer has not given up the call");
      const completion = await findEvent(
        session,
        (event) => nameOf(event) === "tool.completed" && completesCall(call, event),
        0,
        0,
      );
      // Another rule judges incomplete events.
      if (completion !== undefined && completion.status === undefined)
        throw new TargetSkip("its tool.completed has no status");
      const status = completion === undefined ? "there is no tool.completed" : `status "${completion.status}"`;
      context.expect(
        "AAEP-TOOL-012",
        completion?.status === "timeout",
        `a call without a result is closed with ${status}`,
      );
    },
  }),
];

/** Judges whether an event closes a cancelled session, however late. If a reply still counts, the session may not have been cancelled. */
async function judgeEnd(askedSession: AskedSession, isVoid: boolean): Promise<void> {
  const { context } = askedSession;
  const { invisibility } = await conductOf(context);
  const isClosed = (await awaitEnd(askedSession)) !== undefined;
  if (isClosed || (isVoid && invisibility === undefined))
    context.expect("AAEP-LIFE-003", isClosed, "no event closes a session that was cancelled, as its question shows");
  else context.skip("AAEP-LIFE-003", "nothing shows that the session is over");
}

/** Expects that the default of a question is not applied after its session was cancelled: neither immediately nor after the deadline. */
async function expectNoDefault(context: ScenarioContext, subscription: OpenSubscription): Promise<void> {
  const askedSession = await beginWaitingSession(subscription, context, "reversible", {
    default_decision: "accept",
    timeout_seconds: 60,
  }).catch((error: unknown) => {
    if (error instanceof TargetSkip) return undefined;
    throw error;
  });
  if (askedSession === undefined || askedSession.question.default_decision !== "accept") return;
  await context.hook("cancel", { session_id: askedSession.id });
  await awaitEnd(askedSession);
  await awaitFence(subscription, context);
  const seconds = Number(askedSession.question.timeout_seconds);
  if (await clockMovesTimeouts(context)) await context.pass(seconds * 1000 + graceOf(context, seconds));
  const why = "the default of a question, accept, was applied although its session was cancelled";
  await mustNotBeDone(askedSession, { rule: "AAEP-CONF-031", why });
}

/** Whether a completion belongs to a call, by its id or else by the name of the tool. */
function completesCall(call: JsonObject, { tool, tool_call_id: id }: JsonObject): boolean {
  return call.tool_call_id === undefined ? tool === call.tool : id === call.tool_call_id;
}
