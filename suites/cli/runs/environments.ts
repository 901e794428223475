import { type Config, type TargetConfig, TouchstoneError } from "../../../schemas/index.ts";
import { partyEnvironments, referenceEnvironments } from "../../running/run/environments.ts";
import type { Environments } from "../../running/run/scenarios.ts";

/** The environments of scenarios; undefined without scenarios. Throws a usage error for a target that scenarios cannot be played against. */
export async function environmentsFor(
  target: TargetConfig,
  { scenarios, config }: { scenarios: boolean; config: Config },
): Promise<Environments | undefined> {
  if (!scenarios) return undefined;
  if (target.kind === "reference") return referenceEnvironments(target.variant);
  if (target.kind !== "http")
    throw new TouchstoneError("usage", "run plays scenarios and walks only over HTTP", {
      hint: "name a server with --http, or --reference; `touchstone play` plays scenarios against a command, and walks need a server",
    });
  return partyEnvironments({ url: target.url, headers: target.headers }, config);
}
