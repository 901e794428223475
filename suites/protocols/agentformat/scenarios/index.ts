import type { Scenario } from "../../../../schemas/index.ts";
import { boundScenarios } from "./bounds.ts";
import { conditionScenarios } from "./conditions.ts";
import { consentScenarios } from "./consent.ts";
import { dataScenarios } from "./data.ts";
import { declaredScenarios } from "./declared.ts";
import { delegationScenarios } from "./delegation.ts";
import { loopExitScenarios, loopScenarios } from "./loops.ts";
import { mappingScenarios } from "./mappings.ts";
import { memoryScenarios } from "./memory.ts";
import { outputScenarios } from "./outputs.ts";
import { policyScenarios } from "./policies.ts";
import { reactScenarios } from "./react.ts";

export { bounds } from "./waits.ts";

/** The scenarios in the order of play: causes before consequences. */
export const scenarios: readonly Scenario[] = [
  ...conditionScenarios,
  ...policyScenarios,
  ...loopScenarios,
  ...mappingScenarios,
  ...loopExitScenarios,
  ...dataScenarios,
  ...outputScenarios,
  ...declaredScenarios,
  ...reactScenarios,
  ...boundScenarios,
  ...memoryScenarios,
  ...consentScenarios,
  ...delegationScenarios,
];

export const takesCommand = true;
