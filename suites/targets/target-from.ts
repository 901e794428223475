import type { TargetConfig } from "../../schemas/index.ts";
import { commandTarget } from "./command.ts";
import { httpTarget } from "./http.ts";
import { moduleTarget } from "./module.ts";
import { referenceTarget } from "./reference.ts";
import type { Target } from "./target.ts";

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
