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
export interface ChangedVector<T> {
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
  /** Vectors that are missing from the new set; `now` is a vector with the same message and verdict. */
  gone: { id: string; now?: string }[];
  /** Former ids of the new set. */
  renamed: { from: string; to: string }[];
  verdict: ChangedVector<Verdict>[];
  level: ChangedVector<Level>[];
  /** Vectors with a changed message or text. */
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
export function compareVectorSets(old: string, next: string, failOn: CompareOptions["failOn"]): ComparedSets {
  const [oldSet, newSet] = [readSet(old), readSet(next)];
  const currentId = (id: string): string => (newSet.vectors.has(id) ? id : (newSet.aliases.get(id) ?? id));
  const result: Omit<ComparedSets, "exitCode"> = {
    touchstone: program,
    old: setNameOf(oldSet.manifest),
    new: setNameOf(newSet.manifest),
    added: [],
    gone: [],
    renamed: [],
    verdict: [],
    level: [],
    message: [],
    other: [],
    ...stepsOf(oldSet.manifest, newSet.manifest),
  };
  const seenIds = new Set<string>();
  const idsByMessage = groupIdsByMessage(newSet.vectors.values());
  for (const [id, oldVector] of oldSet.vectors) {
    const newId = currentId(id);
    const newVector = newSet.vectors.get(newId);
    if (newVector === undefined) {
      const sameMessage = idsByMessage.get(messageKeyOf(oldVector))?.find((newId) => !oldSet.vectors.has(newId));
      result.gone.push({ id, ...(sameMessage === undefined ? {} : { now: sameMessage }) });
      continue;
    }
    seenIds.add(newId);
    if (newId !== id) result.renamed.push({ from: id, to: newId });
    listChanges(result, newId, oldVector, newVector);
  }
  result.added.push(...[...newSet.vectors.keys()].filter((id) => !seenIds.has(id)));
  const isOther =
    result.renamed.length > 0 || countChanged(result) > 0 || oldSet.manifest.digest !== newSet.manifest.digest;
  result.needs = stepFor({ gone: result.gone.length, added: result.added.length, isOther });
  return { ...result, exitCode: exitCodeOf(result, failOn) };
}

/** The number of vectors with a changed verdict, level, message or other member. */
function countChanged({ verdict, level, message, other }: Omit<ComparedSets, "exitCode">): number {
  return verdict.length + level.length + message.length + other.length;
}

function stepsOf(oldManifest: Manifest, newManifest: Manifest): Pick<ComparedSets, "needs" | "moves"> {
  const moves = stepBetween(oldManifest.version, newManifest.version);
  return { needs: "none", ...(moves === undefined ? {} : { moves }) };
}

/** A vector is reported once for each of verdict, level and message, and for other members only if none of these differs. */
function listChanges(result: Omit<ComparedSets, "exitCode">, id: string, oldVector: Vector, newVector: Vector): void {
  const verdicts = { old: verdictOf(oldVector), new: verdictOf(newVector) };
  const levels = { old: oldVector.level ?? "MUST", new: newVector.level ?? "MUST" } as const;
  const hasNewVerdict = verdicts.old !== verdicts.new;
  const hasNewLevel = levels.old !== levels.new;
  const hasNewMessage = contentOf(oldVector) !== contentOf(newVector);
  if (hasNewVerdict) result.verdict.push({ id, ...verdicts });
  if (hasNewLevel) result.level.push({ id, ...levels });
  if (hasNewMessage) result.message.push(id);
  if (hasNewVerdict || hasNewLevel || hasNewMessage) return;
  if (canonical({ ...oldVector, id } as unknown as Json) !== canonical(newVector as unknown as Json))
    result.other.push(id);
}

function groupIdsByMessage(vectors: Iterable<Vector>): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const vector of vectors) {
    const key = messageKeyOf(vector);
    ids.set(key, [...(ids.get(key) ?? []), vector.id]);
  }
  return ids;
}

/** A key that is the same for equal messages of one document with the same verdict. */
function messageKeyOf(vector: Vector): string {
  return `${vector.id.split("/", 3).join("/")} ${verdictOf(vector)} ${contentOf(vector)}`;
}

function contentOf({ data, raw, base64 }: Vector): string {
  return JSON.stringify([data, raw, base64]);
}

/** Removed ids, changed verdicts and changed levels are breaking, since stored lists of ids depend on them. */
function exitCodeOf(result: Omit<ComparedSets, "exitCode">, failOn: CompareOptions["failOn"]): number {
  const isBreaking = result.gone.length + result.verdict.length + result.level.length > 0;
  const isChanged = result.needs !== "none";
  const fails = failOn === "any" ? isChanged : failOn === "breaking" && isBreaking;
  return fails ? exitCodes.violations : 0;
}

function setNameOf({ name, version, digest, count }: Manifest): SetName {
  return { name, version, digest, count };
}

function readSet(folder: string): { manifest: Manifest; vectors: Map<string, Vector>; aliases: Map<string, string> } {
  if (!isVectorSet(folder))
    throw new TouchstoneError("usage", "it is not a vector set, and the other one is", {
      where: folder,
      hint: "give two folders with a MANIFEST.json, such as two exports of `touchstone export all --out DIR`",
    });
  const readSetFile = filesIn(folder);
  const readJsonFile = <T>(path: string): T => {
    try {
      return JSON.parse(readSetFile(path).toString("utf8")) as T;
    } catch (cause) {
      throw new TouchstoneError("usage", `the vector set cannot be read: ${(cause as Error).message}`, {
        where: join(folder, path),
        hint: "`touchstone check DIR` lists its faults",
        cause,
      });
    }
  };
  const manifest = readJsonFile<Manifest>("MANIFEST.json");
  const tests = manifest.files.flatMap(({ path }) => readJsonFile<VectorFile>(path).tests);
  const aliases = existsSync(join(folder, "aliases.json")) ? readJsonFile<Record<string, string>>("aliases.json") : {};
  return {
    manifest,
    vectors: new Map(tests.map((vector) => [vector.id, vector])),
    aliases: new Map(Object.entries(aliases)),
  };
}
