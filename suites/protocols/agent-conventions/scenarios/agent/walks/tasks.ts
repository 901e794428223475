import { inShort, isAbove, isType, memberObject } from "../../messages.ts";
import type { MessageArrival } from "./arrival.ts";
import { handledIds, hearMessages, isBusy, type Task, waitForMessage, waitUntil } from "./model.ts";

/** Expects that an arrived assignment is handled, and that the result of its work is reported. */
export async function judgeAssigned(arrival: MessageArrival, task: Task): Promise<void> {
  const { model, isFirst } = arrival;
  const isFree = !isBusy(model);
  task.isKnown = true;
  // An agent that gets an assignment again may begin the task again.
  if (!isFirst) task.halt = undefined;
  // A busy or stopped agent may leave it for later.
  if (!isFirst || !isFree || model.hasStopped) return;
  await expectHandled(arrival);
  if (task.work === "missing" || task.work === "invariant") await expectHalt(arrival, task);
}

async function expectHandled({ context, model, letter: { message }, stepText, must }: MessageArrival): Promise<void> {
  if (!model.canReportWork) return;
  const isHandled = await waitUntil(context, model, async () =>
    (await handledIds(model)).has(String(message.message_id)),
  );
  must("CONV-RECV-002", isHandled, `"${stepText}" is for the agent, and is not handled`);
}

/** Expects that a fault ends the work at once and is reported to a superior. */
async function expectHalt({ context, model, after, stepText, must }: MessageArrival, task: Task): Promise<void> {
  const { agent } = model;
  await agent.pass(agent.beat);
  const report = await waitForMessage(context, model, after, (each) => {
    const { task_id: about = task.id } = memberObject(each, "context");
    return isType(each, "escalation.") && about === task.id;
  });
  must("CONV-JID-001", report !== undefined, `"${stepText}" meets a fault, and no escalation comes`);
  // Other agents may be informed as well, and messages from before the fault are irrelevant.
  await agent.pass(agent.beat);
  await hearMessages(model);
  const all = model.heard.slice(after).filter((each) => isType(each, "escalation."));
  const isHigher = all.some(({ recipient }) => isAbove(recipient));
  const reportText = report === undefined ? "" : inShort(report);
  must(
    "CONV-JID-007",
    isHigher,
    `the fault of "${stepText}" is reported by ${reportText}, to no orchestrator, hub or tournant`,
  );
  const why = `no message has told the agent to continue after the fault of "${stepText}"`;
  const { isLater } = await agent.moment(model.lag);
  task.halt = { rule: "CONV-JID-007", why, heardCount: model.heard.length, attemptCount: 0, isLater };
}
