import { setTimeout as sleep } from "node:timers/promises";
import { type RunFailure, type Scenario, TargetFailure } from "../../../schemas/index.ts";

/** The number of successive scenarios without a target after which it is considered gone; a restarted one may miss two. */
const patience = 3;
/** Milliseconds to wait before the next scenario. */
const pause = 2000;

/** The message about a target that is gone, with and without its last failure. */
export type Gone = Required<Pick<RunFailure, "message" | "brief">>;

/** Notices a target that is gone. The returned function is called after each scenario, and returns the message when the target is gone. */
export function watchAbsence(
  signal: AbortSignal | undefined,
): (scenario: Scenario, error: unknown) => Promise<Gone | undefined> {
  let since: string | undefined;
  let times = 0;
  return async ({ name }, error) => {
    if (!(error instanceof TargetFailure) || !isUnreached(error)) {
      since = undefined;
      times = 0;
      return undefined;
    }
    since ??= name;
    // A hook may be a separate server.
    if (error.stage === "connect") times += 1;
    if (times >= patience) {
      const brief = `the target went away during ${since}`;
      return { message: `${brief}: ${error.message}`, brief };
    }
    await sleep(pause, undefined, { signal }).catch(() => {});
    return undefined;
  };
}

function isUnreached({ stage, because }: TargetFailure): boolean {
  return stage === "connect" || (stage === "hook" && because.kind === "no-connection");
}
