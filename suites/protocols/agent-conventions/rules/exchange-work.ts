import { type Checker, canonical, type Json } from "../../../../schemas/index.ts";
import { member, textAt, textsAt } from "./messages.ts";
import { messagesOf, type TracedMessage } from "./traced-messages.ts";

const documents = ["exchange"] as const;

/** The tasks seen so far in a recording. */
interface TaskNeeds {
  /** The direct dependencies of each task. */
  needs: Map<string, string[]>;
  /** The sender of each assignment. */
  assigners: Map<string, string>;
  /** The end of each task: `complete` or `failed`. */
  endedTasks: Map<string, string>;
}

/**
 * The task that a message shows in progress; undefined if it shows none. A message from the task's assigner shows nothing, nor does
 * an update with a new description, or with the status blocked or delayed.
 */
function taskInProgress(
  { message, sender, category, specific }: TracedMessage,
  { assigners }: TaskNeeds,
): string | undefined {
  if (category === "status" && specific === "busy") return textAt(member(message, "context"), "current_task");
  const task = textAt(message, "task_id");
  const isReport = category === "task" && ["update", "complete"].includes(specific);
  if (!isReport || task === undefined || assigners.get(task) === sender) return undefined;
  if (specific !== "update") return task;
  const isWaiting = ["blocked", "delayed"].includes(textAt(member(message, "progress"), "status") ?? "");
  return member(message, "task") !== undefined || isWaiting ? undefined : task;
}

/** All tasks on which a task depends, directly or indirectly. */
function allDependencies(task: string, needs: TaskNeeds["needs"]): Set<string> {
  const dependencies = new Set<string>();
  const pending = [task];
  for (let current = pending.pop(); current !== undefined; current = pending.pop())
    for (const need of needs.get(current) ?? []) {
      if (dependencies.has(need) || need === task) continue;
      dependencies.add(need);
      pending.push(need);
    }
  return dependencies;
}

function* findEarlyWork(
  trace: Json,
  isBlocked: (id: string, tasks: TaskNeeds) => boolean,
): Generator<{ at: string; task: string; dependency: string }> {
  const tasks: TaskNeeds = { needs: new Map(), assigners: new Map(), endedTasks: new Map() };
  for (const tracedMessage of messagesOf(trace)) {
    const { message, sender, category, specific, at } = tracedMessage;
    const id = textAt(message, "task_id");
    if (category === "task" && specific === "assignment" && id !== undefined) {
      tasks.needs.set(
        id,
        textsAt(member(message, "task"), "dependencies").map(({ text }) => text),
      );
      tasks.assigners.set(id, sender);
    }
    const task = taskInProgress(tracedMessage, tasks);
    const dependency =
      task === undefined ? undefined : [...allDependencies(task, tasks.needs)].find((need) => isBlocked(need, tasks));
    if (task !== undefined && dependency !== undefined) yield { at, task, dependency };
    if (category === "task" && id !== undefined && (specific === "complete" || specific === "failed"))
      tasks.endedTasks.set(id, specific);
  }
}

/** Ignores dependencies that are not in the recording, since they may have ended before it began. */
const waitChecker: Checker = {
  rule: "CONV-DEP-001",
  documents,
  *check(trace) {
    // CONV-DEP-003 covers failed dependencies.
    for (const { at, task, dependency } of findEarlyWork(
      trace,
      (need, { needs, endedTasks }) => needs.has(need) && !endedTasks.has(need),
    ))
      yield { at, why: `shows that ${task} has begun before ${dependency} is complete` };
  },
};

const blockedChecker: Checker = {
  rule: "CONV-DEP-003",
  documents,
  *check(trace) {
    for (const { at, task, dependency } of findEarlyWork(
      trace,
      (need, { endedTasks }) => endedTasks.get(need) === "failed",
    ))
      yield { at, why: `shows that ${task} has begun although ${dependency} has failed` };
  },
};

/** The tier that each problem has reached, and its task. */
type ReachedTiers = Map<string, { tier: number; task: string | undefined }>;

/** Forgets the problems of a completed task. */
function forgetTask(reached: ReachedTiers, completedTask: string | undefined): void {
  for (const [problem, { task }] of reached) if (task !== undefined && task === completedTask) reached.delete(problem);
}

/** Ignores escalations that name neither a task nor an operation, since they may concern different problems. A completed task has no problems. */
const tierChecker: Checker = {
  rule: "CONV-JID-002",
  documents,
  *check(trace) {
    const reached: ReachedTiers = new Map();
    for (const { at, message, sender, category, specific } of messagesOf(trace)) {
      if (category === "task" && specific === "complete") forgetTask(reached, textAt(message, "task_id"));
      const tier = member(message, "escalation_tier");
      const context = member(message, "context");
      const task = textAt(context, "task_id");
      const operation = textAt(context, "operation");
      if (category !== "escalation" || typeof tier !== "number" || (task ?? operation) === undefined) continue;
      const owner = task === undefined ? sender : null;
      const problem = canonical([task ?? null, operation ?? null, textAt(message, "category") ?? null, owner]);
      const previousTier = reached.get(problem)?.tier;
      if (previousTier !== undefined && (tier < previousTier || tier > previousTier + 1))
        yield { at: `${at}/escalation_tier`, why: `is ${tier} after ${previousTier}` };
      reached.set(problem, { tier, task });
    }
  },
};

export const exchangeWorkCheckers: readonly Checker[] = [waitChecker, blockedChecker, tierChecker];
