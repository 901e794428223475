import { type Json, type JsonObject, pointer, setMember } from "../../../schemas/index.ts";

/** A deep copy with the value at that place, which must exist or be a new member or the next item of something that does. */
export function place(root: Json, at: string, value: Json): Json {
  if (at === "") return value;
  const copy = structuredClone(root);
  const { parent, last } = pointer.split(at);
  const container = pointer.at(parent, copy);
  if (Array.isArray(container)) container[last === "-" ? container.length : Number(last)] = value;
  else setMember(container as JsonObject, last, value);
  return copy;
}
