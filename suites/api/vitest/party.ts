import {
  type Config,
  type Protocol,
  type Result,
  type Scenario,
  type Target,
  type TargetConfig,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { packOf } from "../../packs/pack/load.ts";
import { resultFacts } from "../../reports/wording/phrases.ts";
import { partyEnvironments, referenceEnvironments } from "../../running/run/environments.ts";
import type { Environments } from "../../running/run/scenarios.ts";
import type { ModuleTarget } from "../../targets/define-target.ts";
import { inProcess } from "../../targets/in-process.ts";
import { targetFrom } from "../../targets/target-from.ts";
import type { ConformanceOptions } from "./options.ts";

export type AnyTarget = ModuleTarget | TargetConfig | Target;

/** Creates the target for the vectors. */
export function targetOf(target: AnyTarget, options: ConformanceOptions): Target {
  if (isTarget(target)) return target;
  const config = configOf(target);
  if (config === undefined) return inProcess(target, options);
  const { credentials, hooks, keys = [], refusedWhen = [] } = options;
  const clock = hooks?.clock;
  const readClock = async (): Promise<number> => {
    const { hookFrom, timeFrom } = await import("../../running/scenarios/hooks.ts");
    return timeFrom(await hookFrom("clock", clock as NonNullable<typeof clock>)({}));
  };
  return targetFrom(config, {
    credential: options.credential ?? credentials?.a,
    keys,
    refusedWhen: [refusedWhen].flat(),
    ...(clock === undefined ? {} : { clock: readClock }),
  });
}

/** Creates the environments of scenarios. Throws a usage error for a target that cannot play scenarios. */
export function environmentsOf(target: AnyTarget, options: ConformanceOptions): Environments {
  const config = isTarget(target) ? undefined : configOf(target);
  const { kind } = config ?? {};
  const runsVectors = options.scenarios !== "only";
  const isUnplayable = kind === "module" || kind === "mcp" || (runsVectors && kind === "command");
  if (config === undefined || isUnplayable)
    throw new TouchstoneError("usage", "scenarios cannot be played against this target", {
      hint: 'give { kind: "http", url }, or with scenarios: "only" also { kind: "command", command } or { kind: "hooks" }',
    });
  if (config.kind === "reference") return referenceEnvironments(config.variant);
  return partyEnvironments(partyOf(config), options as Config);
}

/** The scenarios for the chosen party. Throws a usage error for an unknown side, hook, bound or option, and if there are no scenarios. */
export async function scenariosFor(
  protocol: Protocol,
  target: AnyTarget,
  options: ConformanceOptions,
): Promise<Scenario[]> {
  const { mustBeBounds, mustBeHooks, mustBeOptions, mustBeSide, ofSide, sidesOf } = await import(
    "../../running/scenarios/index.ts"
  );
  const { side = sidesOf(protocol)[0] } = options;
  if (options.side !== undefined) mustBeSide(protocol, options.side);
  const locate = async (at: string): Promise<string> => `conformance() (${at})`;
  await mustBeHooks([protocol], options.hooks ?? {}, locate);
  await mustBeBounds([protocol], options.bounds ?? {}, locate);
  await mustBeOptions([protocol], options.options ?? {}, locate, side);
  const { scenarios: loadScenarios } = await packOf(protocol);
  const scenarios = (await loadScenarios?.())?.scenarios ?? [];
  const playsEverySide = configOf(target)?.kind === "reference" && options.side === undefined;
  const selectedScenarios = playsEverySide ? [...scenarios] : ofSide(protocol, scenarios, side);
  if (selectedScenarios.length > 0) return selectedScenarios;
  throw new TouchstoneError(
    "usage",
    `there are no scenarios for ${side === undefined ? "" : `the ${side} of `}${protocol.name}`,
    { hint: `leave out scenarios, or name another side: ${sidesOf(protocol).join(", ") || "there is none"}` },
  );
}

/** Creates an error with an empty stack that lists each violated rule of a scenario and the reason. */
export function scenarioFailure(failed: readonly Result[], statement: (rule: string) => string): Error {
  const lines = failed.flatMap((result) => [
    `${result.rule ?? "no rule"} ${result.level} ${result.outcome}: ${statement(result.rule ?? "")}`,
    ...resultFacts(result).map(([name, text]) => `    ${name.padEnd(9)} ${text}`),
  ]);
  const error = new Error(lines.join("\n"));
  error.name = failed[0]?.outcome ?? "violates";
  error.stack = "";
  return error;
}

function partyOf(config: TargetConfig): Parameters<typeof partyEnvironments>[0] {
  if (config.kind === "command") return { command: config.command };
  return config.kind === "http" ? { url: config.url, headers: config.headers } : {};
}

function isTarget(target: AnyTarget): target is Target {
  return typeof target === "object" && "check" in target && typeof target.check === "function" && "open" in target;
}

function configOf(target: AnyTarget): TargetConfig | undefined {
  return typeof target === "object" && "kind" in target && typeof target.kind === "string"
    ? (target as TargetConfig)
    : undefined;
}
