import { count, type Protocol, type Result, type Run } from "../../schemas/index.ts";
import { packOf } from "../pack/load.ts";
import { heard } from "../results/heard.ts";
import type { Expected, Staged } from "../scenarios/index.ts";
import { hider, secretsIn } from "../secrets/index.ts";
import { said } from "./result.ts";

/** Makes what scenarios are played against. */
export type Stager = (protocol: Protocol) => Promise<Staged>;

/** All that the scenarios of a protocol can come to; nothing without a stage, and then nothing of them is loaded either. */
export async function expectations(protocol: Protocol, stager: Stager | undefined): Promise<Expected[]> {
  if (stager === undefined) return [];
  const { scenarios } = await packOf(protocol);
  if (scenarios === undefined) return [];
  const { expectedOf } = await import("../scenarios/index.ts");
  return expectedOf(protocol, (await scenarios()).scenarios);
}

export interface Playing {
  protocol: Protocol;
  expected: readonly Expected[];
  stager: Stager | undefined;
  seed: number;
  signal: AbortSignal | undefined;
  onResult: (result: Result) => void;
}

/** A run with the results of its protocol's scenarios behind those of the vectors. A target that failed before is not played against. */
export async function withScenarios(
  ended: { run: Run; complete: boolean },
  { protocol, expected, stager, seed, signal, onResult }: Playing,
): Promise<{ run: Run; complete: boolean }> {
  if (stager === undefined || expected.length === 0 || ended.run.failure !== undefined) return ended;
  const { playScenarios } = await import("../scenarios/index.ts");
  const ids = new Set(expected.map(({ id }) => id));
  const scenarios = [...new Set(expected.map(({ scenario }) => scenario))];
  const staged = await stager(protocol);
  const hide = hider(secretsIn(staged.setting));
  try {
    const played: Result[] = [];
    const keep = (all: Result): void => {
      if (!ids.has(all.id)) return;
      const result = heard(all, hide);
      played.push(result);
      onResult(result);
    };
    try {
      await playScenarios({ protocol, scenarios, setting: staged.setting, seed, signal, onResult: keep });
    } catch (error) {
      return {
        run: { ...merged(ended.run, played), failure: { stage: "scenarios", message: hide.text(said(error)) } },
        complete: false,
      };
    }
    return { run: merged(ended.run, played), complete: ended.complete && played.length === expected.length };
  } finally {
    await staged.close();
  }
}

function merged(run: Run, played: readonly Result[]): Run {
  const results = [...run.results, ...played];
  return { ...run, results, counts: count(results) };
}
