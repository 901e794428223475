import type { Json, ScenarioContext, Setting } from "../../../../schemas/index.ts";

export type As = "a" | "b" | "nobody";

/** A message that was open when it was taken. */
export interface Opened {
  id: string;
  as: As;
  type: Json | undefined;
}

/** What scenarios have left open in an inbox that may be small, and which of them still needs it. */
const left = new WeakMap<Setting, (Opened & { by: ScenarioContext | undefined })[]>();

export function keepOpen(context: ScenarioContext, opened: Opened): void {
  const open = left.get(context.setting) ?? [];
  open.push({ by: context, ...opened });
  left.set(context.setting, open);
}

/** Whatever the scenario has left open may be ended where room is needed. */
export function letGo(context: ScenarioContext): void {
  for (const each of left.get(context.setting) ?? []) if (each.by === context) each.by = undefined;
}

/** What the scenario has opened and still needs; some of it may have ended. */
export function openedBy(context: ScenarioContext): readonly Opened[] {
  return (left.get(context.setting) ?? []).filter(({ by }) => by === context);
}

/** Ends what no scenario needs any longer, and says how many that were. */
export async function makeRoom(context: ScenarioContext, end: (opened: Opened) => Promise<boolean>): Promise<number> {
  const open = left.get(context.setting) ?? [];
  left.set(context.setting, [...open.filter(({ by }) => by === context)]);
  let ended = 0;
  for (const each of open) if (each.by !== context && (await end(each))) ended += 1;
  return ended;
}
