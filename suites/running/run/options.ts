import {
  type FailOn,
  isObject,
  type Protocol,
  protocolsNamed,
  type Shard,
  type Target,
  type TargetConfig,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { requireAllowedCode } from "../../packs/pack/code.ts";

/** Options in which JavaScript callers may make mistakes that a passing or empty run would hide. */
export interface CheckedOptions {
  target?: TargetConfig | (() => Target);
  only?: readonly string[];
  skip?: readonly string[];
  shard?: Shard | undefined;
  concurrency?: number | undefined;
  timeoutMs?: number | undefined;
  seed?: number | undefined;
  failOn?: FailOn | undefined;
  scenarios?: unknown;
}

export const defaultTimeoutMs = 5000;
export const defaultSeed = 42;

const memberByKind = { module: "file", command: "command", http: "url", mcp: "server", reference: undefined } as const;

/** Throws a usage error for an option with which no run can be made. The limits are those of the configuration. */
export function requireValidOptions(options: CheckedOptions): void {
  const { target, only, skip, shard, failOn, scenarios } = options;
  if (target !== undefined) mustBeTarget(target);
  mustBePatterns("only", only);
  mustBePatterns("skip", skip);
  mustBeWhole("concurrency", options.concurrency, 1, 1024);
  mustBeWhole("timeoutMs", options.timeoutMs, 1, 3_600_000);
  mustBeWhole("seed", options.seed, 0, 0xffffffff);
  if (failOn !== undefined && !["must", "should", "may"].includes(failOn))
    throw wrongOption("failOn", failOn, "give must, should or may");
  if (scenarios !== undefined && !(isObject(scenarios) && typeof scenarios.open === "function"))
    throw wrongOption(
      "scenarios",
      scenarios,
      "give the environments of scenarios, such as referenceEnvironments(undefined)",
    );
  if (shard === undefined) return;
  if (!isObject(shard)) throw wrongOption("shard", shard, "give { index, count }");
  mustBeWhole("shard.count", shard.count, 1, 1_000_000);
  mustBeWhole("shard.index", shard.index, 1, shard.count);
}

/** Returns the protocols that an option names. Throws a usage error for anything else. */
export function protocolsIn(given: string | readonly (string | Protocol)[]): Protocol[] {
  if (typeof given === "string") return protocolsNamed(given);
  if (!Array.isArray(given)) throw wrongOption("protocols", given, "give a name, all, or a list");
  return given.flatMap((each: string | Protocol) => {
    if (typeof each === "string") return protocolsNamed(each);
    if (isObject(each) && isObject(each.profile)) {
      // Without the code of its pack, rules would not be checked, and a wrong implementation would conform.
      requireAllowedCode(each);
      return [each];
    }
    throw wrongOption("protocols", each, "give names, or results of protocolNamed");
  });
}

function mustBeTarget(target: unknown): void {
  if (typeof target === "function") return;
  if (!isObject(target)) throw wrongOption("target", target, "give { kind, … } or a function that makes a target");
  if (typeof target.check === "function")
    throw wrongOption("target", "a target", "give a function that makes it, such as () => inProcess(validate)");
  const { kind } = target;
  if (typeof kind !== "string" || !Object.hasOwn(memberByKind, kind))
    throw wrongOption("target.kind", kind, `give ${Object.keys(memberByKind).join(", ")}`);
  const member = memberByKind[kind as keyof typeof memberByKind];
  if (member === undefined) return;
  const value = (target as Record<string, unknown>)[member];
  if (typeof value !== "string" || value.trim() === "")
    throw wrongOption(`target.${member}`, value, `a target of kind ${kind} needs it as a string`);
}

function mustBePatterns(name: string, value: unknown): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || value.some((each) => typeof each !== "string"))
    throw wrongOption(name, value, "give a list of ids, paths, rules or globs");
}

function mustBeWhole(name: string, value: unknown, minimum: number, maximum: number): void {
  if (value === undefined) return;
  if (!Number.isInteger(value) || (value as number) < minimum || (value as number) > maximum)
    throw wrongOption(name, value, `give a whole number from ${minimum} to ${maximum}`);
}

function wrongOption(name: string, value: unknown, hint: string): TouchstoneError {
  const shown = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  return new TouchstoneError("usage", `the option ${name} is ${shown.slice(0, 100)}`, { hint });
}
