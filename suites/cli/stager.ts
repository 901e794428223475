import { type Config, type Protocol, type Setting, type TargetConfig, TouchstoneError } from "../../schemas/index.ts";
import { packOf } from "../pack/load.ts";
import type { Stager } from "../run/scenarios.ts";

/** What scenarios are played against. Undefined without scenarios. Throws a usage error for a target that cannot be played against. */
export async function stagerFor(
  target: TargetConfig,
  { scenarios, config }: { scenarios: boolean; config: Config },
): Promise<Stager | undefined> {
  if (!scenarios) return undefined;
  if (target.kind === "reference") return referenceStager(target.variant);
  if (target.kind !== "http")
    throw new TouchstoneError("usage", "with vectors, scenarios are played against servers alone", {
      hint: "name one with --http, or --reference; `touchstone play` plays them against a command",
    });
  return partyStager({ url: target.url, headers: target.headers }, config);
}

/** Reference implementations, which have credentials and hooks of their own. */
export function referenceStager(variant: string | undefined): Stager {
  return {
    sides: "all",
    async stage(protocol, side) {
      const { live } = await packOf(protocol);
      const options = { ...(variant === undefined ? {} : { variant }), ...(side === undefined ? {} : { side }) };
      if (live !== undefined) return (await live()).live.stage(options);
      throw new TouchstoneError(
        "usage",
        `${protocol.name} has no reference implementation that scenarios are played with`,
        {
          hint: "name a server with --http",
        },
      );
    },
  };
}

/** A party of somebody's own, with what the configuration says of it. */
export function partyStager(
  party: { [Name in "url" | "command" | "headers"]?: Setting[Name] | undefined },
  config: Config,
): Stager {
  const { credentials, hooks, receiver, callbackAuth, profile, timeScale, options } = config;
  const facts = { ...party, credentials, hooks, receiver, callbackAuth, profile, timeScale, options };
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return {
    sides: "usual",
    async stage(_protocol: Protocol, side?: string) {
      return { setting: { ...given, ...(side === undefined ? {} : { side }) }, close: async () => {} };
    },
  };
}
