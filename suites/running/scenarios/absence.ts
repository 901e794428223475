import { setTimeout as sleep } from "node:timers/promises";
import { type RunFailure, type Scenario, TargetFailure } from "../../../schemas/index.ts";

/** The number of scenarios in a row without a connection after which a target is considered gone. A restarting target may miss two. */
const maxMissed = 3;
/** Milliseconds to wait before the next scenario. */
const pauseMs = 2000;

/** The message about a target that is gone, with and without its last failure. */
export type Gone = Required<Pick<RunFailure, "message" | "brief">>;

/** Notices a target that is gone. The returned function is called after each scenario, and returns the message when the target is gone. */
export function watchAbsence(
  signal: AbortSignal | undefined,
): (scenario: Scenario, error: unknown) => Promise<Gone | undefined> {
  let goneDuring: string | undefined;
  let missedCount = 0;
  return async ({ name }, error) => {
    if (!(error instanceof TargetFailure) || !isUnreached(error)) {
      goneDuring = undefined;
      missedCount = 0;
      return undefined;
    }
    goneDuring ??= name;
    // A failing hook is not counted, because it may be a separate server.
    if (error.stage === "connect") missedCount += 1;
    if (missedCount >= maxMissed) {
      const brief = `the target went away during ${goneDuring}`;
      return { message: `${brief}: ${error.message}`, brief };
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
    return undefined;
  };
}

function isUnreached({ stage, because }: TargetFailure): boolean {
  return stage === "connect" || (stage === "hook" && because.kind === "no-connection");
}
