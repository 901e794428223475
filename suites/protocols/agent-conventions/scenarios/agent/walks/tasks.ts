import { includesSuperior, isType, memberObject, summarize } from "../../messages.ts";
import type { MessageArrival } from "./arrival.ts";
import { handledIds, isBusy, readOutbox, type Task, waitForMessage, waitUntil } from "./model.ts";

/** Expects that an assignment is handled, and that a fault in its work is reported. */
export async function judgeAssigned(arrival: MessageArrival, task: Task): Promise<void> {
  const { model, isFirst } = arrival;
  const isFree = !isBusy(model);
  task.isKnown = true;
  // An agent that receives an assignment again may begin the task again.
  if (!isFirst) task.halt = undefined;
  // A busy or stopped agent may postpone it.
  if (!isFirst || !isFree || model.hasStopped) return;
  await expectHandled(arrival);
  if (task.work === "missing" || task.work === "invariant") await expectHalt(arrival, task);
}

async function expectHandled({ context, model, delivery: { message }, stepText, must }: MessageArrival): Promise<void> {
  if (!model.canReportWork) return;
  const isHandled = await waitUntil(context, model, async () =>
    (await handledIds(model)).has(String(message.message_id)),
  );
  must("CONV-RECV-002", isHandled, `"${stepText}" is addressed to the agent, but is not handled`);
}

/** Expects that a fault ends the work immediately, and is reported to a superior. */
async function expectHalt({ context, model, fromIndex, stepText, must }: MessageArrival, task: Task): Promise<void> {
  const { agent } = model;
  await agent.pass(agent.beat);
  const report = await waitForMessage(context, model, fromIndex, (message) => {
    const { task_id: escalatedTask = task.id } = memberObject(message, "context");
    return isType(message, "escalation.") && escalatedTask === task.id;
  });
  must("CONV-JID-001", report !== undefined, `"${stepText}" fails, but no escalation arrived`);
  // Reads escalations to other agents, and messages from before the fault.
  await agent.pass(agent.beat);
  await readOutbox(model);
  const escalations = model.hubMessages.slice(fromIndex).filter((message) => isType(message, "escalation."));
  const isReportedToSuperior = escalations.some(({ recipient }) => includesSuperior(recipient));
  const reportText = report === undefined ? "" : summarize(report);
  must(
    "CONV-JID-007",
    isReportedToSuperior,
    `the fault of "${stepText}" is reported by ${reportText}, but not to an orchestrator, a hub or a tournant`,
  );
  const why = `although no message has asked the agent to continue after the fault of "${stepText}"`;
  const { isLater } = await agent.moment(model.lag);
  task.halt = { rule: "CONV-JID-007", why, messageCount: model.hubMessages.length, attemptCount: 0, isLater };
}
