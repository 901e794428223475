export {
  type CheckedHistory as Checked,
  check,
  checkOne,
  type HistoryVerdict as Verdict,
  usualSteps,
} from "./check.ts";
export {
  forgetOutput,
  type History,
  type HistoryOperation,
  partitionOperations,
  type SequentialModel,
} from "./history.ts";
export { type Smallest, smallestIllegal } from "./smallest-history.ts";
