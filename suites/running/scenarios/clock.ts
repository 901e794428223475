import { type ScenarioContext, type Setting, TargetFailure } from "../../../schemas/index.ts";

/** How far, in milliseconds, an advanced clock may fall short of the expected time: it may show only whole seconds. */
const toleranceMs = 1000;

/** Settings with a clock that was seen to advance. Without that, a missing expiry shows nothing. */
const movedSettings = new WeakSet<Setting>();

/** The milliseconds by which each clock was advanced. */
const advancedMs = new WeakMap<Setting, number>();

/** Returns the milliseconds by which the target's clock was advanced in this run. */
export function putForward({ setting }: Pick<ScenarioContext, "setting">): number {
  return advancedMs.get(setting) ?? 0;
}

/** Advances the target's clock, by whole milliseconds because many hooks cannot read fractions. Throws a TargetFailure if the hook `clock` does not do so. */
export async function putClock(context: ScenarioContext, milliseconds: number): Promise<void> {
  const { setting } = context;
  const isProven = movedSettings.has(setting) || milliseconds <= 2 * toleranceMs;
  const timeBefore = isProven ? 0 : await context.now();
  await context.hook("clock", { advanceMs: Math.ceil(milliseconds) });
  advancedMs.set(setting, putForward(context) + Math.ceil(milliseconds));
  if (isProven) return;
  const advancedBy = (await context.now()) - timeBefore;
  if (advancedBy < milliseconds - toleranceMs) {
    const problem = `expected the clock to advance by ${milliseconds} ms, it advanced by ${advancedBy} ms: check that its body passes on advanceMs`;
    throw new TargetFailure("errored", "hook", `the hook "clock" does not work: ${problem}`);
  }
  movedSettings.add(setting);
}
