import type { Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { entries, escapeName, finding, get, has, list } from "./finding.ts";
import { unknownIn } from "./unknown.ts";

/** The reasons to refuse a document; none if it is valid. */
export type JudgeDocument = (document: Json) => TwinFinding[];

/** Checks a reader's result for a document. */
export function* checkReading(record: Json, judge: JudgeDocument): Generator<TwinFinding> {
  const { document, mode, accepted: wasAccepted } = record as Record<string, Json>;
  const reportedMembers = list(record, "unknown_members");
  const unknownMembers = unknownIn(document as Json);
  const refusals = judge(document as Json);
  if (refusals.length > 0) {
    if (wasAccepted === true) yield* refusals;
    return;
  }
  if (mode === "parser" && wasAccepted !== true) yield finding("COMPAT-001", "/accepted", "is refused");
  const unknownMemberFinding = (why: string): TwinFinding =>
    finding("COMPAT-003", "/unknown_members", why, "compat-003");
  if (mode === "strict" && wasAccepted === true && unknownMembers.length > 0)
    yield unknownMemberFinding("is not empty, but strict mode accepted the document");
  if (mode === "strict" && wasAccepted !== true && unknownMembers.length === 0)
    yield finding("COMPAT-003", "/accepted", "is false, but no member is unknown");
  if (unknownMembers.some((pointer) => !reportedMembers.includes(pointer)))
    yield unknownMemberFinding("omits an unknown member");
  if (reportedMembers.some((pointer) => !unknownMembers.includes(String(pointer))))
    yield unknownMemberFinding("lists a known member");
}

/** Checks an agent's file and the files that it refers to. */
export function* checkBundle(record: Json, judge: JudgeDocument): Generator<TwinFinding> {
  const files = new Map(entries(get(record, "files")));
  const entry = String(get(record, "entry"));
  if (!files.has(entry)) {
    yield finding("ACT-009", "/entry", "is missing", "act-009");
    return;
  }
  yield* judge(files.get(entry) as Json);
  const childrenByFile = new Map<string, string[]>();
  for (const pending = [entry]; pending.length > 0; ) {
    const file = pending.pop() as string;
    if (childrenByFile.has(file)) continue;
    const children: string[] = [];
    childrenByFile.set(file, children);
    for (const agent of list(files.get(file), "action_space", "local_agents")) {
      if ((get(agent, "source_type") ?? "file") !== "file") continue;
      const at = `/files/${escapeName(file)}`;
      const target = resolveSource(file, String(get(agent, "source")));
      const child = target === undefined ? undefined : files.get(target);
      if (target === undefined) yield finding("ACT-009", at, "points outside the bundle", "act-009-outside");
      else if (child === undefined) yield finding("ACT-009", at, "points to a missing file", "act-009");
      else {
        yield* judge(child).length > 0 ? [finding("ACT-009", at, "points to an invalid document", "act-009")] : [];
        yield* checkChild(files.get(file) as Json, child, agent, at);
        children.push(target);
        pending.push(target);
      }
    }
  }
  if (isEndless(entry, childrenByFile, files))
    yield finding("ACT-010", "/entry", "contains an unbounded cycle", "act-010");
}

function* checkChild(parent: Json, child: Json, agent: Json, at: string): Generator<TwinFinding> {
  const isLoose = get(parent, "constraints", "tighten_only_invariant") === false;
  for (const kind of ["budget", "limits"])
    for (const [name, value] of entries(get(child, "constraints", kind))) {
      const parentLimit = get(parent, "constraints", kind, name);
      if (typeof parentLimit === "number" && Number(value) > parentLimit)
        yield finding("CONS-004", at, `${name} is larger`, isLoose ? "cons-004-off" : "cons-004");
    }
  if (get(child, "memory", "required") === true && get(agent, "memory_scope_strategy") === "none")
    yield finding("MEM-005", at, "denies memory to a child that requires it");
}

/** Resolves a source against the file that contains it. Returns undefined if it is outside the bundle. */
function resolveSource(referrer: string, source: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(source) || source.startsWith("/")) return undefined;
  const path = referrer.split("/").slice(0, -1);
  for (const segment of source.split("/")) {
    if (segment === ".." && path.pop() === undefined) return undefined;
    if (!["..", ".", ""].includes(segment)) path.push(segment);
  }
  return path.join("/");
}

/** Whether a path from the entry reaches a cycle without passing a file that bounds the delegation depth. */
function isEndless(entry: string, next: ReadonlyMap<string, string[]>, files: ReadonlyMap<string, Json>): boolean {
  const isBounded = (file: string): boolean =>
    has(get(files.get(file), "constraints", "limits"), "max_delegation_depth");
  const visit = (file: string, path: readonly string[]): boolean => {
    if (path.includes(file)) return true;
    return !isBounded(file) && (next.get(file) ?? []).some((child) => visit(child, [...path, file]));
  };
  return visit(entry, []);
}
