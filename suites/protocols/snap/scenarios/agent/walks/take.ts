import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { ask, countHandled, request, seconds, stateOf, tookIt } from "../../parties.ts";
import { type DeliveryAnswer, deliverLetter } from "./delivery.ts";
import { judgeAnswer, judgeTasks, note } from "./judge.ts";
import { type Asking, letterFor, repeatLetter } from "./letters.ts";
import { type AgentModel, type TakenMessage, taskIn, type WalkedTask, type WalkMessage } from "./model.ts";
import { type AgentStep, type Bent, textOf } from "./step.ts";

/** Seconds after its timestamp: from the first on, a message is certainly refused; until the second, it certainly is not. */
const [stale, fresh] = [75, 45];
/** The step of the clock, in milliseconds. */
const clockStep = 90_000;

/** The rule that forbids an effect of a faulty message. */
const rulesByFault: Partial<Record<Bent, string>> = {
  forged: "SNAP-SIG-009",
  tampered: "SNAP-SIG-009",
  old: "SNAP-TIME-001",
  early: "SNAP-TIME-001",
  misaddressed: "SNAP-RCPT-001",
};

/** Performs one step with the agent and with the model, and compares the two. Throws a Divergence, or a TargetFailure if the agent breaks down. */
export async function take(context: ScenarioContext, model: AgentModel, step: AgentStep, must: Must): Promise<void> {
  const what = textOf(step);
  switch (step.do) {
    case "wait":
      return context.pass(clockStep);
    case "deliver": {
      const letter = model.post.arrive(step.turn);
      return letter === undefined ? undefined : judgeDelivery(context, model, { letter, what, must });
    }
    case "replay":
    case "reuse": {
      const first = model.taken[step.of] as TakenMessage;
      return judgeDelivery(context, model, {
        letter: repeatLetter(context, first, step.do, step.way ?? "http"),
        what,
        must,
      });
    }
    default: {
      const letter = await letterFor(context, model, step as Asking);
      const copies = model.post.send(letter, (step as Asking).mishap);
      if (copies.length === 2) return sendTwice(context, model, { letter, what, must });
      for (const copy of copies) await judgeDelivery(context, model, { letter: copy, what, must });
    }
  }
}

/** Delivers a message: it has an effect only if it is valid. */
async function judgeDelivery(
  context: ScenarioContext,
  model: AgentModel,
  { letter, what, must }: { letter: WalkMessage; what: string; must: Must },
): Promise<void> {
  const rule = await ruleAgainst(context, letter);
  if (rule === "unsure") return;
  const before = await countHandled(context);
  const answer = await deliverLetter(context, model, letter);
  await judgeAnswer(context, letter, answer, must);
  mustEnd(answer, what, must);
  if (rule === undefined) return countAnswer(model, letter, answer);
  await sendNothing(context, { model, letter, rule, before, what, must }, answer);
}

/** Sends two copies at once, over both transports if there are two. Only one of them counts. */
async function sendTwice(
  context: ScenarioContext,
  model: AgentModel,
  { letter, what, must }: { letter: WalkMessage; what: string; must: Must },
): Promise<void> {
  const other: WalkMessage = { ...letter, way: "http" };
  const before = await countHandled(context);
  const rule = await ruleAgainst(context, letter);
  const [one, two] = await Promise.all([deliverLetter(context, model, letter), deliverLetter(context, model, other)]);
  const copy: WalkMessage = { ...letter, first: letter };
  for (const answer of [one, two]) await judgeAnswer(context, copy, answer, must);
  if (rule !== undefined && rule !== "unsure") {
    await sendNothing(
      context,
      { model, letter, rule, before, what, must },
      { ...one, besides: one.besides + two.besides },
    );
    // The effect of the first look at the task is not counted.
    await sendNothing(context, { model, letter, rule, before: undefined, what, must }, two);
    return;
  }
  const [took, second] = one.told.isRefused ? [two, one] : [one, two];
  countAnswer(model, took === one ? letter : other, took);
  const first: TakenMessage = model.taken.at(-1) as TakenMessage;
  const again = letter.way === "socket" ? "SNAP-REPLAY-007" : "SNAP-REPLAY-001";
  const after = await countHandled(context);
  await sendNothing(context, { model, letter: { ...letter, first }, rule: again, before: after, what, must }, second);
  if (before === undefined || after === undefined || took.told.isRefused) return;
  const most = 1 + one.besides + two.besides;
  must(again, after - before <= most, `two copies of one message at once were carried out ${after - before} times`);
}

/** The rule that forbids an effect of a message at this point. Undefined if the message is valid, and `unsure` if either is right. */
async function ruleAgainst(context: ScenarioContext, letter: WalkMessage): Promise<string | undefined> {
  const { bent, first, message, way } = letter;
  const odd = bent === undefined ? undefined : rulesByFault[bent];
  if (odd !== undefined) return odd;
  const age = Math.abs((await seconds(context)) - Number(message.timestamp));
  if (age > stale) return "SNAP-TIME-001";
  if (first !== undefined) {
    // Each transport may have its own memory, which knows neither the message nor its id.
    if (first.way !== way) return "SNAP-REPLAY-007";
    return first.message === message ? "SNAP-REPLAY-001" : "SNAP-REPLAY-003";
  }
  return age > fresh && bent !== "ahead" ? "unsure" : undefined;
}

interface Against {
  model: AgentModel;
  letter: WalkMessage;
  rule: string;
  /** The number of executions before. */
  before: number | undefined;
  what: string;
  must: Must;
}

/** Checks that the message had no effect: there is no task except that of the original message, nothing was carried out, and nothing was cancelled. */
async function sendNothing(
  context: ScenarioContext,
  { model, letter, rule, before, what, must }: Against,
  { told, messages, besides }: DeliveryAnswer,
): Promise<void> {
  const { first, of, message } = letter;
  const id = String(
    told.task?.id ?? messages.map(({ payload }) => (payload as { taskId?: string })?.taskId).find(Boolean) ?? "",
  );
  const isSaid = message.method === "message/send" || message.method === "message/stream";
  const isOld = id === "" || (first !== undefined && (id === first.task || !isSaid));
  const own = isOld ? rule : await blameAnswer(context, model, letter, rule);
  must(own, isOld, `${what} is accepted: ${told.brief}`);
  const after = await countHandled(context);
  const isIdle = before === undefined || after === undefined || after - before <= besides;
  const isTold = told.isRefused && first === undefined;
  must(
    isTold ? "SNAP-VAL-006" : isIdle ? rule : await blameAnswer(context, model, letter, rule),
    isIdle,
    `${what} was carried out`,
  );
  const task = of === undefined ? undefined : model.tasks[of];
  if (task === undefined) return;
  const state = await lookAtTask(context, model, task);
  const isKept = task.isCancelled || state !== "canceled";
  must(isTold ? "SNAP-VAL-006" : rule, isKept, `${what} has cancelled the task`);
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
  if (await isTaken(context, model, { ...first, first })) return "SNAP-REPLAY-001";
  if (first.message === message || first.way === letter.way) return rule;
  // A third content, since the agent now knows the second.
  const other = repeatLetter(context, { ...first, message }, "reuse", first.way);
  return (await isTaken(context, model, other)) ? "SNAP-REPLAY-003" : rule;
}

async function isTaken(context: ScenarioContext, model: AgentModel, letter: WalkMessage): Promise<boolean> {
  const before = await countHandled(context);
  const { told, besides } = await deliverLetter(context, model, letter);
  const after = await countHandled(context);
  const isAgain = before !== undefined && after !== undefined && after - before > besides;
  return isAgain || (told.task !== undefined && told.task.id !== letter.first?.task);
}

/** A stream must end, refused or not. */
function mustEnd({ end, told }: DeliveryAnswer, what: string, must: Must): void {
  const rule = told.error === undefined ? "SNAP-STREAM-001" : "SNAP-STREAM-008";
  must(rule, end !== "open", `${what}: its stream does not end, while others are answered`);
}

/** Records the result of a valid message. Throws a TargetFailure or TargetSkip if the agent refuses a message that any agent accepts. */
function countAnswer(model: AgentModel, letter: WalkMessage, answer: DeliveryAnswer): void {
  const { message, text, of } = letter;
  const { told, messages } = answer;
  if (told.code === 1007) model.lacking.add(String(message.method));
  // Some agents refuse every message from the future, which is allowed for such a small difference.
  if (told.code === 1007 || (letter.bent === "ahead" && told.isRefused)) return;
  note(model, letter, answer);
  const events = messages.map(({ payload }) => (payload as { taskId?: unknown })?.taskId);
  const id = told.task?.id ?? events.find((each) => typeof each === "string");
  if (text !== undefined && id === undefined) tookIt(told, String(message.method));
  model.taken.push({ message, way: letter.way, text, of, task: typeof id === "string" ? id : undefined });
  const task = of === undefined ? undefined : model.tasks[of];
  const state = told.task === undefined ? "working" : stateOf(told.task);
  if (text !== undefined) model.tasks.push({ id: String(id), text, state, isCancelled: false });
  else if (task !== undefined && told.task !== undefined) task.state = state;
  if (message.method === "tasks/cancel" && task !== undefined && state === "canceled") task.isCancelled = true;
}

/** Reads a task, and compares it with the model. */
async function lookAtTask(context: ScenarioContext, model: AgentModel, task: WalkedTask): Promise<string> {
  const message = await request(context, model.peer, "tasks/get", { taskId: task.id });
  const told = await ask(context, model.peer, message);
  const answer: DeliveryAnswer = {
    told,
    messages: told.message === undefined ? [] : [told.message],
    besides: 0,
    end: "whole",
  };
  note(model, { message, way: "http" }, answer);
  task.state = told.isRefused ? task.state : stateOf(taskIn(told.message?.payload as never) ?? told.task);
  return task.state;
}

/** Reads every task once more, and checks all exchanges against the rules on tasks. */
export async function finish(context: ScenarioContext, model: AgentModel, must: Must): Promise<void> {
  for (const task of model.tasks) await lookAtTask(context, model, task);
  await judgeTasks(context, model, must);
}
