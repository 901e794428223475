import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { isType } from "../../messages.ts";
import type { MessageArrival } from "./arrival.ts";
import { expectAck, expectBeginning, expectReadiness } from "./cues.ts";
import { compare } from "./judge.ts";
import { letterFor, type SendStep } from "./letters.ts";
import { type AgentWalkModel, countAttempts, hearMessages, type Letter } from "./model.ts";
import { expectNoLoop, expectNotHandled, expectReport } from "./refusals.ts";
import { textOf, type WalkStep } from "./step.ts";
import { judgeAssigned } from "./tasks.ts";

/** Performs one step with the agent and with the model, and compares the two. Throws a Divergence, or a TargetFailure if the agent breaks down. */
export async function take(context: ScenarioContext, model: AgentWalkModel, step: WalkStep, must: Must): Promise<void> {
  const { agent, post, arrived: arrivedLetters } = model;
  const stepText = textOf(step);
  switch (step.do) {
    case "wait":
      await agent.pass(3 * agent.beat);
      return compare(model, must);
    case "deliver": {
      const letter = post.arrive(step.turn);
      return letter === undefined ? undefined : deliverCopies(context, model, { letter, what: stepText, must });
    }
    case "again":
      return deliverCopies(context, model, { letter: arrivedLetters[step.of] as Letter, what: stepText, must });
    default: {
      const letter = await letterFor(context, model, step as SendStep);
      for (const each of post.send(letter, step.mishap))
        await deliverCopies(context, model, { letter: each, what: stepText, must });
    }
  }
}

async function deliverCopies(
  context: ScenarioContext,
  model: AgentWalkModel,
  { letter, what, must }: { letter: Letter; what: string; must: Must },
): Promise<void> {
  await hearMessages(model);
  const after = model.heard.length;
  const isFirst = !model.arrived.includes(letter);
  if (isFirst) model.arrived.push(letter);
  await model.agent.deliver(letter.message);
  await judgeArrival({ context, model, letter, after, isFirst, stepText: what, must });
}

async function judgeArrival(arrival: MessageArrival): Promise<void> {
  const { model, letter, isFirst } = arrival;
  const { message, flaw, task, cue } = letter;
  if (isType(message, "coord.stop")) return judgeStop(arrival);
  if (flaw !== undefined) return expectReport(arrival);
  if (task !== undefined && isType(message, "task.assignment")) return judgeAssigned(arrival, task);
  if (!isFirst) {
    // A cue that is announced again may begin again.
    if (cue !== undefined) cue.halt = undefined;
    return;
  }
  if (task !== undefined) return task.isKnown || model.hasStopped ? undefined : expectNotHandled(arrival, task);
  if (isType(message, "escalation.")) return expectNoLoop(arrival);
  if (isType(message, "coord.warning")) return expectAck(arrival);
  if (isType(message, "coord.standby")) return expectReadiness(arrival);
  if (isType(message, "coord.go")) return expectBeginning(arrival);
}

/** A stop ends all work in progress. */
async function judgeStop({ model, isFirst, stepText }: MessageArrival): Promise<void> {
  if (!isFirst) return;
  model.hasStopped = true;
  // Messages that were already on their way when the stop arrived.
  await hearMessages(model);
  const { isLater } = await model.agent.moment(model.lag);
  const halt = {
    isLater,
    rule: "CONV-CUE-006",
    why: `after "${stepText}"`,
    heardCount: model.heard.length,
    attemptCount: 0,
  };
  for (const task of model.tasks) if (task.isKnown) task.halt ??= halt;
  for (const cue of model.cues) {
    if (cue.phase === "gone") cue.halt ??= { ...halt, attemptCount: await countAttempts(model, cue) };
    cue.phase = "unsure";
  }
}
