import { canonical } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { get, type NumberedMessage, texts } from "./finding.ts";

interface TwinCue {
  /** Ids of the warnings and of the standbys. */
  warningIds: Set<string>;
  standbyIds: Set<string>;
  targets: string[] | undefined;
  acknowledged: Set<string>;
  ready: Set<string>;
  /** Who was ready and refused then. */
  withdrawnAgents: Set<string>;
  /** The announced phases, each with its recipient. */
  announced: Set<string>;
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
    announced: new Set(),
    targets: undefined,
    hasGone: false,
    wasStopped,
  };
}

function fault(rule: string, { index }: NumberedMessage, why: string, freedom?: string): TwinFinding {
  return { rule, at: `/${index}/message`, why, ...(freedom === undefined ? {} : { freedom }) };
}

/** Warning, standby and go of each cue, and the answers of its targets. */
export function* cues(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
  const all = new Map<string, TwinCue>();
  for (const entry of entries) {
    if (entry.category === "ack") for (const [id, cue] of all) yield* hearCue(id, cue, entry);
    if (entry.category !== "coord") continue;
    const id = String(entry.all.cue_id);
    const knownCue = all.get(id);
    if (entry.kind === "stop") {
      all.set(id, newCue(true));
      continue;
    }
    const cue = knownCue ?? newCue(false);
    all.set(id, cue);
    yield* play(cue, entry);
  }
}

function* play(cue: TwinCue, entry: NumberedMessage): Generator<TwinFinding> {
  const { all, kind } = entry;
  const id = String(all.message_id).toLowerCase();
  const targets = texts(all, "target_agents");
  const listText = (list: readonly string[] = []): string => canonical([...new Set(list)].sort());
  if (targets !== undefined && cue.targets !== undefined && listText(targets) !== listText(cue.targets))
    yield fault("CONV-CUE-001", entry, "has other targets");
  cue.targets ??= targets;
  const silent = (answeringAgents: ReadonlySet<string>): boolean =>
    (cue.targets ?? []).some((target) => !answeringAgents.has(target));
  // Separate messages to several agents do not count as a repetition.
  const delivery = `${kind} ${all.recipient}`;
  const isAgain = cue.announced.has(delivery);
  cue.announced.add(delivery);
  if (kind === "warning") {
    if (cue.standbyIds.size > 0 || cue.hasGone) yield fault("CONV-CUE-001", entry, "comes late");
    else if (isAgain) yield fault("CONV-CUE-001", entry, "comes again", "cue-001-repeated");
    else if (cue.wasStopped) yield fault("CONV-CUE-001", entry, "begins anew", "cue-001-anew");
    cue.warningIds.add(id);
  } else if (kind === "standby") {
    if (cue.warningIds.size === 0 || cue.hasGone) yield fault("CONV-CUE-001", entry, "does not follow upon a warning");
    else if (silent(cue.acknowledged)) yield fault("CONV-CUE-002", entry, "comes before all have acknowledged");
    else if (isAgain) yield fault("CONV-CUE-001", entry, "comes again", "cue-001-repeated");
    cue.standbyIds.add(id);
  } else {
    if (cue.standbyIds.size === 0) yield fault("CONV-CUE-001", entry, "does not follow upon a standby");
    else if (silent(new Set([...cue.ready, ...cue.withdrawnAgents])))
      yield fault("CONV-CUE-002", entry, "comes before all are ready");
    else if (silent(cue.ready)) yield fault("CONV-CUE-002", entry, "comes after a refusal", "cue-002-refusal");
    else if (isAgain) yield fault("CONV-CUE-001", entry, "comes again", "cue-001-repeated");
    cue.hasGone = true;
  }
}

function* hearCue(id: string, cue: TwinCue, entry: NumberedMessage): Generator<TwinFinding> {
  const { all, kind } = entry;
  const about = String(all.acknowledging_message_id).toLowerCase();
  const sender = String(all.sender);
  const namedCue = get(all, "coordination_ack", "cue_id");
  const state = get(all, "coordination_ack", "ready_status");
  const isOfWarning = cue.warningIds.has(about);
  const isOfStandby = cue.standbyIds.has(about);
  if ((isOfWarning || isOfStandby) && namedCue !== undefined && namedCue !== id)
    yield fault("CONV-CUE-003", entry, "names another cue", "cue-003");
  if (!isOfWarning && !isOfStandby && namedCue !== id) return;
  if (kind !== "refused" && (isOfWarning || namedCue === id)) cue.acknowledged.add(sender);
  if (cue.standbyIds.size === 0 || (isOfWarning && namedCue !== id)) return;
  const isBack = state === "not_ready" || state === "preparing";
  if (kind === "refused" && cue.ready.has(sender)) cue.withdrawnAgents.add(sender);
  else if (kind !== "refused" && (isBack || state === "ready")) cue.withdrawnAgents.delete(sender);
  if (kind === "refused" || isBack) cue.ready.delete(sender);
  else if (state === "ready") cue.ready.add(sender);
}
