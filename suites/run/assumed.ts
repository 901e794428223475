import type { Run } from "../../schemas/index.ts";

/** A line that says what was taken for granted of the targets that claimed nothing; empty when all said what they do. */
export function assumptions(runs: readonly Pick<Run, "target">[]): string {
  const assumed = runs.find(({ target }) => target.assumed !== undefined)?.target.assumed;
  if (assumed === undefined) return "";
  return `It says no claims, so this was assumed: ${assumed.join(", ") || "nothing"}; --claims says it otherwise.\n`;
}
