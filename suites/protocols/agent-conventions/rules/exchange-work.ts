import { type Checker, canonical, type Json } from "../../../../schemas/index.ts";
import { member, textAt, textsAt } from "./messages.ts";
import { messagesOf, type TracedMessage } from "./traced-messages.ts";

const documents = ["exchange"] as const;

/** The tasks of a recording so far. */
interface TaskNeeds {
  needs: Map<string, string[]>;
  /** The sender of each assignment. */
  givers: Map<string, string>;
  /** The end of each task: `complete` or `failed`. */
  endedTasks: Map<string, string>;
}

/** The task that a message shows in progress; undefined if it shows none. Messages of the task's assigner show nothing, and neither do a new description and a report that the task is held up. */
function shownWork({ message, sender, category, specific }: TracedMessage, { givers }: TaskNeeds): string | undefined {
  if (category === "status" && specific === "busy") return textAt(member(message, "context"), "current_task");
  const task = textAt(message, "task_id");
  const isReport = category === "task" && ["update", "complete"].includes(specific);
  if (!isReport || task === undefined || givers.get(task) === sender) return undefined;
  if (specific !== "update") return task;
  const isHeldUp = ["blocked", "delayed"].includes(textAt(member(message, "progress"), "status") ?? "");
  return member(message, "task") !== undefined || isHeldUp ? undefined : task;
}

/** All tasks on which a task depends, directly or indirectly. */
function allDependencies(task: string, needs: TaskNeeds["needs"]): Set<string> {
  const dependencies = new Set<string>();
  const open = [task];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const need of needs.get(next) ?? []) {
      if (dependencies.has(need) || need === task) continue;
      dependencies.add(need);
      open.push(need);
    }
  return dependencies;
}

function* findEarlyWork(
  trace: Json,
  isBlocked: (id: string, tasks: TaskNeeds) => boolean,
): Generator<{ at: string; task: string; on: string }> {
  const tasks: TaskNeeds = { needs: new Map(), givers: new Map(), endedTasks: new Map() };
  for (const tracedMessage of messagesOf(trace)) {
    const { message, sender, category, specific, at } = tracedMessage;
    const id = textAt(message, "task_id");
    if (category === "task" && specific === "assignment" && id !== undefined) {
      tasks.needs.set(
        id,
        textsAt(member(message, "task"), "dependencies").map(({ text }) => text),
      );
      tasks.givers.set(id, sender);
    }
    const task = shownWork(tracedMessage, tasks);
    const dependency =
      task === undefined ? undefined : [...allDependencies(task, tasks.needs)].find((need) => isBlocked(need, tasks));
    if (task !== undefined && dependency !== undefined) yield { at, task, on: dependency };
    if (category === "task" && id !== undefined && (specific === "complete" || specific === "failed"))
      tasks.endedTasks.set(id, specific);
  }
}

/** A task that is not in the recording may have ended before the recording began. */
const waitChecker: Checker = {
  rule: "CONV-DEP-001",
  documents,
  *check(trace) {
    // CONV-DEP-003 judges a failed task.
    for (const { at, task, on: dependency } of findEarlyWork(
      trace,
      (need, { needs, endedTasks }) => needs.has(need) && !endedTasks.has(need),
    ))
      yield { at, why: `shows ${task} begun before ${dependency} is complete` };
  },
};

const blockedChecker: Checker = {
  rule: "CONV-DEP-003",
  documents,
  *check(trace) {
    for (const { at, task, on: dependency } of findEarlyWork(
      trace,
      (need, { endedTasks }) => endedTasks.get(need) === "failed",
    ))
      yield { at, why: `shows ${task} begun although ${dependency} has failed` };
  },
};

/** Problems by their key, with the tier that each has reached. */
type ReachedTiers = Map<string, { tier: number; task: string | undefined }>;

/** Forgets the problems of a complete task. */
function forgetTask(reached: ReachedTiers, completedTask: string | undefined): void {
  for (const [problem, { task }] of reached) if (task !== undefined && task === completedTask) reached.delete(problem);
}

/** Messages that name neither a task nor an operation may be about different problems. A complete task has no problems. */
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
      const before = reached.get(problem)?.tier;
      if (before !== undefined && (tier < before || tier > before + 1))
        yield { at: `${at}/escalation_tier`, why: `is ${tier} after ${before}` };
      reached.set(problem, { tier, task });
    }
  },
};

export const exchangeWorkCheckers: readonly Checker[] = [waitChecker, blockedChecker, tierChecker];
