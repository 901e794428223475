import type { ResultKind } from "../../schemas/index.ts";

const scenario = "/scenarios/";

/** The kind of an id, by its form: for ids in user input, and for reports made before results had a kind. A result has its own kind. */
export function kindOf(id: string): ResultKind {
  const [, name] = id.split(scenario);
  if (name === undefined) return "vector";
  if (/^walks?(-\d+)?(\/|$)/.test(name)) return "walk";
  if (name.startsWith("race-")) return "race";
  return name.startsWith("agent-") ? "agent" : "scenario";
}
