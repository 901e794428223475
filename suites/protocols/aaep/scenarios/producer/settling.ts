import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { readProducerFacts } from "../subscribing/producer-facts.ts";
import { effectsOf, evidenceOf } from "./actions.ts";
import { actionTimeLimit, beginWaitingSession, conductOf, hasActedInTime } from "./conduct.ts";
import { forgeToken, timestampAfterDeadline } from "./forgery.ts";
import { mustBeIgnored, mustNotBeDone, rejectOpen } from "./ignoring.ts";
import { waitUntilDone } from "./passing-time.ts";
import { toProducer } from "./scenario.ts";
import {
  type AskedSession,
  awaitEnd,
  awaitFence,
  beginAskedSession,
  findEvent,
  makeClarification,
  makeConfirmation,
  mayEndQuestion,
  nameOf,
  sendReply,
} from "./session.ts";

/** Rejects a question that only allows acceptance, and expects that it can still be accepted. */
async function expectAcceptableAfterDisallowed(
  subscription: OpenSubscription,
  context: ScenarioContext,
): Promise<void> {
  const startOptions = { default_decision: "accept", allowed_replies: ["accept"] };
  const askQuestion = (): Promise<AskedSession | undefined> =>
    beginWaitingSession(subscription, context, "reversible", startOptions).catch((error) => {
      // If there is no such question, the results of other questions still count.
      if (error instanceof TargetSkip) return undefined;
      throw error;
    });
  const probeSession = await askQuestion();
  const { allowed_replies: allowedReplies } = probeSession?.question ?? {};
  if (probeSession === undefined || !Array.isArray(allowedReplies) || allowedReplies.includes("reject")) return;
  await sendReply(subscription, await makeConfirmation(probeSession, "accept"));
  const askedSession = (await hasActedInTime(probeSession)) ? await askQuestion() : undefined;
  if (askedSession === undefined) return;
  const reply = await makeConfirmation(askedSession, "reject");
  await subscription.send(reply);
  await awaitFence(subscription, context);
  if (await hasActedInTime(askedSession)) return;
  await sendReply(subscription, await makeConfirmation(askedSession, "accept"));
  await awaitEnd(askedSession);
  const why = "a valid reply (accept) had no effect after a rejection that the question does not allow";
  context.expect("AAEP-RPL-016", await hasActedInTime(askedSession), why, evidenceOf(askedSession, reply));
}

/** The maximum number of attempts to reject an accepted action before it is carried out. */
const maxAttempts = 3;

/** Expects that a later rejection does not stop an accepted action. Only an action that is slower than the rejection shows this. */
async function expectStillAccepted(
  firstSubscription: OpenSubscription,
  otherSubscription: OpenSubscription,
  context: ScenarioContext,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const askedSession = await beginWaitingSession(firstSubscription, context, "irreversible");
    const hasActed = async (): Promise<boolean> => ((await effectsOf(askedSession)) ?? []).length > 0;
    await sendReply(firstSubscription, await makeConfirmation(askedSession, "accept"));
    await otherSubscription.send(
      await makeConfirmation({ ...askedSession, subscription: otherSubscription }, "reject"),
    );
    const isBeforeAction = !(await hasActed());
    const isCarriedOut = (await waitUntilDone(context, actionTimeLimit(context), hasActed)) !== undefined;
    const end = await awaitEnd(askedSession, 0);
    if (!isCarriedOut && end !== undefined && nameOf(end) !== "session.completed")
      throw new TargetSkip("the session of an accepted action failed");
    const why = "an accepted action was not carried out after a later rejection";
    if (isBeforeAction) return context.expect("AAEP-RPL-015", isCarriedOut, why);
  }
  context.skip("AAEP-RPL-015", "accepted actions were carried out before a rejection could arrive");
}

/** Scenarios on several replies: which of them counts, for which question, and how each is answered. */
export const settlingScenarios: readonly Scenario[] = [
  toProducer({
    name: "reply-after-ignored",
    says: "a question stays open after an ignored reply",
    rules: ["AAEP-RPL-016"],
    async play(context) {
      const subscription = await openSubscription(context);
      const probeSession = await beginWaitingSession(subscription, context, "irreversible");
      await sendReply(subscription, await makeConfirmation(probeSession, "accept"));
      await awaitEnd(probeSession);
      // A producer need not carry out accepted actions. Then only a rejection may show that a question is still open.
      const decision = (await hasActedInTime(probeSession)) ? "accept" : "reject";
      const ignoredReplies: [defect: string, makeReply: (askedSession: AskedSession) => Promise<JsonObject>][] = [
        ["an invalid one", (askedSession) => makeConfirmation(askedSession, "accept", { urgent: true })],
        [
          "one stamped after the deadline",
          (askedSession) =>
            makeConfirmation(askedSession, "accept", { timestamp: timestampAfterDeadline(askedSession, 1) }),
        ],
        ["one of the wrong kind", (askedSession) => makeClarification(askedSession, "accept")],
      ];
      for (const [defect, makeReply] of ignoredReplies) {
        const askedSession = await beginWaitingSession(subscription, context, "irreversible");
        await subscription.send(await makeReply(askedSession));
        await awaitFence(subscription, context);
        if (await hasActedInTime(askedSession))
          return context.skip("AAEP-RPL-016", `the action was carried out after ${defect}`);
        const isOver = (await awaitEnd(askedSession, 0)) !== undefined;
        if (isOver && decision === "reject")
          return context.skip("AAEP-RPL-016", `its session ended after ${defect}, which may have been accepted`);
        const arrivalsBefore = subscription.inbox.arrivals.length;
        await sendReply(subscription, await makeConfirmation(askedSession, decision));
        const nextEvent =
          decision === "accept"
            ? await awaitEnd(askedSession)
            : await findEvent(askedSession, mayEndQuestion, arrivalsBefore);
        const hasEffect = decision === "accept" ? await hasActedInTime(askedSession) : nextEvent !== undefined;
        if (nextEvent === undefined) {
          const otherSession = await beginWaitingSession(subscription, context, "irreversible");
          if (!(await rejectOpen(otherSession)))
            return context.skip(
              "AAEP-RPL-016",
              "rejections have no effect, so nothing shows whether a question is open",
            );
        }
        const why = `a valid reply (${decision}) had no effect after ${defect} with the same token`;
        context.expect("AAEP-RPL-016", hasEffect, why);
      }
      const unseenReason =
        "an accepted action is not carried out, so a question that another rejection has settled would not show";
      if (decision === "accept") await expectAcceptableAfterDisallowed(subscription, context);
      else context.skip("AAEP-RPL-016", unseenReason);
    },
  }),
  toProducer({
    name: "reply-first-wins",
    says: "the first valid reply decides; later ones have no effect, from any sender",
    rules: ["AAEP-RPL-015"],
    async play(context) {
      const [firstSubscription, otherSubscription] = [
        await openSubscription(context),
        await openSubscription(context, { name: "other" }),
      ];
      for (const [firstSender, secondSender] of [
        [firstSubscription, otherSubscription],
        [otherSubscription, firstSubscription],
      ] as const) {
        const askedSession = await beginWaitingSession(firstSubscription, context, "irreversible");
        await sendReply(firstSender, await makeConfirmation({ ...askedSession, subscription: firstSender }, "reject"));
        await awaitFence(firstSubscription, context);
        if (await hasActedInTime(askedSession))
          return context.skip("AAEP-RPL-015", "an action is carried out after a rejection");
        const laterReply = await makeConfirmation({ ...askedSession, subscription: secondSender }, "accept");
        await secondSender.send(laterReply);
        if ((await awaitEnd(askedSession)) === undefined)
          return context.skip("AAEP-RPL-015", "a rejection had no effect, so no reply arrived after a valid one");
        const why = "an acceptance after a rejection was carried out";
        await mustNotBeDone(askedSession, { rule: "AAEP-RPL-015", why, replies: [laterReply] });
      }
    },
  }),
  toProducer({
    name: "reply-accepted-stays",
    says: "a rejection after an acceptance does not stop the accepted action",
    rules: ["AAEP-RPL-015"],
    async play(context) {
      const { actionDelay, invisibility } = await conductOf(context);
      if (invisibility !== undefined) throw new TargetSkip(invisibility.why, invisibility.cause);
      if (actionDelay === undefined) throw new TargetSkip("it acts before there can be an answer");
      await expectStillAccepted(
        await openSubscription(context),
        await openSubscription(context, { name: "other" }),
        context,
      );
    },
  }),
  toProducer({
    name: "reply-in-its-session",
    says: "a token settles only the question of its own session",
    rules: ["AAEP-RPL-018"],
    async play(context) {
      const subscription = await openSubscription(context);
      const [firstSession, secondSession] = [
        await beginWaitingSession(subscription, context, "irreversible"),
        await beginWaitingSession(subscription, context, "irreversible"),
      ];
      const reply = await makeConfirmation(firstSession, "accept");
      await sendReply(subscription, reply);
      const end = await awaitEnd(firstSession);
      const settlesOther = await hasActedInTime(secondSession);
      if (settlesOther || end === undefined) {
        const why = "after an acceptance, the action of another session was carried out instead of its own";
        if (settlesOther) return context.expect("AAEP-RPL-018", false, why, evidenceOf(secondSession, reply));
        const skipReason = "an acceptance had no effect, so nothing shows for which session it counts";
        return context.skip("AAEP-RPL-018", skipReason);
      }
      await mustBeIgnored(secondSession, reply, "AAEP-RPL-018", "an acceptance in another session");
    },
  }),
  toProducer({
    name: "reply-forwarded",
    says: "an answer may be sent on another subscription that can reply",
    rules: ["AAEP-RPL-023"],
    async play(context) {
      const muteSubscription = await openSubscription(context, {
        capabilities: { supports_confirmation_reply: false },
        name: "mute",
      });
      if (muteSubscription.accepted === undefined)
        throw new TargetSkip("without a handshake every subscription can answer");
      const ableSubscription = await openSubscription(context, { name: "able" });
      const askedSession = await beginWaitingSession(ableSubscription, context, "irreversible");
      const shownQuestion = await muteSubscription.inbox.waitFor(
        ({ reply_token: token }) => token === askedSession.token,
        500,
      );
      if (shownQuestion === undefined)
        return context.skip("AAEP-RPL-023", "only subscribers that can answer are asked");
      const arrivalsBefore = ableSubscription.inbox.arrivals.length;
      await sendReply(ableSubscription, await makeConfirmation(askedSession, "accept"));
      const nextEvent = await findEvent(askedSession, mayEndQuestion, arrivalsBefore);
      const why = "a reply through another subscription that can reply has no effect";
      context.expect("AAEP-RPL-023", nextEvent !== undefined, why);
    },
  }),
  toProducer({
    name: "reply-reasons",
    says: "all failing replies get the same answer",
    rules: ["AAEP-RPL-014"],
    needs: ["start", "url"],
    async play(context) {
      const subscription = await openSubscription(context);
      const askedSession = await beginWaitingSession(subscription, context, "irreversible");
      const failingReplies: [defect: string, reply: JsonObject][] = [
        ["an unknown token", await makeConfirmation(askedSession, "accept", { reply_token: forgeToken(context) })],
        ["a reply of the wrong kind", await makeClarification(askedSession, "accept")],
        [
          "a stamp after the deadline",
          await makeConfirmation(askedSession, "accept", { timestamp: timestampAfterDeadline(askedSession, 1) }),
        ],
      ];
      const answers: [string, string][] = [];
      for (const [defect, reply] of failingReplies) {
        const httpReply = await subscription.send(reply);
        if (httpReply === undefined) throw new TargetSkip("this binding does not answer replies");
        answers.push([defect, `HTTP ${httpReply.status} ${comparableText(httpReply.json ?? httpReply.text)}`]);
      }
      await rejectOpen(askedSession);
      const [firstAnswer, ...otherAnswers] = answers as [[string, string], ...[string, string][]];
      for (const [otherDefect, otherAnswer] of otherAnswers) {
        const why = `${firstAnswer[0]} and ${otherDefect} get different answers: ${firstAnswer[1]} and ${otherAnswer}`;
        context.expect("AAEP-RPL-014", otherAnswer === firstAnswer[1], why);
      }
    },
  }),
  toProducer({
    name: "reply-channel",
    says: "replies can be sent",
    rules: ["AAEP-TRN-007"],
    async play(context) {
      const subscription = await openSubscription(context);
      const askedSession = await beginAskedSession(subscription, context, "irreversible");
      const httpReply = await subscription.send(await makeConfirmation(askedSession, "reject"));
      const { paths } = readProducerFacts(context);
      if (httpReply === undefined && (await awaitEnd(askedSession)) === undefined)
        throw new TargetSkip("rejections have no effect, so nothing shows whether replies arrive");
      const isSupported = httpReply === undefined || ![404, 405, 501].includes(httpReply.status);
      context.expect(
        "AAEP-TRN-007",
        isSupported,
        `replies cannot be posted to ${paths.replies}: HTTP ${httpReply?.status}`,
      );
    },
  }),
];

/** Formats an answer without the ids, timestamps and tokens that always differ. */
function comparableText(body: JsonObject[string]): string {
  const text = JSON.stringify(isObject(body) ? { ...body, request_id: undefined, timestamp: undefined } : body);
  return text.replaceAll(/rpl_[A-Za-z0-9]*/g, "rpl_…");
}
