import { documentNamed, isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { refusalSentence } from "../../../../packs/reference/service.ts";
import { envelopeOf } from "./envelope.ts";
import type { MessageOutcome, RunningHub } from "./hub.ts";
import { note } from "./keeping.ts";
import { blockOf, end, expire } from "./lifecycle.ts";
import { type Code, fault } from "./reply.ts";
import type { StoredMessage } from "./store.ts";

/** The answer to a resolver: accepted, or refused with a status, a code and a reason. */
export type ResolveResult =
  | { applied: true; became: string }
  | { applied: false; status: number; code: Code; message: string };

/** Ends a message for a resolver, who is a person or an agent. */
export async function resolve(hub: RunningHub, input: JsonObject): Promise<ResolveResult> {
  const entry = hub.store.entries.get(String(input.id));
  if (entry === undefined) return refuseWith("not_found", "this message does not exist");
  if (entry.deleted) return refuseWith("gone", "the message has been deleted");
  const outcome = outcomeIn(hub, input, entry);
  const objection = objectionTo(hub, entry, outcome);
  if (objection !== undefined) {
    // A notify has no outcome to return.
    const hasOutcome = objection.code === "already_terminal" && entry.message.type !== "notify";
    if (hasOutcome && hub.policy.givesOutcomeToLate) return { applied: true, became: entry.status };
    note(hub, "refused to resolve", { id: entry.id, note: objection.code });
    hub.policy.afterRefusal(entry, outcome, hub);
    return objection;
  }
  const gap = hub.policy.gap?.("resolve", hub, entry);
  if (gap !== undefined) await gap;
  end(hub, entry, { ...outcome, actor: hub.policy.nameActor(outcome.actor, input) }, hub.clock.now());
  return { applied: true, became: entry.status };
}

/** Reads the outcome from a request. Other members are ignored. */
function outcomeIn({ policy }: RunningHub, input: JsonObject, { message }: StoredMessage): MessageOutcome {
  const { resolution, actor, value = null, comment, checklist = null } = input;
  return {
    resolution: policy.recordedOutcome(String(resolution), message),
    actor: policy.identifyResolver(String(actor), input),
    ...(value === null ? {} : { value }),
    ...(typeof comment === "string" ? { comment } : {}),
    ...(checklist === null ? {} : { checklist }),
  };
}

/** Why the outcome is refused. Checks the permission first, so that other resolvers do not learn the state of the message. */
function objectionTo(
  hub: RunningHub,
  entry: StoredMessage,
  outcome: MessageOutcome,
): Exclude<ResolveResult, { applied: true }> | undefined {
  const { policy } = hub;
  const { message } = entry;
  const { resolution, actor, value, checklist } = outcome;
  const isNotify = message.type === "notify";
  if (!isNotify && !policy.mayResolve(actor, entry))
    return refuseWith("not_authorized", "this resolver is not permitted");
  expire(hub, entry, "resolve");
  const mayEnd = entry.status === "open" || policy.mayEndAgain(entry, outcome);
  if (!mayEnd) return refuseWith("already_terminal", `the message is ${entry.status}`);
  const outcomes = policy.outcomesFor(String(message.type));
  if (!outcomes.includes(resolution))
    return refuseWith("invalid_field", `a ${message.type} ends as ${outcomes.join(" or ")}`);
  if (!policy.permitsOutcome(message, resolution))
    return refuseWith(policy.codeOfForbiddenOutcome, `the ask does not permit "${resolution}"`);
  if (checklist !== undefined && !isChecklist(checklist))
    return refuseWith("invalid_field", "a checklist is a list of items, each with a text and optionally done");
  if (resolution === "answered" || value !== undefined) return objectionToValue(hub, entry, outcome);
  return undefined;
}

/** Why the value is refused. Judges it as part of the Response that would contain it. */
function objectionToValue(
  hub: RunningHub,
  entry: StoredMessage,
  outcome: MessageOutcome,
): Exclude<ResolveResult, { applied: true }> | undefined {
  const { message, id } = entry;
  if (!hub.policy.checksAnswer(blockOf(message), outcome)) return undefined;
  if (outcome.resolution !== "answered") return refuseWith("invalid_field", `"${outcome.resolution}" has no value`);
  const response = envelopeOf(hub, entry, outcome, hub.clock.now());
  const { breaches } = hub.judge(documentNamed(hub.protocol, "outcome"), { id, message, response });
  const reasons = breaches.filter(({ at = "" }) => at.startsWith("/response"));
  return reasons.length === 0 ? undefined : refuseWith("invalid_field", refusalSentence({ kind: "invalid", reasons }));
}

function isChecklist(value: Json): boolean {
  const isItem = (item: Json): boolean =>
    isObject(item) && typeof item.text === "string" && (item.done === undefined || typeof item.done === "boolean");
  return Array.isArray(value) && value.every(isItem);
}

function refuseWith(code: Code, message: string): Exclude<ResolveResult, { applied: true }> {
  return { applied: false, status: fault(code, message).status, code, message };
}
