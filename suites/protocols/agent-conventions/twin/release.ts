import { isObject, type Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { compareSchemas } from "./compare.ts";
import { get } from "./finding.ts";
import { versionOf } from "./team.ts";

/** Checks the schema of one category before and after a release. */
export function* checkRelease(value: Json): Generator<TwinFinding> {
  const [oldSchema, newSchema] = [get(value, "old"), get(value, "new")];
  const oldVersion = versionOf(oldSchema);
  const newVersion = versionOf(newSchema);
  const finding = (rule: string, why: string, freedom?: string): TwinFinding => ({
    rule,
    at: "/new",
    why,
    ...(freedom === undefined ? {} : { freedom }),
  });
  if (oldVersion === undefined || newVersion === undefined || !isObject(oldSchema) || !isObject(newSchema)) {
    yield finding("CONV-VER-001", "is not a pair of schemas with versions");
    return;
  }
  if ((newVersion[0] as number) > (oldVersion[0] as number)) return;
  const isPatch = newVersion[1] === oldVersion[1];
  const { breaking, removedPlaces, widened } = compareSchemas(oldSchema, newSchema);
  if (breaking.length > 0) yield finding("CONV-VER-004", breaking.join(", "));
  if (removedPlaces.length > 0)
    yield finding(isPatch ? "CONV-VER-002" : "CONV-VER-003", `lacks ${removedPlaces.join(", ")}`);
  if (!isPatch) return;
  for (const difference of widened) yield finding("CONV-VER-002", difference, "ver-002-widening");
}
