import { type Config, type TargetConfig, TouchstoneError } from "../../schemas/index.ts";
import { packOf } from "../pack/load.ts";
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
    return async (protocol) => {
      const { live } = await packOf(protocol);
      if (live !== undefined) return (await live()).live.stage(variant === undefined ? {} : { variant });
      throw new TouchstoneError(
        "usage",
        `${protocol.name} has no reference implementation that scenarios are played with`,
        {
          hint: "name a server with --http",
        },
      );
    };
  }
  if (target.kind !== "http")
    throw new TouchstoneError("usage", "scenarios are played against servers alone", {
      hint: "name one with --http, or --reference",
    });
  const { url, headers } = target;
  const { credentials, hooks, receiver, callbackAuth, profile, timeScale } = config;
  const given = Object.entries({ headers, credentials, hooks, receiver, callbackAuth, profile, timeScale }).filter(
    ([, value]) => value !== undefined,
  );
  return async () => ({ setting: { url, ...Object.fromEntries(given) }, close: async () => {} });
}
