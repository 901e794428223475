import { isObject, type Json, type Profile } from "../../../schemas/index.ts";

/** The intended instance, if the protocol allows two spellings of a member. */
export function correctSpelling({ spellings = [] }: Pick<Profile, "spellings">, instance: Json): Json {
  if (!isObject(instance)) return instance;
  const meant = { ...instance };
  for (const { member, written, means } of spellings) {
    const value = meant[member];
    if (typeof value === "string" && value.startsWith(written)) meant[member] = means + value.slice(written.length);
  }
  return meant;
}
