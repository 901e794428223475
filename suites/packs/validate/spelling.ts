import { isObject, type Json, type Profile } from "../../../schemas/index.ts";

/** The instance with its values in the preferred spelling, if the protocol allows two. */
export function correctSpelling({ spellings = [] }: Pick<Profile, "spellings">, instance: Json): Json {
  if (!isObject(instance)) return instance;
  const corrected = { ...instance };
  for (const { member, written, means } of spellings) {
    const value = corrected[member];
    if (typeof value === "string" && value.startsWith(written)) corrected[member] = means + value.slice(written.length);
  }
  return corrected;
}
