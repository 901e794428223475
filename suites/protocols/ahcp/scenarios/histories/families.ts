import type { ScenarioContext } from "../../../../../schemas/index.ts";
import type { Act, HistoryParty } from "./draw.ts";

/** The parties of a history: `connectionsPerAgent` connections per agent, and three operators if they have actions. */
export function partiesFor(
  context: ScenarioContext,
  agentActs: readonly Act[],
  operatorActs: readonly Act[],
  connectionsPerAgent = 2,
): HistoryParty[] {
  const agents = context.has("second-credential") ? ["a", "b"] : ["a"];
  const numbers = Array.from({ length: connectionsPerAgent }, (_, index) => index + 1);
  return [
    ...agents.flatMap((agent) => numbers.map((number) => ({ process: `agent ${agent}/${number}`, acts: agentActs }))),
    ...(operatorActs.length === 0 ? [] : [1, 2, 3]).map((number) => ({
      process: `operator ${number}`,
      acts: operatorActs,
    })),
  ];
}

export const endingActs: readonly Act[] = ["answer red", "answer blue", "decline"];
export const readingActs: readonly Act[] = ["read", "read", "submit"];
export const cancellingActs: readonly Act[] = ["cancel", "cancel", "read", "submit"];

/** Sequences of a single party, which must work before concurrency is tested. */
export const soloSequences: Record<"equal" | "different" | "answers" | "cancels", Act[][]> = {
  equal: [["submit", "submit", "read", "submit"]],
  different: [["submit", "other", "read", "other", "submit"]],
  answers: [
    ["submit", "submit", "read", "answer red", "read", "decline", "answer blue", "submit", "read"],
    ["submit", "decline", "answer red", "decline", "read"],
  ],
  cancels: [
    ["submit", "cancel", "read", "answer red", "cancel", "submit", "read"],
    ["submit", "answer red", "cancel", "read"],
  ],
};
