import { setTimeout as sleep } from "node:timers/promises";
import type { HttpReply } from "../../schemas/index.ts";

/** How often one request is put again, and the longest wait that is honoured, in milliseconds. */
const mostTries = 4;
const longestWait = 120_000;

/** Milliseconds that an answer 429 asks to wait; undefined when it does not, or asks for too much. */
export function waitAsked(
  { status, headers }: Pick<HttpReply, "status" | "headers">,
  tries: number,
): number | undefined {
  const after = headers["retry-after"];
  if (status !== 429 || after === undefined || tries >= mostTries) return undefined;
  const date = Date.parse(headers.date ?? "");
  const now = Number.isFinite(date) ? date : Date.now();
  const wait = /^[0-9]+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now;
  // To the second is not to the millisecond.
  return wait <= longestWait ? Math.max(0, wait) + 100 : undefined;
}

/** Milliseconds within which a target that answered before it goes down has gone down, and those in which it is up again. */
const [goingDown, comingUp] = [1000, 30_000];

/** Waits until a target that is being restarted is up for good. Gives up in silence: what comes next shows it. */
export async function comesBack(isUp: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  for (let up = false; ; ) {
    const passed = performance.now() - start;
    if ((up && passed > goingDown) || passed > comingUp) return;
    up = await isUp().catch(() => false);
    await sleep(100, undefined, { signal });
  }
}
