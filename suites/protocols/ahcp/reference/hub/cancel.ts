import { type Caller, findEntry } from "./access.ts";
import type { RunningHub } from "./hub.ts";
import { end, expire } from "./lifecycle.ts";
import { fault, type HubReply, isReply } from "./reply.ts";

/** Cancels an ask for its submitter. A repeated cancellation gets the same answer. If the ask has ended differently, the answer is that outcome. */
export async function cancel(hub: RunningHub, caller: Caller, id: string): Promise<HubReply> {
  const { policy } = hub;
  const entry = findEntry(hub, caller, id, "mayCancel");
  if (isReply(entry)) return entry;
  if (!policy.canCancel(entry)) {
    const refusal = fault("validation_error", `a ${entry.message.type} cannot be cancelled`);
    return policy.reply(refusal, { route: "refusal", hub, entry });
  }
  expire(hub, entry, "cancel");
  const outcome = { resolution: "cancelled", actor: `agent:${entry.agent}` };
  const isOpen = entry.status === "open" || policy.mayEndAgain(entry, outcome);
  if (isOpen) {
    const gap = policy.gap?.("cancel", hub, entry);
    if (gap !== undefined) await gap;
    end(hub, entry, outcome, hub.clock.now());
  }
  const { status } = entry;
  if (status === "cancelled")
    return policy.reply({ status: 200, body: { id, status } }, { route: "cancel", hub, entry });
  const conflict = fault("already_terminal", `the message is ${status}`, { id, status, resolution: status });
  return policy.reply(conflict, { route: "cancel", hub, entry });
}
