import { inner, isType, orchestrator } from "../../messages.ts";
import type { Arrival } from "./arrival.ts";
import { comes, hear, type Task } from "./model.ts";

/** An update of a task that has not been assigned is refused. */
export async function mustRefuse({ context, model, after, what, must }: Arrival, task: Task): Promise<void> {
  const said = await comes(context, model, after, (each) => isType(each, "escalation.", "ack.refused"));
  must("CONV-RECV-004", said !== undefined, `"${what}" is about ${task.id}, which is unknown, and is not refused`);
}

/** The sender of an invalid message is told, validly. That it is not handled shows later. */
export async function mustReport({ context, model, letter, after, isFirst, what, must }: Arrival): Promise<void> {
  if (!isFirst || model.hasStopped) return;
  const isReport = (each: Parameters<typeof isType>[0]): boolean =>
    isType(each, "escalation.", "ack.refused") && each.recipient === orchestrator;
  const said = await comes(context, model, after, isReport);
  must("CONV-RECV-001", said !== undefined, `"${what}" is invalid (${letter.flaw}), and no error comes back`);
  // Of another category it may be about something else.
  if (said === undefined || !isType(said, "escalation.") || said.category !== "validation") return;
  const [found] = (await context.violations("escalation", said)).filter(({ level }) => level === "MUST");
  must("CONV-RECV-003", found === undefined, `the report on "${what}" is invalid: ${found?.at || "it"} ${found?.why}`);
  const { operation } = inner(said, "context");
  const isNamed = typeof operation === "string" && operation !== "";
  must("CONV-RECV-003", isNamed, `the report on "${what}" names no operation in its context`);
}

/** Escalations that are invalid are not answered one after the other; only where nothing else is there to be escalated. */
export async function mustNotLoop({ model, after, must }: Arrival): Promise<void> {
  const { agent, arrived, complaints } = model;
  const isOther = arrived.some(({ flaw, task }) => flaw !== undefined || task !== undefined);
  await agent.pass(agent.beat);
  await hear(model);
  if (isOther) return;
  complaints.arrived += 1;
  complaints.answered += model.heard.slice(after).filter((each) => isType(each, "escalation.")).length;
  const { arrived: count, answered } = complaints;
  must("CONV-RECV-005", answered < 2, `${count} invalid escalations are answered by ${answered} others`);
}
