import { type Json, typeOf } from "./json.ts";
import { at as valueAt } from "./pointer.ts";
import type { Discretion, Profile } from "./profile.ts";

/** The members of a valid message that let a server refuse it. */
export function discretionsIn({ discretion = [] }: Profile, document: string, data: Json | undefined): Discretion[] {
  return discretion.filter(({ at, documents, except }) => {
    const value = data === undefined ? undefined : valueAt(at, data);
    if (value === undefined || documents?.includes(document) === false) return false;
    const type = Number.isInteger(value) ? "integer" : typeOf(value);
    return except === undefined || !except.includes(type);
  });
}
