import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  canonical,
  exitCodes,
  filesIn,
  isObject,
  type Json,
  type Level,
  type Manifest,
  version as program,
  type SetStep,
  stepBetween,
  stepFor,
  TouchstoneError,
  type Vector,
  type VectorFile,
  type Verdict,
  verdictOf,
} from "../../../schemas/index.ts";
import type { CompareOptions } from "./compare.ts";

/** The version and digest that identify a set. */
export type SetName = Pick<Manifest, "name" | "version" | "digest" | "count">;

/** A vector with the old and the new value of one member. */
export interface TurnedVector<T> {
  id: string;
  old: T;
  new: T;
}

/** The result of comparing two vector sets, or two versions of one; ids are in the order of their sets. */
export interface ComparedSets {
  touchstone: string;
  old: SetName;
  new: SetName;
  added: string[];
  /** Vectors that the new set has under no id; `now` is a vector with the same message and verdict. */
  gone: { id: string; now?: string }[];
  /** Former ids of the new set. */
  renamed: { from: string; to: string }[];
  verdict: TurnedVector<Verdict>[];
  level: TurnedVector<Level>[];
  /** Vectors with another message, or text. */
  message: string[];
  /** Vectors that differ only in other members, such as `description` or `needs`. */
  other: string[];
  /** The step that the changes require, and the step that the version makes; absent if the new version is not the later one. */
  needs: SetStep;
  moves?: SetStep;
  exitCode: number;
}

/** Whether a path is the folder of a vector set. */
export function isVectorSet(path: string): boolean {
  const file = join(path, "MANIFEST.json");
  if (!existsSync(file) || !statSync(path).isDirectory()) return false;
  try {
    const manifest = JSON.parse(readFileSync(file, "utf8")) as Json;
    return isObject(manifest) && String(manifest.$schema).endsWith("/manifest.schema.json");
  } catch {
    return false;
  }
}

/** Compares the vector sets in two folders. Throws a usage error for a folder without one. */
export function compareVectorSets(old: string, young: string, failOn: CompareOptions["failOn"]): ComparedSets {
  const [before, now] = [setIn(old), setIn(young)];
  const currentId = (id: string): string => (now.vectors.has(id) ? id : (now.aliases.get(id) ?? id));
  const result: Omit<ComparedSets, "exitCode"> = {
    touchstone: program,
    old: nameOf(before.manifest),
    new: nameOf(now.manifest),
    added: [],
    gone: [],
    renamed: [],
    verdict: [],
    level: [],
    message: [],
    other: [],
    ...stepsOf(before.manifest, now.manifest),
  };
  const seenIds = new Set<string>();
  const same = byMessage(now.vectors.values());
  for (const [id, oldVector] of before.vectors) {
    const to = currentId(id);
    const is = now.vectors.get(to);
    if (is === undefined) {
      const sameMessage = same.get(messageOf(oldVector))?.find((each) => !before.vectors.has(each));
      result.gone.push({ id, ...(sameMessage === undefined ? {} : { now: sameMessage }) });
      continue;
    }
    seenIds.add(to);
    if (to !== id) result.renamed.push({ from: id, to });
    listChanges(result, to, oldVector, is);
  }
  result.added.push(...[...now.vectors.keys()].filter((id) => !seenIds.has(id)));
  const isOther = result.renamed.length > 0 || changedIds(result) > 0 || before.manifest.digest !== now.manifest.digest;
  result.needs = stepFor({ gone: result.gone.length, added: result.added.length, isOther });
  return { ...result, exitCode: exitCodeOf(result, failOn) };
}

/** The vectors with another verdict, level, message or other member. */
function changedIds({ verdict, level, message, other }: Omit<ComparedSets, "exitCode">): number {
  return verdict.length + level.length + message.length + other.length;
}

function stepsOf(before: Manifest, now: Manifest): Pick<ComparedSets, "needs" | "moves"> {
  const moves = stepBetween(before.version, now.version);
  return { needs: "none", ...(moves === undefined ? {} : { moves }) };
}

/** A vector is reported once for each of verdict, level and message, and for other members only if none of these differs. */
function listChanges(result: Omit<ComparedSets, "exitCode">, id: string, oldVector: Vector, is: Vector): void {
  const verdicts = { old: verdictOf(oldVector), new: verdictOf(is) };
  const levels = { old: oldVector.level ?? "MUST", new: is.level ?? "MUST" } as const;
  const isTurned = verdicts.old !== verdicts.new;
  const isOtherLevel = levels.old !== levels.new;
  const isOtherMessage = contentOf(oldVector) !== contentOf(is);
  if (isTurned) result.verdict.push({ id, ...verdicts });
  if (isOtherLevel) result.level.push({ id, ...levels });
  if (isOtherMessage) result.message.push(id);
  if (isTurned || isOtherLevel || isOtherMessage) return;
  if (canonical({ ...oldVector, id } as unknown as Json) !== canonical(is as unknown as Json)) result.other.push(id);
}

function byMessage(vectors: Iterable<Vector>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const vector of vectors) {
    const key = messageOf(vector);
    found.set(key, [...(found.get(key) ?? []), vector.id]);
  }
  return found;
}

/** The same key for equal messages of a document with one verdict. */
function messageOf(vector: Vector): string {
  return `${vector.id.split("/", 3).join("/")} ${verdictOf(vector)} ${contentOf(vector)}`;
}

function contentOf({ data, raw, base64 }: Vector): string {
  return JSON.stringify([data, raw, base64]);
}

/** Differences that break stored lists: removed ids, and changed verdicts. */
function exitCodeOf(result: Omit<ComparedSets, "exitCode">, failOn: CompareOptions["failOn"]): number {
  const isBreaking = result.gone.length + result.verdict.length + result.level.length > 0;
  const isAny = result.needs !== "none";
  const fails = failOn === "any" ? isAny : failOn === "breaking" && isBreaking;
  return fails ? exitCodes.violations : 0;
}

function nameOf({ name, version, digest, count }: Manifest): SetName {
  return { name, version, digest, count };
}

function setIn(folder: string): { manifest: Manifest; vectors: Map<string, Vector>; aliases: Map<string, string> } {
  if (!isVectorSet(folder))
    throw new TouchstoneError("usage", "it is not a vector set, and the other one is", {
      where: folder,
      hint: "give two folders with a MANIFEST.json, such as two exports of `touchstone export all --out DIR`",
    });
  const read = filesIn(folder);
  const json = <T>(path: string): T => {
    try {
      return JSON.parse(read(path).toString("utf8")) as T;
    } catch (cause) {
      throw new TouchstoneError("usage", `the vector set cannot be read: ${(cause as Error).message}`, {
        where: join(folder, path),
        hint: "`touchstone check DIR` lists its faults",
        cause,
      });
    }
  };
  const manifest = json<Manifest>("MANIFEST.json");
  const tests = manifest.files.flatMap(({ path }) => json<VectorFile>(path).tests);
  const aliases = existsSync(join(folder, "aliases.json")) ? json<Record<string, string>>("aliases.json") : {};
  return {
    manifest,
    vectors: new Map(tests.map((vector) => [vector.id, vector])),
    aliases: new Map(Object.entries(aliases)),
  };
}
