import type { ScenarioContext, Setting } from "../../../../../schemas/index.ts";

/** Of each producer, whether its clock moves what actions take. */
const moving = new WeakMap<Setting, Promise<boolean>>();

/** Whether putting the clock forward also brings on what an action takes, as the hook says. */
export function movesActions(context: ScenarioContext): Promise<boolean> {
  const { setting } = context;
  const known = moving.get(setting);
  if (known !== undefined) return known;
  const asked = context.has("clock")
    ? context.hook("clock", {}).then(({ actions }) => actions === true)
    : Promise.resolve(false);
  moving.set(setting, asked);
  return asked;
}

/** Whether putting the clock forward also brings on the deadlines of questions: that is what the hook is for, unless it says that it does not. */
export async function movesTimeouts(context: ScenarioContext): Promise<boolean> {
  return context.has("clock") && (await context.hook("clock", {})).timeouts !== false;
}

/** Real milliseconds, by the setting's scale, in which what the clock has brought on comes through. */
const settling = 20;

/** Lets so much time go by in which an action may be carried out: by the clock where that moves actions, and otherwise really. */
export async function lapse(context: ScenarioContext, milliseconds: number): Promise<void> {
  if (!(await movesActions(context))) return context.wait(milliseconds);
  await context.pass(milliseconds);
  await context.wait(settling);
}

/** When it is looked whether something has come about, in milliseconds. */
const looks = [30, 100, 250, 500, 1000, 2000, 3500];

/** After how many milliseconds something came about, as far as it is looked at; undefined where it did not within so many. */
export async function cameAbout(
  context: ScenarioContext,
  milliseconds: number,
  holds: () => Promise<boolean> | boolean,
): Promise<number | undefined> {
  if (await holds()) return 0;
  const times = [...looks.filter((each) => each < milliseconds), milliseconds];
  for (const [index, time] of times.entries()) {
    await lapse(context, time - (times[index - 1] ?? 0));
    if (await holds()) return time;
  }
  return undefined;
}
