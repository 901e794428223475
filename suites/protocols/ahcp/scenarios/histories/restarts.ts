import { setTimeout as sleep } from "node:timers/promises";
import type { Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { drawRounds, type HistoryDraw, type HistoryParty } from "./draw.ts";
import { endingActs, partiesFor, readingActs, soloSequences } from "./families.ts";
import { breachInOneLine, findHistoryBreach, findSoloFault, type HistoryBreach } from "./judge.ts";
import { HistoryRecorder } from "./recorder.ts";

const rules = ["AHCP-DUR-001", "AHCP-DUR-002", "AHCP-DUR-005"];

/** A restart while agents and operators act. The result of pending requests is unknown, but confirmed results must remain. */
export function restarts({ seed, rounds }: { seed: number; rounds: number }): Scenario {
  return {
    name: "race-history-restarts",
    kind: "race",
    says: "results that were confirmed before a restart survive it",
    rules,
    needs: ["resolve", "restart"],
    withinMs: 60_000 + rounds * 30_000,
    play: (context) => play(context, { seed: seed + 3, rounds, asks: 3, spreadMs: 6, pause: 6 }),
  };
}

async function play(context: ScenarioContext, draw: HistoryDraw): Promise<void> {
  const parties = partiesFor(context, [...readingActs, "other"], endingActs);
  const skipAll = (why: string): void => {
    for (const rule of rules) context.skip(rule, why);
  };
  const soloFault = await findSoloFault(context, [...soloSequences.different, ...soloSequences.answers]);
  if (soloFault !== undefined) return skipAll(soloFault.why);
  for (const isRestarted of [false, true]) {
    for await (const recorder of playHistories(context, parties, draw, isRestarted)) {
      recorder.throwIfNoneAccepted();
      const breach = findHistoryBreach(recorder.operations);
      if (breach === "undecided") return skipAll("a history is too long to decide");
      if (breach === undefined) continue;
      if (!isRestarted) return skipAll(`without a restart there is already no valid order: ${breachInOneLine(breach)}`);
      return context.expect(await ruleOf(context, breach), false, breach.why);
    }
  }
  for (const rule of rules) context.expect(rule, true, "");
}

async function* playHistories(
  context: ScenarioContext,
  parties: readonly HistoryParty[],
  draw: HistoryDraw,
  isRestarted: boolean,
): AsyncGenerator<HistoryRecorder> {
  for (const round of await drawRounds(parties, draw)) {
    const recorder = new HistoryRecorder(context, draw.asks);
    await recorder.submitAll();
    await Promise.all([recorder.play(parties, round), isRestarted ? restart(context, recorder, draw) : undefined]);
    if (isRestarted) await recorder.waitUntilUp();
    await recorder.readAll();
    await recorder.submitAll();
    yield recorder;
    await recorder.tidy();
  }
}

async function restart(
  context: ScenarioContext,
  recorder: HistoryRecorder,
  { spreadMs, pause }: HistoryDraw,
): Promise<void> {
  await sleep(spreadMs + pause);
  const call = performance.now();
  await context.hook("restart", {});
  recorder.recordEvent("restart", "console", call, performance.now());
}

/** The rule to report for lost data. If a hub loses open asks, the loss of their outcomes is a consequence. */
async function ruleOf(context: ScenarioContext, { operations, smallest }: HistoryBreach): Promise<string> {
  const isGone = operations.some(({ end }) => end?.output?.is === "absent");
  if (isGone) return (await losesOpenAsks(context)) ? "AHCP-DUR-001" : "AHCP-DUR-002";
  const ids = new Set(smallest.flatMap(({ end }) => (end?.output?.is === "accepted" ? [end.output.id] : [])));
  return ids.size > 1 ? "AHCP-DUR-005" : "AHCP-DUR-002";
}

async function losesOpenAsks(context: ScenarioContext): Promise<boolean> {
  const recorder = new HistoryRecorder(context, 1);
  await recorder.submitAll();
  await context.hook("restart", {});
  await recorder.waitUntilUp();
  await recorder.readAll();
  await recorder.tidy();
  return findHistoryBreach(recorder.operations) !== undefined;
}
