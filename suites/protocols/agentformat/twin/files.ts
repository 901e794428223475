import type { Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { entries, escapeName, finding, get, has, list } from "./finding.ts";
import { unknownIn } from "./unknown.ts";

/** The reasons to refuse a document; none if it is valid. */
export type JudgeDocument = (document: Json) => TwinFinding[];

/** Checks the result of a reader for a document. */
export function* reading(record: Json, judge: JudgeDocument): Generator<TwinFinding> {
  const { document, mode, accepted: wasAccepted } = record as Record<string, Json>;
  const reportedMembers = list(record, "unknown_members");
  const unknownMembers = unknownIn(document as Json);
  const against = judge(document as Json);
  if (against.length > 0) {
    if (wasAccepted === true) yield* against;
    return;
  }
  if (mode === "parser" && wasAccepted !== true) yield finding("COMPAT-001", "/accepted", "is refused");
  const unknownMemberFinding = (why: string): TwinFinding =>
    finding("COMPAT-003", "/unknown_members", why, "compat-003");
  if (mode === "strict" && wasAccepted === true && unknownMembers.length > 0)
    yield unknownMemberFinding("strict, and accepted");
  if (mode === "strict" && wasAccepted !== true && unknownMembers.length === 0)
    yield finding("COMPAT-003", "/accepted", "nothing is unknown");
  if (unknownMembers.some((each) => !reportedMembers.includes(each))) yield unknownMemberFinding("is silent on one");
  if (reportedMembers.some((each) => !unknownMembers.includes(String(each))))
    yield unknownMemberFinding("has a known one");
}

/** Checks an agent's file and the files that it refers to. */
export function* bundle(record: Json, judge: JudgeDocument): Generator<TwinFinding> {
  const files = new Map(entries(get(record, "files")));
  const entry = String(get(record, "entry"));
  if (!files.has(entry)) {
    yield finding("ACT-009", "/entry", "is not there", "act-009");
    return;
  }
  yield* judge(files.get(entry) as Json);
  const next = new Map<string, string[]>();
  for (const open = [entry]; open.length > 0; ) {
    const file = open.pop() as string;
    if (next.has(file)) continue;
    const children: string[] = [];
    next.set(file, children);
    for (const agent of list(files.get(file), "action_space", "local_agents")) {
      if ((get(agent, "source_type") ?? "file") !== "file") continue;
      const at = `/files/${escapeName(file)}`;
      const target = resolveSource(file, String(get(agent, "source")));
      const child = target === undefined ? undefined : files.get(target);
      if (target === undefined) yield finding("ACT-009", at, "leads outside", "act-009-outside");
      else if (child === undefined) yield finding("ACT-009", at, "leads nowhere", "act-009");
      else {
        yield* judge(child).length > 0 ? [finding("ACT-009", at, "leads to no valid document", "act-009")] : [];
        yield* findingsBelow(files.get(file) as Json, child, agent, at);
        children.push(target);
        open.push(target);
      }
    }
  }
  if (isEndless(entry, next, files)) yield finding("ACT-010", "/entry", "goes round without end", "act-010");
}

function* findingsBelow(parent: Json, child: Json, agent: Json, at: string): Generator<TwinFinding> {
  const isLoose = get(parent, "constraints", "tighten_only_invariant") === false;
  for (const kind of ["budget", "limits"])
    for (const [name, value] of entries(get(child, "constraints", kind))) {
      const above = get(parent, "constraints", kind, name);
      if (typeof above === "number" && Number(value) > above)
        yield finding("CONS-004", at, `${name} is larger`, isLoose ? "cons-004-off" : "cons-004");
    }
  if (get(child, "memory", "required") === true && get(agent, "memory_scope_strategy") === "none")
    yield finding("MEM-005", at, "has no memory for a child that needs some");
}

/** The file of a source, relative to the file that names it; undefined if it is outside of the bundle. */
function resolveSource(from: string, source: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(source) || source.startsWith("/")) return undefined;
  const path = from.split("/").slice(0, -1);
  for (const step of source.split("/")) {
    if (step === ".." && path.pop() === undefined) return undefined;
    if (!["..", ".", ""].includes(step)) path.push(step);
  }
  return path.join("/");
}

/** Whether a path leads into a cycle without a bound on the depth, in it or before it. */
function isEndless(entry: string, next: ReadonlyMap<string, string[]>, files: ReadonlyMap<string, Json>): boolean {
  const isBounded = (file: string): boolean =>
    has(get(files.get(file), "constraints", "limits"), "max_delegation_depth");
  const visit = (file: string, path: readonly string[]): boolean => {
    if (path.includes(file)) return true;
    return !isBounded(file) && (next.get(file) ?? []).some((child) => visit(child, [...path, file]));
  };
  return visit(entry, []);
}
