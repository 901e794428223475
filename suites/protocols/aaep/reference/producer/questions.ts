import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { emit } from "./emit.ts";
import { idFor, type Objection, type Producer, type ProducerQuestion, type ProducerSession } from "./model.ts";

type QuestionKind = "confirmation" | "clarification";

/** Asks the subscriptions that can answer, and waits for the first valid answer; undefined if the default applies. */
export function askQuestion(
  producer: Producer,
  session: ProducerSession,
  kind: QuestionKind,
  payload: JsonObject,
): Promise<{ question: ProducerQuestion; answer: JsonObject | undefined }> {
  const { clock, policy } = producer;
  const token = idFor(producer, "rpl").replace("rpl_", "rpl_Q");
  const event = emit(producer, session, `awaiting.${kind}`, { ...payload, reply_token: token, urgency: "critical" });
  for (const [name, waitingPayload] of policy.whileWaiting(kind)) emit(producer, session, name, waitingPayload);
  const milliseconds = Number(payload.timeout_seconds) * 1000;
  return new Promise((resolve) => {
    const question: ProducerQuestion = {
      event,
      session,
      isOpen: true,
      deadline: Date.parse(String(event.timestamp)) + milliseconds,
      settle(answer) {
        if (!question.isOpen) return;
        question.isOpen = false;
        if (answer !== undefined) question.answer = answer;
        cancelTimeout?.();
        resolve({ question, answer });
      },
    };
    producer.questions.set(token, question);
    const timeout = policy.timeoutOf(question, milliseconds);
    const cancelTimeout =
      timeout === undefined ? undefined : clock.after(timeout, () => question.settle(undefined), "deadline");
    if (!canAnswer(producer, kind) && policy.appliesDefaultOn("mute")) question.settle(undefined);
  });
}

/** Whether any remaining subscriber could answer. */
function canAnswer({ subscriptions }: Producer, kind: QuestionKind): boolean {
  return [...subscriptions.values()].some(
    ({ outlet, isExpected, terms }) =>
      (outlet !== undefined || isExpected === true) && (kind === "confirmation" ? terms.confirms : terms.clarifies),
  );
}

/** Applies the defaults of open questions after the last subscriber that could answer has left. */
export function applyDefaults(producer: Producer, leaving: "close" | "loss"): void {
  if (!producer.policy.appliesDefaultOn(leaving)) return;
  for (const question of producer.questions.values())
    if (question.isOpen && !canAnswer(producer, kindOf(question))) question.settle(undefined);
}

function kindOf({ event }: ProducerQuestion): QuestionKind {
  return event.type === "aaep:agent.awaiting.confirmation" ? "confirmation" : "clarification";
}

/** Settles the question of a reply. If the reply is ignored, returns the objection to it. */
export function handleReply(
  producer: Producer,
  reply: JsonObject,
  principal: string | undefined,
  isValid: (document: string, value: Json) => boolean,
): Objection | undefined {
  const { policy, clock } = producer;
  const question = producer.questions.get(String(reply.reply_token));
  const objections = findObjections(producer, { reply, principal }, question, isValid);
  const firstObjection = objections.find((objection) => policy.respects(objection, reply, producer));
  if (firstObjection !== undefined) {
    if (question !== undefined) policy.onIgnoredReply(question, reply);
    const isRepeatedAcceptance =
      firstObjection === "used" && reply.decision === "accept" && question?.answer !== undefined;
    if (isRepeatedAcceptance && policy.overrules(question.answer?.decision))
      producer.effects.push({ session_id: question.session.id, tool: "pay", at: new Date(clock.now()).toISOString() });
    return firstObjection;
  }
  if (
    policy.needsRepliesFromAll &&
    [...producer.subscriptions.values()].some(({ outlet, terms }) => outlet && !terms.confirms)
  )
    return "unknown";
  const addressedQuestion = question ?? [...producer.questions.values()].findLast(({ isOpen }) => isOpen);
  if (addressedQuestion === undefined) return "unknown";
  // If a producer wrongly accepts a used token, the new answer settles the open question.
  const openQuestion =
    addressedQuestion.isOpen && !policy.settlesLatestQuestion
      ? addressedQuestion
      : [...producer.questions.values()].findLast(({ isOpen }) => isOpen);
  const questionsToSettle = openQuestion === undefined ? [] : [openQuestion];
  for (const otherQuestion of producer.questions.values())
    if (
      openQuestion !== undefined &&
      otherQuestion !== openQuestion &&
      otherQuestion.isOpen &&
      policy.alsoSettles(openQuestion, otherQuestion, producer)
    )
      questionsToSettle.push(otherQuestion);
  for (const producerQuestion of questionsToSettle) producerQuestion.settle(reply);
  return undefined;
}

function findObjections(
  producer: Producer,
  { reply, principal }: { reply: JsonObject; principal: string | undefined },
  question: ProducerQuestion | undefined,
  isValid: (document: string, value: Json) => boolean,
): Objection[] {
  const { clock, principals, subscriptions } = producer;
  const objections: Objection[] = [];
  const addIf = (objection: Objection, applies: boolean): void => {
    if (applies) objections.push(objection);
  };
  addIf("authentication", principals.size > 0 && principal === undefined);
  addIf("schema", !isValid(String(reply.type), reply));
  const subscription = subscriptions.get(String(reply.subscription_id));
  addIf("entitlement", subscription?.outlet === undefined);
  addIf("owner", subscription !== undefined && principal !== undefined && subscription.owner !== principal);
  addIf("unknown", question === undefined);
  if (question === undefined) return objections;
  const kind = kindOf(question);
  addIf("kind", reply.type !== `${kind}.reply`);
  addIf("expired", clock.now() >= question.deadline);
  addIf("stamp", Date.parse(String(reply.timestamp)) >= question.deadline);
  addIf("used", !question.isOpen);
  const { allowed_replies: allowedReplies } = question.event;
  if (kind === "confirmation")
    addIf("allowed", Array.isArray(allowedReplies) && !allowedReplies.includes((reply.decision ?? null) as Json));
  else addIf("response", !fitsQuestion(question.event, reply.response));
  return objections;
}

/** Whether the response is of a requested kind. */
function fitsQuestion({ accepted_response_kinds: kinds, choices }: JsonObject, response: Json | undefined): boolean {
  if (!Array.isArray(kinds)) return true;
  return kinds.some((kind) => {
    if (kind === "freetext") return typeof response === "string";
    if (kind === "yes_no") return typeof response === "boolean";
    if (kind === "numeric") return typeof response === "number";
    return Array.isArray(choices) && choices.some((choice) => isObject(choice) && choice.value === response);
  });
}

/** Withdraws the questions of a session. */
export function voidQuestions(producer: Producer, session: ProducerSession): void {
  for (const question of producer.questions.values()) if (question.session === session) question.isOpen = false;
}
