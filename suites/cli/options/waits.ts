import type { Command } from "commander";
import type { TargetConfig } from "../../../schemas/index.ts";
import type { Paced } from "../../running/run/protocol.ts";
import type { WaitBounds } from "../../running/scenarios/waiting.ts";
import { wholeNumber } from "./parsers.ts";

/** Options of the commands that play scenarios. */
export interface WaitOptions {
  wait?: boolean;
  /** In seconds. */
  maxWait?: number;
}

/** Enough for scenarios with short deadlines, and short enough for a run to end within two minutes. */
const defaultMaxWaitSeconds = 70;

export function withWaits(command: Command, subject: string): Command {
  return command
    .option(
      "--max-wait <seconds>",
      `${subject}: total seconds to wait for deadlines without a clock hook, the shortest first; the rest is skipped (default: ${defaultMaxWaitSeconds})`,
      wholeNumber(0, 86_400),
    )
    .option("--no-wait", "the same as --max-wait 0");
}

/** Returns the maximum total wait in milliseconds. */
export function maxWaitOf({ wait = true, maxWait = defaultMaxWaitSeconds }: WaitOptions): number {
  return wait ? maxWait * 1000 : 0;
}

/** Prints how long a run may wait, and how many scenarios it skips. A reference never waits: the suite moves its clock. */
export function announceWaits(
  { milliseconds, scenarios, skipped, perhaps, limited, sayable = [] }: WaitBounds,
  { kind }: Pick<TargetConfig, "kind">,
): void {
  if (perhaps.scenarios > 0 && kind !== "reference")
    process.stderr.write(
      `hook "clock": no waiting, if it moves every timer of the target; if not, ` +
        `${countScenarios(perhaps.scenarios)} may wait up to ${inSeconds(perhaps.milliseconds)} s${perhaps.scenarios === 1 ? "" : " each"}, regardless of --max-wait (--skip leaves scenarios out)${formatHints(sayable)}\n`,
    );
  if (limited !== undefined && kind !== "reference")
    process.stderr.write(
      `${limited.scenarios.join(", ")}: twice the requests of the limit that the target publishes, if it does, then up to ${inSeconds(limited.milliseconds)} s ` +
        'of waiting until it accepts more (Retry-After), unless a hook "clock" moves the limit too\n',
    );
  if (scenarios + skipped.scenarios === 0) return;
  const parts = [
    ...(scenarios > 0 ? [`up to ${inSeconds(milliseconds)} s of waiting in ${countScenarios(scenarios)}`] : []),
    ...(skipped.scenarios > 0
      ? [
          `${countScenarios(skipped.scenarios)} skipped, which would wait for ${inSeconds(skipped.milliseconds)} s more ` +
            `(--max-wait ${inSeconds(milliseconds + skipped.milliseconds)} plays all)`,
        ]
      : []),
  ];
  // The capabilities of a command are only known at run time.
  const cause = kind === "command" ? 'unless the command answers "clock"' : 'no hook "clock"';
  process.stderr.write(`${cause}: ${parts.join("; ")}\n`);
}

/** Shorter waits are not announced. */
const minAnnouncedSeconds = 10;

/** Formats how long a run waits at most because of the rate limit that a target publishes; empty if the wait is short. */
export function formatPaceWait({ protocol, messages, perMinute }: Paced): string {
  const minutes = Math.ceil(messages / perMinute) - 1;
  if (minutes * 60 < minAnnouncedSeconds) return "";
  return (
    `${protocol}: up to ${minutes} min of waiting for ${messages} messages, since the server publishes a limit of ${perMinute} a minute ` +
    `(fewer with --only; or publish more for the test)\n`
  );
}

/** Formats hints for hooks that may move a timer without reporting it. Such a report would avoid the wait. */
function formatHints(sayable: readonly string[]): string {
  return sayable
    .map(
      (resource) =>
        `; a hook that moves the pauses between all ${resource} may answer "${resource}": true, and less is waited for`,
    )
    .join("");
}

function countScenarios(scenarios: number): string {
  return `${scenarios} ${scenarios === 1 ? "scenario" : "scenarios"}`;
}

function inSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
