import type { ResultKind } from "../../schemas/index.ts";

const scenario = "/scenarios/";

/**
 * What an id is of, by its form: for an id that somebody wrote, and for a report from before results said it themselves. A result is
 * asked for its kind.
 */
export function kindOf(id: string): ResultKind {
  const [, name] = id.split(scenario);
  if (name === undefined) return "vector";
  if (/^walks?(-\d+)?(\/|$)/.test(name)) return "walk";
  if (name.startsWith("race-")) return "race";
  return name.startsWith("agent-") ? "agent" : "scenario";
}
