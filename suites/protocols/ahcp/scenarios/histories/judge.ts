import { type ScenarioContext, TargetFailure } from "../../../../../schemas/index.ts";
import { check, partitionOperations, smallestIllegal } from "../../../../running/histories/index.ts";
import type { Act } from "./draw.ts";
import { ending } from "./families.ts";
import { hub } from "./model.ts";
import { HistoryRecorder } from "./recorder.ts";
import { linesOf, type Op } from "./words.ts";

/** A history that no order explains: its ask, all its operations, and the smallest contradictory set of them. */
export interface HistoryBreach {
  all: readonly Op[];
  least: readonly Op[];
  why: string;
}

/** The breach of a history; undefined if some order explains it, or if it is undecided. */
export function breachIn(history: readonly Op[]): HistoryBreach | "undecided" | undefined {
  const { verdict, part } = check(hub, history);
  if (verdict === "undecided") return "undecided";
  const all = part === undefined ? undefined : partitionOperations(hub, history).get(part);
  if (all === undefined) return undefined;
  const smallest = smallestIllegal(hub, all)?.operations ?? all;
  const count = `${smallest.length} of ${all.length} operations on one ask`;
  const claim = smallest.length === 1 ? "no party did this" : "no order makes all of these right";
  // A restart or a deadline contradicts nothing by itself, but gives the context.
  const relevantOperations = all.filter(
    (historyOperation) =>
      smallest.includes(historyOperation) ||
      historyOperation.process === "clock" ||
      historyOperation.process === "console",
  );
  return {
    all,
    least: smallest,
    why: `${claim} (${count})\n${linesOf(relevantOperations.sort((a, b) => a.call - b.call))}`,
  };
}

/** The breach as a reason to skip, which is reported among others. */
export function inOneLine({ why }: HistoryBreach): string {
  return why.replaceAll("\n", "; ");
}

/** The fault without concurrency, and whether more than one outcome took effect. */
export interface SoloResult {
  why: string;
  endsTwice: boolean;
}

/** Undefined if nothing is wrong. Throws a TargetFailure for a hub that reports too little. */
export async function wrongAlone(
  context: ScenarioContext,
  controls: readonly (readonly Act[])[],
): Promise<SoloResult | undefined> {
  for (const acts of controls) {
    const recorder = new HistoryRecorder(context, 1);
    for (const act of acts) {
      const output = await recorder.step(ending.includes(act) ? "operator 1" : "agent a", { of: 0, act });
      if (output === undefined) throw recorder.failure ?? failureWithoutOutput(recorder.operations);
    }
    await recorder.tidy();
    const breach = breachIn(recorder.operations);
    if (breach === undefined || breach === "undecided") continue;
    const why = `it fails without concurrency, so it shows nothing about simultaneous actions: ${inOneLine(breach)}`;
    const winners = breach.least.filter(({ end }) => end?.output?.is === "applied" || end?.output?.is === "cancelled");
    return { why, endsTwice: winners.length > 1 };
  }
  return undefined;
}

function failureWithoutOutput(operations: readonly Op[]): TargetFailure {
  const claim = operations.length === 0 ? "" : `: ${linesOf(operations.slice(-1))}`;
  return new TargetFailure("errored", "answer", `without concurrency no answer shows anything${claim}`);
}
