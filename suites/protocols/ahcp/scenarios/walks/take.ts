import { type HttpReply, isObject, type JsonObject, type ScenarioContext } from "../../../../../schemas/index.ts";
import { Divergence, type Must } from "../../../../running/scenarios/walks/index.ts";
import { deadlineIn } from "../deadline.ts";
import { ask, notify, task } from "../messages.ts";
import { cancel, idOf, inShort, isAccepted, isClientError, isRefused, post, read, resolve, submit } from "../steps.ts";
import { expiresOtherwise, expiry, findForgotten, lookAt } from "./look.ts";
import { type HubModel, type KeptMessage, mayEnd } from "./model.ts";
import type { HubStep } from "./step.ts";

/** The lead time of deadlines, in milliseconds of the hub's clock: short enough that no key is forgotten by then. */
const leadMs = 300_000;

/** Does one step with the hub and with the model, and compares them. Throws a Divergence, or a TargetFailure if the hub breaks down. */
export async function take(context: ScenarioContext, model: HubModel, step: HubStep, must: Must): Promise<void> {
  switch (step.do) {
    case "submit":
      model.kept.push(await submitStep(context, model, step));
      return;
    case "expire":
      return expire(context, model, must);
    case "restart":
      return restart(context, model, must);
  }
  const kept = model.kept[step.of] as KeptMessage;
  switch (step.do) {
    case "poll":
      return lookAt(context, kept, must);
    case "replay":
      return replay(context, kept, must);
    case "rerun":
      return rerun(context, kept, must);
    case "alter":
      return alter(context, kept, must);
    case "resolve":
      return end(context, kept, step.word, must);
    case "cancel":
      return withdraw(context, kept, must);
    case "steal": {
      const reply = await cancel(context, kept.id, "b");
      must("AHCP-CAN-002", isRefused(reply, 404, "not_found"), `to another agent it is not unknown: ${inShort(reply)}`);
      return lookAt(context, kept, must);
    }
  }
}

async function submitStep(
  context: ScenarioContext,
  { patience }: HubModel,
  { type, due }: Extract<HubStep, { do: "submit" }>,
): Promise<KeptMessage> {
  const make = { ask, task, notify }[type];
  const isDue = due === true && type !== "notify";
  const message = make(context, isDue ? (await deadlineIn(context, leadMs)).members : {});
  const { id } = await submit(context, message);
  const status = type === "notify" ? "delivered" : "open";
  return {
    id,
    type,
    message,
    status,
    due: isDue,
    past: false,
    overdue: false,
    restarted: false,
    unseen: false,
    cancelledAgain: false,
    patience,
  };
}

/** Sends the same bytes again, which must get the first acknowledgement with the present status. */
async function replay(context: ScenarioContext, kept: KeptMessage, must: Must): Promise<void> {
  const reply = await post(context, kept.message);
  await submitSame(context, kept, { reply, rule: kept.past ? "AHCP-IDM-013" : "AHCP-IDM-001", must });
  // Until the passed deadline must have been noticed, either status will do.
  if (kept.overdue) return lookAt(context, kept, must);
  const { status } = reply.json as JsonObject;
  const isNow = status === kept.status;
  const lost = kept.restarted && !isNow ? await findForgotten(context, kept) : undefined;
  must(lost ?? "AHCP-IDM-002", isNow, `the ${kept.type} is "${kept.status}", but its repetition gets "${status}"`);
}

/** Sends a message again. After a restart, another id shows that the key was forgotten; a refused message was known. */
async function submitSame(
  context: ScenarioContext,
  kept: KeptMessage,
  { reply, rule, must }: { reply: HttpReply; rule: string; must: Must },
): Promise<void> {
  const isSame = isAccepted(reply) && idOf(reply) === kept.id && isObject(reply.json);
  const lost = isSame ? undefined : await lossOf(context, kept, reply);
  must(lost ?? rule, isSame, `a repetition does not get the id ${kept.id}: ${inShort(reply)}`);
  if (kept.restarted) must("AHCP-DUR-005", true, "");
}

async function lossOf(context: ScenarioContext, kept: KeptMessage, reply: HttpReply): Promise<string | undefined> {
  if (!kept.restarted) return undefined;
  const gone = await findForgotten(context, kept);
  if (gone !== undefined || !isAccepted(reply) || idOf(reply) === kept.id) return gone;
  // If the same message is recognized now, the restart was not the cause.
  const again = await post(context, kept.message);
  return isAccepted(again) && idOf(again) === kept.id ? undefined : "AHCP-DUR-005";
}

/** From another run a key is recognized as well: as a repetition or as a conflict. */
async function rerun(context: ScenarioContext, kept: KeptMessage, must: Must): Promise<void> {
  const agent = { ...(kept.message.agent as JsonObject), run_id: context.fresh("run") };
  const reply = await post(context, { ...kept.message, agent });
  if (reply.status === 409) must("AHCP-IDM-005", true, "");
  else await submitSame(context, kept, { reply, rule: "AHCP-IDM-005", must });
}

async function alter(context: ScenarioContext, kept: KeptMessage, must: Must): Promise<void> {
  const reply = await post(context, { ...kept.message, title: context.fresh("other") });
  const isConflict = isRefused(reply, 409, "idempotency_conflict");
  const lost = isConflict ? undefined : await lossOf(context, kept, reply);
  must(lost ?? "AHCP-IDM-003", isConflict, `another title under the same key is not a conflict: ${inShort(reply)}`);
  const { status, json } = await read(context, kept.id);
  // Another rule judges whether it can be read.
  if (status !== 200 || !isObject(json)) return;
  const isUntouched = json.title === kept.message.title;
  must("AHCP-IDM-003", isUntouched, "a message that was refused because of its key has replaced the first");
}

async function end(context: ScenarioContext, kept: KeptMessage, word: string, must: Must): Promise<void> {
  if (kept.overdue && kept.restarted) await lookAt(context, kept, must);
  const isAllowed = mayEnd(kept, word);
  const given = word === "answered" ? { resolution: word, value: "red" } : { resolution: word };
  const { applied, status = "", code = "" } = await resolve(context, kept.id, given);
  const state = kept.overdue ? "past its deadline" : `"${kept.status}"`;
  const what = `the ${kept.type} is ${state}, and "${word}" ${applied ? "counts" : `is refused: ${status} ${code}`}`;
  if (isAllowed) must(kept.restarted ? "AHCP-DUR-001" : "AHCP-LIF-001", applied, what);
  else if (applied && kept.overdue) throw await tooLate(context, kept, "AHCP-EXP-004", what);
  else must(rulePreventing(kept, word), !applied, what);
  if (isAllowed) kept.status = word;
  await lookAt(context, kept, must);
}

/** The rule about an action after a deadline: the deadline applies too late, or never. */
async function tooLate(context: ScenarioContext, kept: KeptMessage, rule: string, what: string): Promise<Divergence> {
  return new Divergence((await expiresOtherwise(context, kept)) ? rule : expiry(kept), what);
}

/** Why a word must not end a message. */
function rulePreventing({ type, status, overdue }: KeptMessage, word: string): string {
  if (status === "expired" || overdue) return "AHCP-EXP-004";
  if (status !== "open") return type === "notify" ? "AHCP-LIF-001" : "AHCP-LIF-002";
  return type === "task" && (word === "answered" || word === "declined") ? "AHCP-TSK-005" : "AHCP-LIF-001";
}

async function withdraw(context: ScenarioContext, kept: KeptMessage, must: Must): Promise<void> {
  if (kept.overdue && kept.restarted) await lookAt(context, kept, must);
  const { type, status, overdue } = kept;
  const reply = await cancel(context, kept.id);
  const isDone = reply.status === 200 && isObject(reply.json) && reply.json.status === "cancelled";
  const what = `cancelling the ${type} that is ${overdue ? "past its deadline" : `"${status}"`} is answered ${inShort(reply)}`;
  if (kept.restarted && reply.status === 404)
    throw new Divergence((await findForgotten(context, kept)) ?? "AHCP-CAN-001", what);
  if (type !== "ask") must("AHCP-CAN-005", isClientError(reply), what);
  else if (overdue && isDone) throw await tooLate(context, kept, "AHCP-EXP-008", what);
  else if (status === "expired" || overdue) must("AHCP-EXP-008", !isDone, what);
  else if (status === "open") must("AHCP-CAN-001", isDone, what);
  else if (status === "cancelled") must("AHCP-CAN-004", isDone, what);
  else must("AHCP-CAN-003", reply.status === 409 && reply.text.includes(`"${status}"`), what);
  if (type === "ask" && status === "cancelled") kept.cancelledAgain = true;
  if (type === "ask" && status === "open" && !overdue) kept.status = "cancelled";
  await lookAt(context, kept, must);
}

/** Moves time two seconds beyond the deadlines: messages with a deadline expire, and no others. */
async function expire(context: ScenarioContext, model: HubModel, must: Must): Promise<void> {
  await context.pass(leadMs + 2000);
  for (const kept of model.kept) {
    kept.past ||= kept.due;
    if (kept.status === "open" && kept.due) kept.overdue = true;
    else await lookAt(context, kept, must);
  }
}

async function restart(context: ScenarioContext, model: HubModel, must: Must): Promise<void> {
  await context.hook("restart", {});
  for (const kept of model.kept) {
    kept.restarted = true;
    kept.unseen = true;
  }
  for (const kept of model.kept) await lookAt(context, kept, must);
}
