import { setTimeout as sleep } from "node:timers/promises";
import {
  type Cause,
  hookAnswer,
  type JsonObject,
  type ScenarioFinding,
  type Setting,
  TargetFailure,
} from "../../../schemas/index.ts";
import { sawDowntime } from "./downtime.ts";

/** Milliseconds until a target that still answers goes down, and until it is up again. */
const [goingDown, comingUp] = [1000, 30_000];

/** Waits until a restarting target is up for good. Gives up silently: the next request will show it. */
async function comesBack(isUp: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  for (let up = false; ; ) {
    const waitedMs = performance.now() - start;
    if ((up && waitedMs > goingDown) || waitedMs > comingUp) return;
    up = await isUp().catch(() => false);
    await sleep(100, undefined, { signal });
  }
}

/** The facts about the target that a restart needs. */
interface Restarted {
  /** Absent for a target without an address, which cannot be seen to go down. */
  url: string | undefined;
  isUp: () => Promise<boolean>;
  signal: AbortSignal;
}

/** Restarts of a target. */
export interface Restarts {
  /** Restarts it, and waits until it is up again. */
  restart(hook: () => Promise<JsonObject>, restarted: Restarted): Promise<JsonObject>;
  /** The finding about a kept rule; none, if a restart was requested but not observed. */
  conforms(rule: string): ScenarioFinding;
  /** Repeats a step that needs a connection for as long as the restarting target refuses connections. */
  over<Out>(step: () => Promise<Out>, signal: AbortSignal): Promise<Out>;
}

/** When a restart began, by setting: the next scenario may still meet a target that is going down. */
const restartedAt = new WeakMap<Setting, number>();

/** Settings with a hook that was seen to restart the target: it will do so the next time too. */
const working = new WeakSet<Setting>();

const restartHint =
  'the hook "restart" does not say {"restarted": true}, and the server was never seen to be away: nothing shows that it was restarted';

export function restartsOf(setting: Setting): Restarts {
  let isPretended = false;
  return {
    conforms: (rule) =>
      isPretended
        ? { rule, outcome: "skipped", why: restartHint, cause: hookAnswer("restart") }
        : { rule, outcome: "conforms" },
    async restart(hook, { url, isUp, signal }) {
      let answer: JsonObject = {};
      const restartTarget = async (): Promise<void> => {
        answer = await hook();
        restartedAt.set(setting, performance.now());
        if (answer.restarted !== true) await comesBack(isUp, signal);
      };
      if (url === undefined || working.has(setting)) await restartTarget();
      else if ((await sawDowntime(url, signal, restartTarget)) || answer.restarted === true) working.add(setting);
      else isPretended = true;
      return answer;
    },
    async over(step, signal) {
      const millisecondsSince = (): number =>
        performance.now() - (restartedAt.get(setting) ?? Number.NEGATIVE_INFINITY);
      for (;;) {
        try {
          const out = await step();
          // A target that answers this late does not go down any more because of that restart.
          if (millisecondsSince() > goingDown) restartedAt.delete(setting);
          return out;
        } catch (error) {
          if (!isUnconnected(error)) throw error;
          if (millisecondsSince() > comingUp) throw restartedAt.has(setting) ? goneSince(error, setting) : error;
          await sleep(100, undefined, { signal }).catch(() => {
            throw error;
          });
        }
      }
    },
  };
}

/** How a server that a hook's command leaves in the background can survive. */
const endedWithItsCommand =
  "if the hook is a command, its child processes end with it, unless they have a session of their own (setsid) before the command ends";

/** Adds to a failure that no answer has come since a restart was requested. */
function goneSince({ outcome, stage, message, because }: TargetFailure, { hooks = {} }: Setting): TargetFailure {
  const { restart } = hooks;
  const endedText = typeof restart === "object" && "command" in restart ? `; ${endedWithItsCommand}` : "";
  const problem = `${message}; no answer came from there since the hook "restart" was called${endedText}`;
  return new TargetFailure(outcome, stage, problem, { because });
}

function isRefused(cause: Cause): boolean {
  return cause.kind === "no-connection" && cause.code === "ECONNREFUSED";
}

/** Whether no server listened: then the step had no effect either. */
function isUnconnected(error: unknown): error is TargetFailure {
  if (!(error instanceof TargetFailure)) return false;
  return error.stage === "connect" || (error.stage === "hook" && isRefused(error.because));
}
