import type { Credential, Target, TargetConfig } from "../../schemas/index.ts";
import { identified } from "../http/identity.ts";
import { commandTarget } from "./command.ts";
import { httpTarget } from "./http.ts";
import { moduleTarget } from "./module.ts";
import { referenceTarget } from "./reference.ts";

/** The target that a configuration describes, not yet open. A server is asked by the agent of a credential, where one is given. */
export function targetFrom(config: TargetConfig, credential?: Credential): Target {
  switch (config.kind) {
    case "module":
      return moduleTarget(config.file);
    case "command":
      return commandTarget(config.command);
    case "http":
      return httpTarget(
        credential === undefined ? config : { ...config, ...identified(config.headers ?? {}, credential) },
      );
    case "reference":
      return referenceTarget(config.variant);
  }
}
