import type { Change, Json } from "../../schemas/index.ts";
import { changeBetween } from "./between.ts";

/** Where only a part of a value changes, the change of that part. */
export function small(change: Change[], before: Json | undefined, after: Json, at: string): Change[] {
  if (before === undefined || typeof before !== "object" || before === null) return change;
  const parts = changeBetween(before, after).map((part) => ({ ...part, path: `${at}${part.path}` }) as Change);
  return parts.length === 1 ? parts : change;
}
