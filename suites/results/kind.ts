import type { ResultKind } from "../../schemas/index.ts";

const scenarioSegment = "/scenarios/";

/** Derives the kind of a result from its id. Needed for ids in user input, and for old reports, in which results have no kind. */
export function kindOf(id: string): ResultKind {
  const [, name] = id.split(scenarioSegment);
  if (name === undefined) return "vector";
  if (/^walks?(-\d+)?(\/|$)/.test(name)) return "walk";
  if (name.startsWith("race-")) return "race";
  return name.startsWith("agent-") ? "agent" : "scenario";
}
