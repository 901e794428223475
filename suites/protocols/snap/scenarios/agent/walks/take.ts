import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { ask, countHandled, request, requireTask, seconds, stateOf } from "../../parties.ts";
import { type DeliveryAnswer, deliverLetter } from "./delivery.ts";
import { judgeAnswer, judgeTasks, recordExchange } from "./judge.ts";
import { letterFor, type MessageStep, repeatLetter } from "./letters.ts";
import { type AcceptedMessage, type AgentModel, taskIn, type WalkedTask, type WalkMessage } from "./model.ts";
import { type AgentStep, type MessageFault, textOf } from "./step.ts";

/** Seconds after its timestamp: from the first on, a message is certainly refused; until the second, it certainly is not. */
const [staleSeconds, freshSeconds] = [75, 45];
/** The step of the clock, in milliseconds. */
const clockStep = 90_000;

/** The rule that forbids an effect of a faulty message. */
const rulesByFault: Partial<Record<MessageFault, string>> = {
  forged: "SNAP-SIG-009",
  tampered: "SNAP-SIG-009",
  old: "SNAP-TIME-001",
  early: "SNAP-TIME-001",
  misaddressed: "SNAP-RCPT-001",
};

/** Performs one step with the agent and with the model, and compares the two. Throws a Divergence, or a TargetFailure if the agent breaks down. */
export async function take(context: ScenarioContext, model: AgentModel, step: AgentStep, must: Must): Promise<void> {
  const stepText = textOf(step);
  switch (step.do) {
    case "wait":
      return context.pass(clockStep);
    case "deliver": {
      const letter = model.post.arrive(step.turn);
      return letter === undefined ? undefined : judgeDelivery(context, model, { letter, what: stepText, must });
    }
    case "replay":
    case "reuse": {
      const first = model.acceptedMessages[step.of] as AcceptedMessage;
      return judgeDelivery(context, model, {
        letter: repeatLetter(context, first, step.do, step.way ?? "http"),
        what: stepText,
        must,
      });
    }
    default: {
      const letter = await letterFor(context, model, step as MessageStep);
      const copies = model.post.send(letter, (step as MessageStep).mishap);
      if (copies.length === 2) return sendTwice(context, model, { letter, what: stepText, must });
      for (const copy of copies) await judgeDelivery(context, model, { letter: copy, what: stepText, must });
    }
  }
}

/** Delivers a message: it has an effect only if it is valid. */
async function judgeDelivery(
  context: ScenarioContext,
  model: AgentModel,
  { letter, what: stepText, must }: { letter: WalkMessage; what: string; must: Must },
): Promise<void> {
  const rule = await ruleAgainst(context, letter);
  if (rule === "unsure") return;
  const handledBefore = await countHandled(context);
  const answer = await deliverLetter(context, model, letter);
  await judgeAnswer(context, letter, answer, must);
  requireEnd(answer, stepText, must);
  if (rule === undefined) return countAnswer(model, letter, answer);
  await checkNoEffect(context, { model, letter, rule, before: handledBefore, what: stepText, must }, answer);
}

/** Sends two copies at once, over both transports if there are two. Only one of them counts. */
async function sendTwice(
  context: ScenarioContext,
  model: AgentModel,
  { letter, what: stepText, must }: { letter: WalkMessage; what: string; must: Must },
): Promise<void> {
  const httpLetter: WalkMessage = { ...letter, way: "http" };
  const handledBefore = await countHandled(context);
  const rule = await ruleAgainst(context, letter);
  const [firstAnswer, secondAnswer] = await Promise.all([
    deliverLetter(context, model, letter),
    deliverLetter(context, model, httpLetter),
  ]);
  const copy: WalkMessage = { ...letter, first: letter };
  for (const answer of [firstAnswer, secondAnswer]) await judgeAnswer(context, copy, answer, must);
  if (rule !== undefined && rule !== "unsure") {
    await checkNoEffect(
      context,
      { model, letter, rule, before: handledBefore, what: stepText, must },
      { ...firstAnswer, besides: firstAnswer.besides + secondAnswer.besides },
    );
    // The effect of the first look at the task is not counted.
    await checkNoEffect(context, { model, letter, rule, before: undefined, what: stepText, must }, secondAnswer);
    return;
  }
  const [acceptedAnswer, repeatedAnswer] = firstAnswer.answer.isRefused
    ? [secondAnswer, firstAnswer]
    : [firstAnswer, secondAnswer];
  countAnswer(model, acceptedAnswer === firstAnswer ? letter : httpLetter, acceptedAnswer);
  const first: AcceptedMessage = model.acceptedMessages.at(-1) as AcceptedMessage;
  const repetitionRule = letter.way === "socket" ? "SNAP-REPLAY-007" : "SNAP-REPLAY-001";
  const handledAfter = await countHandled(context);
  await checkNoEffect(
    context,
    { model, letter: { ...letter, first }, rule: repetitionRule, before: handledAfter, what: stepText, must },
    repeatedAnswer,
  );
  if (handledBefore === undefined || handledAfter === undefined || acceptedAnswer.answer.isRefused) return;
  const maxExecutions = 1 + firstAnswer.besides + secondAnswer.besides;
  must(
    repetitionRule,
    handledAfter - handledBefore <= maxExecutions,
    `two copies of one message at once were carried out ${handledAfter - handledBefore} times`,
  );
}

/** The rule that forbids an effect of a message at this point. Undefined if the message is valid, and `unsure` if either is right. */
async function ruleAgainst(context: ScenarioContext, letter: WalkMessage): Promise<string | undefined> {
  const { bent: fault, first, message, way: transport } = letter;
  const faultRule = fault === undefined ? undefined : rulesByFault[fault];
  if (faultRule !== undefined) return faultRule;
  const age = Math.abs((await seconds(context)) - Number(message.timestamp));
  if (age > staleSeconds) return "SNAP-TIME-001";
  if (first !== undefined) {
    // Each transport may have its own memory, which knows neither the message nor its id.
    if (first.way !== transport) return "SNAP-REPLAY-007";
    return first.message === message ? "SNAP-REPLAY-001" : "SNAP-REPLAY-003";
  }
  return age > freshSeconds && fault !== "ahead" ? "unsure" : undefined;
}

interface ForbiddenEffect {
  model: AgentModel;
  letter: WalkMessage;
  rule: string;
  /** The number of executions before. */
  before: number | undefined;
  what: string;
  must: Must;
}

/** Checks that the message had no effect: there is no task except that of the original message, nothing was carried out, and nothing was cancelled. */
async function checkNoEffect(
  context: ScenarioContext,
  { model, letter, rule, before: handledBefore, what: stepText, must }: ForbiddenEffect,
  { answer, messages, besides }: DeliveryAnswer,
): Promise<void> {
  const { first, of, message } = letter;
  const id = String(
    answer.task?.id ?? messages.map(({ payload }) => (payload as { taskId?: string })?.taskId).find(Boolean) ?? "",
  );
  const hasMessage = message.method === "message/send" || message.method === "message/stream";
  const isOld = id === "" || (first !== undefined && (id === first.task || !hasMessage));
  const blamedRule = isOld ? rule : await blameAnswer(context, model, letter, rule);
  must(blamedRule, isOld, `${stepText} is accepted: ${answer.brief}`);
  const handledAfter = await countHandled(context);
  const isIdle = handledBefore === undefined || handledAfter === undefined || handledAfter - handledBefore <= besides;
  const isRefusal = answer.isRefused && first === undefined;
  must(
    isRefusal ? "SNAP-VAL-006" : isIdle ? rule : await blameAnswer(context, model, letter, rule),
    isIdle,
    `${stepText} was carried out`,
  );
  const task = of === undefined ? undefined : model.tasks[of];
  if (task === undefined) return;
  const state = await lookAtTask(context, model, task);
  const isKept = task.isCancelled || state !== "canceled";
  must(isRefusal ? "SNAP-VAL-006" : rule, isKept, `${stepText} has cancelled the task`);
}

/** An agent that accepts the same message again over the same transport does not remember messages. An agent that only accepts another message with the same id over that transport relies on more than the id. */
async function blameAnswer(
  context: ScenarioContext,
  model: AgentModel,
  letter: WalkMessage,
  rule: string,
): Promise<string> {
  const { first, message } = letter;
  if (first === undefined || !/^SNAP-REPLAY-00[37]$/.test(rule)) return rule;
  if (await wasCarriedOut(context, model, { ...first, first })) return "SNAP-REPLAY-001";
  if (first.message === message || first.way === letter.way) return rule;
  // A third content, since the agent now knows the second.
  const httpLetter = repeatLetter(context, { ...first, message }, "reuse", first.way);
  return (await wasCarriedOut(context, model, httpLetter)) ? "SNAP-REPLAY-003" : rule;
}

async function wasCarriedOut(context: ScenarioContext, model: AgentModel, letter: WalkMessage): Promise<boolean> {
  const handledBefore = await countHandled(context);
  const { answer, besides } = await deliverLetter(context, model, letter);
  const handledAfter = await countHandled(context);
  const isAgain = handledBefore !== undefined && handledAfter !== undefined && handledAfter - handledBefore > besides;
  return isAgain || (answer.task !== undefined && answer.task.id !== letter.first?.task);
}

/** A stream must end, refused or not. */
function requireEnd({ end, answer }: DeliveryAnswer, stepText: string, must: Must): void {
  const rule = answer.error === undefined ? "SNAP-STREAM-001" : "SNAP-STREAM-008";
  must(rule, end !== "open", `${stepText}: its stream does not end, while others are answered`);
}

/** Records the result of a valid message. Throws a TargetFailure or TargetSkip if the agent refuses a message that any agent accepts. */
function countAnswer(model: AgentModel, letter: WalkMessage, answer: DeliveryAnswer): void {
  const { message, text, of } = letter;
  const { answer: partyAnswer, messages } = answer;
  if (partyAnswer.code === 1007) model.unsupported.add(String(message.method));
  // Some agents refuse every message from the future, which is allowed for such a small difference.
  if (partyAnswer.code === 1007 || (letter.bent === "ahead" && partyAnswer.isRefused)) return;
  recordExchange(model, letter, answer);
  const events = messages.map(({ payload }) => (payload as { taskId?: unknown })?.taskId);
  const id = partyAnswer.task?.id ?? events.find((taskId) => typeof taskId === "string");
  if (text !== undefined && id === undefined) requireTask(partyAnswer, String(message.method));
  model.acceptedMessages.push({ message, way: letter.way, text, of, task: typeof id === "string" ? id : undefined });
  const task = of === undefined ? undefined : model.tasks[of];
  const state = partyAnswer.task === undefined ? "working" : stateOf(partyAnswer.task);
  if (text !== undefined) model.tasks.push({ id: String(id), text, state, isCancelled: false });
  else if (task !== undefined && partyAnswer.task !== undefined) task.state = state;
  if (message.method === "tasks/cancel" && task !== undefined && state === "canceled") task.isCancelled = true;
}

/** Reads a task, and compares it with the model. */
async function lookAtTask(context: ScenarioContext, model: AgentModel, task: WalkedTask): Promise<string> {
  const message = await request(context, model.peer, "tasks/get", { taskId: task.id });
  const taskAnswer = await ask(context, model.peer, message);
  const answer: DeliveryAnswer = {
    answer: taskAnswer,
    messages: taskAnswer.message === undefined ? [] : [taskAnswer.message],
    besides: 0,
    end: "whole",
  };
  recordExchange(model, { message, way: "http" }, answer);
  task.state = taskAnswer.isRefused
    ? task.state
    : stateOf(taskIn(taskAnswer.message?.payload as never) ?? taskAnswer.task);
  return task.state;
}

/** Reads every task once more, and checks all exchanges against the rules on tasks. */
export async function finish(context: ScenarioContext, model: AgentModel, must: Must): Promise<void> {
  for (const task of model.tasks) await lookAtTask(context, model, task);
  await judgeTasks(context, model, must);
}
