import type { Json } from "../../../../schemas/index.ts";
import { schemasIn } from "./schema.ts";

const core = new Set(schemasIn("core"));

/** The names of the core events, without the prefix `aaep:`. */
export const coreTypes: ReadonlySet<string> = core;

/** A type in its compact form. */
export function compactType(type: Json | undefined): string {
  const namespace = "https://aaep-protocol.org/types/";
  if (typeof type !== "string") return "";
  return type.startsWith(namespace) ? `aaep:${type.slice(namespace.length)}` : type;
}

/** The name of the core event for a type; undefined for any other type. */
export function typeName(type: Json | undefined): string | undefined {
  const compact = compactType(type);
  return compact.startsWith("aaep:") && core.has(compact.slice(5)) ? compact.slice(5) : undefined;
}
