import { type HttpReply, isObject, type JsonObject, type ScenarioContext } from "../../../../../schemas/index.ts";
import { Divergence, type Must } from "../../../../running/scenarios/walks/index.ts";
import { deadlineIn } from "../deadline.ts";
import { ask, notify, task } from "../messages.ts";
import { cancel, idOf, inShort, isAccepted, isClientError, isRefused, post, read, resolve, submit } from "../steps.ts";
import { compareMessage, expiresWithoutRestart, expiryRule, findForgottenRule } from "./look.ts";
import { type HubModel, type KeptMessage, mayEnd } from "./model.ts";
import type { HubStep } from "./step.ts";

/** Deadlines are this many milliseconds of the hub's clock ahead: not long enough for a hub to forget a key. */
const leadMs = 300_000;

/** Performs a step with the hub and with the model, and compares the two. Throws a Divergence if they differ, or a TargetFailure if the hub fails. */
export async function takeStep(context: ScenarioContext, model: HubModel, step: HubStep, must: Must): Promise<void> {
  switch (step.do) {
    case "submit":
      model.messages.push(await submitStep(context, model, step));
      return;
    case "expire":
      return expire(context, model, must);
    case "restart":
      return restart(context, model, must);
  }
  const keptMessage = model.messages[step.of] as KeptMessage;
  switch (step.do) {
    case "poll":
      return compareMessage(context, keptMessage, must);
    case "replay":
      return replay(context, keptMessage, must);
    case "rerun":
      return rerun(context, keptMessage, must);
    case "alter":
      return alter(context, keptMessage, must);
    case "resolve":
      return resolveStep(context, keptMessage, step.word, must);
    case "cancel":
      return cancelStep(context, keptMessage, must);
    case "steal": {
      const reply = await cancel(context, keptMessage.id, "b");
      must("AHCP-CAN-002", isRefused(reply, 404, "not_found"), `another agent does not get 404: ${inShort(reply)}`);
      return compareMessage(context, keptMessage, must);
    }
  }
}

async function submitStep(
  context: ScenarioContext,
  { patience }: HubModel,
  { type, due }: Extract<HubStep, { do: "submit" }>,
): Promise<KeptMessage> {
  const createMessage = { ask, task, notify }[type];
  const hasDeadline = due === true && type !== "notify";
  const message = createMessage(context, hasDeadline ? (await deadlineIn(context, leadMs)).members : {});
  const { id } = await submit(context, message);
  const status = type === "notify" ? "delivered" : "open";
  return {
    id,
    type,
    message,
    status,
    hasDeadline,
    isDeadlinePast: false,
    isOverdue: false,
    wasRestarted: false,
    isUnread: false,
    wasCancelledAgain: false,
    patience,
  };
}

/** Submits the same bytes again. The acknowledgment must have the same id and the current status. */
async function replay(context: ScenarioContext, keptMessage: KeptMessage, must: Must): Promise<void> {
  const reply = await post(context, keptMessage.message);
  await expectSameId(context, keptMessage, {
    reply,
    rule: keptMessage.isDeadlinePast ? "AHCP-IDM-013" : "AHCP-IDM-001",
    must,
  });
  // Shortly after a deadline, either status is correct.
  if (keptMessage.isOverdue) return compareMessage(context, keptMessage, must);
  const { status } = reply.json as JsonObject;
  const isCurrent = status === keptMessage.status;
  const lossRule = keptMessage.wasRestarted && !isCurrent ? await findForgottenRule(context, keptMessage) : undefined;
  must(
    lossRule ?? "AHCP-IDM-002",
    isCurrent,
    `the ${keptMessage.type} is "${keptMessage.status}", but its repetition gets "${status}"`,
  );
}

/** Expects that a repetition got the original id. If not, and the hub was restarted, finds out whether it forgot the key or the message. */
async function expectSameId(
  context: ScenarioContext,
  keptMessage: KeptMessage,
  { reply, rule, must }: { reply: HttpReply; rule: string; must: Must },
): Promise<void> {
  const isSame = isAccepted(reply) && idOf(reply) === keptMessage.id && isObject(reply.json);
  const lossRule = isSame ? undefined : await lostRule(context, keptMessage, reply);
  must(lossRule ?? rule, isSame, `a repetition does not get the id ${keptMessage.id}: ${inShort(reply)}`);
  if (keptMessage.wasRestarted) must("AHCP-DUR-005", true, "");
}

async function lostRule(
  context: ScenarioContext,
  keptMessage: KeptMessage,
  reply: HttpReply,
): Promise<string | undefined> {
  if (!keptMessage.wasRestarted) return undefined;
  const lossAfterRestart = await findForgottenRule(context, keptMessage);
  if (lossAfterRestart !== undefined || !isAccepted(reply) || idOf(reply) === keptMessage.id) return lossAfterRestart;
  // If the hub recognizes the message now, it did not forget keys at the restart.
  const secondReply = await post(context, keptMessage.message);
  return isAccepted(secondReply) && idOf(secondReply) === keptMessage.id ? undefined : "AHCP-DUR-005";
}

/** Submits the message from a different run. The hub must recognize the key, as a repetition or as a conflict. */
async function rerun(context: ScenarioContext, keptMessage: KeptMessage, must: Must): Promise<void> {
  const agent = { ...(keptMessage.message.agent as JsonObject), run_id: context.fresh("run") };
  const reply = await post(context, { ...keptMessage.message, agent });
  if (reply.status === 409) must("AHCP-IDM-005", true, "");
  else await expectSameId(context, keptMessage, { reply, rule: "AHCP-IDM-005", must });
}

async function alter(context: ScenarioContext, keptMessage: KeptMessage, must: Must): Promise<void> {
  const reply = await post(context, { ...keptMessage.message, title: context.fresh("other") });
  const isConflict = isRefused(reply, 409, "idempotency_conflict");
  const lossRule = isConflict ? undefined : await lostRule(context, keptMessage, reply);
  must(lossRule ?? "AHCP-IDM-003", isConflict, `another title under the same key is not a conflict: ${inShort(reply)}`);
  const { status, json } = await read(context, keptMessage.id);
  // Other rules check whether the message can be read.
  if (status !== 200 || !isObject(json)) return;
  const isUnchanged = json.title === keptMessage.message.title;
  must("AHCP-IDM-003", isUnchanged, "the refused message with the same key has replaced the first");
}

async function resolveStep(
  context: ScenarioContext,
  keptMessage: KeptMessage,
  resolution: string,
  must: Must,
): Promise<void> {
  if (keptMessage.isOverdue && keptMessage.wasRestarted) await compareMessage(context, keptMessage, must);
  const isAllowed = mayEnd(keptMessage, resolution);
  const ending = resolution === "answered" ? { resolution, value: "red" } : { resolution };
  const { applied, status = "", code = "" } = await resolve(context, keptMessage.id, ending);
  const state = keptMessage.isOverdue ? "past its deadline" : `"${keptMessage.status}"`;
  const statusText = `the ${keptMessage.type} is ${state}, and "${resolution}" ${applied ? "counts" : `is refused: ${status} ${code}`}`;
  if (isAllowed) must(keptMessage.wasRestarted ? "AHCP-DUR-001" : "AHCP-LIF-001", applied, statusText);
  else if (applied && keptMessage.isOverdue)
    throw await lateDivergence(context, keptMessage, "AHCP-EXP-004", statusText);
  else must(rulePreventing(keptMessage, resolution), !applied, statusText);
  if (isAllowed) keptMessage.status = resolution;
  await compareMessage(context, keptMessage, must);
}

/** The divergence to report if an action succeeds after the deadline: the hub applies the deadline too late, or never. */
async function lateDivergence(
  context: ScenarioContext,
  keptMessage: KeptMessage,
  rule: string,
  statusText: string,
): Promise<Divergence> {
  return new Divergence(
    (await expiresWithoutRestart(context, keptMessage)) ? rule : expiryRule(keptMessage),
    statusText,
  );
}

/** The rule that forbids this resolution of the message. */
function rulePreventing({ type, status, isOverdue }: KeptMessage, word: string): string {
  if (status === "expired" || isOverdue) return "AHCP-EXP-004";
  if (status !== "open") return type === "notify" ? "AHCP-LIF-001" : "AHCP-LIF-002";
  return type === "task" && (word === "answered" || word === "declined") ? "AHCP-TSK-005" : "AHCP-LIF-001";
}

async function cancelStep(context: ScenarioContext, keptMessage: KeptMessage, must: Must): Promise<void> {
  if (keptMessage.isOverdue && keptMessage.wasRestarted) await compareMessage(context, keptMessage, must);
  const { type, status, isOverdue } = keptMessage;
  const reply = await cancel(context, keptMessage.id);
  const isCancelled = reply.status === 200 && isObject(reply.json) && reply.json.status === "cancelled";
  const statusText = `cancelling the ${type} that is ${isOverdue ? "past its deadline" : `"${status}"`} is answered ${inShort(reply)}`;
  if (keptMessage.wasRestarted && reply.status === 404)
    throw new Divergence((await findForgottenRule(context, keptMessage)) ?? "AHCP-CAN-001", statusText);
  if (type !== "ask") must("AHCP-CAN-005", isClientError(reply), statusText);
  else if (isOverdue && isCancelled) throw await lateDivergence(context, keptMessage, "AHCP-EXP-008", statusText);
  else if (status === "expired" || isOverdue) must("AHCP-EXP-008", !isCancelled, statusText);
  else if (status === "open") must("AHCP-CAN-001", isCancelled, statusText);
  else if (status === "cancelled") must("AHCP-CAN-004", isCancelled, statusText);
  else must("AHCP-CAN-003", reply.status === 409 && reply.text.includes(`"${status}"`), statusText);
  if (type === "ask" && status === "cancelled") keptMessage.wasCancelledAgain = true;
  if (type === "ask" && status === "open" && !isOverdue) keptMessage.status = "cancelled";
  await compareMessage(context, keptMessage, must);
}

/** Advances the clock to two seconds after the deadlines. Only messages with a deadline may expire. */
async function expire(context: ScenarioContext, model: HubModel, must: Must): Promise<void> {
  await context.pass(leadMs + 2000);
  for (const keptMessage of model.messages) {
    keptMessage.isDeadlinePast ||= keptMessage.hasDeadline;
    if (keptMessage.status === "open" && keptMessage.hasDeadline) keptMessage.isOverdue = true;
    else await compareMessage(context, keptMessage, must);
  }
}

async function restart(context: ScenarioContext, model: HubModel, must: Must): Promise<void> {
  await context.hook("restart", {});
  for (const keptMessage of model.messages) {
    keptMessage.wasRestarted = true;
    keptMessage.isUnread = true;
  }
  for (const keptMessage of model.messages) await compareMessage(context, keptMessage, must);
}
