import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { emit } from "./emit.ts";
import { idFor, type Objection, type Producer, type ProducerQuestion, type ProducerSession } from "./model.ts";

type QuestionKind = "confirmation" | "clarification";

/** Asks the subscriptions that can answer, and waits for the first valid answer; undefined if the default applies. */
export function ask(
  producer: Producer,
  session: ProducerSession,
  kind: QuestionKind,
  payload: JsonObject,
): Promise<{ question: ProducerQuestion; answer: JsonObject | undefined }> {
  const { clock, policy } = producer;
  const token = idFor(producer, "rpl").replace("rpl_", "rpl_Q");
  const event = emit(producer, session, `awaiting.${kind}`, { ...payload, reply_token: token, urgency: "critical" });
  for (const [name, told] of policy.whileWaiting(kind)) emit(producer, session, name, told);
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
        forget?.();
        resolve({ question, answer });
      },
    };
    producer.questions.set(token, question);
    const patience = policy.patience(question, milliseconds);
    const forget =
      patience === undefined ? undefined : clock.after(patience, () => question.settle(undefined), "deadline");
    if (!canAnswer(producer, kind) && policy.defaultsOn("mute")) question.settle(undefined);
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
export function applyDefaults(producer: Producer, how: "close" | "loss"): void {
  if (!producer.policy.defaultsOn(how)) return;
  for (const question of producer.questions.values())
    if (question.isOpen && !canAnswer(producer, kindOf(question))) question.settle(undefined);
}

function kindOf({ event }: ProducerQuestion): QuestionKind {
  return event.type === "aaep:agent.awaiting.confirmation" ? "confirmation" : "clarification";
}

/** Handles a reply if it counts. Otherwise returns the objection to it. */
export function takeReply(
  producer: Producer,
  reply: JsonObject,
  principal: string | undefined,
  isWhole: (document: string, value: Json) => boolean,
): Objection | undefined {
  const { policy, clock } = producer;
  const question = producer.questions.get(String(reply.reply_token));
  const against = findObjections(producer, { reply, principal }, question, isWhole);
  const found = against.find((objection) => policy.respects(objection, reply, producer));
  if (found !== undefined) {
    if (question !== undefined) policy.ignored(question, reply);
    const isAgain = found === "used" && reply.decision === "accept" && question?.answer !== undefined;
    if (isAgain && policy.overrules(question.answer?.decision))
      producer.effects.push({ session_id: question.session.id, tool: "pay", at: new Date(clock.now()).toISOString() });
    return found;
  }
  if (policy.isDeaf && [...producer.subscriptions.values()].some(({ outlet, terms }) => outlet && !terms.confirms))
    return "unknown";
  const settled = question ?? [...producer.questions.values()].findLast(({ isOpen }) => isOpen);
  if (settled === undefined) return "unknown";
  // If a producer wrongly accepts a used token, the new answer settles the open question.
  const open =
    settled.isOpen && !policy.isLatest ? settled : [...producer.questions.values()].findLast(({ isOpen }) => isOpen);
  const all = open === undefined ? [] : [open];
  for (const other of producer.questions.values())
    if (open !== undefined && other !== open && other.isOpen && policy.spreads(open, other, producer)) all.push(other);
  for (const producerQuestion of all) producerQuestion.settle(reply);
  return undefined;
}

function findObjections(
  producer: Producer,
  { reply, principal }: { reply: JsonObject; principal: string | undefined },
  question: ProducerQuestion | undefined,
  isWhole: (document: string, value: Json) => boolean,
): Objection[] {
  const { clock, principals, subscriptions } = producer;
  const found: Objection[] = [];
  const note = (objection: Objection, isAgainst: boolean): void => {
    if (isAgainst) found.push(objection);
  };
  note("authentication", principals.size > 0 && principal === undefined);
  note("schema", !isWhole(String(reply.type), reply));
  const subscription = subscriptions.get(String(reply.subscription_id));
  note("entitlement", subscription?.outlet === undefined);
  note("owner", subscription !== undefined && principal !== undefined && subscription.owner !== principal);
  note("unknown", question === undefined);
  if (question === undefined) return found;
  const kind = kindOf(question);
  note("kind", reply.type !== `${kind}.reply`);
  note("expired", clock.now() >= question.deadline);
  note("stamp", Date.parse(String(reply.timestamp)) >= question.deadline);
  note("used", !question.isOpen);
  const { allowed_replies: allowed } = question.event;
  if (kind === "confirmation")
    note("allowed", Array.isArray(allowed) && !allowed.includes((reply.decision ?? null) as Json));
  else note("response", !fitsQuestion(question.event, reply.response));
  return found;
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
