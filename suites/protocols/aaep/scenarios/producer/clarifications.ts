import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { readProducerFacts } from "../subscribing/producer-facts.ts";
import { evidenceOf } from "./actions.ts";
import { beginWaitingSession, holdOf } from "./conduct.ts";
import { awaitExpiryOrLate, graceOf, timeoutSecondsOf } from "./expiry.ts";
import { letTimePass, waitUntilDone } from "./passing-time.ts";
import { toProducer } from "./scenario.ts";
import {
  type AskedSession,
  awaitEnd,
  awaitFence,
  beginAskedSession,
  findEvent,
  makeClarification,
  makeConfirmation,
  mustBeAlive,
  nameOf,
  sendReply,
} from "./session.ts";

/** Makes a response that answers the question. Skips if it asks for a choice without offering any. */
export function makeFittingAnswer({ question }: AskedSession): JsonObject[string] {
  const { accepted_response_kinds: kinds, choices } = question;
  const [choice] = Array.isArray(choices) ? (choices as JsonObject[]) : [];
  const acceptedKinds = Array.isArray(kinds) && kinds.length > 0 ? kinds : ["freetext"];
  const kind = acceptedKinds.find((candidate) => candidate !== "multiple_choice" || choice !== undefined);
  if (kind === undefined) throw new TargetSkip("a question asks for one of its choices, but lists none");
  if (kind === "multiple_choice") return choice?.value ?? "";
  if (kind === "yes_no") return true;
  return kind === "numeric" ? 7 : "Friday";
}

/** Makes responses that do not answer the question: of other types, or unlisted. Some are drawn at random. */
function makeWrongAnswers({ question, context }: AskedSession): JsonObject[string][] {
  const { accepted_response_kinds: kinds, choices } = question;
  if (!Array.isArray(kinds) || kinds.length === 0) return [];
  const acceptsText = kinds.includes("freetext");
  const values = Array.isArray(choices) ? choices.map((choice) => (isObject(choice) ? choice.value : undefined)) : [];
  const [firstValue] = values.filter((value) => typeof value === "string");
  const draw = drawFor(context);
  const labels = Array.isArray(choices) ? choices.map((choice) => (isObject(choice) ? choice.label : undefined)) : [];
  const similarValues = values.flatMap((value) =>
    typeof value === "string"
      ? [value.toUpperCase(), `${value}${value}`, value.slice(1), ` ${value}`, `"${value}"`]
      : [],
  );
  // The user sees the label of a choice, but the answer is its value.
  const unlistedTexts = [...new Set([...draw.some(labels, 1), ...draw.some(similarValues, 1)])].filter(
    (candidate) =>
      typeof candidate === "string" && candidate !== "" && !values.includes(candidate) && !isNumeric(candidate),
  );
  const needsListedValue = !acceptsText && firstValue !== undefined && kinds.includes("multiple_choice");
  const textsOfOtherTypes = kinds.includes("numeric") ? ["67"] : ["yes"].filter((text) => !values.includes(text));
  return [
    ...(kinds.includes("numeric") ? [] : [67]),
    ...(kinds.includes("yes_no") ? [] : [true]),
    ...(acceptsText ? [] : textsOfOtherTypes),
    ...(needsListedValue ? [`${firstValue} `, ...(unlistedTexts as string[])] : []),
    ...(kinds.includes("numeric") ? [] : [draw.one([0, 1, -1.5, 1e6])]),
    ...(kinds.includes("yes_no") ? [] : [false]),
  ];
}

function isNumeric(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Whether work continued after the question. */
async function hasContinued(askedSession: AskedSession): Promise<boolean> {
  const isWork = (event: JsonObject): boolean => /^(?:tool\.invoked|output|session)\b/.test(nameOf(event));
  return (await findEvent(askedSession, isWork, askedSession.arrivalIndex + 1, 0)) !== undefined;
}

/** Answers a question properly. Returns the milliseconds after which work continued, or undefined if it did not. */
async function answerQuestion(askedSession: AskedSession): Promise<number | undefined> {
  const { context, subscription } = askedSession;
  await sendReply(subscription, await makeClarification(askedSession, makeFittingAnswer(askedSession)));
  return waitUntilDone(context, readProducerFacts(context).actionSeconds * 1000, () => hasContinued(askedSession));
}

/** Answers a question first, to see how soon work continues. Skips if that is not visible. */
async function waitForContinuation(
  subscription: OpenSubscription,
  context: ScenarioContext,
): Promise<{ earlierSession: AskedSession; wait: number }> {
  const earlierSession = await beginWaitingSession(subscription, context, "clarification");
  if (await hasContinued(earlierSession)) throw new TargetSkip("it does not wait for answers");
  const workDelay = await answerQuestion(earlierSession);
  if (workDelay !== undefined && (await awaitEnd(earlierSession)) !== undefined)
    return { earlierSession, wait: Math.max(50, 2 * workDelay) };
  throw new TargetSkip("a fitting reply has no effect, so it cannot be distinguished from a bad reply");
}

/** Sends replies that must not count, each followed by the usual wait for work to continue, and then a valid reply. */
async function expectStillOpen(
  context: ScenarioContext,
  rule: string,
  { askedSession, wait }: { askedSession: AskedSession; wait: number },
  ignoredReplies: readonly [description: string, reply: JsonObject][],
): Promise<boolean> {
  for (const [description, reply] of ignoredReplies) {
    await askedSession.subscription.send(reply);
    await awaitFence(askedSession.subscription, context);
    await letTimePass(context, wait);
    const isSettled = await hasContinued(askedSession);
    context.expect(rule, !isSettled, `${description} settled the question`, evidenceOf(askedSession, reply));
    if (isSettled) return false;
  }
  await sendReply(askedSession.subscription, await makeClarification(askedSession, makeFittingAnswer(askedSession)));
  if ((await awaitEnd(askedSession)) !== undefined) return true;
  await mustBeAlive(context);
  context.skip(rule, "a fitting reply had no effect, so that others may have had none for the same reason");
  return false;
}

export const clarificationScenarios: readonly Scenario[] = [
  toProducer({
    name: "clarification-awaited",
    says: "work that depends on a clarification waits for it",
    rules: ["AAEP-CLAR-005"],
    waits: 6000,
    async play(context) {
      const subscription = await openSubscription(context);
      const askedSession = await beginAskedSession(subscription, context, "clarification");
      await awaitFence(subscription, context);
      const hold = holdOf(askedSession);
      const continuedEarly = (await waitUntilDone(context, hold, () => hasContinued(askedSession))) !== undefined;
      if (continuedEarly) {
        const why = "the work continued before the question was answered";
        return context.expect("AAEP-CLAR-005", false, why, evidenceOf(askedSession));
      }
      if ((await answerQuestion(askedSession)) === undefined)
        return context.skip(
          "AAEP-CLAR-005",
          "no work continues even after an answer, so nothing shows whether it waited",
        );
      context.expect("AAEP-CLAR-005", true, "");
    },
  }),
  toProducer({
    name: "clarification-typed",
    says: "a response of the wrong type does not count, and the question stays open",
    rules: ["AAEP-CLAR-007"],
    async play(context) {
      const subscription = await openSubscription(context);
      const { wait } = await waitForContinuation(subscription, context);
      const askedSession = await beginWaitingSession(subscription, context, "clarification");
      const wrongResponses = makeWrongAnswers(askedSession);
      if (wrongResponses.length === 0) throw new TargetSkip("its questions accept a response of any type");
      const wrongReplies: [string, JsonObject][] = [];
      for (const response of wrongResponses)
        wrongReplies.push([
          `the response ${JSON.stringify(response)}`,
          await makeClarification(askedSession, response),
        ]);
      await expectStillOpen(context, "AAEP-CLAR-007", { askedSession, wait }, wrongReplies);
    },
  }),
  toProducer({
    name: "clarification-guarded",
    says: "clarifications are protected like confirmations",
    rules: ["AAEP-CLAR-008"],
    async play(context) {
      const subscription = await openSubscription(context);
      const { earlierSession, wait } = await waitForContinuation(subscription, context);
      const askedSession = await beginWaitingSession(subscription, context, "clarification");
      const fittingResponse = makeFittingAnswer(askedSession);
      const inventedToken = `rpl_${context
        .fresh("made")
        .replaceAll(/[^A-Za-z0-9]/g, "")
        .slice(0, 60)}`;
      const lateTime =
        Date.parse(String(askedSession.question.timestamp)) +
        (Number(askedSession.question.timeout_seconds) + 1) * 1000;
      await expectStillOpen(context, "AAEP-CLAR-008", { askedSession, wait }, [
        ["a reply with an unknown member", await makeClarification(askedSession, fittingResponse, { urgent: true })],
        ["an invented token", await makeClarification(askedSession, fittingResponse, { reply_token: inventedToken })],
        ["a used token", await makeClarification(earlierSession, fittingResponse)],
        [
          "a reply stamped after the deadline",
          await makeClarification(askedSession, fittingResponse, { timestamp: new Date(lateTime).toISOString() }),
        ],
        ["a confirmation reply", await makeConfirmation(askedSession, "accept")],
      ]);
    },
  }),
  toProducer({
    name: "clarification-expired",
    says: "after the timeout of a clarification, the producer continues without it",
    rules: ["AAEP-CLAR-009"],
    waits: 5500,
    async play(context) {
      const askedSession = await beginWaitingSession(await openSubscription(context), context, "clarification", {
        timeout_seconds: 3,
      });
      const seconds = await timeoutSecondsOf(askedSession);
      const expiry = await awaitExpiryOrLate(askedSession);
      context.expect(
        "AAEP-CLAR-009",
        expiry !== undefined,
        `it still waits ${seconds + graceOf(context, seconds) / 1000} s after a question for ${seconds} s`,
      );
    },
  }),
];
