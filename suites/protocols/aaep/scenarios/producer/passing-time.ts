import type { ScenarioContext, Setting } from "../../../../../schemas/index.ts";

/** For each producer, whether advancing its clock also completes pending actions. */
const knownAnswers = new WeakMap<Setting, Promise<boolean>>();

/** Whether moving the clock forward also completes actions, according to the hook. */
export function clockCompletesActions(context: ScenarioContext): Promise<boolean> {
  const { setting } = context;
  const knownAnswer = knownAnswers.get(setting);
  if (knownAnswer !== undefined) return knownAnswer;
  const answer = context.has("clock")
    ? context.hook("clock", {}).then(({ actions }) => actions === true)
    : Promise.resolve(false);
  knownAnswers.set(setting, answer);
  return answer;
}

/** Whether moving the clock forward also moves the deadlines of questions. It does unless the hook denies it. */
export async function clockMovesTimeouts(context: ScenarioContext): Promise<boolean> {
  return context.has("clock") && (await context.hook("clock", {})).timeouts !== false;
}

/** Milliseconds of real time, scaled by the setting, until the effects of moving the clock are visible. */
const settlingMs = 20;

/** Waits as long as an action takes, with the clock if it moves actions, or else in real time. */
export async function letTimePass(context: ScenarioContext, milliseconds: number): Promise<void> {
  if (!(await clockCompletesActions(context))) return context.wait(milliseconds);
  await context.pass(milliseconds);
  await context.wait(settlingMs);
}

/** The milliseconds after which a condition is checked. */
const checkTimes = [30, 100, 250, 500, 1000, 2000, 3500];

/** Waits for a condition. Returns the milliseconds after which it was first true, or undefined if it was not within the limit. */
export async function waitUntilDone(
  context: ScenarioContext,
  milliseconds: number,
  isDone: () => Promise<boolean> | boolean,
): Promise<number | undefined> {
  if (await isDone()) return 0;
  const times = [...checkTimes.filter((checkTime) => checkTime < milliseconds), milliseconds];
  for (const [index, time] of times.entries()) {
    await letTimePass(context, time - (times[index - 1] ?? 0));
    if (await isDone()) return time;
  }
  return undefined;
}
