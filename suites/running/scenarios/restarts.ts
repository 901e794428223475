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
const [goDownMs, comeUpMs] = [1000, 30_000];

/** Waits until a restarting target is up for good. Gives up silently: the next request will fail then. */
async function waitUntilUp(isUp: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  for (let up = false; ; ) {
    const waitedMs = performance.now() - start;
    if ((up && waitedMs > goDownMs) || waitedMs > comeUpMs) return;
    up = await isUp().catch(() => false);
    await sleep(100, undefined, { signal });
  }
}

/** The facts about the target that a restart needs. */
interface Restarted {
  /** Undefined for a target without an address, which cannot be observed going down. */
  url: string | undefined;
  isUp: () => Promise<boolean>;
  signal: AbortSignal;
}

/** Restarts of a target. */
export interface Restarts {
  /** Restarts it, and waits until it is up again. */
  restart(hook: () => Promise<JsonObject>, restarted: Restarted): Promise<JsonObject>;
  /** The finding for a rule that was kept: a skip if a restart was requested but not observed. */
  conforms(rule: string): ScenarioFinding;
  /** Repeats a step that needs a connection for as long as the restarting target refuses connections. */
  over<Out>(step: () => Promise<Out>, signal: AbortSignal): Promise<Out>;
}

/** When a restart began, by setting: the next scenario may still meet a target that is going down. */
const restartedAt = new WeakMap<Setting, number>();

/** Settings with a hook that was seen to restart the target: it will do so the next time too. */
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
          const out = await step();
          // A target that still answers this late will no longer go down because of that restart.
          if (millisecondsSince() > goDownMs) restartedAt.delete(setting);
          return out;
        } catch (error) {
          if (!isUnconnected(error)) throw error;
          if (millisecondsSince() > comeUpMs) throw restartedAt.has(setting) ? noteRestart(error, setting) : error;
          await sleep(100, undefined, { signal }).catch(() => {
            throw error;
          });
        }
      }
    },
  };
}

/** How a server survives that a hook's command starts in the background. */
const childProcessHint =
  "if the hook is a command, its child processes end with it, unless they have a session of their own (setsid) before the command ends";

/** Adds to a failure that no answer has come since a restart was requested. */
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
