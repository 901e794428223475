import { isType, orchestrator } from "../../messages.ts";
import type { MessageArrival } from "./arrival.ts";
import { handledIds, hearMessages, type Task, waitForMessage } from "./model.ts";

/** Expects that an update of an unassigned task is not handled. Any reply is right, and silence too. */
export async function expectNotHandled(
  { context, model, letter, after, stepText, must }: MessageArrival,
  task: Task,
): Promise<void> {
  const id = String(letter.message.message_id);
  const isHandled = async (): Promise<boolean> => (await handledIds(model)).has(id);
  if (!model.canReportWork) return;
  await model.agent.settle();
  const report =
    !(await isHandled()) ||
    (await waitForMessage(context, model, after, (each) => isType(each, "escalation.", "ack.refused"))) !== undefined;
  must("CONV-RECV-004", report, `"${stepText}" is about ${task.id}, which is unknown, and is handled`);
}

/** Expects a valid report to the sender of an invalid message. Whether the message was handled is judged later. */
export async function expectReport({
  context,
  model,
  letter,
  after,
  isFirst,
  stepText,
  must,
}: MessageArrival): Promise<void> {
  if (!isFirst || model.hasStopped) return;
  const isReport = (each: Parameters<typeof isType>[0]): boolean =>
    isType(each, "escalation.", "ack.refused") && each.recipient === orchestrator;
  const report = await waitForMessage(context, model, after, isReport);
  must("CONV-RECV-001", report !== undefined, `"${stepText}" is invalid (${letter.flaw}), and no error comes back`);
  // A report of another category may be about something else.
  if (report === undefined || !isType(report, "escalation.") || report.category !== "validation") return;
  const [violation] = (await context.violations("escalation", report)).filter(({ level }) => level === "MUST");
  must(
    "CONV-RECV-003",
    violation === undefined,
    `the report on "${stepText}" is invalid: ${violation?.at || "it"} ${violation?.why}`,
  );
}

/** Expects that invalid escalations do not lead to ever more escalations. Only judged if nothing else could be escalated. */
export async function expectNoLoop({ model, after, must }: MessageArrival): Promise<void> {
  const { agent, arrived: arrivedLetters, complaints } = model;
  const hasOtherCause = arrivedLetters.some(({ flaw, task }) => flaw !== undefined || task !== undefined);
  await agent.settle();
  await hearMessages(model);
  if (hasOtherCause) return;
  complaints.arrivedLetters += 1;
  const replies = model.heard.slice(after).filter((each) => isType(each, "escalation."));
  // The hub may get a message twice.
  complaints.answeredCount += new Set(replies.map(({ message_id: id }) => String(id).toLowerCase())).size;
  const { arrivedLetters: count, answeredCount } = complaints;
  must("CONV-RECV-005", answeredCount < 2, `${count} invalid escalations are answered by ${answeredCount} others`);
}
