import { setTimeout as sleep } from "node:timers/promises";
import { type Scenario, TargetFailure } from "../../schemas/index.ts";

/** Scenarios one after the other that found nobody, after which the target is gone; one that is restarted may be away for two of them. */
const patience = 3;
/** Milliseconds before the next is played. */
const pause = 2000;

/** Notices a target that is gone. What it returns is told of each scenario, and says what to say once the target is. */
export function watch(
  signal: AbortSignal | undefined,
): (scenario: Scenario, ended: unknown) => Promise<string | undefined> {
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
    if (times >= patience) return `the target went away during ${since}: ${ended.message}`;
    await sleep(pause, undefined, { signal }).catch(() => {});
    return undefined;
  };
}

function isUnreached({ stage, message }: TargetFailure): boolean {
  return stage === "connect" || (stage === "hook" && message.includes("no connection"));
}
