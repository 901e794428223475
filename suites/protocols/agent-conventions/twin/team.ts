import type { Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { get, roleIn, texts } from "./finding.ts";

/** Checks that the dependencies of several assignments are known and have no cycle. */
export function* checkAssignments(list: readonly Json[]): Generator<TwinFinding> {
  const dependenciesByTask = new Map<string, string[]>();
  for (const assignment of list) {
    const id = String(get(assignment, "task_id"));
    dependenciesByTask.set(id, [
      ...(dependenciesByTask.get(id) ?? []),
      ...(texts(assignment, "task", "dependencies") ?? []),
    ]);
  }
  const finding = (index: number, why: string): TwinFinding => ({
    rule: "CONV-DEP-002",
    at: `/${index}/task/dependencies`,
    why,
  });
  const dependsOn = (task: string, goal: string, seenTasks = new Set<string>()): boolean =>
    (dependenciesByTask.get(task) ?? []).some((next) => {
      if (next === goal) return true;
      if (seenTasks.has(next)) return false;
      return dependsOn(next, goal, seenTasks.add(next));
    });
  for (const [index, assignment] of list.entries()) {
    const id = String(get(assignment, "task_id"));
    if ((dependenciesByTask.get(id) ?? []).some((need) => !dependenciesByTask.has(need)))
      yield finding(index, "contains an unknown task");
    if (dependsOn(id, id)) yield finding(index, "depends on itself in a cycle");
  }
}

const reservedNames = ["orchestrator", "tournant", "hub"];

/** Checks the agents of a deployment and their roles. */
export function* checkDeployment(value: Json): Generator<TwinFinding> {
  for (const [index, agent] of (get(value, "agents") as Json[]).entries()) {
    const id = String(get(agent, "id"));
    const role = String(get(agent, "role"));
    const claimedRole = roleIn(id);
    const location = { rule: "CONV-NAM-001", at: `/agents/${index}/id` };
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)) yield { ...location, rule: "CONV-BASE-003", why: "is not an agent id" };
    else if (claimedRole !== undefined && claimedRole !== role)
      yield { ...location, why: `is reserved for the role ${claimedRole}` };
    else if (claimedRole === undefined && reservedNames.includes(role))
      yield { ...location, why: "does not contain the role", freedom: "nam-001-converse" };
  }
}

const categories = ["task", "status", "coordination", "escalation", "acknowledgment"];

/** Checks the files of a schema folder. */
export function* checkSchemaFolder(value: Json): Generator<TwinFinding> {
  const files = texts(value, "files") ?? [];
  const finding = (why: string, freedom?: string): TwinFinding => ({
    rule: "CONV-NAM-003",
    at: "/files",
    why,
    ...(freedom === undefined ? {} : { freedom }),
  });
  for (const category of categories) {
    const ownFiles = files.filter((file) => [`schema-${category}.yaml`, `schema-${category}.json`].includes(file));
    if (ownFiles.length === 0) yield finding(`has no file of the category ${category}`);
    if (ownFiles.length > 1) yield finding(`has several files of the category ${category}`, "nam-003-one-each");
  }
  const schemaFileName = /^schema-(task|status|coordination|escalation|acknowledgment)\.(yaml|json)$/;
  for (const file of files)
    if (file.startsWith("schema-") && !schemaFileName.test(file)) yield finding(`contains ${file}`, "nam-003-others");
}

/** Checks the dialect, the id and the version of a schema file. */
export function* checkSchemaFile(value: Json): Generator<TwinFinding> {
  const finding = (at: string, why: string, freedom?: string): TwinFinding => ({
    rule: "CONV-VER-001",
    at,
    why,
    ...(freedom === undefined ? {} : { freedom }),
  });
  const dialect = String(get(value, "$schema"));
  if (dialect === "https://json-schema.org/draft/2020-12/schema#")
    yield finding("/$schema", "ends in #", "ver-001-hash");
  else if (dialect !== "https://json-schema.org/draft/2020-12/schema") yield finding("/$schema", "is not 2020-12");
  const [, category, major] = /\/([^/]+)\/v(0|[1-9][0-9]*)$/.exec(String(get(value, "$id"))) ?? [];
  if (category === undefined) yield finding("/$id", "does not end in a category and a version");
  else if (!categories.includes(category)) yield finding("/$id", "does not name a known category", "ver-001-category");
  const version = versionOf(value);
  if (version === undefined) yield finding("/version", "is not a version of three parts");
  else if (major !== undefined && major !== String(version[0]))
    yield finding("/version", "has a different major version than $id");
}

/** The three numbers of a schema's version; undefined if it is not a version. */
export function versionOf(schema: Json | undefined): number[] | undefined {
  const match = /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/.exec(String(get(schema, "version")));
  return match?.slice(1).map(Number);
}
