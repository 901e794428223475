import { setTimeout } from "node:timers/promises";
import { TargetFailure } from "../../../schemas/index.ts";
import type { Response } from "../../http/send.ts";

/** Retries of one request, and the longest wait that is honoured, in milliseconds. */
const mostRetries = 3;
const longestWait = 30_000;

/** Milliseconds that an answer 429 asks to wait; undefined when it does not, or asks for too much. */
export function waitOf({ status, headers }: Response, retries: number, now: number): number | undefined {
  const after = headers["retry-after"];
  if (status !== 429 || after === undefined || retries >= mostRetries) return undefined;
  const wait = /^[0-9]+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now;
  return wait <= longestWait ? Math.max(0, wait) : undefined;
}

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch((cause: unknown) => {
    const what =
      "the server is still limiting requests (429) when the time is up: lower the concurrency or raise the timeout";
    throw new TargetFailure("errored", "answer", what, { cause });
  });
}
