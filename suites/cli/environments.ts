import { type Config, type Protocol, type Setting, type TargetConfig, TouchstoneError } from "../../schemas/index.ts";
import { referenceEnvironments } from "../run/environments.ts";
import type { Environments } from "../run/scenarios.ts";

/** What scenarios are played against. Undefined without scenarios. Throws a usage error for a target that cannot be played against. */
export async function environmentsFor(
  target: TargetConfig,
  { scenarios, config }: { scenarios: boolean; config: Config },
): Promise<Environments | undefined> {
  if (!scenarios) return undefined;
  if (target.kind === "reference") return referenceEnvironments(target.variant);
  if (target.kind !== "http")
    throw new TouchstoneError("usage", "beside vectors, scenarios and walks are played over HTTP alone", {
      hint: "name a server with --http, or --reference; `touchstone play` plays scenarios against a command, and walks need a server",
    });
  return partyEnvironments({ url: target.url, headers: target.headers }, config);
}

/** A party of somebody's own, with what the configuration says of it. */
export function partyEnvironments(
  party: { [Name in "url" | "command" | "headers"]?: Setting[Name] | undefined },
  config: Config,
): Environments {
  const { credentials, hooks, receiver, callbackAuth, profile, timeScale, bounds, options } = config;
  const facts = { ...party, credentials, hooks, receiver, callbackAuth, profile, timeScale, bounds, options };
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return {
    sides: "usual",
    ...(bounds === undefined ? {} : { bounds }),
    async open(_protocol: Protocol, side?: string) {
      return { setting: { ...given, ...(side === undefined ? {} : { side }) }, close: async () => {} };
    },
  };
}
