import { canonical } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { finding, get, type NumberedMessage, texts } from "./finding.ts";

interface TwinCue {
  warningIds: Set<string>;
  standbyIds: Set<string>;
  targets: string[] | undefined;
  acknowledged: Set<string>;
  ready: Set<string>;
  /** Agents that were ready and refused afterwards. */
  withdrawnAgents: Set<string>;
  /** The phases sent so far, each with its recipient. */
  sentPhases: Set<string>;
  hasGone: boolean;
  wasStopped: boolean;
}

function newCue(wasStopped: boolean): TwinCue {
  return {
    warningIds: new Set(),
    standbyIds: new Set(),
    acknowledged: new Set(),
    ready: new Set(),
    withdrawnAgents: new Set(),
    sentPhases: new Set(),
    targets: undefined,
    hasGone: false,
    wasStopped,
  };
}

/** Checks the warning, standby and go of each cue, and the answers of its targets. */
export function* checkCues(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
  const cuesById = new Map<string, TwinCue>();
  for (const entry of entries) {
    if (entry.category === "ack") for (const [id, cue] of cuesById) yield* recordAnswer(id, cue, entry);
    if (entry.category !== "coord") continue;
    const id = String(entry.all.cue_id);
    const knownCue = cuesById.get(id);
    if (entry.kind === "stop") {
      cuesById.set(id, newCue(true));
      continue;
    }
    const cue = knownCue ?? newCue(false);
    cuesById.set(id, cue);
    yield* checkPhase(cue, entry);
  }
}

function* checkPhase(cue: TwinCue, entry: NumberedMessage): Generator<TwinFinding> {
  const { all, kind } = entry;
  const id = String(all.message_id).toLowerCase();
  const targets = texts(all, "target_agents");
  const listText = (list: readonly string[] = []): string => canonical([...new Set(list)].sort());
  if (targets !== undefined && cue.targets !== undefined && listText(targets) !== listText(cue.targets))
    yield finding("CONV-CUE-001", entry, "has different targets");
  cue.targets ??= targets;
  const hasSilentTarget = (answeringAgents: ReadonlySet<string>): boolean =>
    (cue.targets ?? []).some((target) => !answeringAgents.has(target));
  // Separate messages to several agents do not count as a repetition.
  const delivery = `${kind} ${all.recipient}`;
  const isRepeated = cue.sentPhases.has(delivery);
  cue.sentPhases.add(delivery);
  if (kind === "warning") {
    if (cue.standbyIds.size > 0 || cue.hasGone) yield finding("CONV-CUE-001", entry, "arrives after a later phase");
    else if (isRepeated) yield finding("CONV-CUE-001", entry, "is repeated", "cue-001-repeated");
    else if (cue.wasStopped) yield finding("CONV-CUE-001", entry, "starts a stopped cue again", "cue-001-anew");
    cue.warningIds.add(id);
  } else if (kind === "standby") {
    if (cue.warningIds.size === 0 || cue.hasGone) yield finding("CONV-CUE-001", entry, "does not follow a warning");
    else if (hasSilentTarget(cue.acknowledged))
      yield finding("CONV-CUE-002", entry, "is sent before all targets have acknowledged");
    else if (isRepeated) yield finding("CONV-CUE-001", entry, "is repeated", "cue-001-repeated");
    cue.standbyIds.add(id);
  } else {
    if (cue.standbyIds.size === 0) yield finding("CONV-CUE-001", entry, "does not follow a standby");
    else if (hasSilentTarget(new Set([...cue.ready, ...cue.withdrawnAgents])))
      yield finding("CONV-CUE-002", entry, "is sent before all targets are ready");
    else if (hasSilentTarget(cue.ready))
      yield finding("CONV-CUE-002", entry, "is sent after a refusal", "cue-002-refusal");
    else if (isRepeated) yield finding("CONV-CUE-001", entry, "is repeated", "cue-001-repeated");
    cue.hasGone = true;
  }
}

function* recordAnswer(id: string, cue: TwinCue, entry: NumberedMessage): Generator<TwinFinding> {
  const { all, kind } = entry;
  const acknowledgedId = String(all.acknowledging_message_id).toLowerCase();
  const sender = String(all.sender);
  const namedCue = get(all, "coordination_ack", "cue_id");
  const readyStatus = get(all, "coordination_ack", "ready_status");
  const answersWarning = cue.warningIds.has(acknowledgedId);
  const answersStandby = cue.standbyIds.has(acknowledgedId);
  if ((answersWarning || answersStandby) && namedCue !== undefined && namedCue !== id)
    yield finding("CONV-CUE-003", entry, "names a different cue", "cue-003");
  if (!answersWarning && !answersStandby && namedCue !== id) return;
  if (kind !== "refused" && (answersWarning || namedCue === id)) cue.acknowledged.add(sender);
  if (cue.standbyIds.size === 0 || (answersWarning && namedCue !== id)) return;
  const isNotReady = readyStatus === "not_ready" || readyStatus === "preparing";
  if (kind === "refused" && cue.ready.has(sender)) cue.withdrawnAgents.add(sender);
  else if (kind !== "refused" && (isNotReady || readyStatus === "ready")) cue.withdrawnAgents.delete(sender);
  if (kind === "refused" || isNotReady) cue.ready.delete(sender);
  else if (readyStatus === "ready") cue.ready.add(sender);
}
