import { type Config, type Protocol, type Setting, TouchstoneError } from "../../../schemas/index.ts";
import { packOf } from "../../packs/pack/load.ts";
import type { Environments } from "./scenarios.ts";

/** The number of reference environments for slow scenarios. They mainly wait, so playing many in parallel is nearly as fast as playing a few. With fewer environments, the longest scenario would delay the others. */
const parallelReferences = 10;

/** Opens reference implementations, which have their own credentials and hooks. */
export function referenceEnvironments(variant: string | undefined): Environments {
  return {
    sides: "all",
    // Some variants show a breach only within milliseconds, so their scenarios are not played in parallel.
    ...(variant === undefined ? { atOnce: parallelReferences } : {}),
    async open(protocol, side) {
      const { live } = await packOf(protocol);
      const options = { ...(variant === undefined ? {} : { variant }), ...(side === undefined ? {} : { side }) };
      if (live !== undefined) return (await live()).live.open(options);
      throw new TouchstoneError("usage", `${protocol.name} has no reference implementation to play scenarios against`, {
        hint: "name a server with --http",
      });
    },
  };
}

/** Opens a user's party, with its settings from the configuration. */
export function partyEnvironments(
  party: { [Name in "url" | "command" | "headers"]?: Setting[Name] | undefined },
  config: Config,
): Environments {
  const { credentials, hooks, receiver, callbackAuth, profile, timeScale, bounds, options } = config;
  const facts = { ...party, credentials, hooks, receiver, callbackAuth, profile, timeScale, bounds, options };
  const givenFacts = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return {
    sides: "usual",
    ...(bounds === undefined ? {} : { bounds }),
    async open(_protocol: Protocol, side?: string) {
      return { setting: { ...givenFacts, ...(side === undefined ? {} : { side }) }, close: async () => {} };
    },
  };
}
