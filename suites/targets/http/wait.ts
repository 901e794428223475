import { setTimeout } from "node:timers/promises";
import { type Json, type Profile, TargetFailure } from "../../../schemas/index.ts";
import { laterIn } from "../../http/later.ts";
import type { Response } from "../../http/send.ts";

/** Retries of one request, and the longest wait that is honoured, in milliseconds. */
const mostRetries = 8;
const longestWait = 30_000;

/** Milliseconds that an answer asks to wait before it is asked again; undefined when it does not, or asks for too much. */
export function waitOf(
  { status, headers, body }: Response,
  retries: number,
  now: number,
  later?: Profile["http"]["later"],
): number | undefined {
  if (retries >= mostRetries) return undefined;
  const json = later === undefined ? undefined : parsed(body);
  const wait = laterIn({ status, headers, json }, later, now);
  return wait !== undefined && wait <= longestWait ? wait : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch((cause: unknown) => {
    const what =
      "the server is still limiting requests when the time is up: lower the concurrency or raise the timeout";
    throw new TargetFailure("errored", "answer", what, { cause });
  });
}

/** Whoever was asked to wait goes first. */
export interface Line {
  /** Waits until nobody waits any more who was asked to. */
  held(): Promise<void>;
  /** Joins those who wait, and gives how they are left. */
  join(): () => void;
}

export function lineOf(): Line {
  let waiting = 0;
  let held: (() => void)[] = [];
  return {
    held: () => (waiting === 0 ? Promise.resolve() : new Promise((go) => held.push(go))),
    join() {
      waiting += 1;
      return () => {
        waiting -= 1;
        if (waiting > 0) return;
        const all = held;
        held = [];
        for (const go of all) go();
      };
    },
  };
}
