import type { ScenarioContext } from "../../../../../schemas/index.ts";
import { type Deadline, deadlineIn, waitUntilDeadline } from "../deadline.ts";
import { drawRounds, type HistoryDraw, type HistoryParty } from "./draw.ts";
import { breachInOneLine, findHistoryBreach } from "./judge.ts";
import { HistoryRecorder } from "./recorder.ts";

/** Acts on an ask long after its deadline, without concurrency. Returns the fault, if there is one. */
export async function findLateFault(context: ScenarioContext): Promise<string | undefined> {
  const deadline = await deadlineIn(context, leadMs);
  const recorder = new HistoryRecorder(context, 1, deadline.members);
  await recorder.submitAll();
  const call = performance.now();
  await waitUntilDeadline(context, deadline, 2000);
  recorder.recordEvent("deadline", "clock", call, await passDeadline(context, deadline));
  for (const act of ["answer red", "decline", "read", "answer blue", "read"] as const)
    await recorder.step(act === "read" ? "agent a" : "operator 1", { of: 0, act });
  await recorder.tidy();
  const breach = findHistoryBreach(recorder.operations);
  return breach === undefined || breach === "undecided"
    ? undefined
    : `it goes wrong long after a deadline: ${breachInOneLine(breach)}`;
}

/** Deadlines are this many milliseconds of the hub's clock ahead: not long enough for a hub to forget a key. */
const leadMs = 300_000;
/** The parties begin at this distance from the deadline, in milliseconds. */
const startOffsetMs = -40;

/**
 * Plays histories around a deadline. Each history records that the deadline passed between the last time known to be before it
 * and the first time known to be after it.
 */
export async function* playDeadline(
  context: ScenarioContext,
  parties: readonly HistoryParty[],
  draw: HistoryDraw,
): AsyncGenerator<HistoryRecorder> {
  for (const round of await drawRounds(parties, draw)) {
    const deadline = await deadlineIn(context, leadMs);
    const recorder = new HistoryRecorder(context, draw.asks, deadline.members);
    await recorder.submitAll();
    const call = performance.now();
    await waitUntilDeadline(context, deadline, startOffsetMs);
    await recorder.play(parties, round);
    const at = await passDeadline(context, deadline);
    recorder.recordEvent("deadline", "clock", call, at);
    await recorder.readAll();
    await recorder.readAll();
    yield recorder;
    await recorder.tidy();
  }
}

/** Waits until the deadline has passed by the hub's clock, and returns the time. Undefined if the clock does not reach it. */
async function passDeadline(context: ScenarioContext, { time }: Deadline): Promise<number | undefined> {
  for (let attempt = 0; attempt < 3; attempt++) {
    if ((await context.now()) > time) return performance.now();
    await context.pass(1000);
  }
  return undefined;
}
