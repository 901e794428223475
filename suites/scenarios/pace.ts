import { setTimeout as sleep } from "node:timers/promises";
import { type Profile, type Setting, TargetFailure } from "../../schemas/index.ts";
import { type Answered, laterIn } from "../http/later.ts";

/** How often one request is put again, and the longest wait that is honoured, in milliseconds. */
const mostTries = 4;
const longestWait = 120_000;

/** Milliseconds that an answer asks to wait before it is asked again; undefined when it does not, or asks for too much. */
export function waitAsked(answer: Answered, tries: number, later?: Profile["http"]["later"]): number | undefined {
  if (tries >= mostTries) return undefined;
  const date = Date.parse(answer.headers.date ?? "");
  const wait = laterIn(answer, later, Number.isFinite(date) ? date : Date.now());
  // To the second is not to the millisecond.
  return wait !== undefined && wait <= longestWait ? wait + 100 : undefined;
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

/** What is known of restarts of a target. */
export interface Restarts {
  /** It was told to restart. */
  begin(): void;
  /** Does what needs a connection, again and again while it finds none since the target is being restarted. */
  over<Out>(step: () => Promise<Out>, signal: AbortSignal): Promise<Out>;
}

/** By the setting: the next scenario may still meet a target that is going down. */
const begun = new WeakMap<Setting, number>();

export function restartsOf(setting: Setting): Restarts {
  return {
    begin: () => void begun.set(setting, performance.now()),
    async over(step, signal) {
      for (;;) {
        try {
          return await step();
        } catch (error) {
          const since = performance.now() - (begun.get(setting) ?? Number.NEGATIVE_INFINITY);
          if (!isUnconnected(error) || since > comingUp) throw error;
          await sleep(100, undefined, { signal }).catch(() => {
            throw error;
          });
        }
      }
    },
  };
}

/** Whether nobody listened: then nothing was done either. */
function isUnconnected(error: unknown): boolean {
  if (!(error instanceof TargetFailure)) return false;
  return error.stage === "connect" || (error.stage === "hook" && /no connection: .*ECONNREFUSED/.test(error.message));
}
