import type { Checker, Json } from "../../../../schemas/index.ts";
import { member, textAt, textsAt } from "./messages.ts";

/** The dependencies of each assigned task with their locations, by task id. */
function dependenciesByTask(assignments: Json): Map<string, { at: string; task: string }[]> {
  const tasks = new Map<string, { at: string; task: string }[]>();
  for (const [index, assignment] of (Array.isArray(assignments) ? assignments : []).entries()) {
    const id = textAt(assignment, "task_id");
    if (id === undefined) continue;
    const needs = textsAt(member(assignment, "task"), "dependencies");
    tasks.set(id, [
      ...(tasks.get(id) ?? []),
      ...needs.map(({ text, index: position }) => ({ at: `/${index}/task/dependencies/${position}`, task: text })),
    ]);
  }
  return tasks;
}

const dependencyChecker: Checker = {
  rule: "CONV-DEP-002",
  documents: ["assignments"],
  *check(assignments) {
    const tasks = dependenciesByTask(assignments);
    for (const needs of tasks.values())
      for (const { at, task: dependency } of needs)
        if (!tasks.has(dependency)) yield { at, why: `is ${dependency}, an unknown task` };
    // Depth-first search without recursion: a dependency on a task of the current path closes a cycle.
    const finishedTasks = new Set<string>();
    for (const start of tasks.keys()) {
      const tasksOnPath = new Set<string>();
      const path: { id: string; next: number }[] = finishedTasks.has(start) ? [] : [{ id: start, next: 0 }];
      tasksOnPath.add(start);
      for (let current = path.at(-1); current !== undefined; current = path.at(-1)) {
        const need = tasks.get(current.id)?.[current.next++];
        if (need === undefined) {
          finishedTasks.add(current.id);
          tasksOnPath.delete(current.id);
          path.pop();
        } else if (tasksOnPath.has(need.task))
          yield { at: need.at, why: `is ${need.task}, which in turn depends on ${current.id}` };
        else if (!finishedTasks.has(need.task) && tasks.has(need.task)) {
          tasksOnPath.add(need.task);
          path.push({ id: need.task, next: 0 });
        }
      }
    }
  },
};

/** Names that are reserved for the roles of the same name. */
const reservedNames = ["orchestrator", "hub", "tournant"];

const reservedNameChecker: Checker = {
  rule: "CONV-NAM-001",
  documents: ["deployment"],
  *check(deployment) {
    const agents = member(deployment, "agents");
    for (const [index, agent] of (Array.isArray(agents) ? agents : []).entries()) {
      const id = textAt(agent, "id");
      const role = textAt(agent, "role");
      if (id === undefined || role === undefined) continue;
      const reservedName = reservedNames.find((name) => id === name || id.startsWith(`${name}-`));
      const at = `/agents/${index}/id`;
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)) yield { at, why: `is ${id}, which is not a valid agent id` };
      if (reservedName !== undefined && reservedName !== role)
        yield { at, why: `is ${id}, a name reserved for the role ${reservedName}, but the role is ${role}` };
      else if (reservedName === undefined && reservedNames.includes(role))
        yield { at, why: `is ${id}, which does not contain the role ${role}`, level: "MAY" };
    }
  },
};

export const teamCheckers: readonly Checker[] = [dependencyChecker, reservedNameChecker];
