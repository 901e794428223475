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

/** `#` and the JSON Pointer of an assertion in its file, as far as that is known. */
export function fragmentIn(site: string, source?: Source): string {
  return source?.pointer === undefined ? site.slice(site.indexOf("#")) : `#${source.pointer}`;
}

/** A text about an assertion, with its pointers as they are in the file. */
export function fragmentsIn(text: string, site: string, source: (location: string) => Source | undefined): string {
  const id = site.slice(0, site.indexOf("#"));
  return text.replace(/#\/[^\s,;:()"]*/g, (fragment) => fragmentIn(`${id}${fragment}`, source(`${id}${fragment}`)));
}

const assertionPlace = /^(.+?):(\d+)(?::(\d+))?(?: +(#.*))?$/s;

/**
 * Whether `given` names the assertion at `site`: by the schema's `$id` or file before `#` and a JSON Pointer, or by `FILE:LINE`,
 * `FILE:LINE:COLUMN`, optionally with the pointer after it, which then decides. The last part of a file name is enough. `source` is the
 * position of the assertion, if known.
 */
export function namesAssertion(given: string, site: string, source: Source | undefined): boolean {
  const pointer = site.slice(site.indexOf("#"));
  if (given === site || given === shortAssertion(site)) return true;
  if (source === undefined) return false;
  const inFile = fragmentIn(site, source);
  const [, file = "", line, column, behind] = assertionPlace.exec(given) ?? [];
  if (line !== undefined) {
    const isAt = Number(line) === source.line && (column === undefined || Number(column) === source.column);
    // Lines come and go above an assertion, and its pointer stays.
    const isNamed = behind === undefined ? isAt : behind === inFile || (isAt && behind === pointer);
    return isNamed && isFile(file, source.file);
  }
  return given.endsWith(inFile) && isFile(given.slice(0, -inFile.length), source.file);
}

/** By how many columns `FILE:LINE:COLUMN` misses an assertion of that line; undefined for anything else. */
export function columnsFrom(given: string, { file, line, column }: Source): number | undefined {
  const [, named = "", at, across] = assertionPlace.exec(given) ?? [];
  const isLine = across !== undefined && Number(at) === line && isFile(named, file);
  return isLine ? Math.abs(Number(across) - column) : undefined;
}

function isFile(given: string, file: string): boolean {
  return given === basename(file) || resolve(given) === resolve(file);
}
