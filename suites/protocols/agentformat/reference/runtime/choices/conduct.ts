import { consentChoices, memoryChoices } from "./asking.ts";
import type { RuntimeChoice } from "./choice.ts";
import { documentChoices, modelChoices } from "./reading.ts";
import { callChoices, endingChoices, outputChoices, policyChoices } from "./work.ts";

/** All choices about a runtime's behaviour that the specification leaves open. */
export const behaviourChoices: readonly RuntimeChoice[] = [
  ...policyChoices,
  ...endingChoices,
  ...documentChoices,
  ...outputChoices,
  ...callChoices,
  ...modelChoices,
  ...consentChoices,
  ...memoryChoices,
].map((choice) => ({ ...choice, kind: "freedom" }));
