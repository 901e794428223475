import type { ResultKind } from "../../schemas/index.ts";

const scenario = "/scenarios/";

/** The kind of a result, by the form of its id. It is for ids in user input, and for reports from before results had a kind. */
export function kindOf(id: string): ResultKind {
  const [, name] = id.split(scenario);
  if (name === undefined) return "vector";
  if (/^walks?(-\d+)?(\/|$)/.test(name)) return "walk";
  if (name.startsWith("race-")) return "race";
  return name.startsWith("agent-") ? "agent" : "scenario";
}
