import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";

/** Names that every JavaScript object inherits. Ajv throws for a member with such a name when it compares objects. */
const inheritedNames = Object.getOwnPropertyNames(Object.prototype);

/** Returns the replacement of an inherited name. It has the same length. */
function standInFor(name: string): string {
  return `${name.slice(0, -1)}0`;
}

/**
 * Returns a function that replaces inherited names of members in an instance. It returns undefined if the instance has none, or
 * only names that the schemas contain.
 */
export function renamingFor(schemas: readonly JsonObject[]): Renaming {
  const renaming = knownRenamings.get(schemas) ?? createRenaming(schemas);
  knownRenamings.set(schemas, renaming);
  return renaming;
}

type Renaming = (instance: Json) => Json | undefined;

/** Cached, because all documents of a protocol share their schemas, which never change. */
const knownRenamings = new WeakMap<readonly JsonObject[], Renaming>();

function createRenaming(schemas: readonly JsonObject[]): Renaming {
  const text = JSON.stringify(schemas);
  const names = new Set(inheritedNames.filter((name) => !text.includes(name)));
  const standIns = new Map([...names].map((name) => [name, standInFor(name)]));
  const hasInheritedName = (value: Json): boolean => {
    if (Array.isArray(value)) return value.some(hasInheritedName);
    return (
      isObject(value) && Object.keys(value).some((name) => names.has(name) || hasInheritedName(value[name] as Json))
    );
  };
  const renameInherited = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(renameInherited);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [standIns.get(name) ?? name, renameInherited(member)]),
    );
  };
  return (instance) => (hasInheritedName(instance) ? renameInherited(instance) : undefined);
}
