import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";

/** Judges the size of an event. `length` is the number of bytes of its text. */
export function judgeSizes(report: ReportFault, event: JsonObject, length: number): void {
  if (Math.max(length, Buffer.byteLength(JSON.stringify(event))) > 65_536) report("has more than 64 KiB", "sizes");
  if (Object.keys(event).length + Object.keys(objectOrEmpty(event.extensions)).length > 32)
    report("has more than 32 members", "sizes");
  const depth = depthOf(event);
  if (depth > 9) report("is nested too deeply", "sizes");
  else if (depth > 8) report("is nested nine levels deep", "first-level");
  if (hasLongText(event)) report("has a text of more than 16 KiB", "sizes");
}

function depthOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce((maxDepth: number, child) => Math.max(maxDepth, depthOf(child)), 0);
}

function hasLongText(value: Json): boolean {
  if (typeof value === "string") return Buffer.byteLength(value) > 16_384;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLongText);
}
