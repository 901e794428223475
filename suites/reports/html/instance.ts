import { type Change, type Json, pointer } from "../../../schemas/index.ts";
import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import type { SchemaPiece } from "./shape.ts";

/** Values that are nested more deeply are not printed. */
const maxDepth = 64;
/** The maximum number of characters that are printed of a string. */
const maxString = 300;
/** If an object or list has more members or items, only the first ones and those with a change are printed. */
const maxMembers = 60;

/** The changed places of an instance, by JSON Pointer. */
interface PieceMarks {
  added: ReadonlyMap<string, "value" | "member">;
  removed: ReadonlyMap<string, string[]>;
  /** Returns the former value at a place, if known. */
  before: (path: string) => Json | undefined;
}

/** Prints an instance as indented JSON in pieces. Added parts are marked, and removed parts are named, with their value if the instance before the change (`parent`) is known. If nothing was changed, the value at the place of the vector (`about`) is marked. */
export function markChanges(data: Json, change: readonly Change[], about = "", parent?: Json): SchemaPiece[] {
  const added = new Map<string, "value" | "member">();
  const removed = new Map<string, string[]>();
  for (const operation of change) {
    const movedPath = operation.op === "move" ? operation.from : "";
    const removedPath = operation.op === "remove" ? operation.path : movedPath;
    if (removedPath !== "") {
      const { parent, last } = pointer.split(removedPath);
      removed.set(parent, [...(removed.get(parent) ?? []), last]);
    }
    if (operation.op !== "remove" && operation.op !== "test") {
      added.set(resolvePath(operation.path, data), operation.op === "replace" ? "value" : "member");
    }
  }
  if (change.length === 0 && about !== "") added.set(about, "value");
  // Every change except a replacement may move other values. A place names the same value before and after only if nothing was moved.
  const keepsPlaces = change.length === 1 || change.every(({ op }) => op === "replace");
  const valueBefore = (path: string): Json | undefined =>
    keepsPlaces && parent !== undefined ? pointer.at(path, parent) : undefined;
  if (!added.has("")) return joinPieces(printValue(data, "", 0, { added, removed, before: valueBefore }));
  return joinPieces([...removedValue(valueBefore("")), { mark: textOf(printValue(data, "", 0, noMarks)) }]);
}

const noMarks: PieceMarks = { added: new Map(), removed: new Map(), before: () => undefined };

/** Formats a removed value on one line, before its replacement. */
function removedValue(value: Json | undefined): SchemaPiece[] {
  return value === undefined ? [] : [{ gone: escapeInvisible(truncate(JSON.stringify(value), maxString)) }, " "];
}

function printValue(value: Json, at: string, depth: number, marks: PieceMarks): SchemaPiece[] {
  if (typeof value === "string") return [escapeInvisible(JSON.stringify(truncate(value, maxString)))];
  if (typeof value !== "object" || value === null) return [String(value)];
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (depth === maxDepth) return [`${open}…${close}`];
  const indent = "  ".repeat(depth + 1);
  const members = Object.entries(value);
  const lines: SchemaPiece[][] = [];
  let hiddenCount = 0;
  members.forEach(([name, member], index) => {
    const path = pointer.append(at, name);
    if (index >= maxMembers && !isTouched(path, marks)) hiddenCount += 1;
    else
      lines.push(
        printMember(Array.isArray(value) ? "" : `${escapeInvisible(JSON.stringify(name))}: `, member, {
          path,
          depth,
          marks,
        }),
      );
  });
  if (hiddenCount > 0) lines.push([`… ${hiddenCount} more`]);
  const removedMembers = (marks.removed.get(at) ?? []).map((name): SchemaPiece[] => {
    const value = marks.before(pointer.append(at, name));
    const formerValue =
      value === undefined ? " removed" : `: ${escapeInvisible(truncate(JSON.stringify(value), maxString))}`;
    return [{ gone: `${escapeInvisible(JSON.stringify(name))}${formerValue}` }];
  });
  if (lines.length + removedMembers.length === 0) return [open + close];
  const body = lines.flatMap((pieces, index) => [indent, ...pieces, index < lines.length - 1 ? ",\n" : "\n"]);
  return [
    `${open}\n`,
    ...body,
    ...removedMembers.flatMap((pieces) => [indent, ...pieces, "\n"]),
    `${"  ".repeat(depth)}${close}`,
  ];
}

function printMember(
  name: string,
  member: Json,
  { path, depth, marks }: { path: string; depth: number; marks: PieceMarks },
): SchemaPiece[] {
  const kind = marks.added.get(path);
  if (kind === undefined) return [name, ...printValue(member, path, depth + 1, marks)];
  const value = textOf(printValue(member, path, depth + 1, noMarks));
  return kind === "member" ? [{ mark: name + value }] : [name, ...removedValue(marks.before(path)), { mark: value }];
}

function isTouched(path: string, { added, removed }: PieceMarks): boolean {
  return [...added.keys(), ...removed.keys()].some(
    (changedPath) => changedPath === path || changedPath.startsWith(`${path}/`),
  );
}

/** Joins adjacent unmarked texts. */
function joinPieces(pieces: readonly SchemaPiece[]): SchemaPiece[] {
  const joinedPieces: SchemaPiece[] = [];
  for (const piece of pieces) {
    const lastPiece = joinedPieces.at(-1);
    if (typeof piece === "string" && typeof lastPiece === "string")
      joinedPieces[joinedPieces.length - 1] = lastPiece + piece;
    else joinedPieces.push(piece);
  }
  return joinedPieces;
}

function textOf(pieces: readonly SchemaPiece[]): string {
  return pieces.filter((piece) => typeof piece === "string").join("");
}

/** Resolves a path that ends in `-` to the item that is last after the change. */
function resolvePath(path: string, data: Json): string {
  if (!path.endsWith("/-")) return path;
  const { parent } = pointer.split(path);
  const array = pointer.at(parent, data);
  return Array.isArray(array) ? pointer.append(parent, array.length - 1) : path;
}
