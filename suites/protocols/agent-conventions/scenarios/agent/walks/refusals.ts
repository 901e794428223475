import { isType, orchestrator } from "../../messages.ts";
import type { MessageArrival } from "./arrival.ts";
import { comes, handledIds, hearMessages, type Task } from "./model.ts";

/** Expects that an update of an unassigned task is not handled. Any reply is right, and silence too. */
export async function mustNotTake(
  { context, model, letter, after, what, must }: MessageArrival,
  task: Task,
): Promise<void> {
  const id = String(letter.message.message_id);
  const isHandled = async (): Promise<boolean> => (await handledIds(model)).has(id);
  if (!model.hasWorked) return;
  await model.agent.settle();
  const said =
    !(await isHandled()) ||
    (await comes(context, model, after, (each) => isType(each, "escalation.", "ack.refused"))) !== undefined;
  must("CONV-RECV-004", said, `"${what}" is about ${task.id}, which is unknown, and is handled`);
}

/** Expects a valid report to the sender of an invalid message. Whether the message was handled is judged later. */
export async function mustReport({
  context,
  model,
  letter,
  after,
  isFirst,
  what,
  must,
}: MessageArrival): Promise<void> {
  if (!isFirst || model.hasStopped) return;
  const isReport = (each: Parameters<typeof isType>[0]): boolean =>
    isType(each, "escalation.", "ack.refused") && each.recipient === orchestrator;
  const said = await comes(context, model, after, isReport);
  must("CONV-RECV-001", said !== undefined, `"${what}" is invalid (${letter.flaw}), and no error comes back`);
  // A report of another category may be about something else.
  if (said === undefined || !isType(said, "escalation.") || said.category !== "validation") return;
  const [found] = (await context.violations("escalation", said)).filter(({ level }) => level === "MUST");
  must("CONV-RECV-003", found === undefined, `the report on "${what}" is invalid: ${found?.at || "it"} ${found?.why}`);
}

/** Expects that invalid escalations do not lead to ever more escalations. Only judged if nothing else could be escalated. */
export async function mustNotLoop({ model, after, must }: MessageArrival): Promise<void> {
  const { agent, arrived, complaints } = model;
  const isOther = arrived.some(({ flaw, task }) => flaw !== undefined || task !== undefined);
  await agent.settle();
  await hearMessages(model);
  if (isOther) return;
  complaints.arrived += 1;
  const replies = model.heard.slice(after).filter((each) => isType(each, "escalation."));
  // The hub may get a message twice.
  complaints.answered += new Set(replies.map(({ message_id: id }) => String(id).toLowerCase())).size;
  const { arrived: count, answered } = complaints;
  must("CONV-RECV-005", answered < 2, `${count} invalid escalations are answered by ${answered} others`);
}
