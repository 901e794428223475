import type { JsonObject } from "../../schemas/index.ts";

const known = new WeakMap<readonly JsonObject[], Map<string, boolean>>();

/** Whether schemas contain a name anywhere. Each document of a protocol asks the same of all its schemas, which never change. */
export function mentions(schemas: readonly JsonObject[], name: string): boolean {
  const told = known.get(schemas) ?? new Map<string, boolean>();
  known.set(schemas, told);
  const found = told.get(name) ?? JSON.stringify(schemas).includes(JSON.stringify(name));
  told.set(name, found);
  return found;
}
