import type { Breach, Checker } from "../../../../schemas/index.ts";
import { saysState, stepsIn, type TaskStep } from "./task-log.ts";

/** Returns the breach if a task has changed its context. */
function contextBreach({ task, tasks, at }: TaskStep): Breach | undefined {
  const earlierContext = task && tasks.get(task.id)?.contextId;
  if (task?.contextId === undefined || earlierContext === undefined || earlierContext === task.contextId)
    return undefined;
  return { at: `${at}/answer/task/contextId`, why: `is ${task.contextId}, and was ${earlierContext}` };
}

function continuesTask(step: TaskStep): boolean {
  return saysState(step) && step.taskId !== undefined && step.taskId === step.task?.id;
}

function stepChecker(rule: string, judge: (step: TaskStep) => Breach | false | undefined): Checker {
  return {
    rule,
    documents: ["task-log"],
    *check(instance) {
      for (const step of stepsIn(instance)) {
        const breach = judge(step);
        if (breach) yield breach;
      }
    },
  };
}

export const contextCheckers: readonly Checker[] = [
  stepChecker("SNAP-CTX-002", (step) => continuesTask(step) && contextBreach(step)),
  stepChecker("SNAP-CTX-003", ({ task, tasks, from, at }) => {
    if (task === undefined || tasks.has(task.id) || task.contextId === undefined) return undefined;
    const otherTask = [...tasks.values()].find(
      ({ contextId, owner }) => contextId === task.contextId && owner !== from,
    );
    return (
      otherTask && {
        at: `${at}/answer/task/contextId`,
        why: `is ${task.contextId}, which is the context of another sender's task`,
      }
    );
  }),
  stepChecker("SNAP-CTX-004", ({ task, at }) => {
    return task !== undefined && task.contextId === undefined && { at: `${at}/answer/task`, why: "has no contextId" };
  }),
  stepChecker("SNAP-CTX-005", (step) => !continuesTask(step) && contextBreach(step)),
];
