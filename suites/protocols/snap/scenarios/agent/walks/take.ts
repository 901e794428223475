import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { ask, countHandled, nowInSeconds, request, requireTask, stateOf } from "../../parties.ts";
import { type DeliveryAnswer, deliverMessage } from "./delivery.ts";
import { judgeAnswer, judgeTasks, recordExchange } from "./judge.ts";
import { type MessageStep, messageForStep, repeatMessage } from "./messages.ts";
import { type AcceptedMessage, type AgentModel, taskIn, type WalkedTask, type WalkMessage } from "./model.ts";
import { type AgentStep, type MessageFault, textOf } from "./step.ts";

/** The age in seconds from which a message must be refused for its time, and the age up to which it must not be. */
const [staleSeconds, freshSeconds] = [75, 45];
/** How far the step `wait` moves the clock. */
const waitMs = 90_000;

/** For each fault, the rule that forbids an effect of the message. */
const rulesByFault: Partial<Record<MessageFault, string>> = {
  forged: "SNAP-SIG-009",
  tampered: "SNAP-SIG-009",
  old: "SNAP-TIME-001",
  early: "SNAP-TIME-001",
  misaddressed: "SNAP-RCPT-001",
};

/** Takes one step with the agent and with the model. Throws a Divergence if they differ, or a TargetFailure if the agent breaks down. */
export async function take(context: ScenarioContext, model: AgentModel, step: AgentStep, must: Must): Promise<void> {
  const stepText = textOf(step);
  switch (step.do) {
    case "wait":
      return context.pass(waitMs);
    case "deliver": {
      const walkMessage = model.post.arrive(step.turn);
      return walkMessage === undefined ? undefined : judgeDelivery(context, model, { walkMessage, stepText, must });
    }
    case "replay":
    case "reuse": {
      const original = model.acceptedMessages[step.index] as AcceptedMessage;
      return judgeDelivery(context, model, {
        walkMessage: repeatMessage(context, original, step.do, step.transport ?? "http"),
        stepText,
        must,
      });
    }
    default: {
      const walkMessage = await messageForStep(context, model, step as MessageStep);
      const copies = model.post.send(walkMessage, (step as MessageStep).mishap);
      if (copies.length === 2) return sendTwice(context, model, { walkMessage, stepText, must });
      for (const copy of copies) await judgeDelivery(context, model, { walkMessage: copy, stepText, must });
    }
  }
}

/** Delivers a message, and checks that it has an effect only if it is valid. */
async function judgeDelivery(
  context: ScenarioContext,
  model: AgentModel,
  { walkMessage, stepText, must }: { walkMessage: WalkMessage; stepText: string; must: Must },
): Promise<void> {
  const rule = await ruleAgainst(context, walkMessage);
  if (rule === "unsure") return;
  const handledBefore = await countHandled(context);
  const answer = await deliverMessage(context, model, walkMessage);
  await judgeAnswer(context, walkMessage, answer, must);
  requireEnd(answer, stepText, must);
  if (rule === undefined) return countAnswer(model, walkMessage, answer);
  await checkNoEffect(context, { model, walkMessage, rule, handledBefore, stepText, must }, answer);
}

/** Sends two copies in parallel, over both transports if there are two. Only one of them may have an effect. */
async function sendTwice(
  context: ScenarioContext,
  model: AgentModel,
  { walkMessage, stepText, must }: { walkMessage: WalkMessage; stepText: string; must: Must },
): Promise<void> {
  const httpMessage: WalkMessage = { ...walkMessage, transport: "http" };
  const handledBefore = await countHandled(context);
  const rule = await ruleAgainst(context, walkMessage);
  const [firstAnswer, secondAnswer] = await Promise.all([
    deliverMessage(context, model, walkMessage),
    deliverMessage(context, model, httpMessage),
  ]);
  const copy: WalkMessage = { ...walkMessage, original: walkMessage };
  for (const answer of [firstAnswer, secondAnswer]) await judgeAnswer(context, copy, answer, must);
  if (rule !== undefined && rule !== "unsure") {
    await checkNoEffect(
      context,
      { model, walkMessage, rule, handledBefore, stepText, must },
      { ...firstAnswer, extraRequests: firstAnswer.extraRequests + secondAnswer.extraRequests },
    );
    // Executions were already counted with the first answer.
    await checkNoEffect(context, { model, walkMessage, rule, handledBefore: undefined, stepText, must }, secondAnswer);
    return;
  }
  const [acceptedAnswer, repeatedAnswer] = firstAnswer.answer.isRefused
    ? [secondAnswer, firstAnswer]
    : [firstAnswer, secondAnswer];
  countAnswer(model, acceptedAnswer === firstAnswer ? walkMessage : httpMessage, acceptedAnswer);
  const original: AcceptedMessage = model.acceptedMessages.at(-1) as AcceptedMessage;
  const repetitionRule = walkMessage.transport === "socket" ? "SNAP-REPLAY-007" : "SNAP-REPLAY-001";
  const handledAfter = await countHandled(context);
  await checkNoEffect(
    context,
    {
      model,
      walkMessage: { ...walkMessage, original },
      rule: repetitionRule,
      handledBefore: handledAfter,
      stepText,
      must,
    },
    repeatedAnswer,
  );
  if (handledBefore === undefined || handledAfter === undefined || acceptedAnswer.answer.isRefused) return;
  const maxExecutions = 1 + firstAnswer.extraRequests + secondAnswer.extraRequests;
  must(
    repetitionRule,
    handledAfter - handledBefore <= maxExecutions,
    `two parallel copies of one message were carried out ${handledAfter - handledBefore} times`,
  );
}

/** Returns the rule that forbids an effect of a message now. Undefined for a valid message, and `unsure` if the agent may accept or refuse it. */
async function ruleAgainst(context: ScenarioContext, walkMessage: WalkMessage): Promise<string | undefined> {
  const { fault, original, message, transport } = walkMessage;
  const faultRule = fault === undefined ? undefined : rulesByFault[fault];
  if (faultRule !== undefined) return faultRule;
  const age = Math.abs((await nowInSeconds(context)) - Number(message.timestamp));
  if (age > staleSeconds) return "SNAP-TIME-001";
  if (original !== undefined) {
    // A faulty agent may have a separate memory of ids for each transport.
    if (original.transport !== transport) return "SNAP-REPLAY-007";
    return original.message === message ? "SNAP-REPLAY-001" : "SNAP-REPLAY-003";
  }
  return age > freshSeconds && fault !== "ahead" ? "unsure" : undefined;
}

interface ForbiddenEffect {
  model: AgentModel;
  walkMessage: WalkMessage;
  rule: string;
  /** The number of executions before the message; undefined if executions must not be counted. */
  handledBefore: number | undefined;
  stepText: string;
  must: Must;
}

/** Checks that a message had no effect: it opened no new task, nothing was carried out, and no task was cancelled. */
async function checkNoEffect(
  context: ScenarioContext,
  { model, walkMessage, rule, handledBefore, stepText, must }: ForbiddenEffect,
  { answer, messages, extraRequests }: DeliveryAnswer,
): Promise<void> {
  const { original, index, message } = walkMessage;
  const id = String(
    answer.task?.id ?? messages.map(({ payload }) => (payload as { taskId?: string })?.taskId).find(Boolean) ?? "",
  );
  const hasMessage = message.method === "message/send" || message.method === "message/stream";
  const isKnownTask = id === "" || (original !== undefined && (id === original.task || !hasMessage));
  const blamedRule = isKnownTask ? rule : await blameAnswer(context, model, walkMessage, rule);
  must(blamedRule, isKnownTask, `${stepText} is accepted: ${answer.brief}`);
  const handledAfter = await countHandled(context);
  const wasNotExecuted =
    handledBefore === undefined || handledAfter === undefined || handledAfter - handledBefore <= extraRequests;
  const isRefusal = answer.isRefused && original === undefined;
  let executionRule = isRefusal ? "SNAP-VAL-006" : rule;
  if (!isRefusal && !wasNotExecuted) executionRule = await blameAnswer(context, model, walkMessage, rule);
  must(executionRule, wasNotExecuted, `${stepText} was carried out`);
  const task = index === undefined ? undefined : model.tasks[index];
  if (task === undefined) return;
  const state = await readTask(context, model, task);
  const isNotCancelled = task.isCancelled || state !== "canceled";
  must(isRefusal ? "SNAP-VAL-006" : rule, isNotCancelled, `${stepText} has cancelled the task`);
}

/**
 * Returns the rule that an accepted repetition violates. If the agent also accepts the identical message over the same transport, it does
 * not remember messages at all. If it only accepts a different message with the same id, it does not rely on the id alone.
 */
async function blameAnswer(
  context: ScenarioContext,
  model: AgentModel,
  walkMessage: WalkMessage,
  rule: string,
): Promise<string> {
  const { original, message } = walkMessage;
  if (original === undefined || !/^SNAP-REPLAY-00[37]$/.test(rule)) return rule;
  if (await wasCarriedOut(context, model, { ...original, original })) return "SNAP-REPLAY-001";
  if (original.message === message || original.transport === walkMessage.transport) return rule;
  // With a third content, since the agent has already received the second.
  const httpMessage = repeatMessage(context, { ...original, message }, "reuse", original.transport);
  return (await wasCarriedOut(context, model, httpMessage)) ? "SNAP-REPLAY-003" : rule;
}

async function wasCarriedOut(context: ScenarioContext, model: AgentModel, walkMessage: WalkMessage): Promise<boolean> {
  const handledBefore = await countHandled(context);
  const { answer, extraRequests } = await deliverMessage(context, model, walkMessage);
  const handledAfter = await countHandled(context);
  const wasExecuted =
    handledBefore !== undefined && handledAfter !== undefined && handledAfter - handledBefore > extraRequests;
  return wasExecuted || (answer.task !== undefined && answer.task.id !== walkMessage.original?.task);
}

/** Expects that a stream ends, whether it is refused or not. */
function requireEnd({ end, answer }: DeliveryAnswer, stepText: string, must: Must): void {
  const rule = answer.error === undefined ? "SNAP-STREAM-001" : "SNAP-STREAM-008";
  must(rule, end !== "open", `${stepText}: its stream does not end, although the agent answers other messages`);
}

/** Records the result of a valid message. Throws a TargetFailure or TargetSkip if the agent refuses a message that any agent accepts. */
function countAnswer(model: AgentModel, walkMessage: WalkMessage, answer: DeliveryAnswer): void {
  const { message, text, index } = walkMessage;
  const { answer: partyAnswer, messages } = answer;
  if (partyAnswer.code === 1007) model.unsupported.add(String(message.method));
  // An agent may refuse a timestamp that is slightly in the future.
  if (partyAnswer.code === 1007 || (walkMessage.fault === "ahead" && partyAnswer.isRefused)) return;
  recordExchange(model, walkMessage, answer);
  const eventTaskIds = messages.map(({ payload }) => (payload as { taskId?: unknown })?.taskId);
  const id = partyAnswer.task?.id ?? eventTaskIds.find((taskId) => typeof taskId === "string");
  if (text !== undefined && id === undefined) requireTask(partyAnswer, String(message.method));
  model.acceptedMessages.push({
    message,
    transport: walkMessage.transport,
    text,
    index,
    task: typeof id === "string" ? id : undefined,
  });
  const task = index === undefined ? undefined : model.tasks[index];
  const state = partyAnswer.task === undefined ? "working" : stateOf(partyAnswer.task);
  if (text !== undefined) model.tasks.push({ id: String(id), text, state, isCancelled: false });
  else if (task !== undefined && partyAnswer.task !== undefined) task.state = state;
  if (message.method === "tasks/cancel" && task !== undefined && state === "canceled") task.isCancelled = true;
}

/** Reads a task, and compares it with the model. */
async function readTask(context: ScenarioContext, model: AgentModel, task: WalkedTask): Promise<string> {
  const message = await request(context, model.peer, "tasks/get", { taskId: task.id });
  const taskAnswer = await ask(context, model.peer, message);
  const answer: DeliveryAnswer = {
    answer: taskAnswer,
    messages: taskAnswer.message === undefined ? [] : [taskAnswer.message],
    extraRequests: 0,
    end: "whole",
  };
  recordExchange(model, { message, transport: "http" }, answer);
  if (!taskAnswer.isRefused) task.state = stateOf(taskIn(taskAnswer.message?.payload as never) ?? taskAnswer.task);
  return task.state;
}

/** Reads every task once more, and checks all exchanges against the rules on tasks. */
export async function finish(context: ScenarioContext, model: AgentModel, must: Must): Promise<void> {
  for (const task of model.tasks) await readTask(context, model, task);
  await judgeTasks(context, model, must);
}
