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

/** The maximum milliseconds until a restarting target goes down, and until it is up again. */
const [maxStopMs, maxStartMs] = [1000, 30_000];

/** Waits until a restarting target is up for good. Gives up silently: the next request will fail then. */
async function waitUntilUp(isUp: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  for (let up = false; ; ) {
    const waitedMs = performance.now() - start;
    if ((up && waitedMs > maxStopMs) || waitedMs > maxStartMs) return;
    up = await isUp().catch(() => false);
    await sleep(100, undefined, { signal });
  }
}

/** Describes the target to restart. */
interface RestartTarget {
  /** Undefined for a target without an address, which cannot be observed going down. */
  url: string | undefined;
  isUp: () => Promise<boolean>;
  signal: AbortSignal;
}

/** Restarts of a target. */
export interface Restarts {
  /** Restarts the target, and waits until it is up again. */
  restart(hook: () => Promise<JsonObject>, restarted: RestartTarget): Promise<JsonObject>;
  /** Returns the finding for a rule that was kept, or a skip if a restart was requested but not observed. */
  conforms(rule: string): ScenarioFinding;
  /** Repeats a step that needs a connection for as long as the restarting target refuses connections. */
  over<Out>(step: () => Promise<Out>, signal: AbortSignal): Promise<Out>;
}

/** The time at which the last restart began, by setting. The target may still be going down during the next scenario. */
const restartedAt = new WeakMap<Setting, number>();

/** Settings with a hook that was observed to restart the target, and is trusted to do so again. */
const provenSettings = new WeakSet<Setting>();

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
        if (answer.restarted !== true) await waitUntilUp(isUp, signal);
      };
      if (url === undefined || provenSettings.has(setting)) await restartTarget();
      else if ((await sawDowntime(url, signal, restartTarget)) || answer.restarted === true)
        provenSettings.add(setting);
      else isPretended = true;
      return answer;
    },
    async over(step, signal) {
      const millisecondsSince = (): number =>
        performance.now() - (restartedAt.get(setting) ?? Number.NEGATIVE_INFINITY);
      for (;;) {
        try {
          const result = await step();
          // A target that still answers this late will no longer go down because of that restart.
          if (millisecondsSince() > maxStopMs) restartedAt.delete(setting);
          return result;
        } catch (error) {
          if (!isUnconnected(error)) throw error;
          if (millisecondsSince() > maxStartMs) throw restartedAt.has(setting) ? noteRestart(error, setting) : error;
          await sleep(100, undefined, { signal }).catch(() => {
            throw error;
          });
        }
      }
    },
  };
}

/** Explains how a server can survive the end of the hook's command that started it in the background. */
const childProcessHint =
  "if the hook is a command, its child processes end with it, unless they have a session of their own (setsid) before the command ends";

/** Adds to a failure that the target has not answered since a restart was requested. */
function noteRestart({ outcome, stage, message, because }: TargetFailure, { hooks = {} }: Setting): TargetFailure {
  const { restart } = hooks;
  const hint = typeof restart === "object" && "command" in restart ? `; ${childProcessHint}` : "";
  const problem = `${message}; no answer came from there since the hook "restart" was called${hint}`;
  return new TargetFailure(outcome, stage, problem, { because });
}

function isRefused(cause: Cause): boolean {
  return cause.kind === "no-connection" && cause.code === "ECONNREFUSED";
}

/** Whether no server was listening, so that the step had no effect and can be repeated. */
function isUnconnected(error: unknown): error is TargetFailure {
  if (!(error instanceof TargetFailure)) return false;
  return error.stage === "connect" || (error.stage === "hook" && isRefused(error.because));
}
