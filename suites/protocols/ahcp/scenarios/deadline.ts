import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject, ScenarioContext } from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";

export interface Deadline {
  /** Milliseconds since 1970 on the target's clock. */
  time: number;
  text: string;
  /** The members of a message with this deadline, created now by the target's clock. */
  members: { created_at: string; expires_at: string };
}

/** How far ahead to set a deadline, in milliseconds. Long if the clock can be moved, so that the speed of the test does not matter. */
export function leadTime(context: ScenarioContext): number {
  return context.has("clock") ? 3_600_000 : 5000;
}

/** Like `leadTime`, for a message that is repeated with its key. At most a minute, because a hub may choose how long it remembers keys. */
export function shortLeadTime(context: ScenarioContext): number {
  return Math.min(leadTime(context), 60_000);
}

/** Waits for this many real milliseconds times the setting's time scale. */
export async function waitInRealTime(context: ScenarioContext, milliseconds: number): Promise<void> {
  const unusedCallback = { url: "", arrivals: [] };
  await context.come({ ...unusedCallback, come: (_, time) => sleep(time, false) }, 1, milliseconds);
}

/** A deadline at least this many milliseconds ahead, at `msIntoSecond` milliseconds after a whole second. */
export async function deadlineIn(context: ScenarioContext, milliseconds: number, msIntoSecond = 0): Promise<Deadline> {
  const now = await context.now();
  const time = Math.ceil((now + milliseconds) / 1000) * 1000 + msIntoSecond;
  const text = new Date(time).toISOString();
  return { time, text, members: { created_at: new Date(now).toISOString(), expires_at: text } };
}

/** Waits until `after` milliseconds after the deadline, or before it if negative. */
export async function waitUntilDeadline(
  context: ScenarioContext,
  { time }: Pick<Deadline, "time">,
  after: number,
): Promise<void> {
  const remainingMs = time + after - (await context.now());
  if (remainingMs > 0) await context.pass(remainingMs);
}

/** Writes a time with an offset other than Z. */
export function withOffset(time: number, hours: number): string {
  const sign = hours < 0 ? "-" : "+";
  const offset = new Date(Math.abs(hours) * 3_600_000).toISOString().slice(11, 16);
  return new Date(time + hours * 3_600_000).toISOString().replace("Z", `${sign}${offset}`);
}

/**
 * Reads a message after its deadline until it is no longer open, or until the bound of an expiry has passed: on the target's
 * clock, and then, if the clock can be moved, also in real time (`realMs`).
 */
export async function readUntilExpired(
  context: ScenarioContext,
  readMessage: () => Promise<JsonObject>,
  realMs: number = boundOf(context, "expiry"),
): Promise<JsonObject> {
  for (let seconds = 0; ; seconds++) {
    const message = await readMessage();
    if (message.status !== "open") return message;
    if (seconds > boundOf(context, "expiry") / 1000)
      return context.has("clock") ? afterSweep(context, readMessage, realMs) : message;
    await context.pass(1000);
  }
}

/** Waits in real time, because the hub may sweep by real time even if its clock was moved. */
async function afterSweep(
  context: ScenarioContext,
  readMessage: () => Promise<JsonObject>,
  realMs: number,
): Promise<JsonObject> {
  for (let waitedMs = 0; ; waitedMs += 250) {
    const message = await readMessage();
    if (message.status !== "open" || waitedMs >= realMs) return message;
    await waitInRealTime(context, 250);
  }
}
