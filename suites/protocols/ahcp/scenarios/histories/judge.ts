import { type ScenarioContext, TargetFailure } from "../../../../../schemas/index.ts";
import { check, partitionOperations, smallestIllegal } from "../../../../running/histories/index.ts";
import type { Act } from "./draw.ts";
import { endingActs } from "./families.ts";
import { hub } from "./model.ts";
import { HistoryRecorder } from "./recorder.ts";
import { type AskOperation, formatOperations } from "./words.ts";

/** The operations on one ask that no order explains, and the smallest contradictory subset. */
export interface HistoryBreach {
  operations: readonly AskOperation[];
  smallest: readonly AskOperation[];
  why: string;
}

/** Finds a breach in a history. Undefined if some order explains the history. */
export function findHistoryBreach(history: readonly AskOperation[]): HistoryBreach | "undecided" | undefined {
  const { verdict, part } = check(hub, history);
  if (verdict === "undecided") return "undecided";
  const all = part === undefined ? undefined : partitionOperations(hub, history).get(part);
  if (all === undefined) return undefined;
  const smallest = smallestIllegal(hub, all)?.operations ?? all;
  const count = `${smallest.length} of ${all.length} operations on one ask`;
  const claim = smallest.length === 1 ? "no party did this" : "no order of these operations is correct";
  // Include restarts and deadlines, because they explain the other operations.
  const relevantOperations = all.filter(
    (historyOperation) =>
      smallest.includes(historyOperation) ||
      historyOperation.process === "clock" ||
      historyOperation.process === "console",
  );
  return {
    operations: all,
    smallest,
    why: `${claim} (${count})\n${formatOperations(relevantOperations.sort((a, b) => a.call - b.call))}`,
  };
}

/** The reason of a breach without line breaks, to be part of a sentence. */
export function breachInOneLine({ why }: HistoryBreach): string {
  return why.replaceAll("\n", "; ");
}

/** A fault that occurs without concurrency. */
export interface SoloResult {
  why: string;
  /** Whether more than one outcome took effect. */
  hasTwoOutcomes: boolean;
}

/** Plays sequences of a single party. Returns the first fault. Throws a TargetFailure if an answer does not show its effect. */
export async function findSoloFault(
  context: ScenarioContext,
  controls: readonly (readonly Act[])[],
): Promise<SoloResult | undefined> {
  for (const acts of controls) {
    const recorder = new HistoryRecorder(context, 1);
    for (const act of acts) {
      const output = await recorder.step(endingActs.includes(act) ? "operator 1" : "agent a", { of: 0, act });
      if (output === undefined) throw recorder.failure ?? failureWithoutOutput(recorder.operations);
    }
    await recorder.tidy();
    const breach = findHistoryBreach(recorder.operations);
    if (breach === undefined || breach === "undecided") continue;
    const why = `it fails without concurrency, so simultaneous actions cannot be tested: ${breachInOneLine(breach)}`;
    const winners = breach.smallest.filter(
      ({ end }) => end?.output?.is === "applied" || end?.output?.is === "cancelled",
    );
    return { why, hasTwoOutcomes: winners.length > 1 };
  }
  return undefined;
}

function failureWithoutOutput(operations: readonly AskOperation[]): TargetFailure {
  const lastLine = operations.length === 0 ? "" : `: ${formatOperations(operations.slice(-1))}`;
  return new TargetFailure(
    "errored",
    "answer",
    `even without concurrency an answer does not show its effect${lastLine}`,
  );
}
