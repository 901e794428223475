import {
  type HttpReply,
  type Json,
  type JsonObject,
  type ScenarioContext,
  TargetFailure,
} from "../../../../../schemas/index.ts";
import { Divergence, type Must } from "../../../../running/scenarios/walks/index.ts";
import { deadlineIn } from "../deadline.ts";
import { ask, task } from "../messages.ts";
import { afterDeadline, cancel, inShort, isAccepted, outcomeOf, read, submit } from "../steps.ts";
import type { KeptMessage } from "./model.ts";

/** Reads a message as its submitter and compares it with the model: its status, and its single, final outcome. */
export async function compareMessage(context: ScenarioContext, keptMessage: KeptMessage, must: Must): Promise<void> {
  await settleExpiry(context, keptMessage, must);
  const { type, status, isUnread } = keptMessage;
  const reply = await read(context, keptMessage.id);
  const message = bodyOf(reply);
  const shownStatus = message?.status ?? null;
  if (message === undefined || shownStatus !== status)
    throw await divergenceOf(context, keptMessage, reply, shownStatus);
  if (isUnread) must(durabilityRule(keptMessage), true, "");
  must(stabilityRule(keptMessage), true, "");
  keptMessage.isUnread = false;
  if (status === "open" || type === "notify") return;
  const { envelope, inner } = outcomeOf(message);
  const { resolution_id: id } = envelope;
  const hasId = typeof id === "string";
  if (status === "cancelled") must("AHCP-LIF-005", hasId, `the cancelled ask has no Response: ${inShort(reply)}`);
  const valueText = `it expired without a default, with the value ${JSON.stringify(inner.value)}`;
  if (status === "expired") must(expiryRule(keptMessage), inner.value === undefined, valueText);
  if (!hasId) return;
  const earlierId = keptMessage.resolutionId;
  keptMessage.resolutionId ??= id;
  if (earlierId === undefined) return;
  const ruleInMemory = keptMessage.wasCancelledAgain ? "AHCP-CAN-004" : "AHCP-LIF-002";
  const rule = isUnread ? "AHCP-DUR-002" : ruleInMemory;
  must(rule, id === earlierId, `its resolution_id was ${earlierId}, and is ${id}`);
}

/** Waits until the hub must have noticed a passed deadline, and checks that the message has expired. */
async function settleExpiry(context: ScenarioContext, keptMessage: KeptMessage, must: Must): Promise<void> {
  if (!keptMessage.isOverdue) return;
  const reply = await read(context, keptMessage.id);
  if (bodyOf(reply) === undefined) throw await divergenceOf(context, keptMessage, reply, null);
  const { status = null } = await afterDeadline(context, keptMessage.id, keptMessage.patience);
  const statusText = `11 s after its deadline the ${keptMessage.type} is "${status}"`;
  keptMessage.isOverdue = false;
  keptMessage.status = "expired";
  if (status !== "open" && status !== "expired") throw new Divergence("AHCP-EXP-004", statusText);
  const isLost =
    keptMessage.wasRestarted && (status === "expired" || (await expiresWithoutRestart(context, keptMessage)));
  must(isLost ? "AHCP-DUR-006" : expiryRule(keptMessage), status === "expired", statusText);
}

/** Whether a message of the same type expires without a restart. */
export async function expiresWithoutRestart(
  context: ScenarioContext,
  { type, patience }: KeptMessage,
): Promise<boolean> {
  const { members } = await deadlineIn(context, 10_000);
  const { id } = await submit(context, type === "task" ? task(context, members) : ask(context, members));
  await context.pass(12_000);
  return (await afterDeadline(context, id, patience)).status === "expired";
}

/** Whether an open ask survives a restart. */
async function survivesRestart(context: ScenarioContext): Promise<boolean> {
  const { id } = await submit(context, ask(context));
  await context.hook("restart", {});
  const isFound = bodyOf(await read(context, id)) !== undefined;
  await cancel(context, id);
  return isFound;
}

/** The rule that a hub breaks by forgetting a message at a restart; undefined if the message is unchanged. */
export async function findForgottenRule(
  context: ScenarioContext,
  keptMessage: KeptMessage,
): Promise<string | undefined> {
  const reply = await read(context, keptMessage.id);
  const message = bodyOf(reply);
  const isLate = keptMessage.isOverdue && message?.status === "expired";
  if (message === undefined || (message.status !== keptMessage.status && !isLate)) return durabilityRule(keptMessage);
  return keptMessage.hasDeadline && message.expires_at === undefined ? "AHCP-DUR-006" : undefined;
}

export function expiryRule({ type }: KeptMessage): string {
  return type === "task" ? "AHCP-EXP-007" : "AHCP-EXP-006";
}

function bodyOf({ status, json }: HttpReply): JsonObject | undefined {
  return status === 200 && typeof json === "object" && json !== null && !Array.isArray(json) ? json : undefined;
}

/** The rule that requires a message to survive a restart. */
function durabilityRule({ type, status }: KeptMessage): string {
  if (type === "notify") return "AHCP-DUR-003";
  return status === "open" ? "AHCP-DUR-001" : "AHCP-DUR-002";
}

/** The rule that requires a message to stay unchanged. */
function stabilityRule({ type, status, hasDeadline }: KeptMessage): string {
  if (type === "notify") return "AHCP-LIF-008";
  if (status === "open") return hasDeadline ? "AHCP-LIF-001" : "AHCP-EXP-009";
  return "AHCP-LIF-002";
}

/** The divergence to report for a reply with a wrong status or without the message. */
async function divergenceOf(
  context: ScenarioContext,
  keptMessage: KeptMessage,
  reply: HttpReply,
  shownStatus: Json,
): Promise<Error> {
  const { type, status, hasDeadline, isUnread, id } = keptMessage;
  const isFound = isAccepted(reply);
  const statusText = `the ${type} ${id} must be "${status}", but it is ${isFound ? `"${shownStatus}"` : `missing: ${inShort(reply)}`}`;
  if (!isFound && reply.status !== 404 && reply.status !== 410)
    return new TargetFailure("errored", "read", `an accepted message cannot be read: ${inShort(reply)}`);
  if (type === "notify" && isFound) return new Divergence("AHCP-LIF-008", statusText);
  const isExpired = status === "open" && shownStatus === "expired";
  // A hub that loses open messages has lost their outcomes, too.
  const isLost = isUnread && !isFound && type !== "notify" && !(await survivesRestart(context));
  if (isLost) return new Divergence("AHCP-DUR-001", `after a restart ${statusText}`);
  if (isUnread && !isExpired) return new Divergence(durabilityRule(keptMessage), `after a restart ${statusText}`);
  if (type === "notify") return new Divergence("AHCP-LIF-008", statusText);
  if (status === "open") return new Divergence(isExpired && !hasDeadline ? "AHCP-EXP-009" : "AHCP-LIF-001", statusText);
  if (status === "expired" && shownStatus === "cancelled") return new Divergence("AHCP-EXP-008", statusText);
  if (status === "expired")
    return new Divergence(shownStatus === "open" ? expiryRule(keptMessage) : "AHCP-EXP-004", statusText);
  return new Divergence("AHCP-LIF-002", statusText);
}
