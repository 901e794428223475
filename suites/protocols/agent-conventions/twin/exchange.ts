import { canonical, type Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { checkCues } from "./cues.ts";
import { finding, get, messageOf, type NumberedMessage, texts } from "./finding.ts";

/** Checks the messages between agents, in the order in which a hub has seen them. */
export function* checkExchange(list: readonly Json[]): Generator<TwinFinding> {
  const entries = list.map((recorded, index) => ({ ...messageOf(get(recorded, "message") as Json), index }));
  yield* checkIds(entries);
  yield* checkAcknowledgments(entries);
  yield* checkRepeats(entries);
  yield* checkCues(entries);
  yield* checkDependencies(entries);
  yield* checkTiers(entries);
}

const idOf = ({ all }: NumberedMessage): string => String(all.message_id).toLowerCase();

function* checkIds(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
  const seenMessages = new Map<string, NumberedMessage>();
  const writtenIds = new Set<string>();
  for (const entry of entries) {
    const key = `${entry.all.sender} ${idOf(entry)}`;
    const earlier = seenMessages.get(key);
    const asWritten = `${entry.all.sender} ${entry.all.message_id}`;
    const freedom = writtenIds.has(asWritten) ? undefined : "base-014-case";
    writtenIds.add(asWritten);
    const isCopy = earlier !== undefined && canonical(earlier.all) === canonical(entry.all);
    if (earlier !== undefined)
      yield finding("CONV-BASE-014", entry, "repeats an id", isCopy ? "base-014-redelivered" : freedom);
    seenMessages.set(key, entry);
  }
}

const ackOrder = ["received", "understood", "completed"];

function* checkAcknowledgments(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
  const senders = new Map<string, string>();
  const sentByAgent = new Map<string, NumberedMessage[]>();
  for (const entry of entries) {
    const { all, category, kind } = entry;
    if (category === "ack") {
      const acknowledgedId = String(all.acknowledging_message_id).toLowerCase();
      const sender = senders.get(acknowledgedId);
      if (acknowledgedId === idOf(entry)) yield finding("CONV-ACK-006", entry, "acknowledges itself");
      else if (sender !== undefined && sender !== all.recipient)
        yield finding("CONV-ACK-006", entry, "is not sent to the sender of the acknowledged message");
      const key = `${all.sender} ${acknowledgedId}`;
      const earlierAcks = sentByAgent.get(key) ?? [];
      const followsFinalRefusal = earlierAcks.some(
        (ack) => ack.kind === "refused" && get(ack.all, "refused_details", "can_reconsider") !== true,
      );
      const isLowerLevel = earlierAcks.some(
        (ack) => ackOrder.indexOf(kind) < ackOrder.indexOf(ack.kind) && kind !== "refused",
      );
      const refusesCompleted = kind === "refused" && earlierAcks.some((ack) => ack.kind === "completed");
      if (followsFinalRefusal || isLowerLevel || refusesCompleted)
        yield finding("CONV-ACK-007", entry, "falls back to an earlier level", "ack-007");
      sentByAgent.set(key, [...earlierAcks, entry]);
    }
    senders.set(idOf(entry), String(all.sender));
  }
}

function* checkRepeats(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
  const lastStateBySender = new Map<string, string>();
  const seenStatuses = new Set<string>();
  for (const entry of entries) {
    const { all, category } = entry;
    if (category !== "status") {
      // A message may have asked its recipient for its status.
      lastStateBySender.delete(String(all.recipient));
      continue;
    }
    const state = canonical([all.status as Json, all.context ?? {}]);
    if (seenStatuses.has(canonical(all))) continue;
    seenStatuses.add(canonical(all));
    if (lastStateBySender.get(String(all.sender)) === state)
      yield finding("CONV-ROUTE-003", entry, "repeats the status", "route-003");
    lastStateBySender.set(String(all.sender), state);
  }
}

function* checkDependencies(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
  const dependenciesByTask = new Map<string, string[]>();
  const endedTasks = new Map<string, string>();
  const workerByTask = new Map<string, string>();
  const dependenciesOf = (task: string, collected = new Set<string>()): Set<string> => {
    for (const need of dependenciesByTask.get(task) ?? [])
      if (!collected.has(need)) dependenciesOf(need, collected.add(need));
    return collected;
  };
  for (const entry of entries) {
    const { all, category, kind } = entry;
    const id = String(all.task_id);
    if (category === "task" && kind === "assignment") {
      dependenciesByTask.set(id, texts(all, "task", "dependencies") ?? []);
      workerByTask.set(id, String(all.recipient));
    }
    const isWaiting = ["blocked", "delayed"].includes(String(get(all, "progress", "status")));
    const isReport =
      category === "task" && ["update", "complete"].includes(kind) && all.task === undefined && !isWaiting;
    const busyTask = category === "status" && all.status === "busy" ? get(all, "context", "current_task") : undefined;
    const reportedTask = isReport && workerByTask.get(id) === all.sender ? id : undefined;
    const begunTask = typeof busyTask === "string" ? busyTask : reportedTask;
    for (const need of begunTask === undefined ? [] : dependenciesOf(begunTask)) {
      if (need === begunTask || endedTasks.get(need) === "complete") continue;
      if (endedTasks.get(need) === "failed") yield finding("CONV-DEP-003", entry, `${need} has failed`);
      else
        yield finding(
          "CONV-DEP-001",
          entry,
          `${need} is not complete`,
          dependenciesByTask.has(need) ? undefined : "dep-001-unseen",
        );
    }
    if (category === "task" && (kind === "complete" || kind === "failed")) endedTasks.set(id, kind);
  }
}

/** Forgets the problems of a completed task. */
function forgetTask(reached: Map<string, { tier: number; task: string }>, completedTask: Json | undefined): void {
  for (const [problem, { task }] of reached) if (task === completedTask) reached.delete(problem);
}

function* checkTiers(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
  const reached = new Map<string, { tier: number; task: string }>();
  for (const entry of entries) {
    const { all, category, kind } = entry;
    if (category === "task" && kind === "complete") forgetTask(reached, all.task_id);
    const tier = all.escalation_tier;
    if (category !== "escalation" || typeof tier !== "number") continue;
    const task = get(all, "context", "task_id");
    const operation = get(all, "context", "operation");
    const owner = task === undefined ? all.sender : "";
    const problem = JSON.stringify([task ?? null, operation ?? null, all.category, owner]);
    const previous = reached.get(problem);
    const isWrong = previous !== undefined && (tier < previous.tier || tier > previous.tier + 1);
    if (isWrong)
      yield finding("CONV-JID-002", entry, `is tier ${tier}`, task === undefined ? "jid-002-no-task" : undefined);
    reached.set(problem, { tier, task: String(task) });
  }
}
