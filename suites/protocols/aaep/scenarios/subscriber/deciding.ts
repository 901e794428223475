import { hookAnswer, type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { clarificationPayload, confirmationPayload } from "../producing/events.ts";
import {
  awaitFence,
  connect,
  decideQuestion,
  mustBeAlive,
  promptQuestion,
  type SubscriberSession,
  sendEvent,
  sendQuestion,
  startAnotherSession,
  toSubscriber,
  waitUntilPresented,
  waitUntilPrompted,
  waitUntilUnprompted,
} from "./session.ts";

/** Token suffixes of many shapes. */
const tokenSuffixes = ["a", "Z", "0", "0123456789", "aBcDeFgHiJ", "x".repeat(64), "00aA", "null", "e10"];

/** Scenarios on the user's decisions. */
export const decidingScenarios: readonly Scenario[] = [
  toSubscriber({
    name: "decisions-sent",
    says: "the user's decision is sent, even if several questions are open",
    rules: ["AAEP-RPL-021", "AAEP-RPL-003", "AAEP-RPL-026", "AAEP-RPL-007"],
    needs: ["decide"],
    async play(context) {
      const session = await connect(context);
      const decide = async (event: JsonObject, decision: string): Promise<JsonObject | undefined> => {
        const reply = await decideQuestion(session, event, { decision });
        if (reply?.type === "confirmation.reply") await judgeReply(session, reply, event);
        return reply;
      };
      const mustSend = (event: JsonObject, decision: string, reply: JsonObject | undefined): void => {
        const isExpectedReply =
          reply?.type === "confirmation.reply" &&
          reply.decision === decision &&
          String(reply.reply_token).toLowerCase() === String(event.reply_token).toLowerCase();
        const outcome = reply === undefined ? "no reply arrived" : `${JSON.stringify(reply).slice(0, 200)} arrived`;
        context.expect("AAEP-RPL-021", isExpectedReply, `the user decided "${decision}", and ${outcome}`);
      };
      for (const decision of ["accept", "reject"]) {
        const event = await promptQuestion(session);
        mustSend(event, decision, await decide(event, decision));
      }
      const firstQuestion = await promptQuestion(session);
      const secondQuestion = sendQuestion(session);
      if (context.has("presented")) await awaitFence(session);
      const firstReply = await decide(firstQuestion, "reject");
      // A subscriber that shows one question at a time may begin with either.
      if (context.has("presented") && (await waitUntilPresented(context, secondQuestion)) === undefined) return;
      mustSend(secondQuestion, "accept", await decide(secondQuestion, "accept"));
      mustSend(firstQuestion, "reject", firstReply ?? (await decide(firstQuestion, "reject")));
    },
  }),
  toSubscriber({
    name: "tokens-echoed",
    says: "tokens are returned unchanged",
    rules: ["AAEP-RPL-002"],
    needs: ["decide"],
    async play(context) {
      const session = await connect(context);
      for (const suffix of tokenSuffixes) {
        const token = `rpl_${suffix}`;
        const event = sendQuestion(session, "confirmation", confirmationPayload(token));
        if (context.has("presented")) await waitUntilPresented(context, event);
        const reply = await decideQuestion(session, event, { decision: "reject" });
        if (reply === undefined) throw new TargetSkip("no reply arrived");
        context.expect(
          "AAEP-RPL-002",
          reply.reply_token === token,
          `"${token}" was returned as ${JSON.stringify(reply.reply_token)}`,
        );
      }
    },
  }),
  toSubscriber({
    name: "no-answer-unasked",
    says: "no answer is sent that the user has not decided",
    rules: ["AAEP-RPL-022"],
    async play(context) {
      const session = await connect(context);
      const harmlessPayload = confirmationPayload("rpl_harmless", {
        risk_level: "low",
        reversibility: "reversible",
        irreversible: false,
      });
      sendQuestion(session, "confirmation", { ...harmlessPayload, default_decision: "accept", timeout_seconds: 1 });
      sendQuestion(
        session,
        "clarification",
        clarificationPayload("rpl_unasked", { default_response: "friday", timeout_seconds: 1 }),
      );
      sendQuestion(session);
      await mustBeAlive(session);
      await session.producer.waitUntil(() => session.producer.messages.some(isReply));
      // A slow subscriber may not have handled the earlier events until now.
      await mustBeAlive(session);
      const reply = session.producer.messages.find(isReply);
      const why = `the user has not decided, but there is a reply: ${JSON.stringify(reply)?.slice(0, 200)}`;
      context.expect("AAEP-RPL-022", reply === undefined, why);
    },
  }),
  toSubscriber({
    name: "clarifications-answered",
    says: "clarifications are answered, too",
    rules: ["AAEP-SUB-010"],
    needs: ["decide"],
    async play(context) {
      const session = await connect(context);
      const cases: [JsonObject, JsonObject[string]][] = [
        [{}, "saturday"],
        [{ accepted_response_kinds: ["freetext"] }, "On Sunday, please."],
        [{ accepted_response_kinds: ["yes_no"] }, false],
        [{ accepted_response_kinds: ["numeric"] }, -1.5],
      ];
      for (const [payload, response] of cases) {
        const event = sendQuestion(session, "clarification", payload);
        if (context.has("presented")) await waitUntilPresented(context, event);
        const reply = await decideQuestion(session, event, { response });
        const isExpectedReply =
          reply?.type === "clarification.reply" &&
          reply.reply_token === event.reply_token &&
          reply.response === response;
        const outcome = reply === undefined ? "no reply arrived" : `${JSON.stringify(reply).slice(0, 200)} arrived`;
        context.expect(
          "AAEP-SUB-010",
          isExpectedReply,
          `the user answered ${JSON.stringify(response)}, and ${outcome}`,
        );
        const faults = reply === undefined ? [] : await context.violations("clarification.reply", reply);
        const [fault] = faults;
        if (isExpectedReply)
          context.expect("AAEP-SUB-010", fault === undefined, `the reply is not valid: ${fault?.why}`);
      }
    },
  }),
  toSubscriber({
    name: "cancelled-prompts",
    says: "the prompt of a question disappears with the question",
    rules: ["AAEP-CONF-033"],
    needs: ["presented", "decide"],
    async play(context) {
      const session = await connect(context);
      const event = await promptQuestion(session);
      const isListed = await waitUntilPrompted(context, event);
      await waitUntilPresented(context, sendEvent(session, "session.cancelled"));
      const isUnprompted = await waitUntilUnprompted(context, event, 0);
      const why = "the prompt is still shown after the session of its question was cancelled";
      if (isListed) context.expect("AAEP-CONF-033", isUnprompted, why);
      await context.hook("decide", {
        event_id: event.event_id ?? "",
        reply_token: event.reply_token ?? "",
        decision: "accept",
      });
      const otherSession = startAnotherSession(session);
      const otherReply = await decideQuestion(otherSession, await promptQuestion(otherSession), { decision: "reject" });
      if (otherReply === undefined && !isListed)
        return context.skip("AAEP-CONF-033", unlistedPrompts, hookAnswer("presented"));
      if (otherReply === undefined) return;
      const reply = session.producer.messages.find(({ reply_token: token }) => token === event.reply_token);
      const replyReason = "a key that the user presses after that sends a reply";
      context.expect("AAEP-CONF-033", reply === undefined, replyReason);
      if (isListed) for (const state of ["thinking", "deciding"]) await dropAction(startAnotherSession(session), state);
    },
  }),
  toSubscriber({
    name: "answered-prompts",
    says: "the prompt of an answered question disappears when its producer continues",
    rules: ["AAEP-CONF-033"],
    needs: ["presented", "decide"],
    async play(context) {
      const session = await connect(context);
      const firstQuestion = await promptQuestion(session);
      if (!(await waitUntilPrompted(context, firstQuestion)))
        return context.skip("AAEP-CONF-033", unlistedPrompts, hookAnswer("presented"));
      // After two answers, no event shows with which of them the producer continues. A subscriber may only show the first question.
      const secondQuestion = sendQuestion(session, "clarification");
      const areBothPrompted =
        (await waitUntilPresented(context, secondQuestion)) !== undefined &&
        (await waitUntilPrompted(context, secondQuestion));
      const answeredQuestions = areBothPrompted ? [secondQuestion, firstQuestion] : [firstQuestion];
      for (const event of answeredQuestions)
        if ((await decideQuestion(session, event, { decision: "reject", response: "saturday" })) === undefined)
          throw new TargetSkip("no reply arrived, so no question is answered");
      sendEvent(session, "state.changed", { from_state: "awaiting_input", to_state: "thinking" });
      await mustBeAlive(session);
      for (const event of answeredQuestions) {
        const why =
          "the prompt is still shown after its question was answered and its producer continued with thinking";
        context.expect("AAEP-CONF-033", await waitUntilUnprompted(context, event, 0), why, "SHOULD");
      }
    },
  }),
];

const unlistedPrompts = "`presented` does not list prompts, so their removal cannot be seen";

/** Drops the only action of a session, which only a change of state shows, and expects that its prompt disappears. */
async function dropAction(session: SubscriberSession, state: string): Promise<void> {
  const { context } = session;
  sendEvent(session, "state.changed", { from_state: "idle", to_state: "awaiting_input" });
  const event = await promptQuestion(session);
  if (!(await waitUntilPrompted(context, event))) return;
  sendEvent(session, "state.changed", { from_state: "awaiting_input", to_state: state });
  await mustBeAlive(session);
  const why = `the prompt is still shown after its producer continued with ${state}, and no other question was open`;
  context.expect("AAEP-CONF-033", await waitUntilUnprompted(context, event, 0), why, "SHOULD");
}

/** The maximum difference between the clocks of a producer and its subscriber, in milliseconds. */
const maxClockDifference = 60_000;

/** Judges whether a reply is valid and has the granted subscription id. */
async function judgeReply(
  { context, producer }: SubscriberSession,
  reply: JsonObject,
  event: JsonObject,
): Promise<void> {
  const fault = (await context.violations("confirmation.reply", reply)).find(({ site }) => site !== undefined);
  context.expect("AAEP-RPL-003", fault === undefined, `the reply is not valid: ${fault?.at} ${fault?.why}`);
  const { subscription_id: id } = reply;
  const aheadMs = Date.parse(String(event.timestamp)) - Date.parse(String(reply.timestamp));
  // The clocks of the producer and the subscriber may differ.
  const isLater = !(aheadMs > maxClockDifference);
  context.expect(
    "AAEP-RPL-007",
    isLater,
    `the reply is stamped ${reply.timestamp}, before its question, ${event.timestamp}`,
    "SHOULD",
  );
  if (producer.requests.length !== 1)
    return context.skip("AAEP-RPL-026", "it has not requested exactly one subscription, so no single id was granted");
  if (typeof id === "string")
    context.expect("AAEP-RPL-026", id === producer.id, `${producer.id} was granted, and the reply is for ${id}`);
}

function isReply({ type }: JsonObject): boolean {
  return type === "confirmation.reply" || type === "clarification.reply";
}
