import type { JsonObject } from "../../../../../../schemas/index.ts";
import { isType, memberObject, summarize } from "../../messages.ts";
import type { MessageArrival } from "./arrival.ts";
import { type Cue, countAttempts, isBusy, waitForMessage, waitUntil } from "./model.ts";

const rule = "CONV-CUE-003";

/** Returns a test for acknowledgments that refer to a message of a cue, or to the cue. */
function isAbout({ message_id: id, cue_id: cue }: JsonObject): (ack: JsonObject) => boolean {
  return (ack) =>
    isType(ack, "ack.") &&
    (ack.acknowledging_message_id === id || memberObject(ack, "coordination_ack").cue_id === cue);
}

/** Expects an acknowledgment of a warning. A busy agent may answer differently. */
export async function expectAck({
  context,
  model,
  delivery,
  fromIndex,
  stepText,
  must,
}: MessageArrival): Promise<void> {
  const cue = delivery.cue as Cue;
  cue.phase = "unsure";
  if (model.hasStopped) return;
  const ack = await waitForMessage(context, model, fromIndex, isAbout(delivery.message));
  const isAcknowledged = ack !== undefined && isType(ack, "ack.received", "ack.understood");
  const ackText = ack === undefined ? "no ack" : summarize(ack);
  if (!isBusy(model)) must(rule, isAcknowledged, `"${stepText}" is answered with ${ackText}`);
  if (isAcknowledged) cue.phase = "warned";
}

/** Expects readiness after a standby from an agent that was warned and has no other work. */
export async function expectReadiness({
  context,
  model,
  delivery,
  fromIndex,
  stepText,
  must,
}: MessageArrival): Promise<void> {
  const cue = delivery.cue as Cue;
  const isInOrder = cue.phase === "warned" && !model.hasStopped;
  cue.phase = "unsure";
  if (!isInOrder) return;
  const isFree = !isBusy(model);
  const isAck = isAbout(delivery.message);
  const readyStatus = (message: JsonObject): unknown => memberObject(message, "coordination_ack").ready_status;
  const isReady = (message: JsonObject): boolean => readyStatus(message) === "ready" && !isType(message, "ack.refused");
  const isFinal = (message: JsonObject): boolean =>
    !isFree && (readyStatus(message) === "not_ready" || isType(message, "ack.refused"));
  const ack = await waitForMessage(
    context,
    model,
    fromIndex,
    (message) => isAck(message) && (isReady(message) || isFinal(message)),
  );
  const isReadyAck = ack !== undefined && isReady(ack);
  if (isFree) must(rule, isReadyAck, `"${stepText}" is not answered with an ack with ready_status ready`);
  if (isReadyAck) cue.phase = "ready";
}

/** Expects that a ready agent begins on go. */
export async function expectBeginning({ context, model, delivery, stepText, must }: MessageArrival): Promise<void> {
  const cue = delivery.cue as Cue;
  const isDue = cue.phase === "ready" && !model.hasStopped && !isBusy(model);
  cue.hasGo = true;
  cue.phase = cue.phase === "ready" ? "gone" : "unsure";
  if (!isDue || !model.canReportWork) return;
  await model.agent.pass(1000 + 2 * model.lag);
  const hasBegun = await waitUntil(
    context,
    { ...model, patienceMs: 0 },
    async () => (await countAttempts(model, cue)) > 0,
    0,
  );
  must("CONV-CUE-004", hasBegun, `a second after "${stepText}", the work has not begun`);
}
