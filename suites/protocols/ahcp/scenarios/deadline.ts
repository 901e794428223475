import type { ScenarioContext } from "../../../../schemas/index.ts";

export interface Deadline {
  /** Milliseconds since 1970 by the target's clock. */
  time: number;
  text: string;
  /** The members that give a message this deadline, written now by the target's clock. */
  members: { created_at: string; expires_at: string };
}

/** How far ahead a deadline is set: far where the clock can be put forward, so that nothing hangs on being quick. */
export function ahead(context: ScenarioContext): number {
  return context.has("clock") ? 3_600_000 : 5000;
}

export async function deadlineIn(context: ScenarioContext, milliseconds: number): Promise<Deadline> {
  const now = await context.now();
  const time = Math.ceil((now + milliseconds) / 1000) * 1000;
  const text = new Date(time).toISOString();
  return { time, text, members: { created_at: new Date(now).toISOString(), expires_at: text } };
}

/** Waits until so many milliseconds after the deadline; negative ones are before it. */
export async function reach(context: ScenarioContext, { time }: Pick<Deadline, "time">, after: number): Promise<void> {
  const left = time + after - (await context.now());
  if (left > 0) await context.pass(left);
}

/** A time written with another offset than Z. */
export function withOffset(time: number, hours: number): string {
  const sign = hours < 0 ? "-" : "+";
  const offset = new Date(Math.abs(hours) * 3_600_000).toISOString().slice(11, 16);
  return new Date(time + hours * 3_600_000).toISOString().replace("Z", `${sign}${offset}`);
}
