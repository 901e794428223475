import { isObject, type Json, type Profile } from "../../../schemas/index.ts";

/** The instance with values spelled as the protocol means them, if it allows two spellings. */
export function correctSpelling({ spellings = [] }: Pick<Profile, "spellings">, instance: Json): Json {
  if (!isObject(instance)) return instance;
  const corrected = { ...instance };
  for (const { member, written, means } of spellings) {
    const value = corrected[member];
    if (typeof value === "string" && value.startsWith(written)) corrected[member] = means + value.slice(written.length);
  }
  return corrected;
}
