import type { Checker, Json } from "../../../../schemas/index.ts";
import { member, textAt, textsAt } from "./messages.ts";

/** The dependencies of each assigned task, with their places, by task id. */
function dependenciesByTask(assignments: Json): Map<string, { at: string; on: string }[]> {
  const tasks = new Map<string, { at: string; on: string }[]>();
  for (const [index, assignment] of (Array.isArray(assignments) ? assignments : []).entries()) {
    const id = textAt(assignment, "task_id");
    if (id === undefined) continue;
    const needs = textsAt(member(assignment, "task"), "dependencies");
    tasks.set(id, [
      ...(tasks.get(id) ?? []),
      ...needs.map(({ text, index: place }) => ({ at: `/${index}/task/dependencies/${place}`, on: text })),
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
      for (const { at, on: dependency } of needs)
        if (!tasks.has(dependency)) yield { at, why: `is ${dependency}, an unknown task` };
    // Depth-first search without recursion: a task that is still open at the second visit closes a cycle.
    const finishedTasks = new Set<string>();
    for (const first of tasks.keys()) {
      const open = new Set<string>();
      const path: { id: string; next: number }[] = finishedTasks.has(first) ? [] : [{ id: first, next: 0 }];
      open.add(first);
      for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
        const need = tasks.get(top.id)?.[top.next++];
        if (need === undefined) {
          finishedTasks.add(top.id);
          open.delete(top.id);
          path.pop();
        } else if (open.has(need.on)) yield { at: need.at, why: `is ${need.on}, which depends on ${top.id} in turn` };
        else if (!finishedTasks.has(need.on) && tasks.has(need.on)) {
          open.add(need.on);
          path.push({ id: need.on, next: 0 });
        }
      }
    }
  },
};

/** Roles that reserve their name. */
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
      const reservedName = reservedNames.find((word) => id === word || id.startsWith(`${word}-`));
      const at = `/agents/${index}/id`;
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)) yield { at, why: `is ${id}, which no message may name` };
      if (reservedName !== undefined && reservedName !== role)
        yield { at, why: `is ${id}, a name reserved for the role ${reservedName}, and the role is ${role}` };
      else if (reservedName === undefined && reservedNames.includes(role))
        yield { at, why: `is ${id}, which does not contain the role ${role}`, level: "MAY" };
    }
  },
};

export const teamCheckers: readonly Checker[] = [dependencyChecker, reservedNameChecker];
