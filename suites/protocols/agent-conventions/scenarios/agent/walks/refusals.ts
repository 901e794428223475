import { isType, orchestrator } from "../../messages.ts";
import type { MessageArrival } from "./arrival.ts";
import { handledIds, readOutbox, type Task, waitForMessage } from "./model.ts";

/** Expects that an update of an unknown task is not handled without a reply. The agent may reply in any way, or not at all. */
export async function expectNotHandled(
  { context, model, delivery, fromIndex, stepText, must }: MessageArrival,
  task: Task,
): Promise<void> {
  const id = String(delivery.message.message_id);
  const isHandled = async (): Promise<boolean> => (await handledIds(model)).has(id);
  if (!model.canReportWork) return;
  await model.agent.settle();
  const isIgnoredOrRefused =
    !(await isHandled()) ||
    (await waitForMessage(context, model, fromIndex, (message) => isType(message, "escalation.", "ack.refused"))) !==
      undefined;
  must("CONV-RECV-004", isIgnoredOrRefused, `"${stepText}" is about ${task.id}, an unknown task, but is handled`);
}

/** Expects a valid report to the sender of an invalid message. `compareWithModel` checks whether the message was handled. */
export async function expectReport({
  context,
  model,
  delivery,
  fromIndex,
  isFirst,
  stepText,
  must,
}: MessageArrival): Promise<void> {
  if (!isFirst || model.hasStopped) return;
  const isReport = (message: Parameters<typeof isType>[0]): boolean =>
    isType(message, "escalation.", "ack.refused") && message.recipient === orchestrator;
  const report = await waitForMessage(context, model, fromIndex, isReport);
  must("CONV-RECV-001", report !== undefined, `"${stepText}" is invalid (${delivery.flaw}), but no error is returned`);
  // A report of a different category may be about something else.
  if (report === undefined || !isType(report, "escalation.") || report.category !== "validation") return;
  const [violation] = (await context.violations("escalation", report)).filter(({ level }) => level === "MUST");
  must(
    "CONV-RECV-003",
    violation === undefined,
    `the report on "${stepText}" is invalid: ${violation?.at || "it"} ${violation?.why}`,
  );
}

/** Expects that invalid escalations do not cause more and more escalations. Not judged if the agent may escalate something else. */
export async function expectNoLoop({ model, fromIndex, must }: MessageArrival): Promise<void> {
  const { agent, deliveries, complaints } = model;
  const hasOtherCause = deliveries.some(({ flaw, task }) => flaw !== undefined || task !== undefined);
  await agent.settle();
  await readOutbox(model);
  if (hasOtherCause) return;
  complaints.sentCount += 1;
  const replies = model.hubMessages.slice(fromIndex).filter((message) => isType(message, "escalation."));
  // The hub may receive a message twice.
  complaints.answeredCount += new Set(replies.map(({ message_id: id }) => String(id).toLowerCase())).size;
  const { sentCount, answeredCount } = complaints;
  must(
    "CONV-RECV-005",
    answeredCount < 2,
    `${sentCount} invalid escalations are answered with ${answeredCount} others`,
  );
}
