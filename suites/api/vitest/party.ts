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

export type Given = ModuleTarget | TargetConfig | Target;

/** The target of the vectors. */
export function targetOf(given: Given, options: ConformanceOptions): Target {
  if (isTarget(given)) return given;
  const config = configOf(given);
  if (config === undefined) return inProcess(given, options);
  const { credentials, hooks, keys = [], refusedWhen = [] } = options;
  const clock = hooks?.clock;
  const time = async (): Promise<number> => {
    const { hookFrom, timeFrom } = await import("../../running/scenarios/hooks.ts");
    return timeFrom(await hookFrom("clock", clock as NonNullable<typeof clock>)({}));
  };
  return targetFrom(config, {
    credential: options.credential ?? credentials?.a,
    keys,
    refusedWhen: [refusedWhen].flat(),
    ...(clock === undefined ? {} : { clock: time }),
  });
}

/** The environments of the scenarios. Throws a usage error for a target that scenarios cannot be played against. */
export function environmentsOf(given: Given, options: ConformanceOptions): Environments {
  const config = isTarget(given) ? undefined : configOf(given);
  const { kind } = config ?? {};
  const isVectors = options.scenarios !== "only";
  if (config === undefined || kind === "module" || kind === "mcp" || (isVectors && kind === "command"))
    throw new TouchstoneError("usage", "scenarios cannot be played against this target", {
      hint: 'give { kind: "http", url }, or with scenarios: "only" also { kind: "command", command } or { kind: "hooks" }',
    });
  if (config.kind === "reference") return referenceEnvironments(config.variant);
  return partyEnvironments(partyOf(config), options as Config);
}

/** The scenarios for the chosen party. Throws a usage error for a side, hook, bound or option that the protocol does not have, and if there are none. */
export async function scenariosFor(protocol: Protocol, given: Given, options: ConformanceOptions): Promise<Scenario[]> {
  const { mustBeBounds, mustBeHooks, mustBeOptions, mustBeSide, ofSide, sidesOf } = await import(
    "../../running/scenarios/index.ts"
  );
  const { side = sidesOf(protocol)[0] } = options;
  if (options.side !== undefined) mustBeSide(protocol, options.side);
  const place = async (at: string): Promise<string> => `conformance() (${at})`;
  await mustBeHooks([protocol], options.hooks ?? {}, place);
  await mustBeBounds([protocol], options.bounds ?? {}, place);
  await mustBeOptions([protocol], options.options ?? {}, place, side);
  const { scenarios: load } = await packOf(protocol);
  const all = (await load?.())?.scenarios ?? [];
  const isWhole = configOf(given)?.kind === "reference" && options.side === undefined;
  const some = isWhole ? [...all] : ofSide(protocol, all, side);
  if (some.length > 0) return some;
  throw new TouchstoneError(
    "usage",
    `there are no scenarios for ${side === undefined ? "" : `the ${side} of `}${protocol.name}`,
    { hint: `leave out scenarios, or name another side: ${sidesOf(protocol).join(", ") || "there is none"}` },
  );
}

/** An error without a stack, with each failing rule of a scenario and why it failed. */
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

function isTarget(given: Given): given is Target {
  return typeof given === "object" && "check" in given && typeof given.check === "function" && "open" in given;
}

function configOf(given: Given): TargetConfig | undefined {
  return typeof given === "object" && "kind" in given && typeof given.kind === "string"
    ? (given as TargetConfig)
    : undefined;
}
