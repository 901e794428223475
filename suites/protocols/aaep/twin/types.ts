import type { Json } from "../../../../schemas/index.ts";
import { schemasIn } from "./schema.ts";

const coreNames = new Set(schemasIn("core"));

/** The names of the core events, without the prefix `aaep:`. */
export const coreTypes: ReadonlySet<string> = coreNames;

/** Shortens the core namespace of a type to its prefix. Empty if the type is not a string. */
export function compactType(type: Json | undefined): string {
  const namespace = "https://aaep-protocol.org/types/";
  if (typeof type !== "string") return "";
  return type.startsWith(namespace) ? `aaep:${type.slice(namespace.length)}` : type;
}

/** Returns the name of the core event of a type. Undefined for any other type. */
export function typeName(type: Json | undefined): string | undefined {
  const shortType = compactType(type);
  return shortType.startsWith("aaep:") && coreNames.has(shortType.slice(5)) ? shortType.slice(5) : undefined;
}
