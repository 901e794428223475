import { type ScenarioContext, type Setting, TargetFailure } from "../../../schemas/index.ts";

/** How many milliseconds a clock may be short of its setting: it may show whole seconds only. */
const tolerated = 1000;

/** Settings with a clock that was seen to move: a claim that an hour has passed must be true. */
const movedSettings = new WeakSet<Setting>();

/** How many milliseconds each clock was advanced. */
const forward = new WeakMap<Setting, number>();

/** How many milliseconds the target's clock was advanced in this run. */
export function putForward({ setting }: Pick<ScenarioContext, "setting">): number {
  return forward.get(setting) ?? 0;
}

/** Advances the target's clock, by whole milliseconds since many hooks read no fractions. Throws a TargetFailure if the hook `clock` does not do so. */
export async function putClock(context: ScenarioContext, milliseconds: number): Promise<void> {
  const { setting } = context;
  const isSeen = movedSettings.has(setting) || milliseconds <= 2 * tolerated;
  const before = isSeen ? 0 : await context.now();
  await context.hook("clock", { advanceMs: Math.ceil(milliseconds) });
  forward.set(setting, putForward(context) + Math.ceil(milliseconds));
  if (isSeen) return;
  const advancedBy = (await context.now()) - before;
  if (advancedBy < milliseconds - tolerated) {
    const problem = `expected the clock to advance by ${milliseconds} ms, it advanced by ${advancedBy} ms: check that its body passes on advanceMs`;
    throw new TargetFailure("errored", "hook", `the hook "clock" does not work: ${problem}`);
  }
  movedSettings.add(setting);
}
