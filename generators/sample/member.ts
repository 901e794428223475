import { type Json, type JsonObject, setMember } from "../../schemas/index.ts";
import type { Maker } from "./maker.ts";
import type { Random } from "./random.ts";

/** Draws a value for an absent member. Returns false if none is found. */
export function putMember(
  object: JsonObject,
  name: string,
  { maker, random, room }: { maker: Maker; random: Random; room: number },
): boolean {
  const value: Json | undefined = maker.draw(random, room - 1);
  if (value === undefined) return false;
  // Only this name needs `setMember`, which is slower than an assignment.
  if (name === "__proto__") setMember(object, name, value);
  else object[name] = value;
  return true;
}
