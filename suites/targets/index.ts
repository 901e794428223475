import type { TargetConfig } from "../../schemas/index.ts";
import { commandTarget } from "./command.ts";
import { httpTarget } from "./http.ts";
import { moduleTarget } from "./module.ts";
import { referenceTarget } from "./reference.ts";
import type { Target } from "./target.ts";

export { commandTarget } from "./command.ts";
export { type HttpOptions, httpTarget } from "./http.ts";
export { moduleTarget } from "./module.ts";
export { referenceTarget } from "./reference.ts";
export * from "./target.ts";

/** The target that a configuration describes, not yet open. */
export function targetFrom(config: TargetConfig): Target {
  switch (config.kind) {
    case "module":
      return moduleTarget(config.file);
    case "command":
      return commandTarget(config.command);
    case "http":
      return httpTarget(config);
    case "reference":
      return referenceTarget(config.variant);
  }
}
