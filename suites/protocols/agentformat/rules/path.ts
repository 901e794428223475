import { readOnce } from "../../../../generators/index.ts";
import { isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { callsOf, mappingOf } from "./calls.ts";
import { conditionsOf, groupsOf, testsOf } from "./conditions.ts";

/** A parsed path expression. */
export interface Path {
  source: string;
  direction: string;
  /** Names, and `[]` for every item of a list. */
  fields: string[];
}

const namePattern = "[a-zA-Z_][a-zA-Z0-9_]*";
const grammar = new RegExp(`^(${namePattern})\\.(input|output)\\.(${namePattern}(?:\\.(?:${namePattern}|\\[\\]))*)$`);

/** Whether a path can name a field. */
export function isName(text: string): boolean {
  return new RegExp(`^${namePattern}$`).test(text);
}

/** Parses a path expression; undefined if the string is not one. */
export function pathOf(text: string): Path | undefined {
  const [, source, direction, fields] = grammar.exec(text) ?? [];
  if (source === undefined || direction === undefined || fields === undefined) return undefined;
  return { source, direction, fields: fields.split(".") };
}

/** A string in a document that must be a path expression. */
export interface PathPlace {
  at: string;
  text: string;
  use: "mapping" | "exit" | "route";
  /** The index of the call with the mapping. An exit condition is tested after all calls, so its index is the number of calls. */
  call: number;
}

/** Every string of an agent document that must be a path: the values of mappings, and the keys of a policy's conditions. */
export const pathsOf: (agent: Json) => readonly PathPlace[] = readOnce(pathsIn);

function pathsIn(agent: Json): PathPlace[] {
  const calls = callsOf(agent);
  const mappedPaths = calls.flatMap((pointerToCall, index) =>
    mappingOf(agent, pointerToCall).map(
      ({ at, value }): PathPlace => ({ at, text: value, use: "mapping", call: index }),
    ),
  );
  const testedPaths = conditionsOf(agent).flatMap(({ at, use }) =>
    use === "approval"
      ? []
      : groupsOf(agent, at)
          .flatMap((group) => testsOf(agent, group.at))
          .map((test): PathPlace => ({ at: test.at, text: test.name, use, call: calls.length })),
  );
  return [...mappedPaths, ...testedPaths];
}

/**
 * The declared input property that a path cannot name, if that is the only reason why a string is not a path. Undefined if the
 * string is a path, or is invalid for another reason.
 */
export function unsafeProperty(agent: Json, text: string): string | undefined {
  const [source, direction, ...fields] = text.split(".");
  if (source !== "parent" || direction !== "input" || fields[0] === "[]" || pathOf(text) !== undefined)
    return undefined;
  let schema = pointer.at("/interface/input", agent);
  let firstUnsafe: string | undefined;
  for (const field of fields) {
    schema = isObject(schema) ? schemaBelow(schema, field) : undefined;
    if (field === "[]" || isName(field)) continue;
    if (schema === undefined) return undefined;
    firstUnsafe ??= field;
  }
  return firstUnsafe;
}

function schemaBelow(schema: Json, field: string): Json | undefined {
  return field === "[]" ? pointer.at("/items", schema) : pointer.at(pointer.append("/properties", field), schema);
}
