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

/** The settings of a server beside its address. */
export interface ServerFacts {
  /** The credential of its questions. */
  credential?: Credential | undefined;
  /** Its own time, in milliseconds since 1970. */
  clock?: (() => Promise<number>) | undefined;
  /** Names of headers and parameters with a value that names one request. */
  keys?: readonly string[];
  /** Answers that refuse, beside those of its protocol. */
  refusedWhen?: readonly RefusedWhen[];
}

/** Beside the configured ones. */
export interface TargetFacts extends ServerFacts {
  /** Called at most once, with the reason of an avoidable delay. */
  onSlow?: ((why: string) => void) | undefined;
}

/** The target that a configuration describes, not yet open. A server is asked by the agent of a credential, if one is given. */
export function targetFrom(config: TargetConfig, facts: TargetFacts = {}): Target {
  const target = madeFrom(config, facts);
  const given = "claims" in config ? config.claims : undefined;
  if (given === undefined) return target;
  const claims = claimsFrom(given, "the configuration");
  return Object.create(target, { claims: { value: claims, enumerable: true } }) as Target;
}

function madeFrom(config: TargetConfig, { credential, clock, keys, refusedWhen, onSlow }: TargetFacts): Target {
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
