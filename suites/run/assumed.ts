import type { Run } from "../../schemas/index.ts";
import { unsaid } from "./ask.ts";

/** A line that says what was taken for granted of the targets that claimed nothing; empty when all said what they do. */
export function assumptions(runs: readonly Pick<Run, "target">[]): string {
  const silent = runs.find(({ target }) => target.claims === undefined && target.kind !== "reference");
  if (silent === undefined) return "";
  const assumed = unsaid(silent.target) ?? [];
  return `It says no claims, so this was assumed: ${assumed.join(", ")}.\n`;
}
