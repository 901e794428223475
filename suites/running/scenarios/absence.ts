import { setTimeout as sleep } from "node:timers/promises";
import { type RunFailure, type Scenario, TargetFailure } from "../../../schemas/index.ts";

/** The number of successive scenarios without a target after which it is gone; a restarted one may miss two of them. */
const patience = 3;
/** Milliseconds before the next is played. */
const pause = 2000;

/** The message about a target that is gone, with and without its last failure. */
export type Gone = Required<Pick<RunFailure, "message" | "brief">>;

/** Notices a target that is gone. Its result is called for each scenario, and gives the message when the target is gone. */
export function watchAbsence(
  signal: AbortSignal | undefined,
): (scenario: Scenario, ended: unknown) => Promise<Gone | undefined> {
  let since: string | undefined;
  let times = 0;
  return async ({ name }, ended) => {
    if (!(ended instanceof TargetFailure) || !isUnreached(ended)) {
      since = undefined;
      times = 0;
      return undefined;
    }
    since ??= name;
    // A hook may be a server of its own.
    if (ended.stage === "connect") times += 1;
    if (times >= patience) {
      const brief = `the target went away during ${since}`;
      return { message: `${brief}: ${ended.message}`, brief };
    }
    await sleep(pause, undefined, { signal }).catch(() => {});
    return undefined;
  };
}

function isUnreached({ stage, because }: TargetFailure): boolean {
  return stage === "connect" || (stage === "hook" && because.kind === "no-connection");
}
