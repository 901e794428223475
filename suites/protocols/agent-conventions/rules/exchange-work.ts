import { type Checker, canonical, type Json } from "../../../../schemas/index.ts";
import { member, textAt, textsAt } from "./messages.ts";
import { messagesOf, type TracedMessage } from "./traced-messages.ts";

const documents = ["exchange"] as const;

/** The tasks of a recording so far. */
interface TaskNeeds {
  needs: Map<string, string[]>;
  /** Who assigned each. */
  givers: Map<string, string>;
  /** `complete` or `failed`. */
  ended: Map<string, string>;
}

/** The task at which a message shows an agent at work: its giver's messages show nothing, nor does a new description, nor that it is held up. */
function workOn({ message, sender, category, specific }: TracedMessage, { givers }: TaskNeeds): string | undefined {
  if (category === "status" && specific === "busy") return textAt(member(message, "context"), "current_task");
  const task = textAt(message, "task_id");
  const isReport = category === "task" && ["update", "complete"].includes(specific);
  if (!isReport || task === undefined || givers.get(task) === sender) return undefined;
  if (specific !== "update") return task;
  const isHeldUp = ["blocked", "delayed"].includes(textAt(member(message, "progress"), "status") ?? "");
  return member(message, "task") !== undefined || isHeldUp ? undefined : task;
}

/** All tasks that a task waits for, directly or indirectly. */
function allNeeds(task: string, needs: TaskNeeds["needs"]): Set<string> {
  const found = new Set<string>();
  const open = [task];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const need of needs.get(next) ?? []) {
      if (found.has(need) || need === task) continue;
      found.add(need);
      open.push(need);
    }
  return found;
}

function* dependent(
  trace: Json,
  isBlocked: (id: string, tasks: TaskNeeds) => boolean,
): Generator<{ at: string; task: string; on: string }> {
  const tasks: TaskNeeds = { needs: new Map(), givers: new Map(), ended: new Map() };
  for (const each of messagesOf(trace)) {
    const { message, sender, category, specific, at } = each;
    const id = textAt(message, "task_id");
    if (category === "task" && specific === "assignment" && id !== undefined) {
      tasks.needs.set(
        id,
        textsAt(member(message, "task"), "dependencies").map(({ text }) => text),
      );
      tasks.givers.set(id, sender);
    }
    const task = workOn(each, tasks);
    const on = task === undefined ? undefined : [...allNeeds(task, tasks.needs)].find((need) => isBlocked(need, tasks));
    if (task !== undefined && on !== undefined) yield { at, task, on };
    if (category === "task" && id !== undefined && (specific === "complete" || specific === "failed"))
      tasks.ended.set(id, specific);
  }
}

/** A task that is not in the recording may have ended before it began. */
const waits: Checker = {
  rule: "CONV-DEP-001",
  documents,
  *check(trace) {
    // CONV-DEP-003 judges a failed task.
    for (const { at, task, on } of dependent(trace, (need, { needs, ended }) => needs.has(need) && !ended.has(need)))
      yield { at, why: `shows ${task} begun before ${on} is complete` };
  },
};

const staysBlocked: Checker = {
  rule: "CONV-DEP-003",
  documents,
  *check(trace) {
    for (const { at, task, on } of dependent(trace, (need, { ended }) => ended.get(need) === "failed"))
      yield { at, why: `shows ${task} begun although ${on} has failed` };
  },
};

/** Problems by their key, each with the tier that it has reached. */
type ReachedTiers = Map<string, { tier: number; task: string | undefined }>;

/** Forgets the problems of a complete task. */
function forgetTask(reached: ReachedTiers, completed: string | undefined): void {
  for (const [problem, { task }] of reached) if (task !== undefined && task === completed) reached.delete(problem);
}

/** Messages that name neither task nor operation may be about different problems; a complete task has no problem any more. */
const oneTierUp: Checker = {
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
      const whose = task === undefined ? sender : null;
      const problem = canonical([task ?? null, operation ?? null, textAt(message, "category") ?? null, whose]);
      const before = reached.get(problem)?.tier;
      if (before !== undefined && (tier < before || tier > before + 1))
        yield { at: `${at}/escalation_tier`, why: `is ${tier} after ${before}` };
      reached.set(problem, { tier, task });
    }
  },
};

export const exchangeWorkCheckers: readonly Checker[] = [waits, staysBlocked, oneTierUp];
