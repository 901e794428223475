import type { Credential, TargetConfig } from "../../schemas/index.ts";
import { commandTarget } from "./command.ts";
import { identified } from "./http/identity.ts";
import { httpTarget } from "./http.ts";
import { moduleTarget } from "./module.ts";
import { referenceTarget } from "./reference.ts";
import type { Target } from "./target.ts";

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
