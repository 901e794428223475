import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { isType } from "../../messages.ts";
import type { MessageArrival } from "./arrival.ts";
import { expectAck, expectBeginning, expectReadiness } from "./cues.ts";
import { deliveryFor, type SendStep } from "./deliveries.ts";
import { compareWithModel } from "./judge.ts";
import { type AgentWalkModel, countAttempts, type Delivery, readOutbox } from "./model.ts";
import { expectNoLoop, expectNotHandled, expectReport } from "./refusals.ts";
import { textOf, type WalkStep } from "./step.ts";
import { judgeAssigned } from "./tasks.ts";

/**
 * Performs a step with the agent and with the model, and compares the two. Throws a Divergence if they differ, or a
 * TargetFailure if the agent fails.
 */
export async function performStep(
  context: ScenarioContext,
  model: AgentWalkModel,
  step: WalkStep,
  must: Must,
): Promise<void> {
  const { agent, post, deliveries } = model;
  const stepText = textOf(step);
  switch (step.do) {
    case "wait":
      await agent.pass(3 * agent.beat);
      return compareWithModel(model, must);
    case "deliver": {
      const delivery = post.arrive(step.turn);
      return delivery === undefined ? undefined : deliver(context, model, { delivery, stepText, must });
    }
    case "again":
      return deliver(context, model, { delivery: deliveries[step.index] as Delivery, stepText, must });
    default: {
      const delivery = await deliveryFor(context, model, step as SendStep);
      for (const arrived of post.send(delivery, step.mishap))
        await deliver(context, model, { delivery: arrived, stepText, must });
    }
  }
}

async function deliver(
  context: ScenarioContext,
  model: AgentWalkModel,
  { delivery, stepText, must }: { delivery: Delivery; stepText: string; must: Must },
): Promise<void> {
  await readOutbox(model);
  const fromIndex = model.hubMessages.length;
  const isFirst = !model.deliveries.includes(delivery);
  if (isFirst) model.deliveries.push(delivery);
  await model.agent.deliver(delivery.message);
  await judgeArrival({ context, model, delivery, fromIndex, isFirst, stepText, must });
}

async function judgeArrival(arrival: MessageArrival): Promise<void> {
  const { model, delivery, isFirst } = arrival;
  const { message, flaw, task, cue } = delivery;
  if (isType(message, "coord.stop")) return recordStop(arrival);
  if (flaw !== undefined) return expectReport(arrival);
  if (task !== undefined && isType(message, "task.assignment")) return judgeAssigned(arrival, task);
  if (!isFirst) {
    // After a repeated message, the work on a cue may begin again.
    if (cue !== undefined) cue.halt = undefined;
    return;
  }
  if (task !== undefined) return task.isKnown || model.hasStopped ? undefined : expectNotHandled(arrival, task);
  if (isType(message, "escalation.")) return expectNoLoop(arrival);
  if (isType(message, "coord.warning")) return expectAck(arrival);
  if (isType(message, "coord.standby")) return expectReadiness(arrival);
  if (isType(message, "coord.go")) return expectBeginning(arrival);
}

/** Records the end of all work in progress. */
async function recordStop({ model, isFirst, stepText }: MessageArrival): Promise<void> {
  if (!isFirst) return;
  model.hasStopped = true;
  // Reads messages that were already on their way when the stop arrived.
  await readOutbox(model);
  const { isLater } = await model.agent.moment(model.lag);
  const halt = {
    isLater,
    rule: "CONV-CUE-006",
    why: `after "${stepText}"`,
    messageCount: model.hubMessages.length,
    attemptCount: 0,
  };
  for (const task of model.tasks) if (task.isKnown) task.halt ??= halt;
  for (const cue of model.cues) {
    if (cue.phase === "gone") cue.halt ??= { ...halt, attemptCount: await countAttempts(model, cue) };
    cue.phase = "unsure";
  }
}
