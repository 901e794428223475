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

const name = "[a-zA-Z_][a-zA-Z0-9_]*";
const grammar = new RegExp(`^(${name})\\.(input|output)\\.(${name}(?:\\.(?:${name}|\\[\\]))*)$`);

/** Whether a field can be named in a path. */
export function isName(text: string): boolean {
  return new RegExp(`^${name}$`).test(text);
}

/** Parses a path expression; undefined if the text is not one. */
export function pathOf(text: string): Path | undefined {
  const [, source, direction, fields] = grammar.exec(text) ?? [];
  if (source === undefined || direction === undefined || fields === undefined) return undefined;
  return { source, direction, fields: fields.split(".") };
}

/** A place in a document with a path expression. */
export interface PathPlace {
  at: string;
  text: string;
  use: "mapping" | "exit" | "route";
  /** The index of the call with the mapping; for the exit condition of a loop, which is tested after them, the number of calls. */
  call: number;
}

/** Every text of an agent document that must be a path: values of mappings, and the keys in a policy's conditions. */
export const pathsOf: (agent: Json) => readonly PathPlace[] = readOnce(pathsIn);

function pathsIn(agent: Json): PathPlace[] {
  const calls = callsOf(agent);
  const mapped = calls.flatMap((each, call) =>
    mappingOf(agent, each).map(({ at, value }): PathPlace => ({ at, text: value, use: "mapping", call })),
  );
  const testedPaths = conditionsOf(agent).flatMap(({ at, use }) =>
    use === "approval"
      ? []
      : groupsOf(agent, at)
          .flatMap((group) => testsOf(agent, group.at))
          .map((test): PathPlace => ({ at: test.at, text: test.name, use, call: calls.length })),
  );
  return [...mapped, ...testedPaths];
}

/**
 * The declared property of the input whose name alone prevents a text from being a path. Undefined if the
 * text is a path, or is invalid for another reason.
 */
export function unsafeProperty(agent: Json, text: string): string | undefined {
  const [source, direction, ...fields] = text.split(".");
  if (source !== "parent" || direction !== "input" || fields[0] === "[]" || pathOf(text) !== undefined)
    return undefined;
  let schema = pointer.at("/interface/input", agent);
  let unsafe: string | undefined;
  for (const field of fields) {
    schema = isObject(schema) ? schemaBelow(schema, field) : undefined;
    if (field === "[]" || isName(field)) continue;
    if (schema === undefined) return undefined;
    unsafe ??= field;
  }
  return unsafe;
}

function schemaBelow(schema: Json, field: string): Json | undefined {
  return field === "[]" ? pointer.at("/items", schema) : pointer.at(pointer.append("/properties", field), schema);
}
