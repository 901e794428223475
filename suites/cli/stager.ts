import { type Config, type TargetConfig, TouchstoneError } from "../../schemas/index.ts";
import type { Stager } from "../run/scenarios.ts";

/** What scenarios are played against. Undefined without scenarios. Throws a usage error for a target that cannot be played against. */
export async function stagerFor(
  target: TargetConfig,
  { scenarios, config }: { scenarios: boolean; config: Config },
): Promise<Stager | undefined> {
  if (!scenarios) return undefined;
  if (target.kind === "reference") {
    // It has credentials and hooks of its own.
    const { variant } = target;
    return async () => {
      const { stagedReference } = await import("../scenarios/index.ts");
      return stagedReference(variant === undefined ? {} : { variant });
    };
  }
  if (target.kind !== "http")
    throw new TouchstoneError("usage", "scenarios are played against servers alone", {
      hint: "name one with --http, or --reference",
    });
  const { url } = target;
  const { credentials, hooks, receiver, callbackAuth, profile, timeScale } = config;
  const given = Object.entries({ credentials, hooks, receiver, callbackAuth, profile, timeScale }).filter(
    ([, value]) => value !== undefined,
  );
  return async () => ({ setting: { url, ...Object.fromEntries(given) }, close: async () => {} });
}
