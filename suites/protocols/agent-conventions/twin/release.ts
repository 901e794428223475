import { isObject, type Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { compare } from "./compare.ts";
import { get } from "./finding.ts";
import { versionOf } from "./team.ts";

/** The schema of one category before a release and after it. */
export function* release(value: Json): Generator<TwinFinding> {
  const [old, now] = [get(value, "old"), get(value, "new")];
  const before = versionOf(old);
  const after = versionOf(now);
  const finding = (rule: string, why: string, freedom?: string): TwinFinding => ({
    rule,
    at: "/new",
    why,
    ...(freedom === undefined ? {} : { freedom }),
  });
  if (before === undefined || after === undefined || !isObject(old) || !isObject(now)) {
    yield finding("CONV-VER-001", "has no versions");
    return;
  }
  if ((after[0] as number) > (before[0] as number)) return;
  const isPatch = after[1] === before[1];
  const { broken, removed, widened } = compare(old, now);
  if (broken.length > 0) yield finding("CONV-VER-004", broken.join(", "));
  if (removed.length > 0) yield finding(isPatch ? "CONV-VER-002" : "CONV-VER-003", `lacks ${removed.join(", ")}`);
  if (!isPatch) return;
  for (const each of widened) yield finding("CONV-VER-002", each, "ver-002-widening");
}
