import {
  type Credential,
  type RefusedWhen,
  type Target,
  type TargetConfig,
  TouchstoneError,
} from "../../schemas/index.ts";
import { withCredential } from "../base/http/identity.ts";
import { claimsFrom } from "./claims.ts";
import { commandTarget } from "./command.ts";
import { httpTarget } from "./http.ts";
import { mcpTarget } from "./mcp.ts";
import { moduleTarget } from "./module.ts";
import { referenceTarget } from "./reference.ts";

/** Facts about a server other than its address. */
export interface ServerFacts {
  /** The credential sent with each question. */
  credential?: Credential | undefined;
  /** Reads the server's clock, in milliseconds since 1970. */
  clock?: (() => Promise<number>) | undefined;
  /** Names of headers and parameters that identify a single request by their value. */
  keys?: readonly string[];
  /** Answers that count as refusals, in addition to those of its protocol. */
  refusedWhen?: readonly RefusedWhen[];
}

/** Facts about a target other than its configuration. */
export interface TargetFacts extends ServerFacts {
  /** Called at most once, with the reason for an avoidable delay. */
  onSlow?: ((why: string) => void) | undefined;
}

/** Creates the configured target, not yet open. With a credential, an HTTP target sends its requests as that agent. */
export function targetFrom(config: TargetConfig, facts: TargetFacts = {}): Target {
  const target = createTarget(config, facts);
  const givenClaims = "claims" in config ? config.claims : undefined;
  if (givenClaims === undefined) return target;
  const claims = claimsFrom(givenClaims, "the configuration");
  return Object.create(target, { claims: { value: claims, enumerable: true } }) as Target;
}

function createTarget(config: TargetConfig, { credential, clock, keys, refusedWhen, onSlow }: TargetFacts): Target {
  switch (config.kind) {
    case "module":
      return moduleTarget(config.file);
    case "command":
      return commandTarget(config.command, onSlow);
    case "http":
      return httpTarget({
        ...config,
        ...(credential === undefined ? {} : withCredential(config.headers ?? {}, credential)),
        ...(clock === undefined ? {} : { clock }),
        ...(keys === undefined ? {} : { keys }),
        ...(refusedWhen === undefined ? {} : { refusedWhen }),
      });
    case "mcp":
      return mcpTarget({ ...config, tools: config.tools ?? [] });
    case "reference":
      return referenceTarget(config.variant);
    case "hooks":
      throw new TouchstoneError("usage", "no target to run vectors against: the configuration has only hooks", {
        hint: "`touchstone play` plays scenarios against it",
      });
  }
}
