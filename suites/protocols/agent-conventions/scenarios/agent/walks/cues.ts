import type { JsonObject } from "../../../../../../schemas/index.ts";
import { inShort, isType, memberObject } from "../../messages.ts";
import type { MessageArrival } from "./arrival.ts";
import { type Cue, countAttempts, isBusy, waitForMessage, waitUntil } from "./model.ts";

const rule = "CONV-CUE-003";

/** Whether an ack is about a message of a cue, by its references. */
function isAbout({ message_id: id, cue_id: cue }: JsonObject): (ack: JsonObject) => boolean {
  return (ack) =>
    isType(ack, "ack.") &&
    (ack.acknowledging_message_id === id || memberObject(ack, "coordination_ack").cue_id === cue);
}

/** Expects an acknowledgment of a warning. A busy agent may answer differently. */
export async function expectAck({ context, model, letter, after, stepText, must }: MessageArrival): Promise<void> {
  const cue = letter.cue as Cue;
  cue.phase = "unsure";
  if (model.hasStopped) return;
  const ack = await waitForMessage(context, model, after, isAbout(letter.message));
  const isKnown = ack !== undefined && isType(ack, "ack.received", "ack.understood");
  const ackText = ack === undefined ? "no ack" : inShort(ack);
  if (!isBusy(model)) must(rule, isKnown, `"${stepText}" is answered by ${ackText}`);
  if (isKnown) cue.phase = "warned";
}

/** Expects an agent that was warned and has no other work to be ready at standby. */
export async function expectReadiness({
  context,
  model,
  letter,
  after,
  stepText,
  must,
}: MessageArrival): Promise<void> {
  const cue = letter.cue as Cue;
  const isInOrder = cue.phase === "warned" && !model.hasStopped;
  cue.phase = "unsure";
  if (!isInOrder) return;
  const isFree = !isBusy(model);
  const isAck = isAbout(letter.message);
  const status = (each: JsonObject): unknown => memberObject(each, "coordination_ack").ready_status;
  const isReady = (each: JsonObject): boolean => status(each) === "ready" && !isType(each, "ack.refused");
  const isLast = (each: JsonObject): boolean =>
    !isFree && (status(each) === "not_ready" || isType(each, "ack.refused"));
  const ack = await waitForMessage(context, model, after, (each) => isAck(each) && (isReady(each) || isLast(each)));
  const isGood = ack !== undefined && isReady(ack);
  if (isFree) must(rule, isGood, `"${stepText}" is not answered by an ack with ready_status ready`);
  if (isGood) cue.phase = "ready";
}

/** Expects each ready agent to begin on go, and no agent before. */
export async function expectBeginning({ context, model, letter, stepText, must }: MessageArrival): Promise<void> {
  const cue = letter.cue as Cue;
  const isDue = cue.phase === "ready" && !model.hasStopped && !isBusy(model);
  cue.hasGo = true;
  cue.phase = cue.phase === "ready" ? "gone" : "unsure";
  if (!isDue || !model.canReportWork) return;
  await model.agent.pass(1000 + 2 * model.lag);
  const isBegun = await waitUntil(
    context,
    { ...model, patienceMs: 0 },
    async () => (await countAttempts(model, cue)) > 0,
    0,
  );
  must("CONV-CUE-004", isBegun, `a second after "${stepText}" no work has begun`);
}
