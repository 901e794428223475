import type { Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { get, roleIn, texts } from "./finding.ts";

/** Assignments that are given together: all dependencies are known, and there is no cycle. */
export function* assignments(list: readonly Json[]): Generator<TwinFinding> {
  const needs = new Map<string, string[]>();
  for (const each of list) {
    const id = String(get(each, "task_id"));
    needs.set(id, [...(needs.get(id) ?? []), ...(texts(each, "task", "dependencies") ?? [])]);
  }
  const finding = (index: number, why: string): TwinFinding => ({
    rule: "CONV-DEP-002",
    at: `/${index}/task/dependencies`,
    why,
  });
  const reaches = (from: string, goal: string, seenTasks = new Set<string>()): boolean =>
    (needs.get(from) ?? []).some((next) => {
      if (next === goal) return true;
      if (seenTasks.has(next)) return false;
      return reaches(next, goal, seenTasks.add(next));
    });
  for (const [index, each] of list.entries()) {
    const id = String(get(each, "task_id"));
    if ((needs.get(id) ?? []).some((need) => !needs.has(need))) yield finding(index, "has an unknown task");
    if (reaches(id, id)) yield finding(index, "depends on itself in a cycle");
  }
}

const reservedNames = ["orchestrator", "tournant", "hub"];

/** The agents of a deployment and their roles. */
export function* deployment(value: Json): Generator<TwinFinding> {
  for (const [index, agent] of (get(value, "agents") as Json[]).entries()) {
    const id = String(get(agent, "id"));
    const role = String(get(agent, "role"));
    const named = roleIn(id);
    const head = { rule: "CONV-NAM-001", at: `/agents/${index}/id` };
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)) yield { ...head, rule: "CONV-BASE-003", why: "is no id" };
    else if (named !== undefined && named !== role) yield { ...head, why: `is a name of ${named}` };
    else if (named === undefined && reservedNames.includes(role))
      yield { ...head, why: "does not show its role", freedom: "nam-001-converse" };
  }
}

const categories = ["task", "status", "coordination", "escalation", "acknowledgment"];

/** The files of a folder of schemas. */
export function* schemaFolder(value: Json): Generator<TwinFinding> {
  const files = texts(value, "files") ?? [];
  const finding = (why: string, freedom?: string): TwinFinding => ({
    rule: "CONV-NAM-003",
    at: "/files",
    why,
    ...(freedom === undefined ? {} : { freedom }),
  });
  for (const category of categories) {
    const ownFiles = files.filter((file) => [`schema-${category}.yaml`, `schema-${category}.json`].includes(file));
    if (ownFiles.length === 0) yield finding(`has none of ${category}`);
    if (ownFiles.length > 1) yield finding(`has two of ${category}`, "nam-003-one-each");
  }
  const schemaFileName = /^schema-(task|status|coordination|escalation|acknowledgment)\.(yaml|json)$/;
  for (const file of files)
    if (file.startsWith("schema-") && !schemaFileName.test(file)) yield finding(`has ${file}`, "nam-003-others");
}

/** The head of one schema file. */
export function* schemaFile(value: Json): Generator<TwinFinding> {
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
  else if (!categories.includes(category)) yield finding("/$id", "is of no category", "ver-001-category");
  const version = versionOf(value);
  if (version === undefined) yield finding("/version", "is no version of three parts");
  else if (major !== undefined && major !== String(version[0])) yield finding("/version", "is of another major");
}

/** Three numbers; undefined if it is not a version. */
export function versionOf(schema: Json | undefined): number[] | undefined {
  const match = /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/.exec(String(get(schema, "version")));
  return match?.slice(1).map(Number);
}
