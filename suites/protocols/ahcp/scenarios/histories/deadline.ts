import type { ScenarioContext } from "../../../../../schemas/index.ts";
import { type Deadline, deadlineIn, waitUntilDeadline } from "../deadline.ts";
import { type HistoryDraw, type HistoryParty, roundsOf } from "./draw.ts";
import { breachIn, inOneLine } from "./judge.ts";
import { HistoryRecorder } from "./recorder.ts";

/** The first fault if everything is done long after a deadline; undefined if there is none. */
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
  const breach = breachIn(recorder.operations);
  return breach === undefined || breach === "undecided"
    ? undefined
    : `it goes wrong long after a deadline: ${inOneLine(breach)}`;
}

/** The lead time of deadlines, in milliseconds of the hub's clock: short enough that no key is forgotten by then. */
const leadMs = 300_000;
/** The milliseconds before the deadline at which the parties begin. */
const earlyMs = -40;

/** Histories around a deadline, which passes between the time when it certainly had not and the time at which the hub's clock shows that it has. */
export async function* playDeadline(
  context: ScenarioContext,
  parts: readonly HistoryParty[],
  draw: HistoryDraw,
): AsyncGenerator<HistoryRecorder> {
  for (const round of await roundsOf(parts, draw)) {
    const deadline = await deadlineIn(context, leadMs);
    const recorder = new HistoryRecorder(context, draw.asks, deadline.members);
    await recorder.submitAll();
    const call = performance.now();
    await waitUntilDeadline(context, deadline, earlyMs);
    await recorder.play(parts, round);
    const at = await passDeadline(context, deadline);
    recorder.recordEvent("deadline", "clock", call, at);
    await recorder.readAll();
    await recorder.readAll();
    yield recorder;
    await recorder.tidy();
  }
}

/** The time at which the deadline has certainly passed by the hub's clock; undefined if it does not get there. */
async function passDeadline(context: ScenarioContext, { time }: Deadline): Promise<number | undefined> {
  for (let attempt = 0; attempt < 3; attempt++) {
    if ((await context.now()) > time) return performance.now();
    await context.pass(1000);
  }
  return undefined;
}
