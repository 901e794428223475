import { basename, resolve } from "node:path";
import type { Source } from "./loaded-schemas.ts";

/** An assertion without the address before its file: `order.schema.json#/properties/count/maximum`. */
export function shortAssertion(site: string): string {
  return site.replace(/^[^#]*\/(?=[^#]*#)/, "");
}

/** The location of an assertion in a file, as `generate`, `lint` and `compare` print it: `FILE:LINE:COLUMN #/json/pointer`. */
export function placedAssertion(site: string, source: Source): string {
  const { file, line, column } = source;
  return `${file}:${line}:${column} ${fragmentIn(site, source)}`;
}

/** `#` and the JSON Pointer of an assertion: in its file, if known, otherwise in its schema. */
export function fragmentIn(site: string, source?: Source): string {
  return source?.pointer === undefined ? site.slice(site.indexOf("#")) : `#${source.pointer}`;
}

/** Replaces the pointers in a sentence about an assertion by pointers into its file. */
export function fragmentsIn(text: string, site: string, source: (location: string) => Source | undefined): string {
  const id = site.slice(0, site.indexOf("#"));
  return text.replace(/#\/[^\s,;:()"]*/g, (fragment) => fragmentIn(`${id}${fragment}`, source(`${id}${fragment}`)));
}

const assertionPlace = /^(.+?):(\d+)(?::(\d+))?(?: +(#.*))?$/s;

/**
 * Whether `reference` names the assertion at `site`. A reference is the schema's `$id` or file, `#` and a JSON Pointer; or `FILE:LINE` or
 * `FILE:LINE:COLUMN`. If a pointer follows the line, the pointer decides. The last part of a file name is enough. `source` is the position
 * of the assertion, if known.
 */
export function namesAssertion(reference: string, site: string, source: Source | undefined): boolean {
  const pointer = site.slice(site.indexOf("#"));
  if (reference === site || reference === shortAssertion(site)) return true;
  if (source === undefined) return false;
  const inFile = fragmentIn(site, source);
  const [, file = "", line, column, pointerAfter] = assertionPlace.exec(reference) ?? [];
  if (line !== undefined) {
    const isSamePlace = Number(line) === source.line && (column === undefined || Number(column) === source.column);
    // Edits above an assertion change its line, but not its pointer.
    const isMatch =
      pointerAfter === undefined ? isSamePlace : pointerAfter === inFile || (isSamePlace && pointerAfter === pointer);
    return isMatch && isFile(file, source.file);
  }
  return reference.endsWith(inFile) && isFile(reference.slice(0, -inFile.length), source.file);
}

/** The distance in columns between `FILE:LINE:COLUMN` and an assertion on that line; undefined for anything else. */
export function columnsFrom(reference: string, { file, line, column }: Source): number | undefined {
  const [, namedFile = "", namedLine, namedColumn] = assertionPlace.exec(reference) ?? [];
  const isLine = namedColumn !== undefined && Number(namedLine) === line && isFile(namedFile, file);
  return isLine ? Math.abs(Number(namedColumn) - column) : undefined;
}

function isFile(reference: string, file: string): boolean {
  return reference === basename(file) || resolve(reference) === resolve(file);
}
