import { isObject, type Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { compare } from "./compare.ts";
import { get } from "./finding.ts";
import { versionOf } from "./team.ts";

/** The schema of one category before a release and after it. */
export function* release(value: Json): Generator<TwinFinding> {
  const [oldSchema, newSchema] = [get(value, "old"), get(value, "new")];
  const before = versionOf(oldSchema);
  const after = versionOf(newSchema);
  const finding = (rule: string, why: string, freedom?: string): TwinFinding => ({
    rule,
    at: "/new",
    why,
    ...(freedom === undefined ? {} : { freedom }),
  });
  if (before === undefined || after === undefined || !isObject(oldSchema) || !isObject(newSchema)) {
    yield finding("CONV-VER-001", "has no versions");
    return;
  }
  if ((after[0] as number) > (before[0] as number)) return;
  const isPatch = after[1] === before[1];
  const { breaking, removedPlaces, widened } = compare(oldSchema, newSchema);
  if (breaking.length > 0) yield finding("CONV-VER-004", breaking.join(", "));
  if (removedPlaces.length > 0)
    yield finding(isPatch ? "CONV-VER-002" : "CONV-VER-003", `lacks ${removedPlaces.join(", ")}`);
  if (!isPatch) return;
  for (const each of widened) yield finding("CONV-VER-002", each, "ver-002-widening");
}
