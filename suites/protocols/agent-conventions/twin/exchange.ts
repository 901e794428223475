import { canonical, type Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { cues } from "./cues.ts";
import { finding, get, messageOf, type NumberedMessage, texts } from "./finding.ts";

/** The messages between agents, in the order seen by a hub. */
export function* exchange(list: readonly Json[]): Generator<TwinFinding> {
  const entries = list.map((each, index) => ({ ...messageOf(get(each, "message") as Json), index }));
  yield* ids(entries);
  yield* acknowledgments(entries);
  yield* repeats(entries);
  yield* cues(entries);
  yield* dependencies(entries);
  yield* tiers(entries);
}

const idOf = ({ all }: NumberedMessage): string => String(all.message_id).toLowerCase();

function* ids(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
  const seenMessages = new Map<string, NumberedMessage>();
  const writtenIds = new Set<string>();
  for (const entry of entries) {
    const key = `${entry.all.sender} ${idOf(entry)}`;
    const before = seenMessages.get(key);
    const asWritten = `${entry.all.sender} ${entry.all.message_id}`;
    const freedom = writtenIds.has(asWritten) ? undefined : "base-014-case";
    writtenIds.add(asWritten);
    const isCopy = before !== undefined && canonical(before.all) === canonical(entry.all);
    if (before !== undefined)
      yield finding("CONV-BASE-014", entry, "has an id again", isCopy ? "base-014-redelivered" : freedom);
    seenMessages.set(key, entry);
  }
}

const order = ["received", "understood", "completed"];

function* acknowledgments(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
  const senders = new Map<string, string>();
  const sentByAgent = new Map<string, NumberedMessage[]>();
  for (const entry of entries) {
    const { all, category, kind } = entry;
    if (category === "ack") {
      const about = String(all.acknowledging_message_id).toLowerCase();
      const sender = senders.get(about);
      if (about === idOf(entry)) yield finding("CONV-ACK-006", entry, "is about itself");
      else if (sender !== undefined && sender !== all.recipient)
        yield finding("CONV-ACK-006", entry, "is not to the sender");
      const key = `${all.sender} ${about}`;
      const before = sentByAgent.get(key) ?? [];
      const isFinal = before.some(
        (numberedMessage) =>
          numberedMessage.kind === "refused" && get(numberedMessage.all, "refused_details", "can_reconsider") !== true,
      );
      const isBack = before.some(
        (numberedMessage) => order.indexOf(kind) < order.indexOf(numberedMessage.kind) && kind !== "refused",
      );
      const isUndone = kind === "refused" && before.some((numberedMessage) => numberedMessage.kind === "completed");
      if (isFinal || isBack || isUndone) yield finding("CONV-ACK-007", entry, "goes back", "ack-007");
      sentByAgent.set(key, [...before, entry]);
    }
    senders.set(idOf(entry), String(all.sender));
  }
}

function* repeats(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
  const last = new Map<string, string>();
  const toldPairs = new Set<string>();
  for (const entry of entries) {
    const { all, category } = entry;
    if (category !== "status") {
      // The recipient of a message may have been asked.
      last.delete(String(all.recipient));
      continue;
    }
    const state = canonical([all.status as Json, all.context ?? {}]);
    if (toldPairs.has(canonical(all))) continue;
    toldPairs.add(canonical(all));
    if (last.get(String(all.sender)) === state) yield finding("CONV-ROUTE-003", entry, "has no news", "route-003");
    last.set(String(all.sender), state);
  }
}

function* dependencies(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
  const needs = new Map<string, string[]>();
  const endedTasks = new Map<string, string>();
  const workers = new Map<string, string>();
  const dependenciesOf = (task: string, found = new Set<string>()): Set<string> => {
    for (const need of needs.get(task) ?? []) if (!found.has(need)) dependenciesOf(need, found.add(need));
    return found;
  };
  for (const entry of entries) {
    const { all, category, kind } = entry;
    const id = String(all.task_id);
    if (category === "task" && kind === "assignment") {
      needs.set(id, texts(all, "task", "dependencies") ?? []);
      workers.set(id, String(all.recipient));
    }
    const isHeldUp = ["blocked", "delayed"].includes(String(get(all, "progress", "status")));
    const isReport =
      category === "task" && ["update", "complete"].includes(kind) && all.task === undefined && !isHeldUp;
    const busy = category === "status" && all.status === "busy" ? get(all, "context", "current_task") : undefined;
    const begunTask = typeof busy === "string" ? busy : isReport && workers.get(id) === all.sender ? id : undefined;
    for (const need of begunTask === undefined ? [] : dependenciesOf(begunTask)) {
      if (need === begunTask || endedTasks.get(need) === "complete") continue;
      if (endedTasks.get(need) === "failed") yield finding("CONV-DEP-003", entry, `${need} has failed`);
      else
        yield finding("CONV-DEP-001", entry, `${need} is not complete`, needs.has(need) ? undefined : "dep-001-unseen");
    }
    if (category === "task" && (kind === "complete" || kind === "failed")) endedTasks.set(id, kind);
  }
}

/** Forgets the problems of a complete task. */
function forgetTask(reached: Map<string, { tier: number; task: string }>, completedTask: Json | undefined): void {
  for (const [problem, { task }] of reached) if (task === completedTask) reached.delete(problem);
}

function* tiers(entries: readonly NumberedMessage[]): Generator<TwinFinding> {
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
    const before = reached.get(problem);
    const isWrong = before !== undefined && (tier < before.tier || tier > before.tier + 1);
    if (isWrong)
      yield finding("CONV-JID-002", entry, `is tier ${tier}`, task === undefined ? "jid-002-no-task" : undefined);
    reached.set(problem, { tier, task: String(task) });
  }
}
