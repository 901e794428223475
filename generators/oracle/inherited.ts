import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";

/** Names that every JavaScript object inherits. Ajv fails on a member of such a name when it compares objects. */
const inheritedNames = Object.getOwnPropertyNames(Object.prototype);

/** The replacement of such a name. */
function standInFor(name: string): string {
  return `${name.slice(0, -1)}0`;
}

/**
 * An instance without inherited names: such names of members are replaced by others of the same length. Undefined
 * if there are none, or if the schemas name them.
 */
export function renamingFor(schemas: readonly JsonObject[]): Renaming {
  const made = knownRenamings.get(schemas) ?? renamingOf(schemas);
  knownRenamings.set(schemas, made);
  return made;
}

type Renaming = (instance: Json) => Json | undefined;

/** Cached: each document of a protocol asks the same about all its schemas, which never change. */
const knownRenamings = new WeakMap<readonly JsonObject[], Renaming>();

function renamingOf(schemas: readonly JsonObject[]): Renaming {
  const text = JSON.stringify(schemas);
  const names = new Set(inheritedNames.filter((name) => !text.includes(name)));
  const others = new Map([...names].map((name) => [name, standInFor(name)]));
  const isMet = (value: Json): boolean => {
    if (Array.isArray(value)) return value.some(isMet);
    return isObject(value) && Object.keys(value).some((name) => names.has(name) || isMet(value[name] as Json));
  };
  const renameInherited = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(renameInherited);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [others.get(name) ?? name, renameInherited(each)]),
    );
  };
  return (instance) => (isMet(instance) ? renameInherited(instance) : undefined);
}
