import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { get, has, type Message, roleIn, texts } from "./finding.ts";

const kindsByBlock: Record<string, string[]> = {
  task: ["assignment", "update"],
  progress: ["update"],
  completion: ["complete"],
  failure: ["failed"],
  handoff: ["handoff"],
};

/** Checks a task message. */
export function* checkTask(message: Message): Generator<TwinFinding> {
  const { all, kind } = message;
  const id = String(all.task_id);
  if (!/^[A-Z]{3,4}-[0-9]{3,}(\.[0-9]+)?$/.test(id))
    yield { rule: "CONV-TASK-002", at: "/task_id", why: "does not have the form of a task id", freedom: "task-002" };
  for (const [block, kinds] of Object.entries(kindsByBlock))
    if (has(all, block) && !kinds.includes(kind))
      yield { rule: "CONV-TASK-009", at: `/${block}`, why: `does not belong in task.${kind}`, freedom: "task-009" };
  const requiredMembers: Record<string, string[]> = {
    failed: ["failure"],
    handoff: ["handoff"],
    assignment: ["task", "description"],
  };
  const path = requiredMembers[kind];
  if (path !== undefined && get(all, ...path) === undefined)
    yield { rule: "CONV-TASK-010", at: `/${path.join("/")}`, why: "is missing", freedom: "task-010" };
  const copiedId = get(all, "task", "task_id");
  if (copiedId !== undefined && copiedId !== id)
    yield {
      rule: "CONV-TASK-011",
      at: "/task/task_id",
      why: "differs from the task_id at the root",
      freedom: "task-011",
    };
  if (texts(all, "task", "dependencies")?.includes(id))
    yield { rule: "CONV-TASK-013", at: "/task/dependencies", why: "contains the task itself", freedom: "task-013" };
  if (has(all, "handoff")) yield* checkHandoff(message);
}

function* checkHandoff({ all }: Message): Generator<TwinFinding> {
  const fromAgent = get(all, "handoff", "from_agent");
  const toAgent = get(all, "handoff", "to_agent");
  const recipient = String(all.recipient);
  const isRelayed = recipient === "broadcast" || ["hub", "orchestrator"].includes(roleIn(recipient) ?? "");
  const finding = (at: string, why: string): TwinFinding => ({
    rule: "CONV-TASK-012",
    at,
    why,
    freedom: "task-012",
  });
  if (fromAgent !== all.sender) yield finding("/handoff/from_agent", "is not the sender");
  if (!isRelayed && toAgent !== recipient) yield finding("/handoff/to_agent", "is not the recipient");
  if (fromAgent === toAgent) yield finding("/handoff/to_agent", "is also the agent that hands off");
}

/** Checks a status message. */
export function* checkStatus({ all, kind }: Message): Generator<TwinFinding> {
  const { status: statusText, context } = all;
  if (statusText !== kind)
    yield { rule: "CONV-STAT-003", at: "/status", why: "differs from the message type", freedom: "stat-003" };
  const finding = (at: string, why: string): TwinFinding => ({
    rule: "CONV-STAT-004",
    at,
    why,
    freedom: "stat-004",
  });
  if (statusText === "blocked" && !has(context, "blocked_reason") && !has(context, "blocked_by"))
    yield finding("/context", "does not give a reason");
  if (statusText === "busy" && !has(context, "current_task")) yield finding("/context", "does not name a task");
  if (get(context, "previous_status") === statusText)
    yield finding("/context/previous_status", "is the same as the status");
}
