import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { producerFacts } from "../subscribing/producer-facts.ts";
import { effectsOf, shownBy } from "./acting.ts";
import { askedOf, conductOf, isDoneInTime, longestAction } from "./conduct.ts";
import { stampOf, tokenOf } from "./forgery.ts";
import { mustBeIgnored, mustNotBeDone, rejectOpen } from "./ignoring.ts";
import { waitUntilDone } from "./lapse.ts";
import { toProducer } from "./scenario.ts";
import {
  type AskedSession,
  answer,
  awaitEnd,
  awaitFence,
  beginAskedSession,
  clarification,
  confirmation,
  follow,
  nameOf,
  showsEnd,
} from "./story.ts";

/** Rejects a question that allows only acceptance: if that settles it, it cannot be accepted any more. */
async function mustAcceptAfterDisallowed(line: Line, context: ScenarioContext): Promise<void> {
  const payload = { default_decision: "accept", allowed_replies: ["accept"] };
  const askQuestion = (): Promise<AskedSession | undefined> =>
    askedOf(line, context, "reversible", payload).catch((error) => {
      // If there is no question of this kind, the results of the others still count.
      if (error instanceof TargetSkip) return undefined;
      throw error;
    });
  const probe = await askQuestion();
  const { allowed_replies: allowedReplies } = probe?.question ?? {};
  if (probe === undefined || !Array.isArray(allowedReplies) || allowedReplies.includes("reject")) return;
  await answer(line, await confirmation(probe, "accept"));
  const asked = (await isDoneInTime(probe)) ? await askQuestion() : undefined;
  if (asked === undefined) return;
  const reply = await confirmation(asked, "reject");
  await line.send(reply);
  await awaitFence(line, context);
  if (await isDoneInTime(asked)) return;
  await answer(line, await confirmation(asked, "accept"));
  await awaitEnd(asked);
  const why = "a valid reply (accept) had no effect after a rejection that the question does not allow";
  context.expect("AAEP-RPL-016", await isDoneInTime(asked), why, shownBy(asked, reply));
}

/** How often an accepted action is tried, until a rejection arrives before the action was carried out. */
const maxAttempts = 3;

/** A later rejection does not stop an accepted action. Only an action that is slower than the rejection can show this. */
async function mustStayAccepted(one: Line, other: Line, context: ScenarioContext): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const asked = await askedOf(one, context, "irreversible");
    const hasActed = async (): Promise<boolean> => ((await effectsOf(asked)) ?? []).length > 0;
    await answer(one, await confirmation(asked, "accept"));
    await other.send(await confirmation({ ...asked, line: other }, "reject"));
    const isBeforeAction = !(await hasActed());
    const isCarriedOut = (await waitUntilDone(context, longestAction(context), hasActed)) !== undefined;
    const end = await awaitEnd(asked, 0);
    if (!isCarriedOut && end !== undefined && nameOf(end) !== "session.completed")
      throw new TargetSkip("the session of an accepted action failed");
    const why = "an accepted action was not carried out after a later rejection";
    if (isBeforeAction) return context.expect("AAEP-RPL-015", isCarriedOut, why);
  }
  context.skip("AAEP-RPL-015", "accepted actions were carried out before a rejection could come");
}

/** Which of several replies counts, for which question, and how each is answered. */
export const settlingScenarios: readonly Scenario[] = [
  toProducer({
    name: "reply-after-ignored",
    says: "a question stays open after an ignored reply",
    rules: ["AAEP-RPL-016"],
    async play(context) {
      const line = await openLine(context);
      const probe = await askedOf(line, context, "irreversible");
      await answer(line, await confirmation(probe, "accept"));
      await awaitEnd(probe);
      // A producer need not carry out an accepted action: then only a rejection may show that the question is still open.
      const decision = (await isDoneInTime(probe)) ? "accept" : "reject";
      const ignoredReplies: [what: string, reply: (asked: AskedSession) => Promise<JsonObject>][] = [
        ["an invalid one", (asked) => confirmation(asked, "accept", { urgent: true })],
        ["one stamped after the deadline", (asked) => confirmation(asked, "accept", { timestamp: stampOf(asked, 1) })],
        ["one of the wrong kind", (asked) => clarification(asked, "accept")],
      ];
      for (const [defect, reply] of ignoredReplies) {
        const asked = await askedOf(line, context, "irreversible");
        await line.send(await reply(asked));
        await awaitFence(line, context);
        if (await isDoneInTime(asked))
          return context.skip("AAEP-RPL-016", `the action was carried out after ${defect}`);
        const isOver = (await awaitEnd(asked, 0)) !== undefined;
        if (isOver && decision === "reject")
          return context.skip("AAEP-RPL-016", `its session ended after ${defect}, which may have been accepted`);
        const from = line.inbox.arrivals.length;
        await answer(line, await confirmation(asked, decision));
        const next = decision === "accept" ? await awaitEnd(asked) : await follow(asked, showsEnd, from);
        const hasEffect = decision === "accept" ? await isDoneInTime(asked) : next !== undefined;
        if (next === undefined) {
          const other = await askedOf(line, context, "irreversible");
          if (!(await rejectOpen(other)))
            return context.skip(
              "AAEP-RPL-016",
              "rejections have no effect, so that nothing shows whether a question is open",
            );
        }
        const why = `a valid reply (${decision}) had no effect after ${defect} with the same token`;
        context.expect("AAEP-RPL-016", hasEffect, why);
      }
      const unseenReason =
        "an accepted action is not carried out, so a question that another rejection has settled would not show";
      if (decision === "accept") await mustAcceptAfterDisallowed(line, context);
      else context.skip("AAEP-RPL-016", unseenReason);
    },
  }),
  toProducer({
    name: "reply-first-wins",
    says: "the first valid reply decides; later ones have no effect, from any sender",
    rules: ["AAEP-RPL-015"],
    async play(context) {
      const [one, other] = [await openLine(context), await openLine(context, { name: "other" })];
      for (const [first, second] of [
        [one, other],
        [other, one],
      ] as const) {
        const asked = await askedOf(one, context, "irreversible");
        await answer(first, await confirmation({ ...asked, line: first }, "reject"));
        await awaitFence(one, context);
        if (await isDoneInTime(asked))
          return context.skip("AAEP-RPL-015", "an action is carried out after a rejection");
        const laterReply = await confirmation({ ...asked, line: second }, "accept");
        await second.send(laterReply);
        if ((await awaitEnd(asked)) === undefined)
          return context.skip("AAEP-RPL-015", "a rejection had no effect, so that no reply came after a valid one");
        const why = "an acceptance after a rejection was carried out";
        await mustNotBeDone(asked, { rule: "AAEP-RPL-015", why, replies: [laterReply] });
      }
    },
  }),
  toProducer({
    name: "reply-accepted-stays",
    says: "a rejection after an acceptance does not stop the accepted action",
    rules: ["AAEP-RPL-015"],
    async play(context) {
      const { acts, blind } = await conductOf(context);
      if (blind !== undefined) throw new TargetSkip(blind.why, blind.cause);
      if (acts === undefined) throw new TargetSkip("it acts before there can be an answer");
      await mustStayAccepted(await openLine(context), await openLine(context, { name: "other" }), context);
    },
  }),
  toProducer({
    name: "reply-in-its-session",
    says: "a token settles only the question of its own session",
    rules: ["AAEP-RPL-018"],
    async play(context) {
      const line = await openLine(context);
      const [one, two] = [await askedOf(line, context, "irreversible"), await askedOf(line, context, "irreversible")];
      const reply = await confirmation(one, "accept");
      await answer(line, reply);
      const end = await awaitEnd(one);
      const settlesOther = await isDoneInTime(two);
      if (settlesOther || end === undefined) {
        const why = "after an acceptance, the action of another session was carried out instead of its own";
        if (settlesOther) return context.expect("AAEP-RPL-018", false, why, shownBy(two, reply));
        const skipReason = "an acceptance had no effect, so that nothing shows for which session it counts";
        return context.skip("AAEP-RPL-018", skipReason);
      }
      await mustBeIgnored(two, reply, "AAEP-RPL-018", "an acceptance in another session");
    },
  }),
  toProducer({
    name: "reply-forwarded",
    says: "an answer may come through another subscription that can reply",
    rules: ["AAEP-RPL-023"],
    async play(context) {
      const mute = await openLine(context, { capabilities: { supports_confirmation_reply: false }, name: "mute" });
      if (mute.accepted === undefined) throw new TargetSkip("without a handshake every subscription can answer");
      const able = await openLine(context, { name: "able" });
      const asked = await askedOf(able, context, "irreversible");
      const shownQuestion = await mute.inbox.seen(({ reply_token: each }) => each === asked.token, 500);
      if (shownQuestion === undefined)
        return context.skip("AAEP-RPL-023", "only subscribers that can answer are asked");
      const from = able.inbox.arrivals.length;
      await answer(able, await confirmation(asked, "accept"));
      const next = await follow(asked, showsEnd, from);
      const why = "a reply through another subscription that can reply has no effect";
      context.expect("AAEP-RPL-023", next !== undefined, why);
    },
  }),
  toProducer({
    name: "reply-reasons",
    says: "all failing replies get the same answer",
    rules: ["AAEP-RPL-014"],
    needs: ["start", "url"],
    async play(context) {
      const line = await openLine(context);
      const asked = await askedOf(line, context, "irreversible");
      const failingReplies: [what: string, reply: JsonObject][] = [
        ["an unknown token", await confirmation(asked, "accept", { reply_token: tokenOf(context) })],
        ["a reply of the wrong kind", await clarification(asked, "accept")],
        ["a stamp after the deadline", await confirmation(asked, "accept", { timestamp: stampOf(asked, 1) })],
      ];
      const answers: [string, string][] = [];
      for (const [defect, reply] of failingReplies) {
        const httpReply = await line.send(reply);
        if (httpReply === undefined) throw new TargetSkip("this binding does not answer replies");
        answers.push([defect, `HTTP ${httpReply.status} ${comparableText(httpReply.json ?? httpReply.text)}`]);
      }
      await rejectOpen(asked);
      const [first, ...others] = answers as [[string, string], ...[string, string][]];
      for (const [what, text] of others) {
        const why = `${first[0]} and ${what} get different answers: ${first[1]} and ${text}`;
        context.expect("AAEP-RPL-014", text === first[1], why);
      }
    },
  }),
  toProducer({
    name: "reply-channel",
    says: "replies can be sent",
    rules: ["AAEP-TRN-007"],
    async play(context) {
      const line = await openLine(context);
      const asked = await beginAskedSession(line, context, "irreversible");
      const httpReply = await line.send(await confirmation(asked, "reject"));
      const { paths } = producerFacts(context);
      if (httpReply === undefined && (await awaitEnd(asked)) === undefined)
        throw new TargetSkip("rejections have no effect, so that nothing shows whether replies arrive");
      const isSupported = httpReply === undefined || ![404, 405, 501].includes(httpReply.status);
      context.expect(
        "AAEP-TRN-007",
        isSupported,
        `replies cannot be posted to ${paths.replies}: HTTP ${httpReply?.status}`,
      );
    },
  }),
];

/** The relevant parts of an answer, without ids, which differ in every answer. */
function comparableText(body: JsonObject[string]): string {
  const text = JSON.stringify(isObject(body) ? { ...body, request_id: undefined, timestamp: undefined } : body);
  return text.replaceAll(/rpl_[A-Za-z0-9]*/g, "rpl_…");
}
